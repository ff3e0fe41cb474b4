import type { Sealed } from '../../domain/records/sealedRecord.ts';
import {
  ACL,
  type CollectionShape,
  fields,
  LAST_TEST,
  optional,
  SEALED,
  type ShapeOf,
  text,
} from '../../domain/records/shape.ts';
import type { VectorStoreRecord } from './schemas.ts';

export const FAMILY = 'vector-stores';
export const VECTOR_STORES = 'ml_vector_stores';

export type StoreDetails = Omit<VectorStoreRecord['details'], 'cloud_access_key_token'>;

export interface StoreStored extends Sealed, Omit<VectorStoreRecord, 'details'> {
  details: StoreDetails;
}

const store: ShapeOf<StoreStored> = {
  ...SEALED,
  name: text,
  type: text,
  description: text,
  details: fields<StoreDetails>({
    cloud_region: text,
    kb_id: text,
    cloud_access_key_id: optional(text),
    role_arn: optional(text),
  }),
  acl: ACL,
  last_test: LAST_TEST,
};

export const vectorStoreShapes: Record<string, CollectionShape> = {
  [VECTOR_STORES]: { family: FAMILY, shape: store },
};
