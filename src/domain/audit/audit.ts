import {
  type AuditAction,
  type AuditEnd,
  type AuditEntry,
  type AuditedCall,
  type AuditedWork,
  type CountedWork,
  endOf,
  SYSTEM_USER,
} from '../../contract/audit.ts';
import { append } from '../../contract/basics.ts';
import { replaceExisting } from '../locks/replaceExisting.ts';
import type { CountedEntries } from './countedEntries.ts';
import { type FieldChange, serializeChanges } from './fieldChanges.ts';
import { writeOrCount } from './repeats.ts';
import { AUDIT, type AuditStored, type AuditStores, nameFields, newEntry } from './stored.ts';

/** Changes of a record, without secret values. */
export interface RecordChange {
  changed: FieldChange[];
  version_before?: number | undefined;
  version_after?: number | undefined;
}

export interface Audit {
  recordChange(change: RecordChange): void;
  /** Adds an entry for parts of the request that were refused. Never throws. */
  recordRefusals(count: number, errorCode: string): Promise<void>;
  /**
   * Runs work that no request started, with a separate audit entry.
   * @throws Fault `store_unavailable` before the work begins when the entry cannot be written; errors of the work
   */
  runAsSystem<T>(subject: AuditedWork, work: (recordChange: (change: RecordChange) => void) => Promise<T>): Promise<T>;
  /** Like `runAsSystem`, for work that is done for a user, whose entries are limited in number. */
  runFor<T>(user: string, subject: AuditedWork & { run_id?: string }, work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that is counted, after its entry was written or one that it belongs to was found.
   * @throws Fault `store_unavailable` before the work; errors of the work
   */
  runCounted<T>(entries: CountedEntries, call: CountedWork, work: () => Promise<T>): Promise<T>;
}

/** Records nothing; for migrations and unit tests. */
export const NO_AUDIT: Audit = {
  recordChange: () => {},
  runAsSystem: (_subject, work) => work(() => {}),
  runFor: (_user, _subject, work) => work(),
  recordRefusals: async () => {},
  runCounted: (_entries, _call, work) => work(),
};

/** Opens audit entries. `completed` gets each finished entry and must not block. */
export class AuditTrail {
  readonly stores: AuditStores;
  readonly #completed: (entry: AuditStored) => void;

  constructor(stores: AuditStores, completed: (entry: AuditStored) => void) {
    this.stores = stores;
    this.#completed = completed;
  }

  /** @param count how many attempts the entry stands for */
  open(call: AuditedCall, count = 1): StoredEntry {
    return new StoredEntry(this.stores, call, count, this.#completed);
  }

  /** @see Audit.runCounted */
  runCounted<T>(entries: CountedEntries, call: CountedWork, work: () => Promise<T>): Promise<T> {
    return entries.run({ ...this.stores, completed: this.#completed }, call, work);
  }

  /** @see Audit.runAsSystem */
  runAsSystem<T>(subject: AuditedWork, work: (recordChange: (change: RecordChange) => void) => Promise<T>): Promise<T> {
    return this.#run({ ...subject, user: SYSTEM_USER }, work);
  }

  /** @see Audit.runFor */
  runFor<T>(user: string, subject: AuditedWork & { run_id?: string }, work: () => Promise<T>): Promise<T> {
    return this.#run({ ...subject, user, bounded_user: user }, work);
  }

  async #run<T>(
    subject: Omit<AuditedCall, 'request_id' | 'via'>,
    work: (recordChange: (change: RecordChange) => void) => Promise<T>,
  ): Promise<T> {
    const entry = this.open({ ...subject, request_id: this.stores.newId(), via: 'worker' });
    await entry.begin();
    let end: AuditEnd = { outcome: 'success' };
    try {
      return await work((change) => entry.recordChange(change));
    } catch (error) {
      end = endOf(error);
      throw error;
    } finally {
      await entry.end(end);
    }
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

  constructor(stores: AuditStores, call: AuditedCall, count: number, completed: (entry: AuditStored) => void) {
    this.#stores = stores;
    this.#completed = completed;
    this.#startedAt = stores.clock.monotonic();
    this.#stored = newEntry(stores.clock, call, count);
  }

  /** Replaces the name (and action) once they are known. */
  name(name: string, action?: AuditAction): void {
    this.#stored = { ...this.#stored, ...nameFields(name), ...(action ? { action } : {}) };
  }

  recordChange({ changed, version_before, version_after }: RecordChange): void {
    append(this.#changed, changed);
    this.versions(version_before, version_after);
  }

  versions(version_before: number | undefined, version_after: number | undefined): void {
    this.#stored = {
      ...this.#stored,
      ...(version_before === undefined ? {} : { version_before }),
      ...(version_after === undefined ? {} : { version_after }),
    };
  }

  run(run_id: string): void {
    this.#stored = { ...this.#stored, run_id };
  }

  /** Must succeed before the work begins. @throws Fault `store_unavailable` */
  async begin(): Promise<void> {
    await this.#stores.records.insert(AUDIT, this.#stored);
    this.#isBegun = true;
  }

  /** @returns false when the outcome could not be written: the entry stays `unknown` */
  async end({ outcome, error_code, isRefusal = false }: AuditEnd): Promise<boolean> {
    const { clock, log } = this.#stores;
    const duration_ms = Math.max(0, Math.round(clock.monotonic() - this.#startedAt));
    const changed = serializeChanges(this.#changed);
    this.#stored = {
      ...{ ...this.#stored, outcome, changed, duration_ms },
      ...(error_code ? { error_code } : {}),
      ...(isRefusal ? { quota: 'refusal' } : {}),
    };
    try {
      const end = await writeOrCount(this.#stores, this.#stored, this.#isBegun, () => this.#write());
      if (end === 'written') this.#completed(this.#stored);
      if (end !== 'failed') return true;
    } catch {
      // Logged below, and reported to the caller when a change was made.
    }
    log.warn('audit_not_completed', { audit_id: this.#stored.audit_id, action: this.#stored.action, outcome });
    return false;
  }

  /** The entry of a refusal is inserted here. It may exist already, since the store retries when a reply is lost. */
  async #write(): Promise<boolean> {
    const { records } = this.#stores;
    const isNew = !this.#isBegun && (await records.insert(AUDIT, this.#stored));
    return isNew || (await replaceExisting(records, AUDIT, this.#stored));
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
    runFor: (user, subject, work) => trail.runFor(user, subject, work),
    runCounted: (entries, call, work) => trail.runCounted(entries, call, work),
    async recordRefusals(count, error_code) {
      if (!call) throw new Error('The request has no audit entry');
      await trail.open(call, count).end({ outcome: 'fail', error_code, isRefusal: true });
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
