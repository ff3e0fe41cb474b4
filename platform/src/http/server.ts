import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { TLSSocket, TlsOptions } from 'node:tls';
import { messagesReply } from '../eai/replies.ts';
import type { PlatformLog } from '../home/log.ts';
import { authenticate, type Credentials } from '../identity/credentials.ts';
import type { Identity } from '../identity/identity.ts';
import type { Dispatcher, DispatchTarget } from './dispatcher.ts';
import { http, listen, type RunningServer } from './listener.ts';
import { ConnectionReset, PlatformError, type PlatformReply } from './reply.ts';
import { writeReply } from './replyWriter.ts';
import type { PlatformRequest } from './request.ts';
import {
  connectionOf,
  hasTwoHosts,
  headerPairs,
  outputMode,
  parseCookies,
  parseForm,
  parseTarget,
  readBody,
} from './requestParser.ts';

/** Bodies this small are read before authentication: `output_mode` in a form decides how a 401 is written. */
const EARLY_BODY = 1_048_576;
/** A call without credentials has no business with more. */
const ANONYMOUS_BODY = 1_048_576;
const MAX_BODY = 104_857_600;
/** Add-ons send about 30,000 characters to the KV store; splunkd's own limit is not published. */
const MAX_URL = 32_768;
/** URL and headers together; beyond it the parser gives up with 431. */
const MAX_HEADER = 65_536;

export interface ServerOptions<E extends { requireAuthentication: boolean }> {
  host: string;
  port: number;
  tls: TlsOptions | undefined;
  identity: Identity;
  dispatcher: Dispatcher<E>;
  log: PlatformLog;
  maxBody?: number;
}

export async function startServer<E extends { requireAuthentication: boolean }>(
  options: ServerOptions<E>,
): Promise<RunningServer> {
  const listener = (message: IncomingMessage, response: ServerResponse): void => {
    void new Exchange(options, message, response).run();
  };
  const settings = { keepAliveTimeout: 65_000, requestTimeout: 300_000, maxHeaderSize: MAX_HEADER };
  const server: Server = options.tls
    ? createHttps({ ...settings, ...options.tls, minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }, listener)
    : http.createServer(settings, listener);
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
    const status = error.code === 'HPE_HEADER_OVERFLOW' ? '431 Request Header Fields Too Large' : '400 Bad Request';
    socket.end(`HTTP/1.1 ${status}\r\nConnection: close\r\nContent-Length: 0\r\nServer: Splunkd\r\n\r\n`);
  });
  return listen(server, options.host, options.port);
}

/** A reset, where the system can send one, and not the orderly end that a client may take for the end of a body. */
function reset({ socket }: IncomingMessage): void {
  if ((socket as TLSSocket).encrypted === true) socket.destroy();
  else socket.resetAndDestroy();
}

/** One request and its reply. */
class Exchange<E extends { requireAuthentication: boolean }> {
  readonly #options: ServerOptions<E>;
  readonly #message: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #abort = new AbortController();
  #outputMode: string | undefined;
  #cookie: [string, string] | undefined;

  constructor(options: ServerOptions<E>, message: IncomingMessage, response: ServerResponse) {
    this.#options = options;
    this.#message = message;
    this.#response = response;
    response.on('close', () => {
      if (!response.writableFinished) this.#abort.abort();
    });
    // A client that breaks off while sending is no error of ours.
    message.on('error', () => this.#abort.abort());
  }

  async run(): Promise<void> {
    const reply = await this.#answer().catch((error: unknown) => {
      if (!(error instanceof ConnectionReset)) return this.#failure(error);
      reset(this.#message);
      return undefined;
    });
    if (reply === undefined || this.#response.destroyed) return;
    try {
      writeReply(this.#response, reply, this.#cookie ? [this.#cookie] : []);
    } catch (error) {
      const instead = this.#failure(error);
      if (this.#response.headersSent) this.#response.destroy();
      else writeReply(this.#response, instead);
    }
  }

  async #answer(): Promise<PlatformReply> {
    const { identity, dispatcher, maxBody = MAX_BODY } = this.#options;
    const message = this.#message;
    if (hasTwoHosts(message)) throw new PlatformError(400, 'Bad Request: more than one Host header');
    const { method = 'GET', url = '/' } = message;
    const announced = Number(
      message.headers['content-length'] ?? (message.headers['transfer-encoding'] ? Infinity : 0),
    );
    const target = parseTarget(url);
    this.#outputMode = outputMode([], target.query);
    if (url.length > MAX_URL) throw new PlatformError(414, 'Request-URI Too Long');
    const connection = connectionOf(message);
    const cookies = parseCookies(message.headers.cookie);
    const destination: DispatchTarget<E> = target.inTree ? dispatcher.find(method, target.segments) : undefined;
    const anonymous = !dispatcher.needsAuthentication(destination);

    let body: Buffer | undefined;
    let form: [string, string][] = [];
    const read = async (limit: number): Promise<void> => {
      body = await readBody(message, limit);
      form = parseForm(body, message.headers['content-type']);
      this.#outputMode = outputMode(form, target.query);
    };
    if (announced <= EARLY_BODY) await read(EARLY_BODY);
    const credentials = await this.#credentials({ headers: message.headers, cookies, connection }, identity, anonymous);
    this.#cookie = credentials?.cookie;
    if (body === undefined) await read(credentials === undefined ? Math.min(ANONYMOUS_BODY, maxBody) : maxBody);

    const req: PlatformRequest = {
      method,
      path: target.path,
      segments: target.segments,
      ns: target.ns,
      namespaced: target.namespaced,
      query: target.query,
      form,
      arg: (name) => [...form, ...target.query].find(([key]) => key === name)?.[1],
      args: (name) => [...form, ...target.query].filter(([key]) => key === name).map(([, value]) => value),
      body: body ?? Buffer.alloc(0),
      headers: message.headers,
      headerPairs: headerPairs(message.rawHeaders),
      cookies,
      caller: credentials?.caller,
      outputMode: this.#outputMode ?? 'xml',
      outputModeExplicit: this.#outputMode !== undefined,
      connection,
      signal: this.#abort.signal,
    };
    return dispatcher.dispatch(destination, req);
  }

  async #credentials(
    presented: Parameters<typeof authenticate>[1],
    identity: Identity,
    anonymous: boolean,
  ): Promise<Credentials | undefined> {
    try {
      return await authenticate(identity, presented);
    } catch (error) {
      // Where nobody need be known, an old cookie or key must not stand in the way of logging in.
      if (anonymous && error instanceof PlatformError && error.status === 401) return undefined;
      throw error;
    }
  }

  #failure(error: unknown): PlatformReply {
    const req = { outputMode: this.#outputMode ?? 'xml' };
    if (error instanceof PlatformError) return messagesReply(req, error.status, error.messages, error.headers);
    if (!this.#abort.signal.aborted) {
      const path = (this.#message.url ?? '').split('?')[0];
      const cause = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.#options.log.write('ERROR', 'HttpListener', `${this.#message.method} ${path}: ${cause}`);
    }
    return messagesReply(req, 500, [{ type: 'ERROR', text: 'Internal Server Error' }]);
  }
}
