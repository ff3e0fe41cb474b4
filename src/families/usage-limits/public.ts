import { USAGE_LIMITS } from '../../metering/limits/usageLimit.ts';
import { crudCodec } from '../../resources/crud/codec.ts';
import type { RecordCodec } from '../../resources/recordCodec.ts';
import { FAMILY, OPERATIONS } from './records.ts';

const codec = crudCodec(OPERATIONS, { family: FAMILY, collection: USAGE_LIMITS }, { hasAcl: false });

/** Reads by the list, which does not count what is used. */
export const limitCodec: RecordCodec = {
  ...codec,
  rows: { ...codec.rows, read: 'listUsageLimits' },
  readCall: (name) => ({ query: { name } }),
};
