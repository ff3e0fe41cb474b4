import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Peer, readBody, sendJson, startHttp } from '../listen.ts';

export interface RpcMessage {
  id?: number | string;
  method: string;
  params?: Record<string, unknown>;
}

export interface ScriptedPeer extends Peer {
  /** Every HTTP request: `POST tools/list`, `GET /sse`, `DELETE /mcp`. */
  log: string[];
  headers: IncomingMessage['headers'][];
}

export type Misbehave = (
  request: IncomingMessage,
  response: ServerResponse,
  message: RpcMessage | undefined,
) => boolean;

/**
 * A 2025-era server by hand, for what no real one does. `misbehave` answers first; where it returns false the server
 * goes on as it should.
 */
export async function startScripted(
  misbehave: Misbehave,
  listTools: (cursor: string | undefined) => Record<string, unknown> = () => ({ tools: [] }),
): Promise<ScriptedPeer> {
  const log: string[] = [];
  const headers: IncomingMessage['headers'][] = [];
  const peer = await startHttp(async (request, response) => {
    const text = request.method === 'POST' ? await readBody(request).catch(() => '') : '';
    const message = text === '' ? undefined : (JSON.parse(text) as RpcMessage);
    log.push(`${request.method} ${message?.method ?? request.url}`);
    headers.push(request.headers);
    if (misbehave(request, response, message)) return;
    if (message === undefined) sendJson(response, request.method === 'DELETE' ? 200 : 405, {});
    else answerLegacy(response, message, listTools);
  });
  return { url: `${peer.url}/mcp`, close: peer.close, log, headers };
}

/** The same, where only the answer to one method is another. */
export function startAnswering(
  method: string,
  answer: (response: ServerResponse, message: RpcMessage) => unknown,
  tools: Record<string, unknown>[] = [],
): Promise<ScriptedPeer> {
  return startScripted(
    (_request, response, message) => {
      if (message?.method !== method) return false;
      answer(response, message);
      return true;
    },
    () => ({ tools }),
  );
}

export function rpcResult(message: RpcMessage, result: unknown): Record<string, unknown> {
  return { jsonrpc: '2.0', id: message.id, result };
}

export function answerLegacy(
  response: ServerResponse,
  message: RpcMessage,
  listTools: (cursor: string | undefined) => Record<string, unknown>,
): void {
  if (message.id === undefined) {
    response.writeHead(202).end();
  } else if (message.method === 'initialize') {
    const result = {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'scripted', version: '0.0.1' },
    };
    sendJson(response, 200, rpcResult(message, result), { 'mcp-session-id': 'session-1' });
  } else if (message.method === 'tools/list') {
    sendJson(response, 200, rpcResult(message, listTools(message.params?.cursor as string | undefined)));
  } else {
    sendJson(response, 200, { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } });
  }
}

export function tool(name: string, description = 'A tool'): Record<string, unknown> {
  return { name, description, inputSchema: { type: 'object' } };
}

/** The same refusal for everything: 401, 403, 429, 500, a page, a redirect. */
export function startRefusing(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): Promise<ScriptedPeer> {
  return startScripted((_request, response) => {
    response.writeHead(status, headers).end(body);
    return true;
  });
}

/** Accepts connections and requests, and says nothing. */
export function startSilent(): Promise<ScriptedPeer> {
  return startScripted(() => true);
}

/** `pages` pages of one tool each. */
export function startPaging(pages: number): Promise<ScriptedPeer> {
  return startScripted(
    () => false,
    (cursor) => {
      const page = Number(cursor ?? 0);
      return { tools: [tool(`tool-${page}`)], ...(page + 1 < pages ? { nextCursor: String(page + 1) } : {}) };
    },
  );
}

/** Pages that go round in a circle. */
export function startCircling(): Promise<ScriptedPeer> {
  return startScripted(
    () => false,
    (cursor) => ({ tools: [tool(`tool-${cursor ?? 'first'}`)], nextCursor: cursor === 'a' ? 'b' : 'a' }),
  );
}

export function startManyTools(count: number): Promise<ScriptedPeer> {
  const tools = Array.from({ length: count }, (_, index) => tool(`tool-${index}`));
  return startScripted(
    () => false,
    () => ({ tools }),
  );
}

/** One answer of `megabytes` MiB, as JSON or as one server-sent event. */
export function startHuge(megabytes: number, asEvent = false): Promise<ScriptedPeer> {
  return startAnswering('tools/list', (response, message) => {
    const body = JSON.stringify(rpcResult(message, { tools: [tool('big', 'x'.repeat(megabytes * 1024 * 1024))] }));
    response.writeHead(200, { 'content-type': asEvent ? 'text/event-stream' : 'application/json' });
    response.end(asEvent ? `event: message\ndata: ${body}\n\n` : body);
  });
}

/** Ends the connection in the middle of the answer to `tools/list`. */
export function startBreaking(asEvent = false): Promise<ScriptedPeer> {
  return startAnswering('tools/list', (response) => {
    response.writeHead(200, { 'content-type': asEvent ? 'text/event-stream' : 'application/json' });
    response.write(asEvent ? 'event: message\ndata: {"jsonrpc"' : '{"jsonrpc":"2.0","id":');
    setTimeout(() => response.destroy(), 20);
  });
}

/** An HTTP+SSE server; `endpoint` is the text of its first event (null: there is none). */
export function startSse(endpoint: string | null, after?: (response: ServerResponse) => void): Promise<ScriptedPeer> {
  return startScripted((request, response) => {
    if (request.method !== 'GET') {
      response.writeHead(404).end();
      return true;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    if (endpoint !== null) response.write(`event: endpoint\ndata: ${endpoint}\n\n`);
    after?.(response);
    return true;
  });
}
