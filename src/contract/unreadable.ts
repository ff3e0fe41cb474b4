import type { ResourceFamily } from './families/resourceFamilies.ts';

/** A stored document that lacks required fields or has fields of a wrong type. */
export interface UnreadableRecord {
  /** `audit`: the audit trail itself. */
  family: ResourceFamily | 'audit';
  collection: string;
  key: string;
}
