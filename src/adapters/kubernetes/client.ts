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
import { EngineFailure } from '../../ports/engines/containerEngine.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Outbound } from '../outbound/outbound.ts';
import type { OutboundSession } from '../outbound/session.ts';
import { notKubernetes } from './failures.ts';

/** Address and credentials of a cluster. */
export interface ClusterAccess {
  url: string;
  ca: string | undefined;
  token?: string;
  clientCertificate?: { cert: string; key: string };
}

/** The library's typed calls over our outbound client, so that address policy, trust and limits apply. */
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
      // Each call has its own signal.
      deadline: unbounded,
      secrets: [access.token],
    });
  }

  close(): void {
    this.#session.close();
  }

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

  /** The body as it came, since the library cannot read an empty log. @throws EngineFailure when it exceeds `maxBytes` */
  async read(
    path: string,
    query: Record<string, string>,
    signal: AbortSignal,
    maxBytes: number,
  ): Promise<{ status: number; body: Buffer }> {
    const url = `${this.#base()}${path}?${new URLSearchParams(query)}`;
    const response = await this.#session.fetch(url, { headers: this.#authorization(), signal });
    const chunks: Uint8Array[] = [];
    let size = 0;
    for await (const chunk of response.body ?? []) {
      size += chunk.length;
      if (size > maxBytes) throw new EngineFailure('upstream_error', `The cluster sent more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return { status: response.status, body: Buffer.concat(chunks) };
  }

  #base(): string {
    return this.#access.url.replace(/(?<!\/)\/+$/, '');
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
    if (response.ok) {
      if (!holdsObject(text)) throw notKubernetes();
      // The library would refuse another content type.
      headers['content-type'] = 'application/json';
    }
    // A 401 has no content type, which the library cannot handle.
    headers['content-type'] ??= 'application/json';
    return new ResponseContext(response.status, headers, {
      text: async () => text,
      binary: async () => Buffer.from(text),
      stream: () => null,
    });
  }
}

function holdsObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

export type ClusterCalls = ReturnType<ClusterClient['within']>;
