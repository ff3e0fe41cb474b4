import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import type { ReadableAlias } from './readable.ts';
import { FAMILY, MODEL_ALIASES, OPERATIONS } from './records.ts';

export { isInContainer, type ReferenceSite } from './containerModels.ts';
export { type ModelAlias, readableAliases } from './readable.ts';
export { type ModelRoute, nameOf, referenceOf, resolveLentModel, resolveModel, usableModels } from './references.ts';

export const aliasCodec = crudCodec(OPERATIONS, { family: FAMILY, collection: MODEL_ALIASES }, { rank: 1 });

/** The names of all aliases, whoever may read them. */
export async function aliasNames(records: RecordStore): Promise<string[]> {
  const aliases = await records.find<Pick<ReadableAlias, '_key' | 'name'>>(MODEL_ALIASES, { fields: ['name'] });
  return aliases.map(({ name }) => name);
}
