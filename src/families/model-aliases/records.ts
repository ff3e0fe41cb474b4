import { BY_LIST } from '../../resources/access.ts';
import type { ResourceKind } from '../../resources/kind.ts';
import type { AliasRecord, AliasStored, AliasUpdate } from './definition.ts';

export const FAMILY = 'model_aliases';
export const MODEL_ALIASES = 'ml_model_aliases';
export const OPERATIONS = { one: 'ModelAlias', many: 'ModelAliases' } as const;

export const aliasKind: ResourceKind<AliasStored, AliasUpdate, AliasRecord> = {
  family: FAMILY,
  collection: MODEL_ALIASES,
  label: 'model alias',
  access: BY_LIST,
  addresses: () => ({}),
};
