import type { Caller } from '../../contract/caller.ts';
import { Fault, type Problem } from '../../contract/codes/faults.ts';
import type { IsPlanned } from '../../contract/rows/internalCalls.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { isSameConfiguration, isUsableConfiguration } from '../llm-providers/public.ts';
import type { AliasTarget } from './definition.ts';

/**
 * Checks only targets that `before` lacks, so that an alias can be changed after one of its configurations was deleted.
 * @param isPlanned whether the current import will create the record
 * @throws Fault `unknown_reference` with every unknown target in `errors`
 */
export async function assertTargetsKnown(
  records: RecordStore,
  caller: Caller,
  targets: readonly AliasTarget[],
  before: readonly AliasTarget[],
  isPlanned: IsPlanned = () => false,
): Promise<void> {
  const isKnown = async (target: AliasTarget) =>
    before.some((earlier) => isSameConfiguration(earlier, target)) ||
    isPlanned('llm-providers', `${target.service}/${target.connection_name}/${target.model}`) ||
    isUsableConfiguration(records, caller, target);
  const areKnown = await Promise.all(targets.map(isKnown));
  const message = 'there is no such LLM configuration, it is a draft, or you may not read it';
  const errors = targets.flatMap((_, index): Problem[] =>
    areKnown[index] ? [] : [{ field: `targets.${index}`, message }],
  );
  if (errors.length === 0) return;
  throw new Fault('unknown_reference', errors.map((error) => `${error.field}: ${error.message}`).join('; '), {
    errors,
  });
}
