import {
  type AuditAction,
  type AuditEnd,
  type AuditEntry,
  type AuditedCall,
  type AuditedWork,
  type AuditOutcome,
  endOf,
  SYSTEM_USER,
} from '../../contract/audit.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import { timeOrderedId } from '../values/keys.ts';
import type { FieldChange } from './fieldChanges.ts';

export const AUDIT = 'ml_audit';
/** Longer names are truncated. */
const MAX_NAME = 256;

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
}

/** Changes of a record, without secret values. */
export interface RecordChange {
  changed: FieldChange[];
  version_before?: number | undefined;
  version_after?: number | undefined;
}

export interface Audit {
  recordChange(change: RecordChange): void;
  /**
   * Runs a part of a request with a separate audit entry for its caller.
   * @throws as `runAsSystem`
   */
  runPart(subject: AuditedWork, work: () => Promise<AuditEnd>): Promise<void>;
  /**
   * Runs work that no request started, with a separate audit entry.
   * @throws Fault `store_unavailable` before the work begins when the entry cannot be written; errors of the work
   */
  runAsSystem<T>(subject: AuditedWork, work: (recordChange: (change: RecordChange) => void) => Promise<T>): Promise<T>;
}

/** Records nothing; for migrations and unit tests. */
export const NO_AUDIT: Audit = {
  recordChange: () => {},
  runAsSystem: (_subject, work) => work(() => {}),
  runPart: async (_subject, work) => void (await work()),
};

export interface AuditStores {
  records: RecordStore;
  clock: HostClock;
  log: Log;
}

/** Opens audit entries. `completed` gets each finished entry and must not block. */
export class AuditTrail {
  readonly stores: AuditStores;
  readonly #completed: (entry: AuditStored) => void;
  readonly #newId: () => string;

  constructor(stores: AuditStores & { newId(): string }, completed: (entry: AuditStored) => void) {
    this.stores = stores;
    this.#newId = stores.newId;
    this.#completed = completed;
  }

  open(call: AuditedCall): StoredEntry {
    return new StoredEntry(this.stores, call, this.#completed);
  }

  /** Runs work with an audit entry. @throws Fault `store_unavailable`; errors of the work */
  async runAudited(call: AuditedCall, work: (entry: StoredEntry) => Promise<AuditEnd>): Promise<void> {
    const entry = this.open(call);
    await entry.begin();
    let end: AuditEnd | undefined;
    try {
      end = await work(entry);
    } catch (error) {
      end = endOf(error);
      throw error;
    } finally {
      if (end) await entry.end(end);
    }
  }

  /** @see Audit.runAsSystem */
  async runAsSystem<T>(
    subject: AuditedWork,
    work: (recordChange: (change: RecordChange) => void) => Promise<T>,
  ): Promise<T> {
    const call = { ...subject, user: SYSTEM_USER, request_id: this.#newId(), via: 'worker' as const };
    const result: { value?: T } = {};
    await this.runAudited(call, async (entry) => {
      result.value = await work((change) => entry.recordChange(change));
      return { outcome: 'success' };
    });
    return result.value as T;
  }
}

/** @see AuditEntry */
class StoredEntry implements AuditEntry {
  readonly #stores: AuditStores;
  readonly #completed: (entry: AuditStored) => void;
  readonly #startedAt: number;
  readonly #changed: FieldChange[] = [];
  #stored: AuditStored;
  #isBegun = false;

  constructor(stores: AuditStores, call: AuditedCall, completed: (entry: AuditStored) => void) {
    this.#stores = stores;
    this.#completed = completed;
    this.#startedAt = stores.clock.monotonic();
    const now = stores.clock.now();
    const audit_id = timeOrderedId(now);
    const { action, family, user, request_id, via } = call;
    this.#stored = {
      ...{ _key: audit_id, audit_id, time: now / 1000, user, action, family, name: '', name_key: '' },
      ...{ outcome: 'unknown', changed: '[]', request_id, duration_ms: null, via },
    };
    this.name(call.name);
  }

  /** Replaces the name (and action) once they are known. */
  name(name: string, action?: AuditAction): void {
    const truncated = name.slice(0, MAX_NAME).toWellFormed();
    this.#stored = {
      ...this.#stored,
      name: truncated,
      name_key: truncated.toLowerCase(),
      ...(action ? { action } : {}),
    };
  }

  recordChange({ changed, version_before, version_after }: RecordChange): void {
    this.#changed.push(...changed);
    this.versions(version_before, version_after);
  }

  versions(version_before: number | undefined, version_after: number | undefined): void {
    this.#stored = {
      ...this.#stored,
      ...(version_before === undefined ? {} : { version_before }),
      ...(version_after === undefined ? {} : { version_after }),
    };
  }

  /** Must succeed before the work begins. @throws Fault `store_unavailable` */
  async begin(): Promise<void> {
    await this.#stores.records.insert(AUDIT, this.#stored);
    this.#isBegun = true;
  }

  /** @returns false when the outcome could not be written: the entry stays `unknown` */
  async end({ outcome, error_code }: AuditEnd): Promise<boolean> {
    const { records, clock, log } = this.#stores;
    const duration_ms = Math.max(0, Math.round(clock.monotonic() - this.#startedAt));
    const changed = JSON.stringify(this.#changed);
    this.#stored = { ...this.#stored, outcome, changed, duration_ms, ...(error_code ? { error_code } : {}) };
    try {
      // The entry of a refusal is inserted here. It may exist already, since the store retries when a reply is lost.
      const isNew = !this.#isBegun && (await records.insert(AUDIT, this.#stored));
      if (isNew || (await records.replace(AUDIT, this.#stored))) {
        this.#completed(this.#stored);
        return true;
      }
    } catch {
      // Logged below, and reported to the caller when a change was made.
    }
    log.warn('audit_not_completed', { audit_id: this.#stored.audit_id, action: this.#stored.action, outcome });
    return false;
  }
}

/** The audit of one request: changes go to the entry opened by `record`. */
export function createAudit(trail: AuditTrail): {
  audit: Audit;
  /** Opens the entry of the request. */
  record(call: AuditedCall): StoredEntry;
} {
  let entry: StoredEntry | undefined;
  let call: AuditedCall | undefined;
  const audit: Audit = {
    recordChange: (change) => entry?.recordChange(change),
    runAsSystem: (subject, work) => trail.runAsSystem(subject, work),
    async runPart(subject, work) {
      if (!call) throw new Error('The request has no audit entry');
      await trail.runAudited({ ...call, ...subject }, work);
    },
  };
  return {
    audit,
    record(opened) {
      call = opened;
      entry = trail.open(opened);
      return entry;
    },
  };
}

/** Converts an entry to the form of replies and events. */
export function renderEntry(entry: AuditStored) {
  const { audit_id, time, user, action, family, name, outcome, error_code } = entry;
  const { version_before, version_after, request_id, duration_ms, via } = entry;
  return {
    ...{ audit_id, time, user, action, family, name, outcome },
    ...(error_code === undefined ? {} : { error_code }),
    changed: JSON.parse(entry.changed) as FieldChange[],
    ...(version_before === undefined ? {} : { version_before }),
    ...(version_after === undefined ? {} : { version_after }),
    ...{ request_id, duration_ms, via },
  };
}
