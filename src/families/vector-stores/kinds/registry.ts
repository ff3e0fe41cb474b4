import type { StoreType } from '../names.ts';
import { cloudKb } from './cloudKb.ts';
import type { StoreKind } from './kind.ts';

/** A type without a kind does not compile. */
export const STORE_KINDS: Readonly<Record<StoreType, StoreKind>> = { CLOUD_KB: cloudKb };
