import type { HostClock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';
import type { SecretStore } from '../ports/secretStore.ts';
import type { Binding } from './binding.ts';
import type { GivenSecrets, Secrets } from './secrets.ts';

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

export interface SealSpec<R extends Sealed> extends Binding<Open<R>> {
  family: string;
  collection: string;
  /** For messages: "MCP connection". */
  label: string;
}

export interface Stores {
  records: RecordStore;
  secrets: SecretStore;
  clock: HostClock;
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
