import { Fault } from '../contract/faults.ts';
import type { Clock } from '../ports/clock.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';

const COLLECTION = 'ml_leases';
/** A write lease lives this long; a refresh or polling lease six times as long. */
export const WRITE_LEASE_MS = 10_000;
export const LONG_LEASE_MS = 60_000;

interface LeaseDoc extends Doc {
  owner: string;
  expires_at: number;
}

export interface Lease {
  /** False once so much of the lease's life is over that another process may take it at any moment. */
  isHeld(): boolean;
  /** @throws Fault `store_unavailable` when the lease may have passed to another process */
  assertHeld(): void;
  release(): Promise<void>;
  /** The mark by which another process may carry the lease on, see `renew`. */
  readonly owner: string;
}

/**
 * Leases in the record store: a document with a fixed key, an owner and an expiry. Inserting it is the only atomic test
 * the store has; after the expiry it is deleted together with its owner's mark, so of several contenders one gets it.
 */
export class Leases {
  readonly #records: RecordStore;
  readonly #clock: Clock;
  readonly #newId: () => string;

  constructor(records: RecordStore, clock: Clock, newId: () => string) {
    this.#records = records;
    this.#clock = clock;
    this.#newId = newId;
  }

  /** The lease, or undefined while another process holds it. */
  async tryAcquire(key: string, ttlMs: number): Promise<Lease | undefined> {
    const owner = this.#newId();
    for (let attempt = 0; attempt < 2; attempt++) {
      const expiresAt = this.#clock.now() + ttlMs;
      if (await this.#records.insert<LeaseDoc>(COLLECTION, { _key: key, owner, expires_at: expiresAt })) {
        return this.#lease(key, owner, expiresAt, ttlMs);
      }
      const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
      if (holder && holder.expires_at > this.#clock.now()) return undefined;
      if (holder) await this.#records.remove(COLLECTION, key, { owner: holder.owner });
    }
    return undefined;
  }

  /** Prolongs a lease that this owner still holds; false when it has run out or passed to another. */
  async renew(key: string, owner: string, ttlMs: number): Promise<boolean> {
    const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
    const now = this.#clock.now();
    if (holder?.owner !== owner || holder.expires_at <= now) return false;
    return this.#records.replace<LeaseDoc>(COLLECTION, { _key: key, owner, expires_at: now + ttlMs });
  }

  /** Whether this owner holds the lease now. */
  async holds(key: string, owner: string): Promise<boolean> {
    const holder = await this.#records.get<LeaseDoc>(COLLECTION, key);
    return holder?.owner === owner && holder.expires_at > this.#clock.now();
  }

  async drop(key: string, owner: string): Promise<void> {
    await this.#records.remove(COLLECTION, key, { owner });
  }

  /**
   * Does work under a lease and releases it whatever happens.
   * @throws Fault `store_unavailable` when the lease cannot be had within its own life and a little more
   */
  async hold<T>(key: string, ttlMs: number, work: (lease: Lease) => Promise<T>): Promise<T> {
    const until = this.#clock.now() + ttlMs + 2000;
    let pause = 10;
    for (;;) {
      const lease = await this.tryAcquire(key, ttlMs);
      if (lease) {
        try {
          return await work(lease);
        } finally {
          await lease.release();
        }
      }
      if (this.#clock.now() >= until)
        throw new Fault('store_unavailable', 'Another change of this record is still under way');
      await this.#clock.sleep(pause * (0.5 + Math.random()));
      pause = Math.min(pause * 1.5, 200);
    }
  }

  #lease(key: string, owner: string, expiresAt: number, ttlMs: number): Lease {
    // Clocks of two members differ a little: the last tenth of the life is not used.
    const isHeld = () => this.#clock.now() < expiresAt - ttlMs / 10;
    return {
      owner,
      isHeld,
      assertHeld: () => {
        if (!isHeld())
          throw new Fault('store_unavailable', 'The stores were too slow for this change; nothing was changed');
      },
      release: async () => {
        try {
          await this.#records.remove(COLLECTION, key, { owner });
        } catch {
          // It runs out by itself; the work it protected is done and must not be reported as failed.
        }
      },
    };
  }
}
