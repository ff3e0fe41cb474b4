import { OutboundError } from '../../contract/codes/outbound.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import type { CloudAccess } from '../../ports/cloud/cloudAccess.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Trust } from '../outbound/agents.ts';
import { createWire, type OutboundPolicy, type Wire } from '../outbound/exchange.ts';
import { AWS_PEERS, type AwsIdentity, type AwsService, CLIENTS, type ClientOf } from './clients.ts';
import { type EndpointSources, endpointOverride } from './endpoints.ts';
import { awsError } from './errors.ts';
import { awsHandler } from './handler.ts';
import { withRetries } from './retry.ts';

export interface AwsOptions extends EndpointSources {
  policy: OutboundPolicy;
}

/** The SDK asks for keys, also where it does not sign. */
const UNSIGNED: AwsIdentity = { accessKeyId: 'none', secretAccessKey: 'none' };
const DEFAULT_TRUST: Trust = { verifyTls: true };
const ROLE_SECONDS = 900;
const ATTEMPTS = 3;

interface Identities {
  own?: Promise<AwsIdentity>;
  assumed?: Promise<AwsIdentity>;
}

/** Identities by access, which belongs to one request: the items of a batch assume a role once. */
const IDENTITIES = new WeakMap<CloudAccess, Identities>();

function identitiesOf(access: CloudAccess): Identities {
  const identities = IDENTITIES.get(access) ?? {};
  IDENTITIES.set(access, identities);
  return identities;
}

/** Calls to AWS within one deadline. Credentials are resolved and the role is assumed once for an access. Throws OutboundError. */
export class AwsSession implements Disposable {
  readonly #options: AwsOptions;
  readonly #access: CloudAccess;
  readonly #deadline: Deadline;
  readonly #wires = new Map<Trust, Wire>();
  readonly #trust: Trust;
  readonly #clients = new Map<AwsService, Promise<unknown>>();
  readonly #identities: Identities;
  readonly #secrets: string[];

  constructor(options: AwsOptions, access: CloudAccess, deadline: Deadline) {
    this.#options = options;
    this.#access = access;
    this.#deadline = deadline;
    this.#identities = identitiesOf(access);
    this.#trust = { verifyTls: access.verifyTls ?? true, caCertificate: access.caCertificate };
    this.#secrets = [...(access.secrets ?? []), ...(access.keys ? [access.keys.secretAccessKey] : [])];
  }

  /** Does nothing if no role is configured. */
  async assumeRole(): Promise<void> {
    await this.#identity();
  }

  /** @param run sends the command; called once for each attempt */
  async send<S extends AwsService, T>(
    service: S,
    run: (client: ClientOf<S>, options: { abortSignal: AbortSignal }) => Promise<T>,
  ): Promise<T> {
    const identity = service === 'sts' ? await this.#ownIdentity() : await this.#identity();
    return this.#retry(service, async (abortSignal) => run(await this.#client(service, identity), { abortSignal }));
  }

  /** Values that must not appear in messages. */
  get secrets(): readonly string[] {
    return this.#secrets;
  }

  close(): void {
    for (const wire of this.#wires.values()) wire.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  async #retry<T>(service: AwsService, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { attempts = ATTEMPTS, attemptMs } = this.#access;
    const peer = AWS_PEERS[service];
    return withRetries(this.#deadline, { attempts, attemptMs }, attempt, (error, signal) =>
      awsError(error, { peer, secrets: this.#secrets, signal }),
    );
  }

  async #identity(): Promise<AwsIdentity> {
    const { roleArn } = this.#access;
    if (roleArn === undefined) return this.#ownIdentity();
    return this.#once('assumed', () => this.#assume(roleArn));
  }

  /** The configured keys, else the SDK's default chain: environment, shared files, container and instance roles. */
  async #ownIdentity(): Promise<AwsIdentity> {
    const { keys, bearer } = this.#access;
    if (bearer !== undefined) return UNSIGNED;
    if (keys) return keys;
    return this.#once('own', () => this.#retry('sts', () => this.#defaultIdentity()));
  }

  /** Finds an identity unless another session with this access is at it or has done it. A failure is not kept. */
  async #once(kind: keyof Identities, find: () => Promise<AwsIdentity>): Promise<AwsIdentity> {
    const identities = this.#identities;
    const finding = identities[kind] ?? find();
    identities[kind] = finding;
    const { signal } = this.#deadline;
    try {
      return this.#rememberSecrets(await unlessAborted(finding, signal));
    } catch (error) {
      if (identities[kind] === finding) delete identities[kind];
      throw awsError(error, { peer: AWS_PEERS.sts, secrets: this.#secrets, signal });
    }
  }

  async #defaultIdentity(): Promise<AwsIdentity> {
    const { defaultProvider } = await import('@aws-sdk/credential-provider-node');
    const { region } = this.#access;
    // Its calls to STS and SSO go through the proxy. Roles of the instance and of the container are read without this
    // handler: directly, and despite the address policy, since they are served at link-local addresses.
    const wire = createWire({ ...this.#options.policy, allowPrivate: true }, DEFAULT_TRUST);
    const requestHandler = awsHandler(wire, this.#deadline, AWS_PEERS.sts);
    try {
      return identityOf(await defaultProvider({ clientConfig: { region, requestHandler } })());
    } finally {
      wire.close();
    }
  }

  async #assume(roleArn: string): Promise<AwsIdentity> {
    const { Credentials } = await this.send('sts', async (client, options) => {
      const { AssumeRoleCommand } = await import('@aws-sdk/client-sts');
      const input = { RoleArn: roleArn, RoleSessionName: 'ml_extension', DurationSeconds: ROLE_SECONDS };
      return client.send(new AssumeRoleCommand(input), options);
    });
    const { AccessKeyId, SecretAccessKey, SessionToken } = Credentials ?? {};
    if (!AccessKeyId || !SecretAccessKey || !SessionToken) {
      throw new OutboundError('upstream_error', `${AWS_PEERS.sts} answered without credentials`);
    }
    return { accessKeyId: AccessKeyId, secretAccessKey: SecretAccessKey, sessionToken: SessionToken };
  }

  #rememberSecrets(identity: AwsIdentity): AwsIdentity {
    const { secretAccessKey, sessionToken } = identity;
    if (!this.#secrets.includes(secretAccessKey))
      this.#secrets.push(secretAccessKey, ...(sessionToken === undefined ? [] : [sessionToken]));
    return identity;
  }

  #client<S extends AwsService>(service: S, credentials: AwsIdentity): Promise<ClientOf<S>> {
    let client = this.#clients.get(service);
    if (!client) {
      client = this.#create(service, credentials);
      this.#clients.set(service, client);
    }
    return client as Promise<ClientOf<S>>;
  }

  async #create(service: AwsService, credentials: AwsIdentity): Promise<unknown> {
    const configured = service === 'sts' ? undefined : this.#access.endpoint;
    const endpoint = configured ?? endpointOverride(service, this.#options);
    // The record's trust applies to the record's endpoint only; STS replies carry credentials.
    const { bearer } = this.#access;
    const token = { token: { token: bearer ?? '' }, authSchemePreference: ['httpBearerAuth'] };
    const trust = configured === undefined && this.#access.endpoint !== undefined ? DEFAULT_TRUST : this.#trust;
    return CLIENTS[service]({
      region: this.#access.region,
      credentials,
      requestHandler: awsHandler(
        this.#wire(trust),
        this.#deadline,
        AWS_PEERS[service],
        service === 'sts' ? {} : this.#access.headers,
      ),
      maxAttempts: 1,
      defaultsMode: 'standard',
      userAgentAppId: 'ml_extension',
      ...(endpoint === undefined ? {} : { endpoint }),
      ...(bearer === undefined || service === 'sts' ? {} : token),
    });
  }

  #wire(trust: Trust): Wire {
    let wire = this.#wires.get(trust);
    if (!wire) {
      wire = createWire(this.#options.policy, trust);
      this.#wires.set(trust, wire);
    }
    return wire;
  }
}

/** Without what else the SDK knows of it. */
const identityOf = ({ accessKeyId, secretAccessKey, sessionToken }: AwsIdentity): AwsIdentity => ({
  accessKeyId,
  secretAccessKey,
  ...(sessionToken === undefined ? {} : { sessionToken }),
});
