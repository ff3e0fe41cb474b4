import type { StoreType } from '../names.ts';
import { builtIn } from './builtIn.ts';
import { cloudKb } from './cloudKb.ts';
import type { StoreKind, StoreOf } from './kind.ts';
import { openSearch } from './openSearch.ts';
import { pgVector } from './pgVector.ts';

/** A type without a kind does not compile. */
const STORE_KINDS: { readonly [K in StoreType]: StoreKind<StoreOf<K>> } = {
  CLOUD_KB: cloudKb,
  BUILT_IN: builtIn,
  OPENSEARCH: openSearch,
  PGVECTOR: pgVector,
};

/** The kind of a store, which gets stores of its type only. */
export const kindOf = (type: StoreType): StoreKind => STORE_KINDS[type];
