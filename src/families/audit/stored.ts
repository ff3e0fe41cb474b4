import { AUDIT, type AuditStored } from '../../domain/audit/stored.ts';
import type { CollectionShape, ShapeOf } from '../../domain/records/shape.ts';
import * as is from '../../domain/records/shape.ts';

const entry: ShapeOf<AuditStored> = {
  audit_id: is.text,
  time: is.number,
  user: is.text,
  action: is.text,
  family: is.text,
  name: is.text,
  name_key: is.text,
  outcome: is.text,
  error_code: is.optional(is.text),
  changed: is.jsonOf(is.arrayOf(is.object)),
  version_before: is.optional(is.number),
  version_after: is.optional(is.number),
  request_id: is.text,
  duration_ms: is.nullable(is.number),
  via: is.text,
  count: is.optional(is.number),
  failed: is.optional(is.number),
  tool: is.optional(is.text),
  sid: is.optional(is.text),
  run_id: is.optional(is.text),
  // Entries of earlier versions have none.
  member: is.optional(is.text),
};

export const auditShapes: Record<string, CollectionShape> = {
  [AUDIT]: { family: 'audit', shape: entry },
};
