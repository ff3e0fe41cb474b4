import { Fault } from '../../contract/codes/faults.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import type { SecretStore } from '../../ports/stores/secretStore.ts';
import type { Audit } from '../audit/audit.ts';
import type { Binding } from '../secrets/binding.ts';
import type { SecretChange, Secrets, SubmittedSecrets } from '../secrets/secrets.ts';

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
/** Of every record what reads show of it, whatever its family. */
export type Metadata = Pick<Sealed, 'version' | 'created_at' | 'created_by' | 'last_updated_at' | 'last_updated_by'>;
/** Fields that only this module writes. */
type Managed = keyof Metadata | 'secret_ref' | 'secret_fields';
export type Open<R extends Sealed> = Omit<R, Managed>;

export interface SealSpec<R extends Sealed> extends Binding<Open<R>> {
  family: string;
  collection: string;
  /** For messages: "MCP connection". */
  label: string;
  /** The sent secrets under the names of the stored ones, where two names can mean the same secret. @throws Fault */
  fit?(submitted: SubmittedSecrets, stored: readonly string[]): SubmittedSecrets;
  /** The record as the audit trail compares it with another state of it: what a reader would recognise, and no secret. */
  audited(record: R): object;
}

export interface Stores {
  records: RecordStore;
  secrets: SecretStore;
  clock: HostClock;
  log: Log;
  newId(): string;
  audit: Audit;
}

/** The stores of a site, before anybody works with them. */
export type SiteStores = Omit<Stores, 'audit'>;

/** How a record is merged and checked. */
export interface Change<R extends Sealed> {
  /** The version that the caller read. */
  condition?: number | undefined;
  submitted: SubmittedSecrets;
  /** Throws if the caller may not change this record. */
  guard?: ((record: R) => void) | undefined;
  /**
   * The fields to store. A field that it leaves out keeps its value; `undefined` removes one. Throws if the record would not be
   * valid. @param secrets what becomes of its secrets
   */
  next(record: R, secrets: SecretChange): Open<R> | Promise<Open<R>>;
  /** Throws if other records do not allow the change. Repeated under the lease, since they may change without this record. */
  assertUnused?: ((record: R, next: Open<R>) => Promise<void>) | undefined;
}

export interface Update<R extends Sealed> extends Change<R> {
  actor: string;
  /** The record, if it was read already. */
  seen?: R | undefined;
  /** Fields that a test of the change found, stored with it. */
  discovered?: ((next: Open<R>) => Partial<Open<R>>) | undefined;
}

/** A change, merged and checked for one state of the record. */
export interface Plan<R extends Sealed> {
  readonly record: R;
  readonly change: Change<R>;
  readonly next: Open<R>;
  readonly decision: SecretChange;
  /** The stored secrets of `record`, once they were read. */
  secrets?: Readonly<Secrets>;
}

export interface Amendment<R extends Sealed> {
  open: Partial<Open<R>>;
  /** Secrets to set beside the stored ones. */
  secrets?: Secrets;
}

export function metadataOf(record: Metadata): Metadata {
  const { version, created_at, created_by, last_updated_at, last_updated_by } = record;
  return { version, created_at, created_by, last_updated_at, last_updated_by };
}

export const createdBy = (actor: string, now: number): Metadata => ({
  version: 1,
  created_at: now,
  created_by: actor,
  last_updated_at: now,
  last_updated_by: actor,
});

/** The secrets of a record that is there cannot be had, and waiting has not helped. */
export class SecretsLost extends Fault {
  constructor(label: string) {
    super('store_unavailable', `The secrets of this ${label} cannot be read; save them again`);
  }
}

/** The record that an update stores, without the fields that it removes. */
export function updatedRecord<R extends Sealed>(record: R, next: Open<R>, actor: string, now: number): R {
  const { created_at, created_by, secret_ref, secret_fields } = record;
  const meta = { version: record.version + 1, last_updated_at: now, last_updated_by: actor };
  const updated: R = { ...record, ...next, created_at, created_by, secret_ref, secret_fields, ...meta };
  return Object.fromEntries(Object.entries(updated).filter(([, value]) => value !== undefined)) as unknown as R;
}

/**
 * A record and its secrets in the clear, both of one reading. Where a secret goes is to be taken from this record and from
 * no other: between two readings somebody may have changed the address and the secret. Lives as long as the call.
 */
export class Unsealed<R> {
  readonly record: R;
  readonly secrets: Readonly<Secrets>;

  constructor(record: R, secrets: Secrets) {
    this.record = record;
    this.secrets = Object.freeze({ ...secrets });
    Object.freeze(this);
  }

  /** What must not appear in anything said about a call: every secret of the record, as the schema marks them. */
  get hidden(): string[] {
    return Object.values(this.secrets);
  }

  /** Secrets do not get into logs and JSON by accident. */
  toJSON(): string {
    return '[unsealed]';
  }
}
