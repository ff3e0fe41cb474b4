import type { Users } from '../../ports/platform/session.ts';
import { type SplunkdClient, unexpectedReply } from './client.ts';

/** Such a name would address another resource. */
const IMPOSSIBLE = /^\.{1,2}$|[/\\\p{Cc}]/u;

export function splunkdUsers(client: SplunkdClient, token: string): Users {
  return {
    async exists(user) {
      if (IMPOSSIBLE.test(user)) return false;
      const endpoint = `authentication/users/${encodeURIComponent(user)}`;
      const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'services' });
      if (reply.status !== 200 && reply.status !== 404) throw unexpectedReply('a read of a user', reply);
      return reply.status === 200;
    },
  };
}
