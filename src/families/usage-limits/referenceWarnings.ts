import { parallel } from '../../domain/async/parallel.ts';
import { containerIn, fitsReference } from '../../domain/values/modelReference.ts';
import type { Roles, Users } from '../../ports/platform/session.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { savedModels } from '../llm-providers/public.ts';
import { aliasNames } from '../model-aliases/public.ts';
import type { LimitUpdate } from './definition.ts';

const MAX_NAMED = 20;
/** Users and roles that are looked up at a time. */
const LOOKUPS = 8;

/** Where the names are looked up that a limit applies to. */
export interface NameSources {
  records: RecordStore;
  users: Users;
  roles: Roles;
}

/**
 * Names users that the search head does not list, and roles, models and aliases that do not exist: the limit then holds what may get that name later.
 * @throws Fault `store_unavailable`
 */
export async function referenceWarnings(
  { records, users, roles }: NameSources,
  appliesTo: LimitUpdate['applies_to'],
): Promise<string[]> {
  const { users: itsUsers, roles: itsRoles, models, operations } = appliesTo ?? {};
  // Tools, stores and models that predict have names of other kinds.
  const areLanguageModels = !operations || operations.some((name) => name === 'chat' || name === 'embeddings');
  const [unknownUsers, unknownRoles, unknownModels] = await Promise.all([
    unknownOf(itsUsers ?? [], (user) => users.exists(user)),
    // The platform knows roles by lower case only, and limits compare them in any case.
    unknownOf(itsRoles ?? [], async (role) => (await roles.imports(role.toLowerCase())) !== undefined),
    unknownReferences(records, areLanguageModels ? (models ?? []) : []),
  ]);
  return [
    ...warningsAbout('users', unknownUsers, (user) => `this search head lists no user ${user} now. ${SIGN_ON}`),
    ...warningsAbout('roles', unknownRoles, (role) => `there is no role ${role} now`),
    ...warningsAbout('models', unknownModels, (model) => `there is no model or alias ${model} now`),
  ];
}

const SIGN_ON =
  'Users of single sign-on are listed once they have logged in here; the limit holds for them in any case.';

const warningsAbout = (key: string, unknown: readonly string[], words: (quoted: string) => string): string[] =>
  unknown.slice(0, MAX_NAMED).map((name) => `applies_to.${key}: ${words(JSON.stringify(name.slice(0, 300)))}`);

async function unknownOf(names: readonly string[], exists: (name: string) => Promise<boolean>): Promise<string[]> {
  const named = [...new Set(names)];
  const areKnown = await parallel(named, LOOKUPS, exists);
  return named.filter((_, index) => !areKnown[index]);
}

async function unknownReferences(records: RecordStore, references: readonly string[]): Promise<string[]> {
  const named = references.filter((reference) => reference !== '*');
  if (named.length === 0) return [];
  const [models, aliases] = await Promise.all([savedModels(records), aliasNames(records)]);
  const knownAliases = new Set(aliases.map((name) => name.toLowerCase()));
  // Containers come and go: a limit may be made before the container is started.
  const isKnown = (reference: string): boolean =>
    knownAliases.has(reference.toLowerCase()) ||
    containerIn(reference) !== undefined ||
    models.some((model) => fitsReference(model, reference));
  return named.filter((reference) => !isKnown(reference));
}
