import type { Secrets } from '../../../domain/secrets/secrets.ts';
import type { ContainerType, EngineParts, EngineTarget } from '../../../ports/engines/containerEngine.ts';
import type { FieldTable, SecretTable } from './field.ts';
import type { Fields, OpenField, SecretField } from './fields.ts';
import type { StartSpec } from './startFields.ts';

/** What a rule about a whole connection looks at. */
export interface ConnectionCheck {
  fields: Fields;
  /** Whether the connection has the field, or a secret of that name. */
  has(field: OpenField | SecretField): boolean;
  /** Notes that the field is required where it is missing. */
  need(field: OpenField | SecretField, why: string): void;
  problem(field: OpenField | SecretField, message: string): void;
}

/** The fields that hold something with an end of its own. */
export type EndingCredential = 'client_cert' | Extract<SecretField, 'user_token' | 'service_account_token'>;

/** PEM. */
export interface TlsFiles {
  ca?: string;
  cert?: string;
  key?: string;
}

/** What a workload is made of, beside what is the same for every engine. */
export interface WorkloadInput {
  fields: Fields;
  secrets: Readonly<Secrets>;
  spec: StartSpec;
  /** Name of the storage at /srv. */
  volume: string;
}

/** Hosts of a connection: as the platform reaches containers, and as browsers do. '' where the engine has to tell. */
export interface Hosts {
  internal: string;
  external: string;
}

/** What the inventory of connections shows of one. */
export interface InventoryView {
  /** The fields of a connection that it is made of. */
  reads: readonly OpenField[];
  /** JSON schema of each key that it adds to the type and the name. */
  shows: Readonly<Record<string, { type: 'string' | 'boolean'; description: string }>>;
  entry(fields: Fields): Record<string, string | boolean>;
}

/** Everything in which one container engine differs from another. Other code asks this value, and never which engine it is. */
export interface EngineKind {
  /** Fields of its connections, beside the common ones. */
  readonly fields: FieldTable;
  readonly secrets: SecretTable;
  /** What is filled in when a connection is created, besides the common defaults. */
  readonly defaults: Fields;
  /** Rules about a whole connection; those about a single value are kept with its field. */
  check(connection: ConnectionCheck): void;
  /**
   * Addresses to which secrets go, beside the common ones: as a URL where it is one, so that they can be compared. A
   * default counts as the address that it stands for.
   * @param https whether the application serves https
   */
  addresses(fields: Fields, https: boolean): Record<string, string | undefined>;
  /** Name of an address of its own -> the secrets that go there. The engine itself, not named here, gets all of them. */
  readonly receives: Readonly<Record<string, readonly SecretField[]>>;
  /** Whether the engine has to prove who it is. */
  isVerified(fields: Fields): boolean;
  /** What the app shows the engine to prove who it is, as far as that has an end: a certificate, or a token that may be a JWT. */
  credentials(fields: Fields): readonly EndingCredential[];
  /** Which engine a connection leads to, and where in it: what runs stays behind when one of these changes. */
  location(fields: Fields): Record<string, string | undefined>;
  /**
   * The way on which the platform reaches what it sends the application's token to. Runtime records keep it, so it must not
   * change its form.
   */
  reach(fields: Fields, https: boolean): readonly (string | undefined)[];
  /** What its adapter is opened with. */
  target(fields: Fields, secrets: Readonly<Secrets>, tls: TlsFiles): EngineTarget;
  hosts(fields: Fields): Hosts;
  workloadPart(input: WorkloadInput): EngineParts;
  /** Whether it scales a workload by its CPU use. */
  readonly autoscales: boolean;
  readonly inventory: InventoryView;
}

export type EngineKinds = Readonly<Record<ContainerType, EngineKind>>;
