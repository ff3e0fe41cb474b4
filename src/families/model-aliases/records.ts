import { ALIAS_DEFAULTS } from '../../contract/families/modelAliases.ts';
import { METADATA_SORT_KEYS } from '../../contract/schemas/sortKeys.ts';
import { BY_LIST } from '../../resources/access.ts';
import type { AllFields, ResourceKind } from '../../resources/kind.ts';
import { mergeFields, replaceValue } from '../../resources/merge.ts';
import type { AliasRecord, AliasUpdate } from './schemas.ts';
import { type AliasStored, FAMILY, MODEL_ALIASES } from './stored.ts';

export type AliasFields = AliasUpdate;

export const OPERATIONS = { one: 'ModelAlias', many: 'ModelAliases' } as const;

export const SORT_KEYS = [
  'name',
  'description',
  ...METADATA_SORT_KEYS,
] as const satisfies readonly (keyof AliasStored)[];

export const aliasKind: ResourceKind<AliasStored, AliasFields, AliasRecord> = {
  family: FAMILY,
  collection: MODEL_ALIASES,
  label: 'model alias',
  access: BY_LIST,
  addresses: () => ({}),
  merge: (base, { name, description, targets, strategy, fallback_on, defaults }) => ({
    name: base?.name ?? name,
    description: replaceValue(base?.description, description, ''),
    targets: targets ?? base?.targets ?? [],
    strategy: strategy ?? base?.strategy ?? ALIAS_DEFAULTS.strategy,
    fallback_on: [...new Set(fallback_on ?? base?.fallback_on ?? ALIAS_DEFAULTS.fallback_on)],
    defaults: defaults === null ? {} : mergeFields<AliasStored['defaults']>(base?.defaults ?? {}, defaults ?? {}),
  }),
  problems: () => [],
  view: ({ name, description, targets, strategy, fallback_on, defaults }) =>
    ({ name, description, targets, strategy, fallback_on, defaults }) satisfies AllFields<AliasRecord>,
};
