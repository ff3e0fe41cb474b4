import type { MaskingTools } from '../../masking/tools.ts';
import { BY_GATE } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import type { PolicyRecord, PolicyStored, PolicyUpdate } from './definition.ts';
import { ruleProblems } from './rules.ts';

export const FAMILY = 'masking_policies';
export const MASKING_POLICIES = 'ml_masking_policies';
export const OPERATIONS = { one: 'MaskingPolicy', many: 'MaskingPolicies' } as const;

export const policyKind = (
  tools: () => Promise<Pick<MaskingTools, 'compile'>>,
): ResourceKind<PolicyStored, PolicyUpdate, PolicyRecord> => ({
  family: FAMILY,
  collection: MASKING_POLICIES,
  label: 'masking policy',
  access: BY_GATE,
  addresses: () => ({}),
  merge: (base, { applies_to = {} }) => ({ applies_to: mergeApplies(base?.applies_to ?? {}, applies_to) }),
  problems: (next) => ruleProblems(next, async () => (await tools()).compile),
});

/** A key without values holds as if it were absent. */
function mergeApplies(
  base: PolicyStored['applies_to'],
  changes: PolicyUpdate['applies_to'],
): PolicyStored['applies_to'] {
  if (changes === null) return {};
  const values = Object.entries({ ...base, ...changes }).flatMap(([key, value]): [string, string[]][] =>
    Array.isArray(value) && value.length > 0 ? [[key, [...new Set(value)]]] : [],
  );
  return Object.fromEntries(values) as PolicyStored['applies_to'];
}
