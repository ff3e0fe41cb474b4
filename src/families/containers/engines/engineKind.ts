import type { Secrets } from '../../../domain/secrets/secrets.ts';
import type { ContainerType, EngineParts, EngineTarget, LoginServer } from '../../../ports/engines/containerEngine.ts';
import type { FieldTable, SecretTable } from './field.ts';
import type { Fields, OpenField, SecretField } from './fields.ts';
import type { StartSpec } from './startFields.ts';

export interface ConnectionCheck {
  fields: Fields;
  /** Whether the connection has the field, or a secret of that name. */
  has(field: OpenField | SecretField): boolean;
  /** Reports the field as required if it is missing. */
  need(field: OpenField | SecretField, why: string): void;
  problem(field: OpenField | SecretField, message: string): void;
}

/** Credentials with an expiry time. */
export type EndingCredential = 'client_cert' | Extract<SecretField, 'user_token' | 'service_account_token'>;

/** PEM. */
export interface TlsFiles {
  ca?: string;
  cert?: string;
  key?: string;
}

/** Input of an engine's part of a workload. */
export interface WorkloadInput {
  fields: Fields;
  secrets: Readonly<Secrets>;
  spec: StartSpec;
  /** Name of the storage at /srv. */
  volume: string;
}

/** Host of containers for the platform and for browsers; '' if the engine reports it. */
export interface Hosts {
  internal: string;
  external: string;
}

/** The engine's part of an entry in the inventory of connections. */
export interface InventoryView {
  /** Fields that `entry` reads. */
  reads: readonly OpenField[];
  /** JSON schema of each added field. */
  shows: Readonly<Record<string, { type: 'string' | 'boolean'; description: string }>>;
  entry(fields: Fields): Record<string, string | boolean>;
}

/** All differences between container engines; other code does not depend on the type of the engine. */
export interface EngineKind {
  /** Connection fields in addition to the common ones. */
  readonly fields: FieldTable;
  readonly secrets: SecretTable;
  /** Defaults of a new connection in addition to the common ones. */
  readonly defaults: Fields;
  /** Rules across fields; rules for a single value are in the field table. */
  check(connection: ConnectionCheck): void;
  /**
   * Addresses that receive secrets in addition to the common ones, normalised for comparison and with defaults applied.
   * @param https whether the application serves https
   */
  addresses(fields: Fields, https: boolean): Record<string, string | undefined>;
  /** Secrets that each address receives. The engine, not listed here, receives all of them. */
  readonly receives: Readonly<Record<string, readonly SecretField[]>>;
  /** Whether the engine's certificate is verified. */
  isVerified(fields: Fields): boolean;
  /** Credentials in use that may expire: a certificate, or a token that may be a JWT. */
  credentials(fields: Fields): readonly EndingCredential[];
  /** Identifies the engine and the namespace; a change leaves running containers behind. */
  location(fields: Fields): Record<string, string | undefined>;
  /** Fields that decide where the application's token is sent. Stored in runtime records, so the format must not change. */
  reach(fields: Fields, https: boolean): readonly (string | undefined)[];
  /** Input of the engine's adapter. */
  target(fields: Fields, secrets: Readonly<Secrets>, tls: TlsFiles, server: LoginServer): EngineTarget;
  hosts(fields: Fields): Hosts;
  workloadPart(input: WorkloadInput): EngineParts;
  /** Whether it scales by CPU use. */
  readonly autoscales: boolean;
  readonly inventory: InventoryView;
}

export type EngineKinds = Readonly<Record<ContainerType, EngineKind>>;
