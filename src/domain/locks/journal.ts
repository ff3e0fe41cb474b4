import type { HostClock } from '../../ports/platform/clock.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import type { SecretStore } from '../../ports/stores/secretStore.ts';
import { parallel } from '../async/parallel.ts';
import { type LeaseDoc, Leases, leaseId } from './leases.ts';
import { COLLECTION as LEASES, type RemoteClockDoc, RemoteClockWatch } from './remoteClocks.ts';

const JOURNAL = 'ml_journal';
/** Younger entries may belong to a writer at work. */
export const GRACE_MS = 60_000;
/** How much time a sweep may take from the request that makes it; the rest is left to the next write. */
const SWEEP_MS = 1000;
const MOST_AT_ONCE = 1000;
/** Entries that are settled side by side. */
const SIDE_BY_SIDE = 8;

export interface Entry extends Doc {
  family: string;
  refs: string[];
  /** The clock that `since` was read from. */
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
 * Which secret references a write has in play. An entry that is still there after a minute belongs to a writer that
 * died: the next write of the same family deletes those of its secrets that no record points at.
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

  /**
   * Deletes what died writers have left: secrets of this family, and leases. Takes at most a second; failures are left
   * for the next write.
   */
  async sweep(family: string, collection: string): Promise<void> {
    const { clock, log } = this.#stores;
    const until = clock.monotonic() + SWEEP_MS;
    const isOver = () => clock.monotonic() >= until;
    const enough = new AbortController();
    const work = this.#sweep(family, collection, isOver).catch(() => log.warn('sweep_failed', { family }));
    // A store that hangs holds this request up no longer than one that is slow.
    await Promise.race([work, clock.sleep(SWEEP_MS, enough.signal).catch(() => {})]);
    enough.abort();
  }

  async #sweep(family: string, collection: string, isOver: () => boolean): Promise<void> {
    const { records, clock } = this.#stores;
    const [entries, leases] = await Promise.all([
      records.find<Entry>(JOURNAL, { query: { family }, limit: MOST_AT_ONCE }),
      records.find<LeaseDoc | RemoteClockDoc>(LEASES, { limit: MOST_AT_ONCE }),
    ]);
    if (entries.length === 0 && leases.length === 0) return;
    const own = leases.find(({ _key }) => _key === RemoteClockWatch.keyOf(clock));
    const sightings = new RemoteClockWatch(records, clock, own);
    const prefix = `journal ${family} `;
    const left = entries.filter((entry) => this.#isLeft(entry, sightings, prefix));
    // One that cannot be settled must not block the others.
    const settle = (entry: Entry) =>
      this.#settle(entry, collection, isOver).catch(() => this.#stores.log.warn('sweep_failed', { family }));
    await parallel(left, SIDE_BY_SIDE, settle, isOver);
    await this.#leases.sweep(leases, sightings, isOver);
    const ids = new Set([...entries.map(({ _key }) => `${prefix}${_key}`), ...leases.map(({ _key }) => leaseId(_key))]);
    // What is no longer there was cleaned up by somebody else. If the query was cut off, nothing can be said.
    const whole = Math.max(entries.length, leases.length) < MOST_AT_ONCE;
    if (whole) sightings.forget((id) => (id.startsWith(prefix) || id.startsWith(leaseId(''))) && !ids.has(id));
    await sightings.save();
  }

  #isLeft(entry: Entry, sightings: RemoteClockWatch, prefix: string): boolean {
    const { clock } = this.#stores;
    if (entry.domain === clock.domain) return clock.monotonic() - entry.since >= GRACE_MS;
    return sightings.isOverdue(`${prefix}${entry._key}`, '', GRACE_MS);
  }

  async #settle(entry: Entry, collection: string, isOver: () => boolean): Promise<void> {
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
