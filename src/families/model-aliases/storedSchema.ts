import { Type } from 'typebox';
import { AnyObject, SealedFields, StoredAcl, StringList } from '../../contract/schemas/stored.ts';

const Target = Type.Object({ service: Type.String(), connection_name: Type.String(), model: Type.String() });

export const StoredAlias = Type.Object({
  ...SealedFields,
  name: Type.String(),
  description: Type.String(),
  targets: Type.Array(Target),
  strategy: Type.String(),
  fallback_on: StringList,
  defaults: AnyObject,
  acl: StoredAcl,
});
