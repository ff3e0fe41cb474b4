import { recordKey } from '../../domain/values/keys.ts';
import type { Naming } from '../../resources/references.ts';
import { VECTOR_STORES } from './names.ts';

interface Names {
  details?: { embedding_model?: string };
}

/** A model reference, which can also be an alias. */
const modelReference = ({ details: { embedding_model: model } = {} }: Names): string[] =>
  model === undefined ? [] : [model];

export const STORE_NAMING: Naming = {
  from: VECTOR_STORES,
  users: 'vector stores',
  references: [
    { to: 'llm', field: 'details', namesIn: modelReference },
    { to: 'alias', field: 'details', namesIn: (store: Names) => modelReference(store).map(recordKey) },
  ],
};
