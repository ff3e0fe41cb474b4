import { LIMIT_DEFAULTS, LIMIT_QUANTITIES } from '../../contract/families/usageLimits.ts';
import { METADATA_SORT_KEYS } from '../../contract/schemas/sortKeys.ts';
import { timeOrderedId } from '../../domain/values/keys.ts';
import { USAGE_LIMITS } from '../../metering/limits/usageLimit.ts';
import { BY_GATE } from '../../resources/access.ts';
import type { AllFields, ResourceKind } from '../../resources/kind.ts';
import { replaceValue } from '../../resources/merge.ts';
import type { LimitRecord, LimitUpdate } from './schemas.ts';
import { FAMILY, type LimitStored } from './stored.ts';

export const OPERATIONS = { one: 'UsageLimit', many: 'UsageLimits' } as const;

export const SORT_KEYS = [
  'name',
  'description',
  'window',
  ...METADATA_SORT_KEYS,
] as const satisfies readonly (keyof LimitStored)[];

const UNPRICED = 'cost does not see uses without a price: see GET /ml/usage?by=model for those that are unpriced.';

export const limitKind: ResourceKind<LimitStored, LimitUpdate, LimitRecord> = {
  family: FAMILY,
  collection: USAGE_LIMITS,
  label: 'usage limit',
  access: BY_GATE,
  addresses: () => ({}),
  merge: (base, body, { now }) => ({
    limit_id: base?.limit_id ?? timeOrderedId(now * 1000),
    name: base?.name ?? body.name,
    description: replaceValue(base?.description, body.description, ''),
    applies_to: mergeApplies(base?.applies_to ?? {}, body.applies_to),
    per: body.per ?? base?.per ?? LIMIT_DEFAULTS.per,
    // A create has it.
    window: (body.window ?? base?.window) as LimitStored['window'],
    requests: amount(base?.requests, body.requests),
    tokens: amount(base?.tokens, body.tokens),
    cost: amount(base?.cost, body.cost),
    action: body.action ?? base?.action ?? LIMIT_DEFAULTS.action,
    is_enabled: body.is_enabled ?? base?.is_enabled ?? LIMIT_DEFAULTS.is_enabled,
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
  view: (limit) => {
    const { name, description, applies_to, per, window, requests, tokens, cost, action, is_enabled } = limit;
    const view = { name, description, applies_to, per, window, requests, tokens, cost, action, is_enabled };
    return view satisfies AllFields<LimitRecord>;
  },
};

const amount = (base: number | undefined, value: number | null | undefined): number | undefined =>
  value === undefined ? base : (value ?? undefined);

/** A key without values holds as if it were absent. */
function mergeApplies(base: LimitStored['applies_to'], changes: LimitUpdate['applies_to']): LimitStored['applies_to'] {
  if (changes === null) return {};
  const values = Object.entries({ ...base, ...changes }).flatMap(([key, value]): [string, string[]][] =>
    value && value.length > 0 ? [[key, [...new Set(value)]]] : [],
  );
  return Object.fromEntries(values) as LimitStored['applies_to'];
}
