import { LIMIT_QUANTITIES } from '../../contract/families/usageLimits.ts';
import { timeOrderedId } from '../../domain/values/keys.ts';
import { USAGE_LIMITS } from '../../metering/limits/usageLimit.ts';
import { BY_GATE } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import type { LimitRecord, LimitStored, LimitUpdate } from './definition.ts';

export const FAMILY = 'usage_limits';
export const OPERATIONS = { one: 'UsageLimit', many: 'UsageLimits' } as const;

const UNPRICED = 'cost does not see uses without a price: see GET /ml/usage?by=model for those that are unpriced.';

export const limitKind: ResourceKind<LimitStored, LimitUpdate, LimitRecord> = {
  family: FAMILY,
  collection: USAGE_LIMITS,
  label: 'usage limit',
  access: BY_GATE,
  addresses: () => ({}),
  merge: (base, { applies_to = {} }, { now }) => ({
    limit_id: base?.limit_id ?? timeOrderedId(now * 1000),
    applies_to: mergeApplies(base?.applies_to ?? {}, applies_to),
  }),
  problems: (next, _secrets, warnings) => {
    if (next.cost !== undefined) warnings.push(UNPRICED);
    const problems = LIMIT_QUANTITIES.every((of) => next[of] === undefined)
      ? [{ field: 'requests', message: 'is required, or tokens or cost' }]
      : [];
    return next.name.toLowerCase() === 'status'
      ? [...problems, { field: 'name', message: '`status` is a reserved name' }]
      : problems;
  },
};

/** A key without values holds as if it were absent. */
function mergeApplies(base: LimitStored['applies_to'], changes: LimitUpdate['applies_to']): LimitStored['applies_to'] {
  if (changes === null) return {};
  const values = Object.entries({ ...base, ...changes }).flatMap(([key, value]): [string, string[]][] =>
    value && value.length > 0 ? [[key, [...new Set(value)]]] : [],
  );
  return Object.fromEntries(values) as LimitStored['applies_to'];
}
