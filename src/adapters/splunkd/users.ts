import type { Caller } from '../../contract/caller.ts';
import type { Users } from '../../ports/platform/session.ts';
import { objectOf, type SplunkdClient, unexpectedReply } from './client.ts';

/** Such a name would address another resource. */
const IMPOSSIBLE = /^\.{1,2}$|[/\\\p{Cc}]/u;

interface UserFeed {
  entry?: { content?: { roles?: string[]; capabilities?: string[] } }[];
}

export function splunkdUsers(client: SplunkdClient, token: string): Users {
  async function find(user: string): Promise<Caller | undefined> {
    if (IMPOSSIBLE.test(user)) return undefined;
    const endpoint = `authentication/users/${encodeURIComponent(user)}`;
    const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'services' });
    if (reply.status === 404) return undefined;
    if (reply.status !== 200) throw unexpectedReply('a read of a user', reply);
    const { roles = [], capabilities = [] } = (objectOf(reply) as UserFeed).entry?.[0]?.content ?? {};
    return { user, roles, capabilities };
  }
  return { exists: async (user) => (await find(user)) !== undefined, find };
}
