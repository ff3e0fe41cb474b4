import { Unauthenticated } from '../../contract/caller.ts';
import { Fault } from '../../contract/codes/faults.ts';
import type { Sessions } from '../../ports/platform/session.ts';
import { type SplunkdClient, unexpectedReply } from './client.ts';

interface Context {
  entry?: { content?: { username?: string; roles?: string[]; capabilities?: string[] } }[];
}

/** Asked again for each request: a role taken away a second ago must no longer count. */
export function splunkdSessions(client: SplunkdClient): Sessions {
  return {
    async whoami(token) {
      const endpoint = 'authentication/current-context';
      const reply = await client.call({ method: 'GET', endpoint, token, namespace: 'services' });
      if (reply.status === 401) throw new Unauthenticated();
      if (reply.status !== 200) throw unexpectedReply('who the caller is', reply);
      const content = (JSON.parse(reply.text) as Context).entry?.[0]?.content;
      if (!content?.username) throw new Fault('store_unavailable', 'The platform does not say who the caller is');
      return { user: content.username, roles: content.roles ?? [], capabilities: content.capabilities ?? [] };
    },
  };
}
