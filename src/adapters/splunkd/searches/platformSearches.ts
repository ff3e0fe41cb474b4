import { setTimeout as sleep } from 'node:timers/promises';
import { Fault } from '../../../contract/codes/faults.ts';
import { memoizeByObject } from '../../../domain/async/memoize.ts';
import { RecentResults } from '../../../domain/async/recentResults.ts';
import type { Slot } from '../../../domain/locks/heldSlot.ts';
import type { PlatformMacro, PlatformPlace, PlatformSearches } from '../../../ports/platform/platformSearches.ts';
import { objectOf, type SplunkdClient } from '../client.ts';
import { readIndexRule } from './indexRights.ts';
import { PlatformJob } from './job.ts';
import { entriesOf, readList, readLookups } from './lists.ts';
import { messagesIn, searchFault, tooManySearches } from './messages.ts';

/** Macros and lookups of a caller may be so old. */
const FRESH_MS = 60_000;
const MAX_KEPT = 5000;
const SLOT_POLL_MS = 50;

const recentOf = memoizeByObject((_client: SplunkdClient) => new RecentResults(MAX_KEPT, FRESH_MS));

interface Parts {
  client: SplunkdClient;
  sessionToken: string;
  systemToken: string;
  /** One of the searches that a user may have at a time; undefined if all are taken. */
  takeSlot(user: string): Promise<Slot | undefined>;
}

/** Searches with the session of the caller. */
export function splunkdPlatformSearches({ client, sessionToken, systemToken, takeSlot }: Parts): PlatformSearches {
  const recent = recentOf(client);
  const keyOf = ({ user, app }: PlatformPlace, ...more: unknown[]) => JSON.stringify([user, app, ...more]);
  return {
    async run(user, search, upstream) {
      const slot = await waitForSlot(() => takeSlot(user), upstream);
      try {
        return await new PlatformJob(client, sessionToken, user, search).rows(upstream);
      } finally {
        slot.release();
      }
    },
    async commandsOf({ user, app }, search) {
      const reply = await client.call({
        ...{ method: 'POST', endpoint: 'search/v2/parser', token: sessionToken, anyStatus: true, repeatable: true },
        namespace: { owner: user, app },
        form: { q: search, parse_only: 't', enable_lookups: 'f' },
      });
      const { commands, messages } = objectOf(reply);
      if (reply.status === 400) throw searchFault(messagesIn(messages), 'The platform cannot parse the search');
      if (reply.status !== 200 || !Array.isArray(commands)) return undefined;
      return commands.map((each) => String(Object(each).command ?? '').toLowerCase());
    },
    macro: (place, name, args) =>
      recent.share(keyOf(place, 'macro', name, args), () => readMacro(client, sessionToken, place, name, args)),
    lookups: (place) =>
      recent.share(keyOf(place, 'lookups'), () => readLookups(entriesOf(client, sessionToken, place))),
    list: (list, place, { roles, text }) =>
      readList(list, entriesOf(client, sessionToken, place), text, () => readIndexRule(client, systemToken, roles)),
  };
}

/** @throws Fault `too_many_searches` */
async function waitForSlot(
  take: () => Promise<Slot | undefined>,
  { signal, remaining }: { signal: AbortSignal; remaining(): number },
): Promise<Slot> {
  for (;;) {
    signal.throwIfAborted();
    const slot = await take();
    if (slot) return slot;
    if (remaining() <= SLOT_POLL_MS) {
      throw tooManySearches('You have two searches under way, which is the maximum for one user');
    }
    await sleep(SLOT_POLL_MS, undefined, { signal }).catch(() => {});
  }
}

/** An unknown macro, one that cannot be read and one of another app look alike. */
async function readMacro(
  client: SplunkdClient,
  token: string,
  { user, app }: PlatformPlace,
  name: string,
  args: number,
): Promise<PlatformMacro | null> {
  const stanza = args === 0 ? name : `${name}(${args})`;
  const reply = await client.call({
    method: 'GET',
    endpoint: `configs/conf-macros/${encodeURIComponent(stanza)}`,
    token,
    namespace: { owner: user, app },
  });
  if (reply.status !== 200) {
    if (reply.status === 404 || reply.status === 403) return null;
    throw new Fault('store_unavailable', `The platform answered ${reply.status} to a read of a macro`);
  }
  const { entry } = objectOf(reply) as { entry?: { content?: Record<string, unknown> }[] };
  const content = entry?.[0]?.content;
  if (!content || typeof content.definition !== 'string') return null;
  return {
    definition: content.definition,
    args: String(content.args ?? '')
      .split(',')
      .map((each) => each.trim())
      .filter(Boolean),
    isEval: ['1', 'true', 't', 'yes', 'y'].includes(String(content.iseval ?? '0').toLowerCase()),
  };
}
