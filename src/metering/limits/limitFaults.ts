import { Fault } from '../../contract/codes/faults.ts';
import type { LimitQuantity } from '../../contract/families/usageLimits.ts';
import { timeText } from '../../domain/values/time.ts';
import type { UsageLimit } from './usageLimit.ts';

/** A limit that a use does not fit into. */
export interface Refusal {
  limit: UsageLimit;
  of: LimitQuantity;
  used: number;
  most: number;
  /** Reserved by calls under way, where only that is in the way. */
  reserved?: number;
  /** When the limit resets, epoch seconds. */
  resetsAt: number;
}

/** Calls under way end long before a window does. */
const RESERVED_WAIT_S = 5;

/** The refusal that lasts longest. @param now epoch seconds */
export function limitExceeded(refusals: readonly Refusal[], now: number): Fault {
  const [last] = refusals.toSorted((a, b) => Number(isPassing(a)) - Number(isPassing(b)) || b.resetsAt - a.resetsAt);
  if (!last) throw new Error('no limit refuses');
  const { limit, of, used, most, reserved, resetsAt } = last;
  const { name, window, per } = limit;
  const seconds = Math.max(1, Math.ceil(resetsAt - now));
  const advice = isPassing(last) ? 'Try again in a moment.' : `It resets at ${timeText(resetsAt)}.`;
  return new Fault('limit_exceeded', `${refusalText(last)} ${advice}`, {
    limit: { name, of, window, per, used, most, ...(reserved === undefined ? {} : { reserved }), resets_at: resetsAt },
    retry_after: isPassing(last) ? Math.min(RESERVED_WAIT_S, seconds) : seconds,
  });
}

/** Whether only calls under way are in the way. */
const isPassing = ({ reserved }: Refusal): boolean => reserved !== undefined;

/** Whether a use was refused only for what calls under way have reserved. */
export const isRefusedByCallsUnderWay = (error: unknown): boolean =>
  error instanceof Fault &&
  error.code === 'limit_exceeded' &&
  (error.extra.limit as Partial<Refusal> | undefined)?.reserved !== undefined;

/** For a use that goes on. */
export const limitWarning = (refusal: Refusal): string =>
  `${refusalText(refusal)} It only warns, and resets at ${timeText(refusal.resetsAt)}.`;

function refusalText({ limit: { name, window, per }, of, used, most, reserved }: Refusal): string {
  const whom = per === 'user' ? 'each user' : 'all users together';
  const amount = amountText(of, most);
  return `The usage limit "${name}" allows ${whom} ${amount} a ${window}; ${usedText(of, used, most, reserved)}.`;
}

const UNITS = { requests: 'requests', tokens: 'tokens', cost: 'US dollars' } as const;
const amountText = (of: LimitQuantity, amount: number): string => `${numberText(amount)} ${UNITS[of]}`;
function usedText(of: LimitQuantity, used: number, most: number, reserved: number | undefined): string {
  if (used >= most) return `${numberText(used)} are used`;
  const taken = reserved === undefined ? '' : ` and calls under way have reserved ${numberText(reserved)}`;
  return `${numberText(used)} are used${taken}, which leaves too few ${UNITS[of]}`;
}

const numberText = (value: number): string => String(Number(value.toFixed(6)));
