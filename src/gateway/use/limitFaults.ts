import { Fault } from '../../contract/codes/faults.ts';
import type { LimitQuantity } from '../../contract/families/usageLimits.ts';
import { timeText } from '../../domain/values/time.ts';
import type { UsageLimit } from '../../families/usage-limits/public.ts';

/** A limit that a use does not fit into. */
export interface Refusal {
  limit: UsageLimit;
  of: LimitQuantity;
  used: number;
  most: number;
  /** When the limit resets, epoch seconds. */
  resetsAt: number;
}

/** Of several refusals the one that lasts longest. @param now epoch seconds */
export function limitExceeded(refusals: readonly Refusal[], now: number): Fault {
  const [last] = refusals.toSorted((a, b) => b.resetsAt - a.resetsAt);
  if (!last) throw new Error('no limit refuses');
  const { limit, of, used, most, resetsAt } = last;
  const { name, window, per } = limit;
  return new Fault('limit_exceeded', `${refusalText(last)} It resets at ${timeText(resetsAt)}.`, {
    limit: { name, of, window, per, used, most, resets_at: resetsAt },
    retry_after: Math.max(1, Math.ceil(resetsAt - now)),
  });
}

/** For a use that goes on. */
export const limitWarning = (refusal: Refusal): string =>
  `${refusalText(refusal)} It only warns, and resets at ${timeText(refusal.resetsAt)}.`;

function refusalText({ limit: { name, window, per }, of, used, most }: Refusal): string {
  const whom = per === 'user' ? 'each user' : 'all users together';
  return `The usage limit "${name}" allows ${whom} ${amountText(of, most)} a ${window}; ${usedText(of, used, most)}.`;
}

const UNITS = { requests: 'requests', tokens: 'tokens', cost: 'US dollars' } as const;
const amountText = (of: LimitQuantity, amount: number): string => `${numberText(amount)} ${UNITS[of]}`;
const usedText = (of: LimitQuantity, used: number, most: number): string =>
  used >= most
    ? `${numberText(used)} are used`
    : `${numberText(used)} are used or reserved, which leaves too few ${UNITS[of]}`;

const numberText = (value: number): string => String(Number(value.toFixed(6)));
