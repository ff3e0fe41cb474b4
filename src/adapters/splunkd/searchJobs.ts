import { Fault } from '../../contract/codes/faults.ts';
import { redact } from '../../domain/net/redact.ts';
import type { SearchJobs } from '../../ports/platform/searchJobs.ts';
import { APP, objectOf, type SplunkdClient, type SplunkdReply } from './client.ts';

/** A dispatch starts a process, which is slow on a busy machine. */
const DISPATCH_MS = 30_000;

/** Such an id would address another resource. */
const IMPOSSIBLE = /^\.{1,2}$/;

/** Searches with the caller's own session, in the app's namespace. */
export function splunkdSearchJobs(client: SplunkdClient, sessionToken: string): SearchJobs {
  const call = (user: string, method: 'GET' | 'POST', endpoint: string, form?: Record<string, string>) =>
    client.call({
      method,
      endpoint,
      token: sessionToken,
      namespace: { owner: user, app: APP },
      timeoutMs: DISPATCH_MS,
      anyStatus: true,
      ...(form ? { form } : {}),
    });
  const job = (user: string, sid: string) => call(user, 'GET', `search/jobs/${encodeURIComponent(sid)}`);
  return {
    async dispatch(user, search) {
      const reply = await call(user, 'POST', 'search/jobs', { search, exec_mode: 'normal' });
      const sid = reply.status === 201 || reply.status === 200 ? objectOf(reply).sid : undefined;
      if (typeof sid === 'string' && sid !== '') return sid;
      throw new Fault('store_unavailable', `the platform answered ${reply.status} to the search${reason(reply)}`);
    },
    async isActive(user, sid) {
      const reply = await job(user, sid);
      // Just dispatched: no status yet.
      if (reply.status === 204) return true;
      if (reply.status !== 200) return false;
      const { entry } = objectOf(reply) as { entry?: { content?: { isDone?: unknown } }[] };
      const isDone = entry?.[0]?.content?.isDone;
      return isDone === false || isDone === 0 || isDone === '0';
    },
    isKnown: async (user, sid) => !IMPOSSIBLE.test(sid) && [200, 204].includes((await job(user, sid)).status),
  };
}

function reason(reply: SplunkdReply): string {
  const { messages } = objectOf(reply) as { messages?: { text?: unknown }[] };
  const text = Array.isArray(messages) ? messages[0]?.text : undefined;
  return typeof text === 'string' && text !== '' ? `: ${redact(text)}` : '';
}
