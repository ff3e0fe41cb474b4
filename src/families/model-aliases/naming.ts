import { configurationName, type Naming } from '../../resources/references.ts';
import { type AliasStored, MODEL_ALIASES } from './stored.ts';

export const ALIAS_NAMING: Naming = {
  from: MODEL_ALIASES,
  users: 'aliases',
  references: [{ to: 'llm', field: 'targets', namesIn: ({ targets }: AliasStored) => targets.map(configurationName) }],
};
