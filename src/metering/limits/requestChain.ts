import { Fault } from '../../contract/codes/faults.ts';
import { InsertUnclear, type RecordStore } from '../../ports/stores/recordStore.ts';
import {
  type BlockDoc,
  blockKey,
  type ClaimDoc,
  claimKey,
  type LimitStores,
  MAX_BLOCK,
  type Position,
  readEnd,
  readShards,
  USAGE_COUNTERS,
  unclaimed,
} from './counterDocs.ts';
import type { CounterShard } from './counterShard.ts';

/** Blocks have one position until the process has spent so many: most processes of a small limit never hold any. */
const FIRST_SPENT = 16;
const MOST_OF_LIMIT = 0.005;
/** Beyond this part of the limit, blocks have one position. */
const SINGLE_FROM = 0.8;
const MAX_TRIES = 500;
/** A member of a cluster may read a block late that it failed to insert. */
const MAX_WAITS = 60;

/** How many requests a limit allows. */
export interface RequestTerms {
  most: number;
  /** False for a limit that only warns: its chain goes on. */
  isCapped: boolean;
}

interface Range {
  from: number;
  to: number;
}

/**
 * The requests of a counter: blocks of positions without gap or overlap. The key of a block is its first position, and the store
 * refuses a key that is taken; a process inserts only behind the last block that it has seen. So each position has one owner,
 * however late anybody reads.
 */
export class RequestChain {
  readonly #shard: CounterShard;
  /** The last position known to be taken; the chain may be longer. */
  #end: number | undefined;
  /** Positions of own blocks that are not spent. */
  readonly #held: Range[] = [];
  #spent = 0;
  /** Positions that it may hold without being spent. A limit that only warns refuses nobody for them. */
  #mayHold = 0;
  /** A block whose insertion got no answer. */
  #unclear: BlockDoc | undefined;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(shard: CounterShard) {
    this.#shard = shard;
    shard.held = () => this.#held.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  }

  /** Takes a position for one request; undefined = the limit is used up. @throws Fault `store_unavailable` */
  take(stores: LimitStores, terms: RequestTerms): Promise<Position | undefined> {
    return this.#inTurn(async () => {
      const position = await this.#take(stores, terms);
      if (position) this.#spent += 1;
      return position;
    });
  }

  /** Whether the limit is used up, as far as can be said without taking a position. Reads only near the end. */
  async isUsedUp({ records }: LimitStores, { most, isCapped }: RequestTerms): Promise<boolean> {
    if (!isCapped || this.#held.some(({ from }) => from <= most)) return false;
    const end = await this.#knownEnd(records);
    return end >= most && (await this.#free(records, most)).length === 0;
  }

  /** Gives a position back: this process keeps it as one of a block, or else any process can take it. */
  async giveBack(stores: LimitStores, { at, generation }: Position): Promise<void> {
    this.#spent -= 1;
    if (generation === 0 && this.#shard.held() < this.#mayHold) {
      this.#held.unshift({ from: at, to: at });
      this.#shard.touch();
      return;
    }
    this.#shard.giveBack({ from: at, to: at, generation: generation + 1 });
    await this.#shard.write(stores);
  }

  /** Gives back all positions that are not spent. The next write of the shard tells the others. */
  giveBackHeld(): void {
    for (const range of this.#held.splice(0)) this.#shard.giveBack({ ...range, generation: 1 });
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }

  async #take(stores: LimitStores, terms: RequestTerms): Promise<Position | undefined> {
    const { records } = stores;
    const last = terms.isCapped ? terms.most : Number.POSITIVE_INFINITY;
    this.#mayHold = terms.isCapped ? Math.min(MAX_BLOCK, Math.floor(terms.most * MOST_OF_LIMIT)) : MAX_BLOCK;
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      await this.#settleUnclear(records);
      const held = this.#takeHeld(last);
      if (held !== undefined) return { at: held, generation: 0 };
      const end = await this.#knownEnd(records);
      if (end >= last) return this.#claim(records, last);
      const block = this.#blockAt(end + 1, terms);
      const isOurs = await this.#insert(records, block);
      if (isOurs) this.#own(block);
      else if (isOurs === false) this.#end = await this.#readOn(stores, end);
    }
    throw unavailable('Too many processes update this counter');
  }

  #takeHeld(last: number): number | undefined {
    const [range] = this.#held;
    if (!range || range.from > last) return undefined;
    const { from } = range;
    if (from === range.to) this.#held.shift();
    else range.from += 1;
    return from;
  }

  #blockAt(position: number, { most }: RequestTerms): BlockDoc {
    const room = Math.floor(most * SINGLE_FROM) - position + 1;
    const size =
      this.#spent < FIRST_SPENT ? 1 : Math.min(this.#spent, Math.floor(most * MOST_OF_LIMIT), MAX_BLOCK, room);
    const { counter, process, ends } = this.#shard;
    return {
      _key: blockKey(counter, position),
      kind: 'block',
      counter,
      ends,
      process,
      position,
      size: Math.max(1, size),
    };
  }

  /** Undefined when the answer was lost. */
  async #insert(records: RecordStore, block: BlockDoc): Promise<boolean | undefined> {
    this.#unclear = block;
    try {
      const isOurs = await records.insert(USAGE_COUNTERS, block);
      this.#unclear = undefined;
      return isOurs;
    } catch (error) {
      if (error instanceof InsertUnclear) return undefined;
      throw error;
    }
  }

  /** A block that got no answer is ours if it has our name. One that is not seen, or arrives later, counts as spent. */
  async #settleUnclear(records: RecordStore): Promise<void> {
    const block = this.#unclear;
    if (!block) return;
    const stored = await records.get<BlockDoc>(USAGE_COUNTERS, block._key);
    this.#unclear = undefined;
    if (stored?.process === block.process) this.#own(stored);
  }

  #own({ position, size }: BlockDoc): void {
    const to = position + size - 1;
    this.#held.push({ from: position, to });
    this.#end = Math.max(this.#end ?? 0, to);
    this.#shard.touch();
  }

  async #knownEnd(records: RecordStore): Promise<number> {
    this.#end ??= await readEnd(records, this.#shard.counter);
    return this.#end;
  }

  /** Waits until the block is seen that was inserted by another. */
  async #readOn({ records, clock }: LimitStores, end: number): Promise<number> {
    for (let waits = 0; waits < MAX_WAITS; waits++) {
      const now = await readEnd(records, this.#shard.counter, end);
      if (now > end) return now;
      await clock.sleep(20 + Math.random() * 60);
    }
    throw unavailable('The KV store copy of this member is behind');
  }

  async #claim(records: RecordStore, last: number): Promise<Position | undefined> {
    const { counter, process, ends } = this.#shard;
    for (const position of await this.#free(records, last)) {
      const claim: ClaimDoc = { _key: claimKey(counter, position), kind: 'claim', counter, ends, process };
      try {
        if (await records.insert(USAGE_COUNTERS, claim)) return position;
      } catch (error) {
        // It may be ours or another's, so it counts as spent.
        if (!(error instanceof InsertUnclear)) throw error;
      }
    }
    return undefined;
  }

  /** Positions that were given back and not claimed. */
  async #free(records: RecordStore, last: number): Promise<Position[]> {
    const { counter, key } = this.#shard;
    const others = (await readShards(records, counter)).filter(({ _key }) => _key !== key);
    const returned = [...this.#shard.returned, ...others.flatMap((shard) => shard.returned)];
    return unclaimed(records, counter, returned, last);
  }
}

const unavailable = (why: string): Fault =>
  new Fault('store_unavailable', `The counter of a usage limit could not be written. ${why}. Try again.`);
