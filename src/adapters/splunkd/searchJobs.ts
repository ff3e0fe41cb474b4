import { Fault } from '../../contract/codes/faults.ts';
import { redact } from '../../domain/net/redact.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import { APP, objectOf, type SplunkdCall, type SplunkdClient, type SplunkdReply } from './client.ts';

/** A dispatch starts a process, which is slow on a busy machine. */
const DISPATCH_MS = 30_000;

/** Such an id would address another resource. */
const IMPOSSIBLE = /^\.{1,2}$/;

/**
 * Searches with the caller's own session, in the app's namespace.
 * @param systemToken shows whether a search runs: one of another user may be hidden from the caller
 */
export function splunkdSearchJobs(client: SplunkdClient, sessionToken: string, systemToken = sessionToken): SearchJobs {
  const common = { timeoutMs: DISPATCH_MS, anyStatus: true };
  const job = (sid: string, token: string, namespace: SplunkdCall['namespace']) =>
    client.call({ ...common, method: 'GET', endpoint: `search/jobs/${encodeURIComponent(sid)}`, token, namespace });
  return {
    async dispatch(user, search) {
      const reply = await client.call({
        ...common,
        method: 'POST',
        endpoint: 'search/jobs',
        token: sessionToken,
        namespace: { owner: user, app: APP },
        form: { search, exec_mode: 'normal' },
      });
      const sid = reply.status === 201 || reply.status === 200 ? objectOf(reply).sid : undefined;
      if (typeof sid === 'string' && sid !== '') return sid;
      throw new Fault('store_unavailable', `The platform answered ${reply.status} to the search${reason(reply)}`);
    },
    async isActive(sid) {
      const reply = await job(sid, systemToken, 'services');
      // Just dispatched: no status yet. While the platform is busy, nobody starts another search in its place.
      if (reply.status === 204 || reply.status === 429 || reply.status >= 500) return true;
      if (reply.status !== 200) return false;
      const { entry } = objectOf(reply) as { entry?: { content?: { isDone?: unknown } }[] };
      const isDone = entry?.[0]?.content?.isDone;
      return isDone === false || isDone === 0 || isDone === '0';
    },
    isKnown: async (user, sid) =>
      !IMPOSSIBLE.test(sid) && [200, 204].includes((await job(sid, sessionToken, { owner: user, app: APP })).status),
  };
}

function reason(reply: SplunkdReply): string {
  const { messages } = objectOf(reply) as { messages?: { text?: unknown }[] };
  const text = Array.isArray(messages) ? messages[0]?.text : undefined;
  return typeof text === 'string' && text !== '' ? `: ${redact(text)}` : '';
}
