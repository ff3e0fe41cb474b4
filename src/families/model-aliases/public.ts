import { append } from '../../contract/basics.ts';
import type { Caller } from '../../contract/caller.ts';
import { ALIAS_DEFAULTS } from '../../contract/families/modelAliases.ts';
import type { LlmReference } from '../../contract/schemas/llmReference.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { readableRecords } from '../../resources/access.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import type { Users } from '../../resources/users.ts';
import { isSameConfiguration } from '../llm-providers/public.ts';
import type { ReadableAlias } from './readable.ts';
import { OPERATIONS } from './records.ts';
import { FAMILY, MODEL_ALIASES } from './stored.ts';

export { isInContainer, type ReferenceSite } from './containerModels.ts';
export { type ModelAlias, readableAliases } from './readable.ts';
export { type ModelRoute, nameOf, referenceOf, resolveModel, usableModels } from './references.ts';

export const aliasCodec = crudCodec(
  OPERATIONS,
  { family: FAMILY, collection: MODEL_ALIASES },
  { rank: 1, mergedFields: ['defaults'], defaults: ALIAS_DEFAULTS },
);

/** The names of all aliases, whoever may read them. */
export async function aliasNames(records: RecordStore): Promise<string[]> {
  const aliases = await records.find<Pick<ReadableAlias, '_key' | 'name'>>(MODEL_ALIASES, { fields: ['name'] });
  return aliases.map(({ name }) => name);
}

/** The aliases with this configuration among their targets. */
export async function aliasesNaming(records: RecordStore, configuration: LlmReference): Promise<Users> {
  const users: Pick<ReadableAlias, 'name' | 'acl'>[] = [];
  for await (const chunk of records.chunks<ReadableAlias>(MODEL_ALIASES, { fields: ['name', 'acl', 'targets'] })) {
    append(
      users,
      chunk.filter(({ targets }) => targets.some((target) => isSameConfiguration(target, configuration))),
    );
  }
  return { kind: 'aliases', records: users };
}

/** `service/connection_name` in lower case -> names of the readable aliases that have it as a target. */
export async function findAliasUsers(records: RecordStore, caller: Caller): Promise<Map<string, string[]>> {
  const users = new Map<string, string[]>();
  const aliases = await readableRecords<ReadableAlias>(records, caller, MODEL_ALIASES, ['name', 'acl', 'targets']);
  for (const { name, targets } of aliases) {
    const connections = targets.map((target) => `${target.service}/${target.connection_name}`.toLowerCase());
    for (const connection of new Set(connections)) {
      const named = users.get(connection) ?? [];
      users.set(connection, [...named, name]);
    }
  }
  return users;
}
