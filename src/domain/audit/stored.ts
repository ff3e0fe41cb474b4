import type { AuditedCall, AuditOutcome } from '../../contract/audit.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { timeOrderedId } from '../values/keys.ts';
import type { FieldChange } from './fieldChanges.ts';
import { type Quota, quotaOf } from './quotas.ts';

export const AUDIT = 'ml_audit';

export interface AuditStores {
  records: RecordStore;
  clock: HostClock;
  log: Log;
  newId(): string;
}

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
  /** How many of them have failed; of tool calls only. */
  failed?: number;
  /** The tool that was called. */
  tool?: string;
  /** The search that called the tool; empty if there was none. */
  sid?: string;
  /** The quota it belongs to; absent for changes, tests and reads. */
  quota?: Quota;
  /** The member of the cluster that wrote it. */
  member: string;
}

/** Longer names are truncated. */
const MAX_NAME = 256;

/** The fields of a name. */
export function nameFields(name: string): Pick<AuditStored, 'name' | 'name_key'> {
  const truncated = name.slice(0, MAX_NAME).toWellFormed();
  return { name: truncated, name_key: truncated.toLowerCase() };
}

/** The entry of work that has not ended yet. */
export function newEntry(clock: HostClock, call: AuditedCall, count = 1): AuditStored {
  const now = clock.now();
  const audit_id = timeOrderedId(now);
  const { action, family, user, bounded_user, run_id, request_id, via } = call;
  const quota = quotaOf(action);
  return {
    ...{ _key: audit_id, audit_id, time: now / 1000, user, action, family, ...nameFields(call.name) },
    ...(bounded_user === undefined ? {} : { bounded_user }),
    ...(run_id === undefined ? {} : { run_id }),
    ...(quota === undefined ? {} : { quota }),
    ...{ outcome: 'unknown', changed: '[]', request_id, duration_ms: null, via },
    ...{ member: clock.member, ...(count > 1 ? { count } : {}) },
  };
}

/** Converts an entry to the form of replies and events. */
export function renderEntry(entry: AuditStored) {
  const { audit_id, time, user, action, family, name, outcome, error_code, count, failed, tool, run_id, sid } = entry;
  const { version_before, version_after, request_id, duration_ms, via } = entry;
  return {
    ...{ audit_id, time, user, action, family, name, ...(tool === undefined ? {} : { tool }), outcome },
    ...(error_code === undefined ? {} : { error_code }),
    ...(count === undefined ? {} : { count }),
    ...(failed === undefined ? {} : { failed }),
    ...(run_id === undefined ? {} : { run_id }),
    ...(sid === undefined || sid === '' ? {} : { sid }),
    changed: JSON.parse(entry.changed) as FieldChange[],
    ...(version_before === undefined ? {} : { version_before }),
    ...(version_after === undefined ? {} : { version_after }),
    ...{ request_id, duration_ms, via },
  };
}
