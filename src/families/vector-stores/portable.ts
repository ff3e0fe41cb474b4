import { recordKey } from '../../domain/values/keys.ts';
import { namedBy, type Portable, pagesOf } from '../../resources/portable.ts';
import { FAMILY, VECTOR_STORES } from './records.ts';

export const portableVectorStores: Portable = {
  family: 'vector-stores',
  rank: 0,
  rows: { read: 'getVectorStore', create: 'createVectorStore', update: 'updateVectorStore' },
  collection: VECTOR_STORES,
  keyOf: recordKey,
  marks: FAMILY,
  hasAcl: true,
  ...namedBy('name'),
  all: ({ calls }) => pagesOf(calls, 'listVectorStores'),
  address: (name) => ({ params: { name } }),
  merges: ['details'],
};
