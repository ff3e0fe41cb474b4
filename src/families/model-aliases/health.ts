import { EDIT_LLM_CONFIGURATIONS } from '../../contract/capabilities.ts';
import type { LastTest } from '../../contract/schemas/common.ts';
import type { Condition, HealthReader, TargetCondition } from '../../domain/records/connectionHealth.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { readableRecords } from '../../resources/access.ts';
import { Cooldowns, modelConditions } from '../llm-providers/public.ts';
import type { AliasStored, AliasTarget } from './definition.ts';
import { MODEL_ALIASES } from './records.ts';

const FIELDS = ['name', 'acl', 'targets'] as const satisfies readonly (keyof AliasStored)[];
type AliasHead = Pick<AliasStored, '_key' | (typeof FIELDS)[number]>;

/** An alias has no test of its own: its health is that of its targets. */
export function aliasHealth(stores: Pick<Stores, 'records' | 'clock' | 'log'>): HealthReader {
  const { records } = stores;
  return {
    readers: 'session',
    testers: EDIT_LLM_CONFIGURATIONS.gate,
    flag: EDIT_LLM_CONFIGURATIONS.flag,
    async conditions(caller) {
      const aliases = await readableRecords<AliasHead>(records, caller, MODEL_ALIASES, FIELDS);
      if (aliases.length === 0) return [];
      const [conditionOf, cooldowns] = await Promise.all([modelConditions(records), Cooldowns.read(stores)]);
      const targetOf = (target: AliasTarget): TargetCondition => {
        const condition = conditionOf(target);
        return {
          family: 'llm-providers',
          key: condition?.key,
          name: `${target.connection_name}/${target.model}`,
          lastTest: condition?.lastTest,
          expiries: condition?.expiries ?? [],
        };
      };
      return aliases.map(({ _key: key, name, acl, targets }): Condition => {
        const conditions = targets.map(targetOf);
        return {
          key,
          name,
          type: 'alias',
          owner: acl.owner,
          lastTest: lastTestOf(conditions),
          needsSignIn: false,
          expiries: conditions.flatMap(({ expiries }) => expiries),
          reference: { kind: 'alias', name },
          cooldown: cooldowns.longestOf(targets),
          targets: conditions,
        };
      });
    },
  };
}

/** The last test of a target that passed; if all have failed, that of the first. */
function lastTestOf(targets: readonly TargetCondition[]): LastTest | undefined {
  const tests = targets.flatMap(({ lastTest }) => lastTest ?? []);
  const passed = tests.filter(({ status }) => status === 'success').sort((a, b) => b.tested_at - a.tested_at);
  return passed[0] ?? (tests.length === targets.length ? tests[0] : undefined);
}
