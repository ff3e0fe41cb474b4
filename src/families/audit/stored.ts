import { AUDIT, type AuditStored } from '../../domain/audit/stored.ts';
import {
  arrayOf,
  type CollectionShape,
  jsonOf,
  nullable,
  number,
  object,
  optional,
  type ShapeOf,
  text,
} from '../../domain/records/shape.ts';

const entry: ShapeOf<AuditStored> = {
  audit_id: text,
  time: number,
  user: text,
  action: text,
  family: text,
  name: text,
  name_key: text,
  outcome: text,
  error_code: optional(text),
  changed: jsonOf(arrayOf(object)),
  version_before: optional(number),
  version_after: optional(number),
  request_id: text,
  duration_ms: nullable(number),
  via: text,
  count: optional(number),
  // Entries of earlier versions have none.
  member: optional(text),
};

export const auditShapes: Record<string, CollectionShape> = {
  [AUDIT]: { family: 'audit', shape: entry },
};
