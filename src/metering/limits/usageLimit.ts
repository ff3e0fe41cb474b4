import type { UsageOperation } from '../../contract/families/usage.ts';
import type { LimitAction, LimitQuantity, LimitSubject, LimitWindow } from '../../contract/families/usageLimits.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';

export const USAGE_LIMITS = 'ml_usage_limits';

/** A limit as uses are compared with it. */
export interface UsageLimit extends Partial<Record<LimitQuantity, number>> {
  /** Names its counters. A limit that is made anew has another one. */
  limit_id: string;
  name: string;
  applies_to: { users?: string[]; roles?: string[]; operations?: UsageOperation[]; models?: string[] };
  per: LimitSubject;
  window: LimitWindow;
  action: LimitAction;
  is_enabled: boolean;
}

/** The limits, by name. */
export async function readLimits<L extends UsageLimit & Doc>(records: Pick<RecordStore, 'find'>): Promise<L[]> {
  const limits = await records.find<L>(USAGE_LIMITS);
  return limits.sort((a, b) => (a._key < b._key ? -1 : 1));
}
