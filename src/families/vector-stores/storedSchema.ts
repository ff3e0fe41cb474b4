import { Type } from 'typebox';
import { SealedFields, StoredAcl, StoredTest } from '../../contract/schemas/stored.ts';
import { STORE_TYPES } from './names.ts';

export const StoredStore = Type.Object({
  ...SealedFields,
  name: Type.String(),
  // A type of a newer version has no code here.
  type: Type.Enum([...STORE_TYPES]),
  description: Type.String(),
  details: Type.Object({
    cloud_region: Type.String(),
    kb_id: Type.String(),
    cloud_access_key_id: Type.Optional(Type.String()),
    role_arn: Type.Optional(Type.String()),
  }),
  acl: StoredAcl,
  last_test: StoredTest,
});
