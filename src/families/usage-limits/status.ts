import type { Caller } from '../../contract/caller.ts';
import { LIMIT_QUANTITIES } from '../../contract/families/usageLimits.ts';
import { parallel } from '../../domain/async/parallel.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { type Consumption, readUse, readUses } from '../../metering/limits/counterUse.ts';
import { type ApplicableLimit, applicableLimits, counterAt } from '../../metering/limits/matching.ts';
import { readLimits, type UsageLimit } from '../../metering/limits/usageLimit.ts';
import type { LimitStatus, OwnStatus } from './schemas.ts';

type StatusStores = Pick<Stores, 'records' | 'clock'>;

const TOP = 10;
/** Limits that are read at a time. */
const READS = 8;

/** The use of a limit in its present window. */
export async function statusOf({ records, clock }: StatusStores, limit: UsageLimit): Promise<LimitStatus> {
  const counter = counterAt(limit, '', clock.now());
  const { ends: resets_at } = counter;
  if (limit.per === 'all') {
    const used = await readUse(records, counter, limit.requests !== undefined);
    return { used: shown(used), left: leftOf(limit, used), resets_at };
  }
  const users = await readUses(records, counter);
  const first = [...users]
    .map(([user, used]) => ({ user, share: shareOf(limit, used), used }))
    .sort((a, b) => b.share - a.share || b.used.requests - a.used.requests)
    .slice(0, TOP);
  const top = await parallel(first, READS, async ({ user }) => {
    const used = await readUse(records, { ...counter, user }, limit.requests !== undefined);
    return { user, used: shown(used), left: leftOf(limit, used) };
  });
  const sum = (of: keyof Consumption) => [...users.values()].reduce((total, used) => total + used[of], 0);
  const used = { requests: sum('requests'), tokens: sum('tokens'), cost: sum('cost') };
  const left = top[0]?.left ?? leftOf(limit, { requests: 0, tokens: 0, cost: 0 });
  return { used: shown(used), left, resets_at, users: users.size, top };
}

/** The limits that hold some use of the caller. */
export async function ownStatus({ records, clock }: StatusStores, caller: Caller): Promise<OwnStatus[]> {
  const applicable = applicableLimits(await readLimits(records), caller);
  return parallel(applicable, READS, async ({ limit, most }) => {
    const counter = counterAt(limit, caller.user, clock.now());
    const used = await readUse(records, counter, most.requests !== undefined);
    const { name, window } = limit;
    return { name, window, used: shown(used), left: leftOf(most, used), resets_at: counter.ends };
  });
}

/** The largest part of an amount that is used: 1 = all. */
export function shareOf(most: ApplicableLimit['most'], used: Consumption): number {
  return Math.max(
    0,
    ...LIMIT_QUANTITIES.map((of) => {
      const limit = most[of];
      if (limit === undefined) return 0;
      return limit === 0 ? 1 : used[of] / limit;
    }),
  );
}

function leftOf(most: ApplicableLimit['most'], used: Consumption): OwnStatus['left'] {
  const stated = LIMIT_QUANTITIES.flatMap((of): [string, number][] => {
    const limit = most[of];
    return limit === undefined ? [] : [[of, rounded(Math.max(0, limit - used[of]))]];
  });
  return Object.fromEntries(stated);
}

const shown = ({ requests, tokens, cost }: Consumption): Consumption => ({ requests, tokens, cost: rounded(cost) });

/** Sums of dollars are not exact in binary. */
const rounded = (value: number): number => Number(value.toFixed(10));
