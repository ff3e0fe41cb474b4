import { EDIT_USAGE_LIMITS } from '../../contract/capabilities.ts';
import { NEARLY_USED } from '../../contract/families/usageLimits.ts';
import type { Condition, HealthReader, Verdict } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { timeText } from '../../domain/values/time.ts';
import { readAllUses } from '../../metering/limits/counterUse.ts';
import { counterAt } from '../../metering/limits/matching.ts';
import { readLimits } from '../../metering/limits/usageLimit.ts';
import type { LimitStored } from './definition.ts';
import { shareOf } from './status.ts';

/** Limits need no test: their health is how much of them is used. */
export function limitHealth({ records, clock }: Pick<Stores, 'records' | 'clock'>): HealthReader {
  return {
    readers: EDIT_USAGE_LIMITS,
    testers: EDIT_USAGE_LIMITS,
    async conditions() {
      const limits = await readLimits<LimitStored>(records);
      if (limits.length === 0) return [];
      const usesOf = await readAllUses(records, clock.now() / 1000);
      return limits.map((limit): Condition => {
        const { ends } = counterAt(limit, '', clock.now());
        const shares = usesOf(limit.limit_id, ends).map((used) => shareOf(limit, used));
        const isZero = shareOf(limit, { requests: 0, tokens: 0, cost: 0 }) >= 1;
        return {
          key: limit._key,
          name: limit.name,
          type: 'limit',
          owner: limit.created_by,
          lastTest: undefined,
          needsSignIn: false,
          expiries: [],
          targets: [],
          verdict: verdictOf(limit, Math.max(isZero ? 1 : 0, ...shares), ends),
        };
      });
    },
  };
}

function verdictOf({ is_enabled, per, window, action }: LimitStored, share: number, ends: number): Verdict {
  if (!is_enabled) return { state: 'ok', reason: 'The limit is switched off' };
  if (share < NEARLY_USED) return { state: 'ok', reason: `Less than ${100 * NEARLY_USED} % of this ${window} is used` };
  const percent = Math.floor(Math.min(1, share) * 100);
  const whom = per === 'user' ? ', by at least one user' : '';
  const until = `It resets at ${timeText(ends)}.`;
  const remedy = 'Raise the limit, or find with GET /ml/usage what uses it.';
  if (share < 1)
    return { state: 'expiring', reason: `${percent} % of this ${window} is used${whom}. ${until}`, remedy };
  const code = action === 'refuse' ? { error_code: 'limit_exceeded' } : {};
  return { state: 'failing', reason: `The limit of this ${window} is used up${whom}. ${until}`, remedy, ...code };
}
