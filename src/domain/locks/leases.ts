import { Fault } from '../../contract/codes/faults.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import { type Doc, InsertUnclear, type RecordStore } from '../../ports/stores/recordStore.ts';
import { COLLECTION, isRemoteClockDoc, type RemoteClockDoc, RemoteClockWatch } from './remoteClocks.ts';

export const WRITE_LEASE_MS = 10_000;
export const LONG_LEASE_MS = 60_000;
/** Watch documents not updated for this long belong to a removed host. Longer than any clock skew. */
const WATCH_DOC_MS = 3_600_000;

export interface LeaseDoc extends Doc {
  owner: string;
  /** Clock domain of `until`. */
  domain: string;
  /** End of the lease. */
  until: number;
  ttl: number;
}

export interface Lease {
  /** False when the lease is about to expire. */
  isHeld(): boolean;
  /** @throws Fault `store_unavailable` when the lease may have passed to another process */
  assertHeld(): void;
  /** Reads the store: a suspended process may have lost the lease unnoticed. */
  isStillOurs(): Promise<boolean>;
  release(): Promise<void>;
  /** End of the lease as it was taken, by the monotonic clock of this host. */
  readonly until: number;
  /** Token with which another process may `renew` the lease. */
  readonly owner: string;
}

/** Whether the lease of another host has expired. */
type ExpiryCheck = (holder: LeaseDoc) => boolean | Promise<boolean>;

const tokenOf = ({ owner, until }: LeaseDoc): string => `${owner} ${until}`;
const matchOf = ({ owner, until }: LeaseDoc) => ({ owner, until });
/** The lease under which a record is changed and removed. */
export const writeLeaseKey = (family: string, key: string): string => `write.${family}.${key}`;
export const leaseId = (key: string): string => `lease ${key}`;

/**
 * Leases in the record store: documents with a fixed key, since insert is the store's only atomic operation. A lease of this
 * host expires by its clock, one of another host when it has not changed for its whole life. The delete matches the
 * owner, so only one contender wins.
 */
export class Leases {
  readonly #records: RecordStore;
  readonly #clock: HostClock;
  readonly #newId: () => string;

  constructor(records: RecordStore, clock: HostClock, newId: () => string) {
    this.#records = records;
    this.#clock = clock;
    this.#newId = newId;
  }

  /** Undefined while another process holds the lease. */
  tryAcquire(key: string, ttlMs: number): Promise<Lease | undefined> {
    return this.#try(key, ttlMs, (holder) => this.#hasRemoteExpired(holder));
  }

  async #try(key: string, ttlMs: number, hasExpired: ExpiryCheck): Promise<Lease | undefined> {
    const owner = this.#newId();
    for (let attempt = 0; attempt < 2; attempt++) {
      const doc = this.#doc(key, owner, ttlMs);
      if (await this.#insert(doc)) return this.#lease(doc, ttlMs);
      const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
      if (holder && !(await this.#isOver(holder, hasExpired))) return undefined;
      if (holder) await this.#records.remove(COLLECTION, key, matchOf(holder));
    }
    return undefined;
  }

  /** An unclear insert counts as failed: nobody could have taken a lease that had just been inserted. */
  async #insert(doc: LeaseDoc): Promise<boolean> {
    try {
      return await this.#records.insert(COLLECTION, doc);
    } catch (error) {
      if (error instanceof InsertUnclear) return false;
      throw error;
    }
  }

  #doc(key: string, owner: string, ttl: number): LeaseDoc {
    const { domain } = this.#clock;
    const until = this.#clock.monotonic() + ttl;
    return { _key: key, owner, domain, until, ttl };
  }

  async #isOver(holder: LeaseDoc, hasExpired: ExpiryCheck): Promise<boolean> {
    if (holder.domain === this.#clock.domain) return this.#clock.monotonic() >= holder.until;
    return hasExpired(holder);
  }

  /** Watches the lease over several requests of this host. */
  async #hasRemoteExpired(holder: LeaseDoc): Promise<boolean> {
    const clocks = await RemoteClockWatch.read(this.#records, this.#clock);
    const isOver = clocks.isOverdue(leaseId(holder._key), tokenOf(holder), holder.ttl);
    if (isOver) clocks.forget((id) => id === leaseId(holder._key));
    await clocks.save();
    return isOver;
  }

  /** Extends a lease; false when it has expired or has another owner. */
  async renew(key: string, owner: string, ttlMs: number): Promise<boolean> {
    const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
    if (holder?.owner !== owner || (await this.#isOver(holder, () => false))) return false;
    return this.#records.replace<LeaseDoc>(COLLECTION, this.#doc(key, owner, ttlMs));
  }

  async holds(key: string, owner: string): Promise<boolean> {
    const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
    if (holder?.owner !== owner) return false;
    return !(await this.#isOver(holder, (lease) => this.#hasRemoteExpired(lease)));
  }

  async drop(key: string, owner: string): Promise<void> {
    await this.#records.remove(COLLECTION, key, { owner });
  }

  /**
   * Runs work under a lease and releases it.
   * @throws Fault `store_unavailable` when the lease is not free within `waitMs`
   */
  async hold<T>(
    key: string,
    ttlMs: number,
    work: (lease: Lease) => Promise<T>,
    waitMs: number = ttlMs + 2000,
  ): Promise<T> {
    const waitsUntil = this.#clock.monotonic() + waitMs;
    const hasExpired = this.#watchHolder();
    let pause = 10;
    for (;;) {
      const lease = await this.#try(key, ttlMs, hasExpired);
      if (lease) {
        try {
          return await work(lease);
        } finally {
          await lease.release();
        }
      }
      if (this.#clock.monotonic() >= waitsUntil)
        throw new Fault('store_unavailable', 'Another change to this record is in progress. Try again.');
      await this.#clock.sleep(pause * (0.5 + Math.random()));
      pause = Math.min(pause * 1.5, 200);
    }
  }

  /** A waiting process watches the holder itself and stores nothing. */
  #watchHolder(): ExpiryCheck {
    let last: { token: string; at: number } | undefined;
    return (holder) => {
      const [token, now] = [tokenOf(holder), this.#clock.monotonic()];
      if (last?.token !== token) last = { token, at: now };
      return now - last.at >= holder.ttl;
    };
  }

  /**
   * Removes expired leases and documents of dead processes.
   * @param docs documents of the collection
   * @param isOver true once the time limit is reached
   */
  async sweep(
    docs: readonly (LeaseDoc | RemoteClockDoc)[],
    clocks: RemoteClockWatch,
    isOver: () => boolean,
  ): Promise<void> {
    for (const doc of docs) {
      if (isOver()) return;
      if (doc._key === RemoteClockWatch.keyOf(this.#clock)) continue;
      if (isRemoteClockDoc(doc)) {
        if (this.#isOldWatchDoc(doc)) await this.#records.remove(COLLECTION, doc._key, { until: doc.until });
      } else if (this.#hasExpired(doc, clocks)) await this.#records.remove(COLLECTION, doc._key, matchOf(doc));
    }
  }

  #hasExpired(doc: LeaseDoc, clocks: RemoteClockWatch): boolean {
    if (doc.domain === this.#clock.domain) return this.#clock.monotonic() >= doc.until;
    return clocks.isOverdue(leaseId(doc._key), tokenOf(doc), doc.ttl);
  }

  /**
   * Compares wall clocks: if hosts watched each other's watch documents, each would update its own for ever. A host that loses
   * its document only starts watching again.
   */
  #isOldWatchDoc({ expires_at }: RemoteClockDoc): boolean {
    return Math.abs(this.#clock.now() - expires_at) > WATCH_DOC_MS;
  }

  #lease({ _key: key, owner, until }: LeaseDoc, ttlMs: number): Lease {
    // A write already sent has to arrive before the end, so the last tenth is not used.
    const isHeld = () => this.#clock.monotonic() < until - ttlMs / 10;
    return {
      owner,
      until,
      isHeld,
      assertHeld: () => {
        if (!isHeld())
          throw new Fault('store_unavailable', 'The stores were too slow. Nothing was changed; try again.');
      },
      isStillOurs: async () => (await this.#records.get<LeaseDoc>(COLLECTION, key))?.owner === owner,
      release: async () => {
        try {
          await this.#records.remove(COLLECTION, key, { owner });
        } catch {
          // The lease expires by itself, and the work was successful.
        }
      },
    };
  }
}
