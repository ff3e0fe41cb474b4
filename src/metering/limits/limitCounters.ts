import { parallel } from '../../domain/async/parallel.ts';
import { type CounterId, counterOf, type LimitStores, readShards } from './counterDocs.ts';
import { CounterShard, closedIn } from './counterShard.ts';
import { foldShards, MANY_CLOSED } from './foldShards.ts';
import { PastWindows } from './pastWindows.ts';
import { RequestChain } from './requestChain.ts';

/** One process's part of a counter. */
export interface Counter {
  shard: CounterShard;
  chain: RequestChain;
}

/** Concurrent writes. */
const WRITES = 4;
/** Calls that began in a window may end after it. */
const FORGOTTEN_AFTER_S = 60;

/** The counters of usage limits, as one process keeps them between requests. */
export class LimitCounters {
  readonly #process: string;
  #opened = 0;
  readonly #counters = new Map<string, Counter>();
  readonly #past = new PastWindows();

  constructor(process: string = globalThis.crypto.randomUUID()) {
    this.#process = process;
  }

  of(id: CounterId): Counter {
    const key = counterOf(id);
    let counter = this.#counters.get(key);
    if (!counter) {
      // A counter that was forgotten and is opened again, as after a correction of the clock, must not overwrite its first document.
      const shard = new CounterShard(id, `${this.#process}.${this.#opened++}`);
      counter = { shard, chain: new RequestChain(shard) };
      this.#counters.set(key, counter);
    }
    return counter;
  }

  /**
   * Writes what was used, at most 2 s after a reply, and tidies up.
   * @throws Fault `store_unavailable`; the next call writes the rest
   */
  async flush(stores: LimitStores): Promise<void> {
    const counters = [...this.#counters.values()];
    await this.#write(stores, counters);
    for (const { shard } of counters) {
      // A limit on requests alone reads no shards until it is nearly used.
      shard.closedSeen ??= closedIn(await readShards(stores.records, shard.counter));
      if (shard.closedSeen > MANY_CLOSED) await foldShards(stores, shard.counter);
      shard.closedSeen = Math.min(shard.closedSeen, MANY_CLOSED);
    }
    const now = stores.clock.now() / 1000;
    for (const [key, { shard }] of this.#counters) {
      if (shard.isIdle && shard.ends < now - FORGOTTEN_AFTER_S) this.#counters.delete(key);
    }
    if (counters.length > 0 && this.#past.isDue(stores.clock)) await this.#past.clear(stores);
  }

  /** At a clean end of the process: gives back what is not spent. @throws Fault `store_unavailable` */
  async close(stores: LimitStores): Promise<void> {
    const now = stores.clock.now() / 1000;
    // A counter in which nothing was used needs no document.
    const current = [...this.#counters.values()].filter(
      ({ shard }) => shard.isChanged || (shard.isStored && shard.ends > now),
    );
    for (const { shard, chain } of current) {
      chain.giveBackHeld();
      shard.close();
    }
    await this.#write(stores, current);
  }

  async #write(stores: LimitStores, counters: readonly Counter[]): Promise<void> {
    const changed = counters.filter(({ shard }) => shard.isChanged);
    const failures: unknown[] = [];
    await parallel(changed, WRITES, ({ shard }) => shard.write(stores).catch((error) => void failures.push(error)));
    if (failures.length > 0) throw failures[0];
  }
}
