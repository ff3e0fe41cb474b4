import { invalid } from '../../contract/codes/faults.ts';
import type { Handlers } from '../../contract/rows/handlers.ts';
import type { RecordPlans } from '../../contract/rows/recordPlan.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { recordKey } from '../../domain/values/keys.ts';
import type { MaskingTools } from '../../masking/tools.ts';
import type { Roles } from '../../ports/platform/session.ts';
import { crudHandlers } from '../../resources/crud/handlers.ts';
import { Resources } from '../../resources/resources.ts';
import type { PolicyRules, PolicyUpdate } from './definition.ts';
import type { maskingPolicies } from './endpoints.ts';
import { assertNamesKnown } from './names.ts';
import { previewOf } from './preview.ts';
import { FAMILY, OPERATIONS, policyKind } from './records.ts';
import { ruleProblems } from './rules.ts';

export function maskingPolicyHandlers(
  stores: Stores,
  plans: RecordPlans,
  { roles, maskingTools: tools }: { roles: Roles; maskingTools(): Promise<MaskingTools> },
): Handlers<typeof maskingPolicies> {
  const resources = new Resources(policyKind(tools), stores, plans[FAMILY]);
  return {
    ...crudHandlers(OPERATIONS, resources, {
      created: 'Masking policy created',
      updated: 'Masking policy updated',
      deleted: 'Masking policy deleted',
      assertKnown: (caller, { applies_to }: PolicyUpdate, before, isPlanned) =>
        assertNamesKnown({ records: stores.records, roles, caller, isPlanned }, applies_to, before?.applies_to),
    }),
    async previewMaskingPolicy({ caller, body: { text, name, policy } }) {
      if ((name === undefined) === (policy === undefined)) {
        throw invalid([{ field: 'policy', message: 'is required, or name, but not both' }]);
      }
      const rules = policy ? await givenRules(policy, tools) : await resources.get(caller, recordKey(name ?? ''));
      return previewOf(text, rules, await tools(), Buffer.from(stores.newId()));
    },
  };
}

type GivenRules = Pick<PolicyRules, 'kinds'> & { [K in keyof PolicyRules]?: PolicyRules[K] | null | undefined };

/** @throws Fault `validation_failed` */
async function givenRules(given: GivenRules, tools: () => Promise<MaskingTools>): Promise<PolicyRules> {
  const { kinds, fields, patterns, never, regions } = given;
  const rules: PolicyRules = {
    ...{ kinds, fields: fields ?? [], patterns: patterns ?? [], never: never ?? [], regions: regions ?? [] },
  };
  const problems = await ruleProblems(rules, async () => (await tools()).compile);
  if (problems.length > 0) throw invalid(problems.map((each) => ({ ...each, field: `policy.${each.field}` })));
  return rules;
}
