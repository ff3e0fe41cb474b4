import { Fault } from '../../contract/codes/faults.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import { type Doc, InsertUnclear, type RecordStore } from '../../ports/stores/recordStore.ts';
import { COLLECTION, isRemoteClockDoc, type RemoteClockDoc, RemoteClockWatch } from './remoteClocks.ts';

/** A write lease lives this long; a refresh or polling lease six times as long. */
export const WRITE_LEASE_MS = 10_000;
export const LONG_LEASE_MS = 60_000;
/** What nobody has claimed for this long after its end belongs to a process that died. */
const LEFTOVER_MS = 60_000;
/** Notes that a host has not updated for this long are those of a host that is gone. Longer than clocks can differ. */
const NOTE_MS = 3_600_000;

export interface LeaseDoc extends Doc {
  owner: string;
  /** The clock that `until` was read from. */
  domain: string;
  /** End of the lease by that clock. */
  until: number;
  ttl: number;
}

export interface Lease {
  /** False once so much of the lease's life is over that another process may take it at any moment. */
  isHeld(): boolean;
  /** @throws Fault `store_unavailable` when the lease may have passed to another process */
  assertHeld(): void;
  /** Asks the store, for a process that may have slept: whether nobody has taken the lease since. */
  isStillOurs(): Promise<boolean>;
  release(): Promise<void>;
  /** The mark by which another process may carry the lease on, see `renew`. */
  readonly owner: string;
}

/** Of a lease that another host holds, tells whether it is over. */
type Judge = (holder: LeaseDoc) => boolean | Promise<boolean>;

const markOf = ({ owner, until }: LeaseDoc): string => `${owner} ${until}`;
const matchOf = ({ owner, until }: LeaseDoc) => ({ owner, until });
export const leaseId = (key: string): string => `lease ${key}`;

/**
 * Leases in the record store: a document with a fixed key, an owner and an end. Inserting it is the only atomic test the
 * store has. A lease of this host is over when the host's own clock says so; one of another host when it has been seen
 * unchanged for its whole life. Then it is deleted together with its owner's mark, so of several contenders one gets it.
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

  /** The lease, or undefined while another process holds it. */
  tryAcquire(key: string, ttlMs: number): Promise<Lease | undefined> {
    return this.#try(key, ttlMs, (holder) => this.#sighted(holder));
  }

  async #try(key: string, ttlMs: number, judge: Judge): Promise<Lease | undefined> {
    const owner = this.#newId();
    for (let attempt = 0; attempt < 2; attempt++) {
      const doc = this.#doc(key, owner, ttlMs);
      if (await this.#insert(doc)) return this.#lease(doc, ttlMs);
      const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
      if (holder && !(await this.#isOver(holder, judge))) return undefined;
      if (holder) await this.#records.remove(COLLECTION, key, matchOf(holder));
    }
    return undefined;
  }

  /** Nobody takes a lease away in the moment after it began: one that is not ours now never was. */
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

  async #isOver(holder: LeaseDoc, judge: Judge): Promise<boolean> {
    if (holder.domain === this.#clock.domain) return this.#clock.monotonic() >= holder.until;
    return judge(holder);
  }

  /** Seen over several requests, of this process or of others on this host. */
  async #sighted(holder: LeaseDoc): Promise<boolean> {
    const sightings = await RemoteClockWatch.read(this.#records, this.#clock);
    const isOver = sightings.isOverdue(leaseId(holder._key), markOf(holder), holder.ttl);
    if (isOver) sightings.forget((id) => id === leaseId(holder._key));
    await sightings.save();
    return isOver;
  }

  /** Prolongs a lease that this owner still holds; false when it has run out or passed to another. */
  async renew(key: string, owner: string, ttlMs: number): Promise<boolean> {
    const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
    if (holder?.owner !== owner || (await this.#isOver(holder, () => false))) return false;
    return this.#records.replace<LeaseDoc>(COLLECTION, this.#doc(key, owner, ttlMs));
  }

  /** Whether this owner holds the lease now. */
  async holds(key: string, owner: string): Promise<boolean> {
    const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
    if (holder?.owner !== owner) return false;
    return !(await this.#isOver(holder, (lease) => this.#sighted(lease)));
  }

  async drop(key: string, owner: string): Promise<void> {
    await this.#records.remove(COLLECTION, key, { owner });
  }

  /**
   * Does work under a lease and releases it whatever happens.
   * @throws Fault `store_unavailable` when the lease cannot be had within its own life and a little more
   */
  async hold<T>(key: string, ttlMs: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    const until = this.#clock.monotonic() + ttlMs + 2000;
    const judge = this.#watch();
    let pause = 10;
    for (;;) {
      const lease = await this.#try(key, ttlMs, judge);
      if (lease) {
        try {
          return await work(lease);
        } finally {
          await lease.release();
        }
      }
      if (this.#clock.monotonic() >= until)
        throw new Fault('store_unavailable', 'Another change to this record is still under way');
      await this.#clock.sleep(pause * (0.5 + Math.random()));
      pause = Math.min(pause * 1.5, 200);
    }
  }

  /** Whoever waits for a lease sees its holder all the while, and needs no notes. */
  #watch(): Judge {
    let seen: { mark: string; at: number } | undefined;
    return (holder) => {
      const [mark, now] = [markOf(holder), this.#clock.monotonic()];
      if (seen?.mark !== mark) seen = { mark, at: now };
      return now - seen.at >= holder.ttl;
    };
  }

  /**
   * Removes what dead processes have left.
   * @param found what the collection holds
   * @param isOver false once the time for it is over
   */
  async sweep(
    found: readonly (LeaseDoc | RemoteClockDoc)[],
    sightings: RemoteClockWatch,
    isOver: () => boolean,
  ): Promise<void> {
    for (const doc of found) {
      if (isOver()) return;
      if (doc._key === RemoteClockWatch.keyOf(this.#clock)) continue;
      if (isRemoteClockDoc(doc)) {
        if (this.#isOldNote(doc)) await this.#records.remove(COLLECTION, doc._key, { until: doc.until });
      } else if (this.#isLeft(doc, sightings)) await this.#records.remove(COLLECTION, doc._key, matchOf(doc));
    }
  }

  #isLeft(doc: LeaseDoc, sightings: RemoteClockWatch): boolean {
    if (doc.domain === this.#clock.domain) return this.#clock.monotonic() >= doc.until + LEFTOVER_MS;
    return sightings.isOverdue(leaseId(doc._key), markOf(doc), doc.ttl + LEFTOVER_MS);
  }

  /**
   * Notes of hosts are watched by no other host: each would note that the other has noted it, for ever. Their time is
   * roughly known, and a host that loses its notes only looks once more.
   */
  #isOldNote({ expires_at }: RemoteClockDoc): boolean {
    return Math.abs(this.#clock.now() - expires_at) > NOTE_MS;
  }

  #lease({ _key: key, owner, until }: LeaseDoc, ttlMs: number): Lease {
    // The last tenth of the life is not used: a write that is on its way has to arrive before the end.
    const isHeld = () => this.#clock.monotonic() < until - ttlMs / 10;
    return {
      owner,
      isHeld,
      assertHeld: () => {
        if (!isHeld())
          throw new Fault('store_unavailable', 'The stores were too slow for this change; nothing was changed');
      },
      isStillOurs: async () => (await this.#records.get<LeaseDoc>(COLLECTION, key))?.owner === owner,
      release: async () => {
        try {
          await this.#records.remove(COLLECTION, key, { owner });
        } catch {
          // It expires on its own; the work it protected is done and must not be reported as failed.
        }
      },
    };
  }
}
