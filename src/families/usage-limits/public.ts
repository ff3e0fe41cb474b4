import { LIMIT_DEFAULTS } from '../../contract/families/usageLimits.ts';
import { USAGE_LIMITS } from '../../metering/limits/usageLimit.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import type { RecordCodec } from '../../resources/recordCodec.ts';
import { OPERATIONS } from './records.ts';
import { FAMILY } from './stored.ts';

const codec = crudCodec(
  OPERATIONS,
  { family: FAMILY, collection: USAGE_LIMITS },
  { hasAcl: false, mergedFields: ['applies_to'], defaults: LIMIT_DEFAULTS },
);

/** Reads by the list, which does not count what is used. */
export const limitCodec: RecordCodec = {
  ...codec,
  rows: { ...codec.rows, read: 'listUsageLimits' },
  readCall: (name) => ({ query: { name } }),
};
