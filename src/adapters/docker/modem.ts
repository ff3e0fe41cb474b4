import http from 'node:http';
import https from 'node:https';
import { addAbortSignal, type Readable } from 'node:stream';
import type { AddressPolicy } from '../outbound/guard.ts';
import { collect, MAX_MESSAGE_BYTES } from '../outbound/limit.ts';
import { refuseRedirect } from '../outbound/redirect.ts';

/** The reply for a container that is already started or stopped; not a redirect. */
const NOT_MODIFIED = 304;

export interface EngineAddress {
  url: URL;
  socketPath?: string;
  agent: http.Agent | https.Agent;
  policy: AddressPolicy;
}

type Query = Readonly<Record<string, unknown>>;

/** A call as dockerode passes it to its modem. */
interface ModemCall {
  path: string;
  method: string;
  /** Query parameters, unless `_query` and `_body` are set. */
  options?: { _query?: Query; _body?: object; abortSignal?: AbortSignal } & Query;
  abortSignal?: AbortSignal;
  /** `true` for expected statuses, a description for others. */
  statusCodes: Readonly<Record<number, true | string>>;
  isStream?: boolean;
}

type Callback = (error: unknown, value: unknown) => void;

/** An error reply of the engine, in the form that dockerode's callers expect. */
class Refusal extends Error {
  readonly statusCode: number;
  readonly json: unknown;

  constructor(statusCode: number, json: unknown) {
    super(`the engine answered ${statusCode}`);
    this.statusCode = statusCode;
    this.json = json;
  }
}

/**
 * The transport of dockerode. The library's modem follows redirects, shares sockets, has no size limit or deadline, reads
 * the environment, and copies the request body into the query string.
 */
export class DockerModem {
  readonly #engine: EngineAddress;

  constructor(engine: EngineAddress) {
    this.#engine = engine;
  }

  dial(call: ModemCall, callback: Callback): void {
    this.#answer(call)
      .then((value) => callback(null, value))
      // Also catches errors of the library's callback.
      .catch((error: unknown) => callback(error, null));
  }

  async #answer(call: ModemCall): Promise<unknown> {
    const signal = call.abortSignal ?? call.options?.abortSignal;
    const response = await this.#send(call, signal);
    const status = response.statusCode ?? 0;
    try {
      if (status !== NOT_MODIFIED) {
        const { url, policy } = this.#engine;
        const { location } = response.headers;
        await refuseRedirect({ status, location, from: url }, policy, signal ?? new AbortController().signal);
      }
    } catch (error) {
      response.destroy();
      throw error;
    }
    const isExpected = call.statusCodes[status] === true;
    if (isExpected && call.isStream) return response;
    const text = await readText(response);
    const value = parseJson(text);
    if (!isExpected) throw new Refusal(status, value);
    return value ?? text;
  }

  #send(call: ModemCall, signal: AbortSignal | undefined): Promise<http.IncomingMessage> {
    const { url, socketPath, agent } = this.#engine;
    const { _query, _body, abortSignal, ...query } = call.options ?? {};
    const body = _body === undefined ? undefined : JSON.stringify(_body);
    const { request } = url.protocol === 'https:' ? https : http;
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const outgoing = request({
        ...(socketPath === undefined
          ? { host: url.hostname.replace(/^\[(.*)\]$/, '$1'), port: url.port }
          : { socketPath }),
        method: call.method,
        path: pathOf(call.path, _query ?? query),
        agent,
        headers: {
          Host: url.host,
          ...(body === undefined
            ? {}
            : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
        },
        ...(signal ? { signal } : {}),
      });
      outgoing.once('response', (response) => {
        // The request's signal no longer applies once the response starts, and the body may have no reader yet.
        response.on('error', () => {});
        if (signal) addAbortSignal(signal, response);
        resolve(response);
      });
      outgoing.on('error', reject);
      outgoing.once('close', () => reject(new Error('the connection was closed without an answer')));
      outgoing.end(body);
    });
  }
}

function pathOf(path: string, values: Query): string {
  const [plain = ''] = path.split('?', 1);
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined) query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
  }
  return query.size > 0 ? `${plain}?${query}` : plain;
}

async function readText(body: Readable): Promise<string> {
  return (await collect(body, MAX_MESSAGE_BYTES)).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
