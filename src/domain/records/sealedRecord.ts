import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import type { HostClock } from '../../ports/platform/clock.ts';
import type { Log } from '../../ports/platform/log.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import type { SecretStore } from '../../ports/stores/secretStore.ts';
import type { Audit } from '../audit/audit.ts';
import type { Binding } from '../secrets/binding.ts';
import {
  mergeSecrets,
  type SecretChange,
  type SecretDecision,
  type Secrets,
  type SubmittedSecrets,
  sizeProblem,
} from '../secrets/secrets.ts';
import { withoutUndefined } from '../values/json.ts';

/** Fields of every stored record. */
export interface SealedDoc extends Doc {
  version: number;
  created_at: number;
  created_by: string;
  last_updated_at: number;
  last_updated_by: string;
  /** Key of the record's entry in the secret store; null without secrets. */
  secret_ref: string | null;
  /** Paths of the stored secrets, so that they can be masked without reading them. */
  secret_fields: string[];
}
/** Managed fields that replies contain. */
export type Metadata = Pick<SealedDoc, 'version' | 'created_at' | 'created_by' | 'last_updated_at' | 'last_updated_by'>;
/** Fields that only this module writes. */
type ManagedField = keyof Metadata | 'secret_ref' | 'secret_fields';
export type Open<R extends SealedDoc> = Omit<R, ManagedField>;

/** Checks a record, also when it is read again. */
export type Guard<R> = (record: R) => void;

export interface SealSpec<R extends SealedDoc> extends Binding<Open<R>> {
  family: string;
  collection: string;
  /** For messages: "MCP connection". */
  label: string;
  /** Limit of the secrets of one record together; default: none. */
  maxSecretBytes?: number;
  /** Whether the limit is for the secret at a path; default: for all. */
  isLimited?(path: string): boolean;
  /** Renames submitted secrets to stored ones that mean the same. @throws Fault */
  fit?(submitted: SubmittedSecrets, stored: readonly string[]): SubmittedSecrets;
  /** The record without secrets, as the audit trail compares it. */
  audited(record: R): object;
}

export interface Stores {
  records: RecordStore;
  secrets: SecretStore;
  clock: HostClock;
  log: Log;
  newId(): string;
  audit: Audit;
  /** Runs work after the reply, and work of one name once. It must not reject. */
  defer(name: string, work: () => Promise<void>): void;
}

export type SiteStores = Omit<Stores, 'audit'>;

/** How a record is merged and checked. */
export interface Change<R extends SealedDoc> {
  /** The version that the caller read. */
  condition?: number | undefined;
  submitted: SubmittedSecrets;
  /** Throws if the caller may not change this record. */
  guard?: ((record: R) => void) | undefined;
  /**
   * The fields to store: an omitted one keeps its value, `undefined` removes it.
   * @param secrets the decision about its secrets
   * @throws Fault for an invalid record
   */
  next(record: R, secrets: SecretChange): Open<R> | Promise<Open<R>>;
  /** Throws if other records depend on the old values. Repeated under the lease, since those may change meanwhile. */
  assertUnused?: ((record: R, next: Open<R>) => Promise<void>) | undefined;
}

export interface Update<R extends SealedDoc> extends Change<R> {
  actor: string;
  /** The record, if already read. */
  seen?: R | undefined;
  /** Fields that a test of the change discovered. */
  discovered?: ((next: Open<R>) => Partial<Open<R>>) | undefined;
}

/** A change, merged and checked for one version of the record. */
export interface Plan<R extends SealedDoc> {
  readonly record: R;
  readonly change: Change<R>;
  readonly next: Open<R>;
  readonly decision: SecretChange;
  /** The stored secrets of `record`, if already read. */
  secrets?: Readonly<Secrets>;
}

export interface Amendment<R extends SealedDoc> {
  open: Partial<Open<R>>;
  /** Secrets to add. */
  secrets?: Secrets;
}

type SecretLimit = Pick<SealSpec<never>, 'maxSecretBytes' | 'isLimited' | 'fieldOf'>;

/** The largest of the new secrets, if all secrets are too large together. */
export function secretSizeProblem(
  { maxSecretBytes = Number.POSITIVE_INFINITY, isLimited = () => true, fieldOf }: SecretLimit,
  secrets: Readonly<Secrets>,
  set: Readonly<Secrets>,
): Problem | undefined {
  const limited = (values: Readonly<Secrets>): Secrets =>
    Object.fromEntries(Object.entries(values).filter(([path]) => isLimited(path)));
  return sizeProblem(limited(secrets), limited(set), maxSecretBytes, fieldOf);
}

/** @throws Fault `validation_failed` if the secrets are too large together */
export function mergeWithin(limit: SecretLimit, decision: SecretDecision, stored: Readonly<Secrets>): Secrets {
  const merged = mergeSecrets(decision, stored);
  const problem = secretSizeProblem(limit, merged, decision.set);
  if (problem) throw invalid([problem]);
  return merged;
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

/** The secrets of a record stayed unreadable after retries. */
export class SecretsLost extends Fault {
  constructor(label: string) {
    super('store_unavailable', `The secrets of this ${label} cannot be read; save them again`);
  }
}

export function updatedRecord<R extends SealedDoc>(record: R, next: Open<R>, actor: string, now: number): R {
  const { created_at, created_by, secret_ref, secret_fields } = record;
  const meta = { version: record.version + 1, last_updated_at: now, last_updated_by: actor };
  const updated: R = { ...record, ...next, created_at, created_by, secret_ref, secret_fields, ...meta };
  return withoutUndefined(updated);
}

/**
 * A record and its secrets of the same version. Send the secrets only to the addresses of this record: another version may have
 * others.
 */
export class UnsealedRecord<R> {
  readonly record: R;
  readonly secrets: Readonly<Secrets>;

  constructor(record: R, secrets: Secrets) {
    this.record = record;
    this.secrets = Object.freeze({ ...secrets });
    Object.freeze(this);
  }

  /** Values that must not appear in messages and logs. */
  get hidden(): string[] {
    return Object.values(this.secrets);
  }

  /** Keeps secrets out of logs. */
  toJSON(): string {
    return '[unsealed]';
  }
}
