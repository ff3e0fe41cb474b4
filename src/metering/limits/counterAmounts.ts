import type { Reservation } from './counterDocs.ts';

/** Amounts that a use has taken, or may take. */
export interface Amounts {
  tokens: number;
  /** US dollars; undefined without a price. */
  cost: number | undefined;
}

type SummedQuantity = 'tokens' | 'cost';
export const SUMMED = ['tokens', 'cost'] as const;

/** How much a limit allows; undefined = any amount. */
export interface AmountTerms {
  most: Readonly<Partial<Record<SummedQuantity, number | undefined>>>;
  /** False for a limit that only warns. */
  isCapped: boolean;
}

/** An amount beyond its limit. */
export interface Excess {
  of: SummedQuantity;
  /** Without what calls under way have reserved. */
  used: number;
  most: number;
  /** Reserved by calls under way, if the use would fit without it. */
  reserved?: number;
}

export interface Sums {
  tokens: number;
  cost: number;
}

/** Used amounts of a counter. */
export interface UsedSums {
  settled: Sums;
  /** With what calls under way have reserved. */
  all: Sums;
}

export const plus = (a: Sums, b: Sums): Sums => ({ tokens: a.tokens + b.tokens, cost: a.cost + b.cost });

export function openOf(open: readonly Reservation[], now: number): Sums {
  return open.filter(({ until }) => until > now).reduce<Sums>(plus, { tokens: 0, cost: 0 });
}

/**
 * An amount beyond its limit: the first one that is used up, else the first one that is reserved. A limit of 0 refuses all; a use
 * without a price is not seen by one of the cost.
 */
export function exceededOf(
  { settled, all }: UsedSums,
  estimate: Amounts,
  most: AmountTerms['most'],
): Excess | undefined {
  const isBeyond = (of: SummedQuantity, used: Sums): boolean => {
    const [limit, more] = [most[of], estimate[of]];
    if (limit === undefined) return false;
    return limit === 0 || (more !== undefined && (used[of] >= limit || used[of] + more > limit));
  };
  const amounts = (of: SummedQuantity) => ({ of, used: settled[of], most: most[of] ?? 0 });
  const usedUp = SUMMED.find((of) => isBeyond(of, settled));
  if (usedUp) return amounts(usedUp);
  const taken = SUMMED.find((of) => isBeyond(of, all));
  return taken && { ...amounts(taken), reserved: all[taken] - settled[taken] };
}

/** A limit of 0 is always used up. */
export function shareOf(used: Sums, most: AmountTerms['most']): number {
  const shares = SUMMED.map((of) => {
    const limit = most[of];
    if (limit === undefined) return 0;
    return limit === 0 ? 1 : used[of] / limit;
  });
  return Math.max(...shares);
}
