import { OwnDocument } from '../../domain/records/ownDocument.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import {
  type Amounts,
  type AmountTerms,
  type Excess,
  exceededOf,
  openOf,
  plus,
  SUMMED,
  type Sums,
  shareOf,
  type UsedSums,
} from './counterAmounts.ts';
import {
  type CounterId,
  counterOf,
  type LimitStores,
  type Reservation,
  type ReturnedRange,
  readShards,
  type ShardDoc,
  USAGE_COUNTERS,
} from './counterDocs.ts';

/** The outcome of a reservation. */
export interface ReservationResult {
  /** Undefined if it was refused. */
  reservation?: Reservation;
  /** Also of a limit that only warns. */
  exceeded?: Excess;
  /** How much of the limit is used or reserved by others: 1 = all. */
  share: number;
}

/**
 * This process's use of a counter, and its reservations for calls under way. It writes its own document first and reads those
 * of the others then: of two that race, at least one sees the other.
 */
export class CounterShard extends OwnDocument<ShardDoc> {
  readonly counter: string;
  readonly key: string;
  readonly process: string;
  readonly ends: number;
  /** Counts positions that are held. */
  held: () => number = () => 0;
  /** How many documents of processes that have ended were last seen; undefined: not read yet. */
  closedSeen: number | undefined;
  readonly #id: CounterId;
  #returned: ReturnedRange[] = [];
  readonly #open = new Set<Reservation>();
  #requests = 0;
  readonly #sums: Sums = { tokens: 0, cost: 0 };
  #isClosed = false;
  /** Amounts that the others had used when they were last read. */
  #known: UsedSums | undefined;

  constructor(id: CounterId, process: string) {
    super(USAGE_COUNTERS, true);
    this.#id = id;
    this.counter = counterOf(id);
    this.process = process;
    this.ends = id.ends;
    this.key = `${this.counter}.s${process}`;
  }

  get returned(): readonly ReturnedRange[] {
    return this.#returned;
  }

  get isIdle(): boolean {
    return !this.isChanged && this.#open.size === 0;
  }

  countRequests(more: number): void {
    this.#requests += more;
    this.touch();
  }

  giveBack(positions: ReturnedRange): void {
    // A position that comes back again was claimed under its earlier generation, which nobody can claim once more.
    const isOver = ({ from, to, generation }: ReturnedRange) =>
      from === to && from === positions.from && to === positions.to && generation < positions.generation;
    this.#returned = [...this.#returned.filter((earlier) => !isOver(earlier)), positions];
    this.touch();
  }

  /** Puts what was used in the place of a reservation. */
  settle(reservation: Reservation | undefined, { tokens, cost = 0 }: Amounts): void {
    if (reservation) this.#open.delete(reservation);
    this.#sums.tokens += tokens;
    this.#sums.cost += cost;
    this.touch();
  }

  /** After this, the process writes nothing of the counter. */
  close(): void {
    this.#isClosed = true;
    this.touch();
  }

  /**
   * Reserves an estimate, and tries once more if another process may have given way.
   * @param until epoch seconds
   * @throws Fault `store_unavailable`
   */
  async reserve(stores: LimitStores, estimate: Amounts, terms: AmountTerms, until: number): Promise<ReservationResult> {
    const first = await this.#tryReserve(stores, estimate, terms, until);
    if (first.reservation || !first.mayChange) return first;
    await stores.clock.sleep(20 + Math.random() * 60);
    return this.#tryReserve(stores, estimate, terms, until);
  }

  async #tryReserve(
    stores: LimitStores,
    estimate: Amounts,
    { most, isCapped }: AmountTerms,
    until: number,
  ): Promise<ReservationResult & { mayChange?: boolean }> {
    const now = stores.clock.now() / 1000;
    // Calls of this process count in the order in which they came: of several at once, those that fit are permitted.
    const before = this.#own(now);
    const reservation = { tokens: estimate.tokens, cost: estimate.cost ?? 0, until };
    this.#open.add(reservation);
    this.touch();
    try {
      await this.write(stores);
      const others = await this.#readOthers(stores);
      const used = { settled: plus(others.settled, this.#sums), all: plus(others.all, before) };
      const exceeded = exceededOf(used, estimate, most);
      const share = shareOf(used.all, most);
      if (!exceeded || !isCapped) return { reservation, share, ...(exceeded ? { exceeded } : {}) };
      await this.drop(stores, reservation);
      return { exceeded, share, mayChange: exceeded.reserved !== undefined };
    } catch (error) {
      this.#open.delete(reservation);
      this.touch();
      throw error;
    }
  }

  /** Takes a reservation back: nobody was asked. */
  async drop(stores: LimitStores, reservation: Reservation): Promise<void> {
    this.#open.delete(reservation);
    this.touch();
    await this.write(stores);
  }

  /** The amount beyond the limit, as far as is known without reserving. Reads only if what was read last was beyond it. */
  async exceeds(stores: LimitStores, estimate: Amounts, { most, isCapped }: AmountTerms): Promise<Excess | undefined> {
    if (!isCapped) return undefined;
    const withOwn = ({ settled, all }: UsedSums): UsedSums => ({
      settled: plus(settled, this.#sums),
      all: plus(all, this.#own(stores.clock.now() / 1000)),
    });
    const isZero = SUMMED.some((of) => most[of] === 0);
    if (!isZero && (!this.#known || !exceededOf(withOwn(this.#known), estimate, most))) return undefined;
    return exceededOf(withOwn(await this.#readOthers(stores)), estimate, most);
  }

  /** Stores the document as it is now, together with later changes. @throws Fault `store_unavailable` */
  async write({ records, clock }: LimitStores): Promise<void> {
    await this.store(records, () => this.#doc(clock));
  }

  #doc(clock: HostClock): ShardDoc {
    const { limit, user } = this.#id;
    const now = clock.now() / 1000;
    for (const reservation of this.#open) if (reservation.until <= now) this.#open.delete(reservation);
    return {
      _key: this.key,
      kind: 'shard',
      counter: this.counter,
      limit,
      ...(user === undefined ? {} : { user }),
      ends: this.ends,
      process: this.process,
      member: clock.member,
      at: now,
      requests: this.#requests,
      ...this.#sums,
      held: this.held(),
      open: [...this.#open],
      returned: [...this.#returned],
      ...(this.#isClosed ? { closed: true } : {}),
    };
  }

  #own(now: number): Sums {
    return plus(this.#sums, openOf([...this.#open], now));
  }

  async #readOthers({ records, clock }: LimitStores): Promise<UsedSums> {
    const shards = (await readShards(records, this.counter)).filter(({ _key }) => _key !== this.key);
    this.closedSeen = closedIn(shards);
    const settled = shards.reduce<Sums>((sum, shard) => plus(sum, shard), { tokens: 0, cost: 0 });
    const now = clock.now() / 1000;
    const withReserved = shards.reduce<Sums>((sum, { open }) => plus(sum, openOf(open, now)), settled);
    this.#known = { all: withReserved, settled };
    return this.#known;
  }
}

export const closedIn = (shards: readonly ShardDoc[]): number => shards.filter(({ closed }) => closed).length;
