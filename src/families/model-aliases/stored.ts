import type { Sealed } from '../../domain/records/sealedRecord.ts';
import type { AliasRecord } from './schemas.ts';

export const FAMILY = 'model_aliases';
export const MODEL_ALIASES = 'ml_model_aliases';

export interface AliasStored extends Sealed, AliasRecord {}
export type AliasTarget = AliasStored['targets'][number];
