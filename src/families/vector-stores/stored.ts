import type { Sealed } from '../../domain/records/sealedRecord.ts';
import * as is from '../../domain/records/shape.ts';
import { ACL, type CollectionShape, LAST_TEST, SEALED, type ShapeOf } from '../../domain/records/shape.ts';
import { STORE_TYPES } from './names.ts';
import type { VectorStoreRecord } from './schemas.ts';

export const FAMILY = 'vector-stores';
export const VECTOR_STORES = 'ml_vector_stores';

export type StoreDetails = Omit<VectorStoreRecord['details'], 'cloud_access_key_token'>;

export interface StoreStored extends Sealed, Omit<VectorStoreRecord, 'details'> {
  details: StoreDetails;
}

const store: ShapeOf<StoreStored> = {
  ...SEALED,
  name: is.text,
  // A type of a newer version has no code here.
  type: is.oneOf(...STORE_TYPES),
  description: is.text,
  details: is.fields<StoreDetails>({
    cloud_region: is.text,
    kb_id: is.text,
    cloud_access_key_id: is.optional(is.text),
    role_arn: is.optional(is.text),
  }),
  acl: ACL,
  last_test: LAST_TEST,
};

export const vectorStoreShapes: Record<string, CollectionShape> = {
  [VECTOR_STORES]: { family: FAMILY, shape: store },
};
