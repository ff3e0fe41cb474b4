import { Fault } from '../contract/faults.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Doc, FindOptions, RecordStore } from '../ports/recordStore.ts';
import type { SecretStore } from '../ports/secretStore.ts';
import { GRACE_MS, Journal } from './journal.ts';
import { type Lease, Leases, WRITE_LEASE_MS } from './leases.ts';
import { assertBound, type Decision, decide, type FieldOf, type GivenSecrets, type Secrets } from './secrets.ts';
import { hostBinding, staysBound } from './url.ts';

/** What every stored record has beside its family's fields. */
export interface Sealed extends Doc {
  version: number;
  created_at: number;
  created_by: string;
  last_updated_at: number;
  last_updated_by: string;
  /** Points at the record's one entry in the secret store; null when it has none. */
  secret_ref: string | null;
  /** Paths of the secrets that are stored: enough to mask them without reading them. */
  secret_fields: string[];
}
/** Fields that only this module writes. */
type Managed = keyof Pick<
  Sealed,
  'version' | 'created_at' | 'created_by' | 'last_updated_at' | 'last_updated_by' | 'secret_ref' | 'secret_fields'
>;
export type Open<R extends Sealed> = Omit<R, Managed>;

export interface SealSpec<R extends Sealed> {
  family: string;
  collection: string;
  /** For messages: "MCP connection". */
  label: string;
  /** Field -> address to which the record's secrets are sent. */
  addresses(record: Open<R>): Record<string, string | undefined>;
  /** Whether the secret of a path goes to those addresses; all do unless told otherwise. */
  travels?(path: string): boolean;
  /** The name of a secret's field in a message; unless told otherwise its path with dots. */
  fieldOf?: FieldOf;
  /** Field of `addresses` -> paths of the secrets that go there. A field that is not named here is sent all of them. */
  receives?: Readonly<Record<string, readonly string[]>>;
}

export interface Stores {
  records: RecordStore;
  secrets: SecretStore;
  clock: Clock;
  log: Log;
  newId(): string;
}

export interface Change<R extends Sealed> {
  actor: string;
  /** The version that the caller saw. */
  condition: number | undefined;
  /** Throws when the caller may not do this to the record as it is now. */
  guard(record: R): void;
  /** The record as it shall be; throws when it would not be valid. */
  next(record: R): Open<R> | Promise<Open<R>>;
  given: GivenSecrets;
}

export interface Amendment<R extends Sealed> {
  open: Partial<Open<R>>;
  /** Secrets to set beside the stored ones. */
  secrets?: Secrets;
}

/** The one place that sees records and their secrets together: writes both so that a crash leaves either state whole. */
export class SealedRecords<R extends Sealed> {
  readonly spec: SealSpec<R>;
  readonly #stores: Stores;
  readonly #leases: Leases;
  readonly #journal: Journal;

  constructor(spec: SealSpec<R>, stores: Stores) {
    this.spec = spec;
    this.#stores = stores;
    this.#leases = new Leases(stores.records, stores.clock, stores.newId);
    this.#journal = new Journal(stores.records, stores.secrets, stores.clock, stores.newId, stores.log);
  }

  missing = (): Fault => new Fault('not_found', `There is no such ${this.spec.label}, or you may not read it`);

  async find(options?: FindOptions): Promise<R[]> {
    return this.#stores.records.find<R>(this.spec.collection, options);
  }

  /** @throws Fault `not_found` */
  async get(key: string): Promise<R> {
    const record = await this.#stores.records.get<R>(this.spec.collection, key);
    if (!record) throw this.missing();
    return record;
  }

  /** The record's secrets in the clear. Reads the record again when its secret has just been replaced. */
  async open(record: R): Promise<Secrets> {
    if (record.secret_ref === null) return {};
    const text = await this.#stores.secrets.get(record.secret_ref);
    if (text !== undefined) return JSON.parse(text) as Secrets;
    const fresh = await this.get(record._key);
    if (fresh.secret_ref !== record.secret_ref) return this.open(fresh);
    throw new Fault('store_unavailable', `The secrets of this ${this.spec.label} cannot be read; save them anew`);
  }

  /** @throws Fault `duplicate_name`, `masked_value_without_stored_secret` */
  async create(open: Open<R>, given: GivenSecrets, actor: string): Promise<R> {
    const { set } = decide(given, [], this.spec.fieldOf);
    const key = open._key;
    // Looked at first so that a taken name costs no secret; the insert decides.
    if (await this.#stores.records.get(this.spec.collection, key)) throw this.#taken();
    const now = this.#now();
    const meta = { version: 1, created_at: now, created_by: actor, last_updated_at: now, last_updated_by: actor };
    const done = await this.#withSecret(set, null, async (secret_ref, secret_fields) => {
      // A writer that slept past the journal's grace must not insert a record whose secret was swept.
      if (this.#now() - now > GRACE_MS / 2000)
        throw new Fault('store_unavailable', 'The stores were too slow; nothing was created');
      const doc = { ...open, ...meta, secret_ref, secret_fields } as unknown as R;
      return (await this.#stores.records.insert(this.spec.collection, doc)) ? doc : undefined;
    });
    if (!done) throw this.#taken();
    await this.#sweep();
    return done;
  }

  /**
   * Read-modify-write under the record's lease. Every decision is made on the record as it is then.
   * @throws Fault `not_found`, `version_conflict`, `secret_required_for_new_host`, `masked_value_without_stored_secret`
   */
  async update(key: string, change: Change<R>): Promise<R> {
    // Before the lease: a caller who may not write must not be able to hold up those who may.
    change.guard(await this.get(key));
    return this.#exclusive(key, async (lease) => {
      const record = await this.get(key);
      change.guard(record);
      this.assertVersion(record, change.condition);
      const decision = decide(change.given, record.secret_fields, this.spec.fieldOf);
      const next = await change.next(record);
      this.#assertBound(decision, record, next);
      const meta = { version: record.version + 1, last_updated_at: this.#now(), last_updated_by: change.actor };
      // Not spread over the old record: a field that `next` has left out is gone.
      const { created_at, created_by, secret_ref, secret_fields } = record;
      const whole = { ...next, created_at, created_by, secret_ref, secret_fields, ...meta } as unknown as R;
      if (!decision.changes) return this.#replace(lease, whole);
      return this.#reseal(lease, whole, await this.#resolve(record, decision));
    });
  }

  /**
   * What the server itself learned (a test's outcome, a refreshed token): leaves `version` and `last_updated_*` alone.
   * A record that is gone is no error. Undefined from `patch` = nothing to write.
   */
  async amend(key: string, patch: (record: R) => Promise<Amendment<R> | undefined>): Promise<R | undefined> {
    return this.#exclusive(key, async (lease) => {
      const record = await this.#stores.records.get<R>(this.spec.collection, key);
      const amendment = record && (await patch(record));
      if (!record || !amendment) return record;
      const next = { ...record, ...amendment.open };
      if (!amendment.secrets) return this.#replace(lease, next);
      return this.#reseal(lease, next, { ...(await this.open(record)), ...amendment.secrets });
    });
  }

  /**
   * The secrets that a record would have after a change, for a test that saves nothing.
   * @throws Fault `secret_required_for_new_host`, `masked_value_without_stored_secret`
   */
  async preview(record: R, next: Open<R>, given: GivenSecrets): Promise<Secrets> {
    const decision = decide(given, record.secret_fields, this.spec.fieldOf);
    this.#assertBound(decision, record, next);
    return this.#resolve(record, decision);
  }

  /** @throws Fault `not_found`, `version_conflict` */
  async remove(
    key: string,
    options: { condition: number | undefined; guard(record: R): void | Promise<void> },
  ): Promise<R> {
    await options.guard(await this.get(key));
    return this.#exclusive(key, async (lease) => {
      const record = await this.get(key);
      await options.guard(record);
      this.assertVersion(record, options.condition);
      lease.assertHeld();
      const entry =
        record.secret_ref === null ? undefined : await this.#journal.open(this.spec.family, [record.secret_ref]);
      await this.#stores.records.remove(this.spec.collection, key);
      if (entry && record.secret_ref !== null) await this.#drop(record.secret_ref, entry);
      return record;
    });
  }

  /** Names of the addresses at which a stored secret would now reach another host. */
  changedAddresses(before: Open<R>, after: Open<R>): string[] {
    const [old, now] = [this.spec.addresses(before), this.spec.addresses(after)];
    const fields = new Set([...Object.keys(old), ...Object.keys(now)]);
    return [...fields].filter((field) => !sameReceiver(old[field], now[field]));
  }

  /** Each address binds the secrets that are sent there, and no others. */
  #assertBound({ keep }: Decision, before: Open<R>, after: Open<R>): void {
    const { travels, receives, fieldOf } = this.spec;
    const changed = this.changedAddresses(before, after);
    const goes = (path: string, field: string) => receives?.[field]?.includes(path) ?? travels?.(path) ?? true;
    const bound = keep.filter((path) => changed.some((field) => goes(path, field)));
    const reasons = changed.filter((field) => bound.some((path) => goes(path, field)));
    assertBound(bound, reasons, fieldOf);
  }

  /** @throws Fault `version_conflict` */
  assertVersion(record: R, condition: number | undefined): void {
    if (condition === undefined || condition === record.version) return;
    throw new Fault('version_conflict', `The record has version ${record.version}, not ${condition}: read it again`, {
      current_version: record.version,
    });
  }

  async #resolve(record: R, { keep, set }: Decision): Promise<Secrets> {
    const stored = keep.length > 0 ? await this.open(record) : {};
    return { ...Object.fromEntries(keep.map((path) => [path, stored[path] ?? ''])), ...set };
  }

  #now = () => this.#stores.clock.now() / 1000;
  #taken = () => new Fault('duplicate_name', `A ${this.spec.label} of this name exists already`);

  #sweep = () => this.#journal.sweep(this.spec.family, this.spec.collection);

  async #exclusive<T>(key: string, work: (lease: Lease) => Promise<T>): Promise<T> {
    const name = `write.${this.spec.family}.${key}`;
    const result = await this.#leases.hold(name, WRITE_LEASE_MS, work);
    await this.#sweep();
    return result;
  }

  async #replace(lease: Lease, record: R): Promise<R> {
    lease.assertHeld();
    if (!(await this.#stores.records.replace(this.spec.collection, record))) throw this.missing();
    return record;
  }

  async #reseal(lease: Lease, record: R, secrets: Secrets): Promise<R> {
    const done = await this.#withSecret(secrets, record.secret_ref, async (secret_ref, secret_fields) =>
      this.#replace(lease, { ...record, secret_ref, secret_fields }),
    );
    return done as R;
  }

  /** Journal, new secret, the record's write, old secret, journal. A write that does not happen takes its secret back. */
  async #withSecret(
    secrets: Secrets,
    old: string | null,
    write: (ref: string | null, fields: string[]) => Promise<R | undefined>,
  ): Promise<R | undefined> {
    const fields = Object.keys(secrets).sort();
    const value = fields.length > 0 ? JSON.stringify(secrets) : undefined;
    const ref = value === undefined ? null : this.#stores.secrets.reference(this.spec.family, value);
    const inPlay = [ref, old].filter((item) => item !== null);
    if (inPlay.length === 0) return write(null, fields);
    const entry = await this.#journal.open(this.spec.family, inPlay);
    // When one of these throws it is unknown what was written: the journal's entry stays, and a later sweep decides.
    if (ref !== null && value !== undefined) await this.#stores.secrets.put(ref, value);
    const written = await write(ref, fields);
    const left = written ? old : ref;
    if (left === null) await this.#close(entry);
    else await this.#drop(left, entry);
    return written;
  }

  /** The record is written: what cannot be cleaned up now is left to the journal. */
  async #drop(ref: string, entry: string): Promise<void> {
    try {
      await this.#stores.secrets.remove(ref);
      await this.#journal.close(entry);
    } catch {
      this.#stores.log.warn('secret_left_to_sweep', { family: this.spec.family });
    }
  }

  async #close(entry: string): Promise<void> {
    try {
      await this.#journal.close(entry);
    } catch {
      this.#stores.log.warn('journal_left_to_sweep', { family: this.spec.family });
    }
  }
}

function sameReceiver(before: string | undefined, after: string | undefined): boolean {
  if (before === undefined || after === undefined) return before === after;
  if (before === after) return true;
  try {
    return staysBound(hostBinding(before), hostBinding(after));
  } catch {
    return false;
  }
}
