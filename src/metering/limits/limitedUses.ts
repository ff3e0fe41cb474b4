import { errorName } from '../../contract/basics.ts';
import { NEARLY_USED } from '../../contract/families/usageLimits.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';
import type { LimitStores, Position, Reservation } from './counterDocs.ts';
import type { Counter, LimitCounters } from './limitCounters.ts';
import { limitExceeded, limitWarning, type Refusal } from './limitFaults.ts';
import { type ApplicableLimit, applicableLimits, counterAt } from './matching.ts';
import { readLimits, type UsageLimit } from './usageLimit.ts';
import type { LimitReservation, UsedAmounts, UseLimits } from './useLimits.ts';

/** How a part of a limit was reached. */
export interface LimitReach {
  limit: UsageLimit;
  /** End of the window, epoch seconds. */
  ends: number;
  isUsedUp: boolean;
}

export interface LimitSite {
  stores: LimitStores;
  counters: LimitCounters;
  /** Called when a limit is nearly used, or used up. */
  reached(reached: LimitReach): void;
}

/** A reservation ends so long after the deadline of its use. */
const GRACE_S = 30;
/** A batch reads the limits again after this time. */
const FRESH_MS = 1000;

/** The limits of one request, each read at most a second ago. */
export function useLimits(site: LimitSite): UseLimits {
  let read: { at: number; limits: Promise<UsageLimit[]> } | undefined;
  const limits = (): Promise<UsageLimit[]> => {
    const now = site.stores.clock.monotonic();
    if (!read || now - read.at >= FRESH_MS) read = { at: now, limits: readLimits(site.stores.records) };
    return read.limits;
  };
  // `admit` awaits the same reading and reports its failure.
  const prepare = () => void limits().catch(() => {});
  return { prepare, begin: (use) => new CountedUse(site, limits, use) };
}

type Use = Parameters<UseLimits['begin']>[0];

/** A use's part of one limit. */
interface LimitShare {
  applicable: ApplicableLimit;
  counter: Counter;
  reservation: Reservation | undefined;
  position: Position | undefined;
}

/** A limit that a use is to take from. */
interface Claim {
  applicable: ApplicableLimit;
  counter: Counter;
  ends: number;
}

/** The outcome for one kind of amount of a limit. */
interface Part {
  /** How much of it is used: 1 = all. */
  share: number;
  refusal?: Refusal | undefined;
}

const UNUSED: Part = { share: 0 };

const NOTHING: UsedAmounts = { tokens: 0, cost: undefined };

class CountedUse implements LimitReservation {
  readonly warnings: string[] = [];
  readonly #site: LimitSite;
  readonly #limits: () => Promise<UsageLimit[]>;
  readonly #use: Use;
  readonly #until: number;
  readonly #taken = new Map<string, LimitShare>();

  constructor(site: LimitSite, limits: () => Promise<UsageLimit[]>, use: Use) {
    this.#site = site;
    this.#limits = limits;
    this.#use = use;
    this.#until = (site.stores.clock.now() + use.deadlineMs) / 1000 + GRACE_S;
  }

  async admit(target: LlmReference, estimate: UsedAmounts): Promise<void> {
    const claims = this.#claims(await this.#limits(), target);
    if (claims.length === 0) return;
    const early = await Promise.all(claims.map((claim) => this.#knownRefusals(claim, estimate)));
    for (const { limit, used, most, reserved = 0, resetsAt } of early.flat())
      this.#tell(limit, resetsAt, most === 0 ? 1 : (used + reserved) / most);
    this.#assertNone(early.flat());
    const taken: LimitShare[] = [];
    const refusals: Refusal[] = [];
    const outcomes = await Promise.allSettled(
      claims.map(async (claim) => {
        const outcome = await this.#take(claim, estimate);
        if ('refusal' in outcome) refusals.push(outcome.refusal);
        else taken.push(outcome.taken);
      }),
    );
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed || refusals.length > 0) await this.#giveBack(taken);
    this.#assertNone(refusals);
    if (failed) throw failed.reason;
    for (const entry of taken) {
      entry.counter.shard.countRequests(1);
      this.#taken.set(entry.applicable.limit.limit_id, entry);
    }
  }

  async release(): Promise<void> {
    const taken = [...this.#taken.values()];
    this.#taken.clear();
    for (const { counter } of taken) counter.shard.countRequests(-1);
    await this.#giveBack(taken);
  }

  settle(used: UsedAmounts, answered?: LlmReference): void {
    const { caller, operation, alias } = this.#use;
    for (const { applicable, counter, reservation } of this.#taken.values()) {
      const holds =
        !answered || applicableLimits([applicable.limit], caller, { operation, target: answered, alias }).length > 0;
      counter.shard.settle(reservation, holds ? used : NOTHING);
    }
    this.#taken.clear();
  }

  /** Limits that hold the target and that nothing was taken from. */
  #claims(limits: readonly UsageLimit[], target: LlmReference): Claim[] {
    const { caller, operation, alias } = this.#use;
    const now = this.#site.stores.clock.now();
    return applicableLimits(limits, caller, { operation, target, alias })
      .filter(({ limit }) => !this.#taken.has(limit.limit_id))
      .map((applicable): Claim => {
        const id = counterAt(applicable.limit, caller.user, now);
        return { applicable, counter: this.#site.counters.of(id), ends: id.ends };
      });
  }

  /** The refusals of the use that are known before anything is taken. */
  async #knownRefusals({ applicable, counter, ends }: Claim, estimate: UsedAmounts): Promise<Refusal[]> {
    const { limit, most } = applicable;
    const isCapped = limit.action === 'refuse';
    const { requests } = most;
    const { stores } = this.#site;
    const isUsedUp = requests !== undefined && (await counter.chain.isUsedUp(stores, { most: requests, isCapped }));
    if (isUsedUp) return [{ limit, of: 'requests', used: requests, most: requests, resetsAt: ends }];
    const exceeded = await counter.shard.exceeds(stores, estimate, { most, isCapped });
    return exceeded ? [{ limit, ...exceeded, resetsAt: ends }] : [];
  }

  async #take(claim: Claim, estimate: UsedAmounts): Promise<{ taken: LimitShare } | { refusal: Refusal }> {
    const { applicable, counter, ends } = claim;
    const { limit } = applicable;
    const isCapped = limit.action === 'refuse';
    const taken: LimitShare = { applicable, counter, reservation: undefined, position: undefined };
    const amounts = await this.#takeAmounts(taken, claim, estimate);
    const requests = amounts.refusal && isCapped ? UNUSED : await this.#takeRequest(taken, claim);
    this.#tell(limit, ends, Math.max(amounts.share, requests.share));
    const refusal = amounts.refusal ?? requests.refusal;
    if (refusal && isCapped) {
      await this.#giveBack([taken]);
      return { refusal };
    }
    if (refusal) this.warnings.push(limitWarning(refusal));
    return { taken };
  }

  async #takeAmounts(taken: LimitShare, { applicable, counter, ends }: Claim, estimate: UsedAmounts): Promise<Part> {
    const { limit, most } = applicable;
    if (most.tokens === undefined && most.cost === undefined) return UNUSED;
    const terms = { most, isCapped: limit.action === 'refuse' };
    const reserved = await counter.shard.reserve(this.#site.stores, estimate, terms, this.#until);
    taken.reservation = reserved.reservation;
    const { exceeded, share } = reserved;
    return { share, refusal: exceeded && { limit, ...exceeded, resetsAt: ends } };
  }

  async #takeRequest(taken: LimitShare, { applicable, ends }: Claim): Promise<Part> {
    const { limit, most } = applicable;
    const { requests } = most;
    if (requests === undefined) return UNUSED;
    const refusal = { limit, of: 'requests', used: requests, most: requests, resetsAt: ends } as const;
    const position = await this.#position(taken, { most: requests, isCapped: limit.action === 'refuse' });
    if (!position) return { share: 1, refusal };
    taken.position = position;
    const { at } = position;
    return { share: at / requests, refusal: at > requests ? { ...refusal, used: at - 1 } : undefined };
  }

  /** @param share how much is used: 1 = all. A use that alone is too large for what is left uses nothing up. */
  #tell(limit: UsageLimit, ends: number, share: number): void {
    if (share >= NEARLY_USED) this.#site.reached({ limit, ends, isUsedUp: share >= 1 });
  }

  /** @throws Fault `store_unavailable`, without the reservation */
  async #position(taken: LimitShare, terms: { most: number; isCapped: boolean }): Promise<Position | undefined> {
    try {
      return await taken.counter.chain.take(this.#site.stores, terms);
    } catch (error) {
      await this.#giveBack([taken]);
      throw error;
    }
  }

  #assertNone(refusals: readonly Refusal[]): void {
    if (refusals.length > 0) throw limitExceeded(refusals, this.#site.stores.clock.now() / 1000);
  }

  /** Failures are left: what is not given back now is written with the sums, or ends by itself. */
  async #giveBack(taken: readonly LimitShare[]): Promise<void> {
    const { stores } = this.#site;
    const failed = (error: unknown) => stores.log.warn('usage_limit_not_given_back', { cause: errorName(error) });
    await Promise.all(
      taken.map(async ({ counter, reservation, position }) => {
        if (reservation) await counter.shard.drop(stores, reservation).catch(failed);
        if (position) await counter.chain.giveBack(stores, position).catch(failed);
      }),
    );
  }
}
