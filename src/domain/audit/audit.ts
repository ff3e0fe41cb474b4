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
/** Names of callers' own making are cut here. */
const LONGEST_NAME = 256;

/** An entry as it is stored. */
export interface AuditStored extends Doc, AuditedCall {
  /** Equals the key; begins with the time, so that newer entries sort behind older ones. */
  audit_id: string;
  /** Epoch seconds. */
  time: number;
  /** The name in lower case: names are compared without regard to case. */
  name_key: string;
  outcome: AuditOutcome;
  error_code?: string;
  /** `FieldChange[]` as JSON text: the store has rules for field names, and records have none. */
  changed: string;
  version_before?: number;
  version_after?: number;
  /** Null until it is known. */
  duration_ms: number | null;
}

/** What work has done to a record, as far as a reader may know it. */
export interface RecordChange {
  changed: FieldChange[];
  version_before?: number | undefined;
  version_after?: number | undefined;
}

/** Told of every change of a record, by whoever makes it. */
export interface Audit {
  recordChange(change: RecordChange): void;
  /**
   * One of several things that a request is made of, with an entry of its own in the name of its caller.
   * @param doIt says how it went, or throws
   * @throws as `own`
   */
  runPart(work: AuditedWork, doIt: () => Promise<AuditEnd>): Promise<void>;
  /**
   * Work of the app's own accord, with an entry of its own. @throws Fault `store_unavailable` without having begun it, when
   * the entry cannot be written; what the work throws
   */
  runAsSystem<T>(work: AuditedWork, doIt: (saw: (change: RecordChange) => void) => Promise<T>): Promise<T>;
}

/** Records nothing: for migrations and tests of single parts. */
export const NO_AUDIT: Audit = {
  recordChange: () => {},
  runAsSystem: (_work, doIt) => doIt(() => {}),
  runPart: async (_work, doIt) => void (await doIt()),
};

export interface AuditStores {
  records: RecordStore;
  clock: HostClock;
  log: Log;
}

/** Opens entries of the trail; `completed` is called with each that has ended, and must not be waited for. */
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

  /** Work with an entry of its own. @param doIt says how it went, or throws. @throws Fault `store_unavailable`; what it throws */
  async runAudited(call: AuditedCall, doIt: (entry: StoredEntry) => Promise<AuditEnd>): Promise<void> {
    const entry = this.open(call);
    await entry.begin();
    let end: AuditEnd | undefined;
    try {
      end = await doIt(entry);
    } catch (error) {
      end = endOf(error);
      throw error;
    } finally {
      if (end) await entry.end(end);
    }
  }

  /** @see Audit.runAsSystem */
  async runAsSystem<T>(work: AuditedWork, doIt: (saw: (change: RecordChange) => void) => Promise<T>): Promise<T> {
    const call = { ...work, user: SYSTEM_USER, request_id: this.#newId(), via: 'worker' as const };
    const done: { value?: T } = {};
    await this.runAudited(call, async (entry) => {
      done.value = await doIt((change) => entry.recordChange(change));
      return { outcome: 'success' };
    });
    return done.value as T;
  }
}

/** @see AuditEntry */
class StoredEntry implements AuditEntry {
  readonly #stores: AuditStores;
  readonly #completed: (entry: AuditStored) => void;
  readonly #since: number;
  readonly #changed: FieldChange[] = [];
  #stored: AuditStored;
  #isBegun = false;

  constructor(stores: AuditStores, call: AuditedCall, completed: (entry: AuditStored) => void) {
    this.#stores = stores;
    this.#completed = completed;
    this.#since = stores.clock.monotonic();
    const now = stores.clock.now();
    const audit_id = timeOrderedId(now);
    const { action, family, user, request_id, via } = call;
    this.#stored = {
      ...{ _key: audit_id, audit_id, time: now / 1000, user, action, family, name: '', name_key: '' },
      ...{ outcome: 'unknown', changed: '[]', request_id, duration_ms: null, via },
    };
    this.name(call.name);
  }

  /** Says better what it is about, once that is known. */
  name(name: string, action?: AuditAction): void {
    const cut = name.slice(0, LONGEST_NAME).toWellFormed();
    this.#stored = { ...this.#stored, name: cut, name_key: cut.toLowerCase(), ...(action ? { action } : {}) };
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

  /** Before the work: without it nothing may be done. @throws Fault `store_unavailable` */
  async begin(): Promise<void> {
    await this.#stores.records.insert(AUDIT, this.#stored);
    this.#isBegun = true;
  }

  /** @returns false when the end could not be written: the entry says `unknown` for ever */
  async end({ outcome, error_code }: AuditEnd): Promise<boolean> {
    const { records, clock, log } = this.#stores;
    const duration_ms = Math.max(0, Math.round(clock.monotonic() - this.#since));
    const changed = JSON.stringify(this.#changed);
    this.#stored = { ...this.#stored, outcome, changed, duration_ms, ...(error_code ? { error_code } : {}) };
    try {
      // A refusal's entry begins with its end. It may be there all the same: the store asks again when an answer is lost.
      const isNew = !this.#isBegun && (await records.insert(AUDIT, this.#stored));
      if (isNew || (await records.replace(AUDIT, this.#stored))) {
        this.#completed(this.#stored);
        return true;
      }
    } catch {
      // Told in the log and, where something was done, to the caller.
    }
    log.warn('audit_not_completed', { audit_id: this.#stored.audit_id, action: this.#stored.action, outcome });
    return false;
  }
}

/** What is done is taken down: the app's own work at once, a request once its entry is opened. */
export function createAudit(trail: AuditTrail): {
  audit: Audit;
  /** Opens the entry that takes note of what the request changes. */
  record(call: AuditedCall): StoredEntry;
} {
  let entry: StoredEntry | undefined;
  let call: AuditedCall | undefined;
  const audit: Audit = {
    recordChange: (change) => entry?.recordChange(change),
    runAsSystem: (work, doIt) => trail.runAsSystem(work, doIt),
    async runPart(work, doIt) {
      if (!call) throw new Error('a part of a request that is not recorded');
      await trail.runAudited({ ...call, ...work }, doIt);
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

/** An entry as replies and events show it. */
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
