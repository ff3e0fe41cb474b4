import type { Sealed } from '../../domain/records/sealedRecord.ts';
import type { VectorStoreRecord } from './schemas.ts';

export const FAMILY = 'vector-stores';
export const VECTOR_STORES = 'ml_vector_stores';

export type StoreDetails = Omit<VectorStoreRecord['details'], 'cloud_access_key_token'>;

export interface StoreStored extends Sealed, Omit<VectorStoreRecord, 'details'> {
  details: StoreDetails;
}
