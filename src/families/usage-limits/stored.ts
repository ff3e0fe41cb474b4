import type { Sealed } from '../../domain/records/sealedRecord.ts';
import type { LimitRecord } from './schemas.ts';

export const FAMILY = 'usage_limits';

export interface LimitStored extends Sealed, LimitRecord {
  /** Names its counters. A limit that is made anew has another one. */
  limit_id: string;
}
