import type { AuditedCall, AuditOutcome } from '../../contract/audit.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import type { FieldChange } from './fieldChanges.ts';
import type { Quota } from './quotas.ts';

export const AUDIT = 'ml_audit';

export interface AuditStored extends Doc, AuditedCall {
  /** Equals the key; sorts by time. */
  audit_id: string;
  /** Epoch seconds. */
  time: number;
  /** The name in lower case, for case-insensitive queries. */
  name_key: string;
  outcome: AuditOutcome;
  error_code?: string;
  /** `FieldChange[]` as JSON, since the store restricts field names. */
  changed: string;
  version_before?: number;
  version_after?: number;
  /** Null until the work has ended. */
  duration_ms: number | null;
  /** How many attempts the entry stands for, if more than one. */
  count?: number;
  /** The quota it belongs to; absent for what was done. */
  quota?: Quota;
  /** The member of the cluster that wrote it. */
  member: string;
}

/** Converts an entry to the form of replies and events. */
export function renderEntry(entry: AuditStored) {
  const { audit_id, time, user, action, family, name, outcome, error_code, count } = entry;
  const { version_before, version_after, request_id, duration_ms, via } = entry;
  return {
    ...{ audit_id, time, user, action, family, name, outcome },
    ...(error_code === undefined ? {} : { error_code }),
    ...(count === undefined ? {} : { count }),
    changed: JSON.parse(entry.changed) as FieldChange[],
    ...(version_before === undefined ? {} : { version_before }),
    ...(version_after === undefined ? {} : { version_after }),
    ...{ request_id, duration_ms, via },
  };
}
