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
  fit?(given: SubmittedSecrets, stored: readonly string[]): SubmittedSecrets;
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

export interface Change<R extends Sealed> {
  actor: string;
  /** The version that the caller saw. */
  condition: number | undefined;
  /** The record, where somebody has read it already: what can be told before the lease is told of this one. */
  seen?: R | undefined;
  /** Throws when the caller may not do this to the record as it is now. */
  guard(record: R): void;
  /**
   * The fields to store. One that it leaves out, such as a field of a newer version, keeps its value; `undefined` removes one. Throws
   * when the record would not be valid. @param secrets what becomes of its secrets
   */
  next(record: R, secrets: SecretChange): Open<R> | Promise<Open<R>>;
  given: SubmittedSecrets;
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

/** Drops fields that an update removes, so that the store does not keep them. */
export const withoutUndefined = <T extends object>(fields: T): T =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;

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
