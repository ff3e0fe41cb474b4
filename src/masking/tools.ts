import type { CpuClock } from './budget.ts';
import type { PatternMatcher } from './policy/policy.ts';
import type { PhoneJudge } from './recognisers/phoneNumbers.ts';

/** Libraries that masking needs. */
export interface MaskingTools {
  /**
   * @param pattern in the syntax of RE2
   * @throws Error with a message for the administrator
   */
  compile(pattern: string): PatternMatcher;
  judgePhone: PhoneJudge;
  clock: CpuClock;
}
