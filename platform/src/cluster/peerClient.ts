import type { Agent } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { http } from '../http/listener.ts';
import type { Membership } from './membership.ts';

/** A member did not reply. */
export class PeerGone extends Error {
  /** The request may have been carried out. */
  readonly wasSent: boolean;
  constructor(message: string, wasSent: boolean) {
    super(message);
    this.wasSent = wasSent;
  }
}

export interface PeerReply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer;
}

/** Shorter than the server's keep-alive, so that a connection it just closed does not look like a dead member. */
const IDLE_MS = 20_000;
/** A stopped process accepts connections but never replies. */
const TIMEOUT_MS = 30_000;

/** Calls to other members, over the same ports as clients. */
export class PeerClient {
  readonly #members: Membership;
  readonly #agent: Agent;
  readonly #tls: boolean;

  /** Trusts only the CA of the certificate that all members share, and ignores its host name. */
  constructor(members: Membership, tls: SecureContextOptions | undefined) {
    this.#members = members;
    this.#tls = tls !== undefined;
    const options = { keepAlive: true, timeout: IDLE_MS, maxSockets: 64 };
    this.#agent = this.#tls
      ? new HttpsAgent({ ...options, ...tls, checkServerIdentity: () => undefined })
      : new http.Agent(options);
  }

  request(member: number, method: string, path: string, body?: Buffer, timeoutMs = TIMEOUT_MS): Promise<PeerReply> {
    const url = this.#members.url(member);
    if (url === undefined) return Promise.reject(new PeerGone(`member ${member} has not started yet`, false));
    const { hostname, port } = new URL(url);
    const { promise, resolve, reject } = Promise.withResolvers<PeerReply>();
    let connected = false;
    const request = (this.#tls ? requestHttps : http.request)({
      agent: this.#agent,
      hostname: hostname.replace(/^\[|\]$/g, ''),
      port,
      method,
      path: `/services/embedded/cluster${path}`,
      headers: {
        Authorization: `Splunk ${this.#members.plan.key}`,
        'Content-Type': 'application/octet-stream',
        'Content-Length': body?.length ?? 0,
      },
    });
    const late = setTimeout(() => request.destroy(new Error(`no answer within ${timeoutMs / 1000} s`)), timeoutMs);
    request.on('socket', (socket) => {
      connected = !socket.connecting;
      if (connected) return;
      socket.once(this.#tls ? 'secureConnect' : 'connect', () => {
        connected = true;
      });
    });
    request.on('error', (error) => reject(new PeerGone(`member ${member}: ${error.message}`, connected)));
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', (error) => reject(new PeerGone(`member ${member}: ${error.message}`, true)));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks) }),
      );
    });
    request.end(body);
    return promise.finally(() => clearTimeout(late));
  }

  close(): void {
    this.#agent.destroy();
  }
}
