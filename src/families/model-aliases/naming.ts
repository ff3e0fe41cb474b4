import { configurationName, type Naming } from '../../resources/references.ts';
import type { AliasStored } from './definition.ts';
import { MODEL_ALIASES } from './records.ts';

export const ALIAS_NAMING: Naming = {
  from: MODEL_ALIASES,
  users: 'aliases',
  references: [{ to: 'llm', field: 'targets', namesIn: ({ targets }: AliasStored) => targets.map(configurationName) }],
};
