import { isObject } from '../../contract/basics.ts';
import { NEVER_SENT, OutboundError } from '../../contract/codes/outbound.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { unlessAborted } from '../../domain/async/deadline.ts';
import { looksLikeHtml, peerReason } from '../../domain/net/upstreamErrors.ts';
import type { McpTransport } from '../../ports/mcp/mcpClient.ts';
import type { Conversation } from './conversation.ts';
import { A_WEB_PAGE } from './explain.ts';
import { type Journal, noteReply, readText } from './journal.ts';
import { type Incoming, messagesIn, type Pending, readJson } from './messages.ts';
import { type EventReading, peek, readEvents } from './streams.ts';

const PEER = 'The MCP server';
const METHOD_NOT_FOUND = -32601;
const WEB_PAGE = /^\s*(text\/html|application\/xhtml)/i;
/** A server that does not send the head of its stand-alone stream must not delay the call. */
const STREAM_OPENING_MS = 500;

export interface Watch {
  journal: Journal;
  conversation: Conversation;
  transport: McpTransport;
  /** Origin of the configured URL; no other origin is called. */
  origin: string;
  secrets: readonly string[];
  /** Time limit of the question for the newest revision, in milliseconds. */
  probeMs: number;
  /** Whether to open the stream on which servers of session revisions ask the client, since a call may wait for its answer. */
  opensStream: boolean;
  /** A fetch whose failures do not end the attempt. */
  aside: typeof fetch;
  /** Ends the attempt, since the library would keep waiting for a reply. */
  fail(failure: unknown): void;
}

/**
 * The client library's fetch: enforces the origin, records the traffic, and gives the library regular messages under the right
 * content type, whatever the server sends.
 */
export function watchedFetch(base: typeof fetch, watch: Watch): typeof fetch {
  const { journal, conversation, transport, aside, fail } = watch;
  let last: Pending | undefined;
  let opening: Promise<unknown> | undefined;

  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : String(input));
    const method = (init?.method ?? 'GET').toUpperCase();
    assertOrigin(url);
    if (method === 'DELETE') return base(input, init);
    if (method === 'GET') {
      if (transport === 'sse') return serverSentEvents(await noteReply(journal, await base(input, init)));
      return new Headers(init?.headers).has('last-event-id') ? resume(input, init) : standAlone(input, init);
    }
    const sent = readJson(String(init?.body)) as { id?: Pending['id']; method?: string };
    // An answer to the server says nothing about the attempt.
    if (sent.method === undefined) return aside(input, init);
    journal.rpcMethod = sent.method;
    if (sent.id === undefined) return notify(input, init);
    const request: Pending = { id: sent.id, method: sent.method };
    last = request;
    conversation.sent(request);
    if (transport === 'sse') return send(request, input, init);
    return request.method === 'server/discover'
      ? probe(request, input, init)
      : answered(request, await send(request, input, init));
  };

  function assertOrigin(url: URL): void {
    if (url.origin === watch.origin) return;
    // Every request carries the record's secrets.
    const text = `The MCP server names an address on another host (${url.host})`;
    const failure = new OutboundError('blocked_by_policy', text);
    journal.failure ??= failure;
    fail(failure);
    throw failure;
  }

  async function send({ method }: Pending, ...request: Parameters<typeof fetch>): Promise<Response> {
    const isCall = method === 'tools/call';
    if (isCall && opening) await opening;
    if (isCall) journal.wasCallSent = true;
    const response = await base(...request);
    if (isCall) journal.callStatus = response.status;
    return noteReply(journal, response);
  }

  async function notify(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await noteReply(journal, await base(...request));
    if (!response.ok) return response;
    await response.body?.cancel();
    // The library opens the stand-alone stream after this status.
    return new Response(null, { status: 202 });
  }

  /** Everything but a regular answer to the question leads to `initialize`, which fails if the server cannot be used. */
  async function probe(request: Pending, input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const limit = AbortSignal.timeout(Math.ceil(watch.probeMs));
    const signal = init?.signal ? AbortSignal.any([init.signal, limit]) : limit;
    try {
      const response = await aside(input, { ...init, signal });
      if (response.status !== 401) journal.status = response.status;
      const { ok, status, statusText, headers } = response;
      if (ok) return await unlessAborted(probed(request, response), signal);
      const text = await unlessAborted(readText(response), signal);
      if (status < 500 && status !== 401 && status !== 403) return new Response(text, { status, statusText, headers });
    } catch (error) {
      if (error instanceof OutboundError && NEVER_SENT.has(error.code)) {
        journal.status = error.httpStatus ?? null;
        fail(error);
        throw error;
      }
      init?.signal?.throwIfAborted();
    }
    const error = { code: METHOD_NOT_FOUND, message: 'Method not found' };
    return jsonResponse([{ jsonrpc: '2.0', id: request.id, error }]);
  }

  /** Awaits the answer to the question, also in an event stream. @throws what `answered` throws, or gives to `fail` */
  async function probed(request: Pending, response: Response): Promise<Response> {
    let failure: unknown;
    const note = (error: unknown) => {
      failure ??= error;
    };
    const { headers, body } = await answered(request, response, note);
    const chunks: Uint8Array[] = [];
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      if (!conversation.awaits(request)) break;
    }
    if (conversation.awaits(request)) throw failure ?? closedEarly();
    return new Response(Buffer.concat(chunks), { headers });
  }

  /** The reply to a request, as the library understands it. @throws OutboundError for one without the answer */
  async function answered(request: Pending, response: Response, failed = fail): Promise<Response> {
    if (!response.ok) return response;
    const { status, headers } = response;
    const type = headers.get('content-type') ?? '';
    const { kind, body } = await peek(status === 202 ? null : response.body, /^\s*text\/event-stream/i.test(type));
    if (kind === 'events') {
      return eventResponse(headers, readEvents(body, { ...readingOf(request, failed), keepsIds: true }));
    }
    if (kind === 'nothing') throw noAnswer(`${PEER} answered ${status} without a result.`, status);
    const text = await new Response(body).text();
    const messages = kind === 'json' ? read(text) : undefined;
    if (!messages) {
      if (WEB_PAGE.test(type) || looksLikeHtml(text)) throw noAnswer(A_WEB_PAGE, status);
      const given = kind === 'json' ? '' : `${type === '' ? 'no content type' : type}: `;
      throw noAnswer(
        `${PEER} answered with something that is not MCP (${given}${peerReason(text, watch.secrets)}).`,
        status,
      );
    }
    const regular = messages.map((message) => conversation.take(message));
    if (conversation.awaits(request)) throw noAnswer(`${PEER} answered ${status} without a result.`, status);
    return jsonResponse(regular, headers);
  }

  function readingOf(request: Pending, failed: Watch['fail']): Omit<EventReading, 'keepsIds'> {
    return {
      take: (message) => conversation.take(message),
      failed,
      ended(isResumable, unread) {
        if (isResumable || !conversation.awaits(request)) return;
        if (unread === undefined) failed(closedEarly());
        else failed(noAnswer(`${PEER} sent an event that is not MCP (${peerReason(unread, watch.secrets)}).`, 200));
      },
    };
  }

  /** All replies of HTTP+SSE use one stream; when it ends, the library would reconnect and wait. */
  async function serverSentEvents(response: Response): Promise<Response> {
    if (!response.ok) return response;
    const { headers } = response;
    const isEventStream = /^\s*text\/event-stream/i.test(headers.get('content-type') ?? '');
    const { kind, body } = isEventStream
      ? { kind: 'events', body: response.body ?? new Blob().stream() }
      : await peek(response.body, false);
    if (kind !== 'events') {
      journal.html = kind === 'other' && looksLikeHtml(await new Response(body).text());
      return new Response(null, { status: response.status, headers });
    }
    const reading = { take: (message: Incoming) => conversation.take(message), failed: fail, keepsIds: false };
    return eventResponse(headers, readEvents(body, { ...reading, ended: () => fail(closedEarly()) }));
  }

  /** The rest of an event stream that ended before the answer. */
  async function resume(...request: Parameters<typeof fetch>): Promise<Response> {
    const response = await noteReply(journal, await base(...request));
    const waiting = last;
    if (!waiting || !conversation.awaits(waiting)) return response;
    if (response.ok) return answered(waiting, response);
    // The library gives up, and nobody would tell the one who waits.
    if (response.status < 500) fail(closedEarly(`, and does not resume it (${response.status})`));
    return response;
  }

  /** The optional stream of a session; 405 means that it is not offered. */
  async function standAlone(...request: Parameters<typeof fetch>): Promise<Response> {
    const notOffered = () => new Response(null, { status: 405 });
    // Once per session: the library would open it again and again.
    if (!watch.opensStream || opening) return notOffered();
    const opened = aside(...request).catch(() => undefined);
    const limit = AbortSignal.timeout(STREAM_OPENING_MS);
    opening = unlessAborted(opened, limit).catch(() => {});
    const response = await opened;
    if (!response?.ok || response.status === 202 || response.body === null) return notOffered();
    const reading = { take: (message: Incoming) => conversation.take(message), failed: () => {}, ended: () => {} };
    // Without ids, since the library would resume it.
    return eventResponse(response.headers, readEvents(response.body, { ...reading, keepsIds: false }));
  }
}

/** @returns undefined for what is no message */
function read(text: string): Incoming[] | undefined {
  try {
    const body = readJson(text.replace(/^\uFEFF/, ''));
    const messages = messagesIn(body);
    return messages.length === 0 && !(Array.isArray(body) && !body.some(isObject)) ? undefined : messages;
  } catch {
    return undefined;
  }
}

function closedEarly(more = ''): OutboundError {
  return new OutboundError('connection_reset', `${PEER} closed its event stream before it answered${more}`);
}

const noAnswer = (message: string, httpStatus: number): OutboundError =>
  new OutboundError('upstream_error', message, { httpStatus });

function jsonResponse(messages: unknown[], source = new Headers()): Response {
  const body = stringifyExact(messages.length === 1 ? messages[0] : messages);
  return new Response(body, { headers: withType(source, 'application/json') });
}

const eventResponse = (source: Headers, body: ReadableStream<Uint8Array>): Response =>
  new Response(body, { headers: withType(source, 'text/event-stream') });

/** Headers of the server, such as its session, without those that describe the bytes it sent. */
function withType(source: Headers, type: string): Headers {
  const headers = new Headers(source);
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) headers.delete(name);
  headers.set('content-type', type);
  return headers;
}
