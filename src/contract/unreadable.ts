import type { ResourceFamily } from './families/resourceFamilies.ts';

/** A stored document that lacks required fields or has fields of a wrong type. */
export interface UnreadableRecord {
  /** `audit`: the audit trail itself; `usage`: sums of usage. */
  family: ResourceFamily | 'audit' | 'usage';
  collection: string;
  key: string;
}
