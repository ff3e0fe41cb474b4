import { crudCodec } from '../../resources/crud/codec.ts';
import { FAMILY, MASKING_POLICIES, OPERATIONS } from './records.ts';

export { MaskingPolicies } from './applying.ts';

export const policyCodec = crudCodec(
  OPERATIONS,
  { family: FAMILY, collection: MASKING_POLICIES },
  { rank: 2, hasAcl: false },
);
