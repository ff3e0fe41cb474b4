import type { Agent, ClientRequest, IncomingMessage } from 'node:http';
import { createRESTURL } from '@splunk/splunk-utils/url.js';
import { Fault } from '../../contract/codes/faults.ts';
import { parseExact, stringifyExact } from '../../contract/exactJson.ts';
import { retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import { isLoopbackHost } from '../../domain/net/url.ts';
import { stateFault, stateOf } from './storeStates.ts';
import { isCertificateProblem, splunkdTrust } from './trust.ts';

export const APP = 'ml_extension';
/** splunkd normally answers in milliseconds. */
const TIMEOUT_MS = 10_000;
/** The platform's own limit for a result is 50 MB. */
const MAX_BYTES = 64 * 1024 * 1024;
const BUSY = new Set([429, 502, 503, 504]);

export interface SplunkdCall {
  method: 'GET' | 'POST' | 'DELETE';
  /** Path below the namespace, with encoded segments. */
  endpoint: string;
  token: string;
  /** `app` (ours, owner nobody), below /services, or any other (`-` = all). */
  namespace: 'app' | 'services' | { owner: string; app: string };
  query?: Record<string, string>;
  json?: unknown;
  /** Lines of JSON. */
  lines?: string;
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** Default 10 s. */
  timeoutMs?: number;
  /** Returns 429 and 5xx to the caller instead of failing. */
  anyStatus?: boolean;
  /**
   * Repeats the call after a connection reset, although the platform may have processed it. Default for reads and
   * deletions; for other calls check `repeated` in the reply.
   */
  repeatable?: boolean;
  /** Called on the open connection, just before sending; an error ends the call. */
  assertInTime?: (() => void) | undefined;
}

export interface SplunkdReply {
  status: number;
  /** Reason phrase of the status line, where splunkd names some states of the KV store. */
  phrase: string;
  text: string;
  /** This is the reply to a second attempt; the first may have been processed. */
  repeated: boolean;
  /** Seconds, if the platform names them. */
  retryAfter?: number;
}

interface Outgoing {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | undefined;
  timeout: number;
  assertInTime: (() => void) | undefined;
}

interface Transport {
  request: typeof import('node:http').request;
  agent: Agent;
}

/** Keeps connections to the management port open; one client for each process and address. */
export class SplunkdClient {
  readonly #base: URL;
  #transport: Transport | undefined;

  constructor(serverUri: string) {
    this.#base = new URL(serverUri);
  }

  /** @throws Fault `store_unavailable` when splunkd cannot be reached or is not ready */
  async call(call: SplunkdCall): Promise<SplunkdReply> {
    const path = createRESTURL(call.endpoint, namespaceOf(call), { splunkdPath: '' });
    const query = new URLSearchParams({ ...call.query, output_mode: 'json' });
    const [type, body] = encodeBody(call);
    const headers: Record<string, string> = { ...call.headers, Authorization: `Splunk ${call.token}` };
    if (body !== undefined)
      Object.assign(headers, { 'Content-Type': type, 'Content-Length': String(Buffer.byteLength(body)) });
    const { method, timeoutMs: timeout = TIMEOUT_MS, assertInTime } = call;
    const outgoing: Outgoing = { method, path: `${path}?${query}`, headers, body, timeout, assertInTime };
    let reply: SplunkdReply;
    try {
      reply = await this.#send(outgoing, call.repeatable ?? method !== 'POST');
    } catch (cause) {
      if (cause instanceof Fault) throw cause;
      if (isCertificateProblem(cause)) throw stateFault('certificate', { cause });
      throw new Fault('store_unavailable', 'The platform could not be reached', {}, { cause });
    }
    if (BUSY.has(reply.status) && !call.anyStatus) throw notReady(reply, `The platform is not ready (${reply.status})`);
    return reply;
  }

  async #send(outgoing: Outgoing, repeatable: boolean): Promise<SplunkdReply> {
    try {
      return await this.#once(outgoing);
    } catch (error) {
      // Usually splunkd has just closed an idle connection; the call may still have been processed.
      const { code } = error as { code?: string };
      if (!repeatable || (code !== 'ECONNRESET' && code !== 'EPIPE')) throw error;
      return { ...(await this.#once(outgoing)), repeated: true };
    }
  }

  #once({ method, path, headers, body, timeout, assertInTime }: Outgoing): Promise<SplunkdReply> {
    this.#transport ??= this.#open();
    const { request, agent } = this.#transport;
    const { port } = this.#base;
    return new Promise((resolve, reject) => {
      const options = { agent, method, path, headers, host: plainHost(this.#base), port, timeout };
      const outgoing = request(options, (incoming) => collect(incoming).then(resolve, reject));
      outgoing.on('timeout', () => outgoing.destroy(new Error('splunkd did not answer in time')));
      outgoing.on('error', reject);
      if (assertInTime) whenConnected(outgoing, () => sendIfInTime(outgoing, body, assertInTime));
      else outgoing.end(body);
    });
  }

  /** Modules are loaded by the first call. */
  #open(): Transport {
    if (this.#base.protocol === 'http:') {
      const http = process.getBuiltinModule('node:http');
      return { request: http.request, agent: new http.Agent({ keepAlive: true }) };
    }
    const https = process.getBuiltinModule('node:https');
    // splunkd's certificate is self-signed on most sites, and loopback cannot be intercepted. An empty `ca` saves the
    // runtime from loading its root certificates.
    const trust = isLoopbackHost(this.#base)
      ? { rejectUnauthorized: false, ca: [] }
      : splunkdTrust(process.env.SPLUNK_HOME);
    return {
      request: https.request,
      agent: new https.Agent({ keepAlive: true, ...trust }) as unknown as Agent,
    };
  }
}

function whenConnected(outgoing: ClientRequest, send: () => void): void {
  outgoing.once('socket', (socket) => {
    if (socket.connecting) socket.once('encrypted' in socket ? 'secureConnect' : 'connect', send);
    else send();
  });
}

function sendIfInTime(outgoing: ClientRequest, body: string | undefined, assertInTime: () => void): void {
  try {
    assertInTime();
    outgoing.end(body);
  } catch (error) {
    outgoing.destroy(error as Error);
  }
}

function namespaceOf({ namespace }: SplunkdCall): { owner?: string; app?: string } {
  if (namespace === 'services') return {};
  return namespace === 'app' ? { app: APP, owner: 'nobody' } : namespace;
}

const plainHost = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

function encodeBody(call: SplunkdCall): [string, string | undefined] {
  if (call.json !== undefined) return ['application/json', stringifyExact(call.json)];
  if (call.lines !== undefined) return ['application/json', call.lines];
  return ['application/x-www-form-urlencoded', call.form && new URLSearchParams(call.form).toString()];
}

function collect(incoming: IncomingMessage): Promise<SplunkdReply> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MAX_BYTES) incoming.destroy(new Error('the reply of splunkd is too large'));
      else chunks.push(chunk);
    });
    incoming.on('error', reject);
    incoming.on('end', () => {
      const retryAfter = retryAfterSeconds(incoming.headers['retry-after']);
      resolve({
        status: incoming.statusCode ?? 0,
        phrase: incoming.statusMessage ?? '',
        text: Buffer.concat(chunks).toString('utf8'),
        repeated: false,
        ...(retryAfter === undefined ? {} : { retryAfter }),
      });
    });
  });
}

/** The JSON object of a reply, empty if there is none. */
export const objectOf = (reply: Pick<SplunkdReply, 'text'>): Record<string, unknown> => parsed(reply, JSON.parse);

/** The same; integers beyond 2^53 are bigints. */
export const exactObjectOf = (reply: Pick<SplunkdReply, 'text'>): Record<string, unknown> => parsed(reply, parseExact);

function parsed({ text }: Pick<SplunkdReply, 'text'>, parse: (text: string) => unknown): Record<string, unknown> {
  try {
    return Object(parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

type Refusal = Pick<SplunkdReply, 'status'> & Partial<SplunkdReply>;

/** With these statuses the platform refuses what was sent, and would refuse it again. */
const REFUSED = [400, 413, 414, 431];

/** Fault `internal_error` for a call that was refused as it is, else `store_unavailable`. */
export function unexpectedReply(what: string, reply: Refusal): Fault {
  const { status } = reply;
  if (REFUSED.includes(status)) return new Fault('internal_error', `The platform refused ${what} (${status})`);
  return notReady(reply, `The platform answered ${status} to ${what}`);
}

/** The state of the KV store that the reply names, else the message. */
function notReady({ phrase, text, retryAfter }: Refusal, message: string): Fault {
  const wait = retryAfter === undefined ? {} : { retry_after: retryAfter };
  const state = stateOf(`${phrase}\n${text}`);
  return state ? stateFault(state, wait) : new Fault('store_unavailable', message, wait);
}
