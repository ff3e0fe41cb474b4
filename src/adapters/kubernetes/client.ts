import {
  AppsV1Api,
  AuthorizationV1Api,
  AutoscalingV1Api,
  AutoscalingV2Api,
  type Configuration,
  CoreV1Api,
  createConfiguration,
  NetworkingV1Api,
  type RequestContext,
  ResponseContext,
  ServerConfiguration,
  StorageV1Api,
  VersionApi,
  wrapHttpLibrary,
} from '@kubernetes/client-node';
import type { Deadline } from '../../ports/deadline.ts';
import type { Outbound, OutboundSession } from '../outbound/outbound.ts';
import type { ClusterAccess } from './identity.ts';

/** The library's typed calls over our own way out: address policy, trust, size and deadline hold, and sockets are kept. */
export class ClusterClient {
  readonly #access: ClusterAccess;
  readonly #session: OutboundSession;

  constructor(access: ClusterAccess, outbound: Outbound) {
    this.#access = access;
    const unbounded: Deadline = { signal: new AbortController().signal, remaining: () => Number.POSITIVE_INFINITY };
    this.#session = outbound.openSession({
      verifyTls: true,
      caCertificate: access.ca,
      clientCertificate: access.clientCertificate,
      // Each call brings its own.
      deadline: unbounded,
      secrets: [access.token],
    });
  }

  close(): void {
    this.#session.close();
  }

  /** The calls within one deadline. */
  within(signal: AbortSignal) {
    const configuration = this.#configuration(signal);
    return {
      core: new CoreV1Api(configuration),
      apps: new AppsV1Api(configuration),
      autoscaling: new AutoscalingV2Api(configuration),
      oldAutoscaling: new AutoscalingV1Api(configuration),
      networking: new NetworkingV1Api(configuration),
      authorization: new AuthorizationV1Api(configuration),
      storage: new StorageV1Api(configuration),
      version: new VersionApi(configuration),
    };
  }

  /** Text as it is: the library cannot read an empty log. */
  async text(
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
  ): Promise<{ status: number; text: string }> {
    const url = `${this.#base()}${path}?${new URLSearchParams(query)}`;
    const response = await this.#session.fetch(url, { headers: this.#authorization(), signal });
    return { status: response.status, text: await response.text() };
  }

  #base(): string {
    return this.#access.url.replace(/\/+$/, '');
  }

  #authorization(): Record<string, string> {
    return this.#access.token === undefined ? {} : { Authorization: `Bearer ${this.#access.token}` };
  }

  #configuration(signal: AbortSignal): Configuration {
    return createConfiguration({
      baseServer: new ServerConfiguration(this.#base(), {}),
      httpApi: wrapHttpLibrary({ send: (request) => this.#send(request, signal) }),
    });
  }

  async #send(request: RequestContext, signal: AbortSignal): Promise<ResponseContext> {
    const response = await this.#session.fetch(request.getUrl(), {
      method: request.getHttpMethod(),
      headers: { ...request.getHeaders(), ...this.#authorization() },
      body: (request.getBody() as string | undefined) ?? null,
      signal,
    });
    const text = await response.text();
    const headers = Object.fromEntries(response.headers);
    // The library gives up at an error without a type (401 has none).
    headers['content-type'] ??= 'application/json';
    return new ResponseContext(response.status, headers, {
      text: async () => text,
      binary: async () => Buffer.from(text),
      stream: () => null,
    });
  }
}

export type ClusterCalls = ReturnType<ClusterClient['within']>;
