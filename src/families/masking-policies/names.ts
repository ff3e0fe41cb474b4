import type { Caller } from '../../contract/caller.ts';
import { Fault, type Problem } from '../../contract/codes/faults.ts';
import type { IsPlanned } from '../../contract/rows/internalCalls.ts';
import { parallel } from '../../domain/async/parallel.ts';
import { CONTAINER } from '../../domain/values/modelReference.ts';
import type { Roles } from '../../ports/platform/session.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { savedModels } from '../llm-providers/public.ts';
import { readableConnection } from '../mcp-connections/public.ts';
import { aliasNames } from '../model-aliases/public.ts';
import { isReadableStore } from '../vector-stores/public.ts';
import type { PolicyStored, PolicyUpdate } from './definition.ts';

/** Where the names are looked up that a policy applies to. */
export interface NameSite {
  records: RecordStore;
  roles: Roles;
  caller: Caller;
  /** Whether the current import will create the record. */
  isPlanned?: IsPlanned | undefined;
}

/** Names that are looked up at a time. */
const LOOKUPS = 8;

/**
 * Checks only names that `before` lacks, so that a policy can be changed after something it names was deleted.
 * @throws Fault `unknown_reference` with every unknown name in `errors`, `store_unavailable`
 */
export async function assertNamesKnown(
  site: NameSite,
  appliesTo: PolicyUpdate['applies_to'],
  before: PolicyStored['applies_to'] = {},
): Promise<void> {
  const added = (key: 'connections' | 'aliases' | 'roles') =>
    (appliesTo?.[key] ?? []).flatMap((name, index) => (before[key]?.includes(name) ? [] : [{ name, index }]));
  const problemsOf = async (
    key: 'connections' | 'aliases' | 'roles',
    message: string,
    isKnown: () => Promise<(name: string) => Promise<boolean> | boolean>,
  ): Promise<Problem[]> => {
    const names = added(key);
    if (names.length === 0) return [];
    const isKnownName = await isKnown();
    const areKnown = await parallel(names, LOOKUPS, async ({ name }) => isKnownName(name));
    return names.flatMap(({ index }, place) =>
      areKnown[place] ? [] : [{ field: `applies_to.${key}.${index}`, message }],
    );
  };
  const problemLists = await Promise.all([
    problemsOf('connections', 'there is no such connection, or you may not read it', () => knownConnections(site)),
    problemsOf('aliases', 'there is no such alias', () => knownAliases(site)),
    problemsOf('roles', 'there is no such role', async () => (role) => isRole(site, role)),
  ]);
  const errors = problemLists.flat();
  if (errors.length === 0) return;
  throw new Fault('unknown_reference', errors.map((error) => `${error.field}: ${error.message}`).join('; '), {
    errors,
  });
}

/** Connections of language models, containers, MCP connections and vector stores. */
async function knownConnections({ records, caller, isPlanned = () => false }: NameSite) {
  const models = await savedModels(records);
  const connections = new Set([CONTAINER, ...models.map(({ connection_name }) => folded(connection_name))]);
  return async (name: string): Promise<boolean> =>
    connections.has(folded(name)) ||
    isPlanned('llm-providers', `${name}/`) ||
    isPlanned('mcp-connections', name) ||
    isPlanned('vector-stores', name) ||
    (await readableConnection(records, caller, name)) !== undefined ||
    isReadableStore(records, caller, name);
}

async function knownAliases({ records, isPlanned = () => false }: NameSite) {
  const aliases = new Set((await aliasNames(records)).map(folded));
  return (name: string): boolean => aliases.has(folded(name)) || isPlanned('model_aliases', name);
}

/** The platform knows roles by lower case only. */
const isRole = async ({ roles }: NameSite, role: string): Promise<boolean> =>
  (await roles.imports(role.toLowerCase())) !== undefined;

const folded = (name: string): string => name.normalize('NFC').trim().toLowerCase();
