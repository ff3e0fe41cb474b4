import type { HostClock } from '../../ports/platform/clock.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import type { SecretStore } from '../../ports/stores/secretStore.ts';
import { parallel } from '../async/parallel.ts';
import { type LeaseDoc, Leases, leaseId } from './leases.ts';
import { COLLECTION as LEASES, type RemoteClockDoc, RemoteClockWatch } from './remoteClocks.ts';

const JOURNAL = 'ml_journal';
/** Younger entries may belong to an active writer. */
export const GRACE_MS = 60_000;
/** Time limit of a sweep; the next write continues it. */
const SWEEP_MS = 500;
const MAX_ENTRIES = 1000;
/** Entries cleaned up concurrently. */
const CONCURRENCY = 8;

export interface Entry extends Doc {
  family: string;
  refs: string[];
  /** Clock domain of `since`. */
  domain: string;
  since: number;
}

export interface JournalStores {
  records: RecordStore;
  secrets: SecretStore;
  clock: HostClock;
  log: Log;
  newId(): string;
}

/**
 * The secret references of writes in progress. An entry older than a minute belongs to a writer that died; the next write of
 * the family deletes its secrets that no record references.
 */
export class Journal {
  readonly #stores: JournalStores;
  readonly #leases: Leases;

  constructor(stores: JournalStores) {
    this.#stores = stores;
    this.#leases = new Leases(stores.records, stores.clock, stores.newId);
  }

  async open(family: string, refs: readonly string[]): Promise<string> {
    const { records, clock, newId } = this.#stores;
    const id = newId();
    const { domain } = clock;
    const entry: Entry = { _key: id, family, refs: [...refs], domain, since: clock.monotonic() };
    await records.insert(JOURNAL, entry);
    return id;
  }

  async close(id: string): Promise<void> {
    await this.#stores.records.remove(JOURNAL, id);
  }

  /** Deletes secrets of this family and leases left by dead writers, for at most half a second. Failures are left to the next write. */
  async sweep(family: string, collection: string): Promise<void> {
    const { clock, log } = this.#stores;
    const endsAt = clock.monotonic() + SWEEP_MS;
    const isOver = () => clock.monotonic() >= endsAt;
    const sweepDone = new AbortController();
    const work = this.#sweep(family, collection, isOver).catch(() => log.warn('sweep_failed', { family }));
    // A hanging store must not delay the end of the process for longer than a slow one.
    await Promise.race([work, clock.sleep(SWEEP_MS, sweepDone.signal).catch(() => {})]);
    sweepDone.abort();
  }

  async #sweep(family: string, collection: string, isOver: () => boolean): Promise<void> {
    const { records, clock } = this.#stores;
    const [entries, leases] = await Promise.all([
      records.find<Entry>(JOURNAL, { query: { family }, limit: MAX_ENTRIES }),
      records.find<LeaseDoc | RemoteClockDoc>(LEASES, { limit: MAX_ENTRIES }),
    ]);
    if (entries.length === 0 && leases.length === 0) return;
    const clockDoc = leases.find(({ _key }) => _key === RemoteClockWatch.keyOf(clock));
    const clocks = new RemoteClockWatch(records, clock, clockDoc);
    const prefix = `journal ${family} `;
    const abandoned = entries.filter((entry) => this.#isAbandoned(entry, clocks, prefix));
    // An entry that fails must not block the others.
    const cleanUp = (entry: Entry) =>
      this.#cleanUp(entry, collection, isOver).catch(() => this.#stores.log.warn('sweep_failed', { family }));
    await parallel(abandoned, CONCURRENCY, cleanUp, isOver);
    await this.#leases.sweep(leases, clocks, isOver);
    const ids = new Set([...entries.map(({ _key }) => `${prefix}${_key}`), ...leases.map(({ _key }) => leaseId(_key))]);
    // Missing documents were cleaned up by another process; a truncated result proves nothing.
    const isComplete = Math.max(entries.length, leases.length) < MAX_ENTRIES;
    if (isComplete) clocks.forget((id) => (id.startsWith(prefix) || id.startsWith(leaseId(''))) && !ids.has(id));
    await clocks.save();
  }

  #isAbandoned(entry: Entry, clocks: RemoteClockWatch, prefix: string): boolean {
    const { clock } = this.#stores;
    if (entry.domain === clock.domain) return clock.monotonic() - entry.since >= GRACE_MS;
    return clocks.isOverdue(`${prefix}${entry._key}`, '', GRACE_MS);
  }

  async #cleanUp(entry: Entry, collection: string, isOver: () => boolean): Promise<void> {
    const { records, secrets, log } = this.#stores;
    for (const ref of entry.refs) {
      const query = { secret_ref: ref };
      const used = await records.find(collection, { query, fields: ['secret_ref'], limit: 1 });
      if (used.length > 0) continue;
      await secrets.remove(ref, isOver);
      if (isOver()) return;
    }
    await this.close(entry._key);
    log.info('swept', { family: entry.family, references: entry.refs.length });
  }
}
