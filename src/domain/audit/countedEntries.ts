import { type CountedWork, endOf } from '../../contract/audit.ts';
import { errorName } from '../../contract/basics.ts';
import { DelayedWrite } from '../async/delayedWrite.ts';
import { RecentMap } from '../async/recentMap.ts';
import { idsWithin, newestEntry, underUserLease } from './repeats.ts';
import { AUDIT, type AuditStored, type AuditStores, nameFields, newEntry } from './stored.ts';

interface EntrySite extends AuditStores {
  /** Sends an entry on, after its first calls have ended. */
  completed(entry: AuditStored): void;
}

/** Calls of this process that the stored entry lacks. */
interface Pending {
  calls: number;
  failed: number;
  milliseconds: number;
  errorCode: string | undefined;
}

interface OpenEntry {
  audit_id: string;
  user: string;
  action: CountedWork['action'];
  /** Epoch milliseconds. */
  begun: number;
  pending: Pending;
}

const PERIOD_MS = 3_600_000;
const MAX_OPEN = 1000;
const MAX_SEARCHES = 1000;
const NOTHING: Pending = { calls: 0, failed: 0, milliseconds: 0, errorCode: undefined };

/**
 * Entries of work that is done often: calls of one tool by one user in one run or search, or within an hour otherwise, are one entry of
 * all processes, and so are a user's writes of documents into one store within an hour. The entry is written before the first of
 * them; what follows is counted after the replies.
 */
export class CountedEntries {
  readonly #open = new Map<string, OpenEntry>();
  /** Whether the platform knows a search of a user. */
  readonly #searches = new RecentMap<boolean>(MAX_SEARCHES);
  #site: EntrySite | undefined;
  readonly #writes = new DelayedWrite(() => this.#write());

  /** @throws Fault `store_unavailable` before the call; errors of the call */
  async run<T>(site: EntrySite, call: CountedWork, work: () => Promise<T>): Promise<T> {
    this.#site = site;
    const entry = await this.#entryFor(site, { ...call, sid: await this.#searchOf(call) });
    const started = site.clock.monotonic();
    const count = (errorCode: string | undefined) => {
      const { calls, failed, milliseconds, errorCode: before } = entry.pending;
      entry.pending = {
        calls: calls + 1,
        failed: failed + (errorCode === undefined ? 0 : 1),
        milliseconds: milliseconds + Math.max(0, site.clock.monotonic() - started),
        errorCode: errorCode ?? before,
      };
      this.#writes.schedule();
    };
    try {
      const result = await work();
      count(undefined);
      return result;
    } catch (error) {
      count(endOf(error).error_code);
      throw error;
    }
  }

  /** Counts what has ended in the stored entries. Never rejects. */
  flush(): Promise<void> {
    return this.#writes.flush();
  }

  /** The search, if the platform knows it: a made-up one must not make an entry of its own. */
  async #searchOf({ user, sid, isKnownSearch }: CountedWork): Promise<string | undefined> {
    if (sid === undefined || !isKnownSearch) return undefined;
    const key = JSON.stringify([user, sid]);
    let isKnown = this.#searches.get(key);
    if (isKnown === undefined) {
      try {
        isKnown = await isKnownSearch(sid);
      } catch {
        // Asked again by the next call.
        return undefined;
      }
      this.#searches.set(key, isKnown);
    }
    return isKnown ? sid : undefined;
  }

  async #entryFor(site: EntrySite, call: CountedWork): Promise<OpenEntry> {
    const key = keyOf(call);
    const earlier = this.#open.get(key);
    if (earlier && isCurrent(earlier, call, site.clock.now())) return earlier;
    // Calls that end meanwhile belong to the earlier entry.
    if (earlier) await this.flush();
    const { audit_id, time } = await findOrInsert(site, call);
    // A call that began meanwhile has opened the same entry, and counts in it.
    const opened = this.#open.get(key);
    if (opened?.audit_id === audit_id) return opened;
    const entry = { audit_id, user: call.user, action: call.action, begun: time * 1000, pending: NOTHING };
    this.#open.set(key, entry);
    return entry;
  }

  async #write(): Promise<void> {
    const site = this.#site;
    if (!site) return;
    for (const [key, entry] of this.#open) {
      const { pending } = entry;
      if (pending.calls === 0) {
        if (this.#open.size > MAX_OPEN) this.#open.delete(key);
        continue;
      }
      entry.pending = NOTHING;
      try {
        await addCalls(site, entry, pending);
      } catch (error) {
        entry.pending = sumOf(pending, entry.pending);
        site.log.warn('audit_not_completed', {
          audit_id: entry.audit_id,
          action: entry.action,
          cause: errorName(error),
        });
      }
    }
  }
}

const keyOf = ({ user, action, family, name, tool, sid = '', run_id = '' }: CountedWork): string =>
  JSON.stringify([user, action, family, nameFields(name).name_key, tool, sid, run_id]);

const isCurrent = ({ begun }: OpenEntry, { sid, run_id }: CountedWork, now: number): boolean =>
  sid !== undefined || run_id !== undefined || Math.abs(now - begun) < PERIOD_MS;

const sumOf = (a: Pending, b: Pending): Pending => ({
  calls: a.calls + b.calls,
  failed: a.failed + b.failed,
  milliseconds: a.milliseconds + b.milliseconds,
  errorCode: b.errorCode ?? a.errorCode,
});

/** The entry that a process has written for calls like this one, or a new one. @throws Fault `store_unavailable` */
function findOrInsert(site: EntrySite, call: CountedWork): Promise<AuditStored> {
  const { records, clock } = site;
  const { user, action, family, tool, sid = '', run_id } = call;
  return underUserLease(site, user, async () => {
    const { name_key } = nameFields(call.name);
    const group =
      run_id === undefined ? { sid, ...(sid === '' ? { audit_id: idsWithin(site, PERIOD_MS) } : {}) } : { run_id };
    const earlier = await newestEntry(site, {
      user,
      action,
      family,
      name_key,
      ...(tool === undefined ? {} : { tool }),
      ...group,
    });
    if (earlier) return earlier;
    const entry: AuditStored = { ...newEntry(clock, call), quota: 'use', ...(tool === undefined ? {} : { tool }), sid };
    await records.insert(AUDIT, entry);
    return entry;
  });
}

async function addCalls(site: EntrySite, { audit_id, user }: OpenEntry, added: Pending): Promise<void> {
  const { records } = site;
  await underUserLease(site, user, async () => {
    const stored = await records.get<AuditStored>(AUDIT, audit_id);
    // Removed, since the trail is full.
    if (!stored) return;
    const isFirst = stored.outcome === 'unknown';
    const count = (isFirst ? 0 : (stored.count ?? 1)) + added.calls;
    const failed = (stored.failed ?? 0) + added.failed;
    const next: AuditStored = {
      ...stored,
      outcome: failed === count ? 'fail' : 'success',
      duration_ms: (stored.duration_ms ?? 0) + Math.round(added.milliseconds),
      ...(added.errorCode === undefined ? {} : { error_code: added.errorCode }),
      ...(count > 1 ? { count } : {}),
      ...(failed > 0 ? { failed } : {}),
    };
    await records.replace(AUDIT, next);
    if (isFirst) site.completed(next);
  });
}
