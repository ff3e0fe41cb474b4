import { UnauthenticatedError } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { Sessions } from '../../ports/platform/session.ts';
import { objectOf, type SplunkdClient, unexpectedReply } from './client.ts';

interface Context {
  entry?: { content?: { username?: string; roles?: string[]; capabilities?: string[] } }[];
}

/** Older releases send texts. */
const FREE: readonly unknown[] = [true, 1, '1', 'true'];

interface ServerInfo {
  entry?: { content?: { isFree?: unknown } }[];
}

/** Not cached, so that a revoked role applies to the next request. */
export function splunkdSessions(client: SplunkdClient): Sessions {
  return {
    async whoami(token) {
      const endpoint = 'authentication/current-context';
      const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'services' });
      if (reply.status === 401) throw new UnauthenticatedError();
      if (reply.status !== 200) throw unexpectedReply('who the caller is', reply);
      const content = (JSON.parse(reply.text) as Context).entry?.[0]?.content;
      if (!content?.username)
        throw new Fault('store_unavailable', 'The platform returned no user name for the session');
      return { user: content.username, roles: content.roles ?? [], capabilities: content.capabilities ?? [] };
    },
    async isFree(token) {
      try {
        const reply = await client.call({ method: 'GET', endpoint: 'server/info', token, namespace: 'services' });
        return FREE.includes((objectOf(reply) as ServerInfo).entry?.[0]?.content?.isFree);
      } catch {
        return false;
      }
    },
  };
}
