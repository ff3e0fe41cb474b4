import { LIMIT_ACTIONS, LIMIT_SUBJECTS, LIMIT_WINDOWS } from '../../contract/families/usageLimits.ts';
import type { Sealed } from '../../domain/records/sealedRecord.ts';
import * as is from '../../domain/records/shape.ts';
import { type CollectionShape, SEALED, type ShapeOf } from '../../domain/records/shape.ts';
import type { LimitRecord } from './schemas.ts';

export const FAMILY = 'usage_limits';
export const USAGE_LIMITS = 'ml_usage_limits';

export interface LimitStored extends Sealed, LimitRecord {
  /** Names its counters. A limit that is made anew has another one. */
  limit_id: string;
}

const limit: ShapeOf<LimitStored> = {
  ...SEALED,
  limit_id: is.text,
  name: is.text,
  description: is.text,
  applies_to: is.fields<LimitStored['applies_to']>({
    users: is.optional(is.texts),
    roles: is.optional(is.texts),
    operations: is.optional(is.texts),
    models: is.optional(is.texts),
  }),
  per: is.oneOf(...LIMIT_SUBJECTS),
  window: is.oneOf(...LIMIT_WINDOWS),
  requests: is.optional(is.number),
  tokens: is.optional(is.number),
  cost: is.optional(is.number),
  action: is.oneOf(...LIMIT_ACTIONS),
  is_enabled: is.flag,
};

export const limitShapes: Record<string, CollectionShape> = {
  [USAGE_LIMITS]: { family: FAMILY, shape: limit },
};
