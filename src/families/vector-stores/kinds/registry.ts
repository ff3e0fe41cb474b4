import type { VectorStoreRecord } from '../schemas.ts';
import { cloudKb } from './cloudKb.ts';
import type { StoreKind } from './kind.ts';

/** How each kind of store is searched. */
export const STORE_KINDS: Readonly<Record<VectorStoreRecord['type'], StoreKind>> = { CLOUD_KB: cloudKb };
