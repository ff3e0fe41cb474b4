import type { IncomingMessage, ServerResponse } from 'node:http';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import type { Meeting } from '../history/checker.ts';
import { atEnd } from './cleanup.ts';

/** A recorded request; the answer carries its number `seen`. */
export interface Arrival extends Meeting {
  seen: number;
  path: string;
}

/** A server that speaks MCP and the OpenAI dialect, refuses to be a cluster, and writes down every secret it gets. */
export interface RecordingHost {
  /** `127.0.0.1:port`, as the model names it. */
  name: string;
  url: string;
  arrivals: Arrival[];
}

const SECRET = /key-for-[\w.:-]+/g;
let arrivals = 0;

export async function startHost(): Promise<RecordingHost> {
  const seen: Arrival[] = [];
  const peer = await startHttp((request, response) => void answer(request, response));
  atEnd(peer.close);
  const name = `127.0.0.1:${peer.port}`;

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request).catch(() => '');
    arrivals += 1;
    const number = arrivals;
    // Wherever a secret might hide: header, address, body.
    const [secret = ''] = `${JSON.stringify(request.headers)} ${request.url} ${body}`.match(SECRET) ?? [];
    seen.push({ seen: number, host: name, secret, at: performance.now(), path: request.url ?? '' });
    if (request.url?.startsWith('/v1/')) openAi(response, request.url, number);
    else if (request.url?.startsWith('/mcp')) mcp(response, request.method ?? '', body, number);
    else sendJson(response, 403, { kind: 'Status', status: 'Failure', reason: 'Forbidden', code: 403 });
  }
  return { name, url: peer.url, arrivals: seen };
}

function openAi(response: ServerResponse, path: string, seen: number): void {
  if (path === '/v1/models') {
    sendJson(response, 200, { object: 'list', data: [{ id: 'm', object: 'model' }] });
    return;
  }
  const message = { role: 'assistant', content: `seen ${seen}` };
  sendJson(response, 200, { object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] });
}

function mcp(response: ServerResponse, method: string, body: string, seen: number): void {
  if (method !== 'POST') {
    sendJson(response, method === 'DELETE' ? 200 : 405, {});
    return;
  }
  const message = JSON.parse(body || '{}') as { id?: number; method?: string };
  const reply = (result: object) => sendJson(response, 200, { jsonrpc: '2.0', id: message.id, ...result });
  if (message.id === undefined) response.writeHead(202).end();
  else if (message.method === 'initialize')
    reply({
      result: {
        protocolVersion: '2025-06-18',
        capabilities: { tools: {} },
        serverInfo: { name: 'recorder', version: `seen ${seen}` },
      },
    });
  else if (message.method === 'tools/list') reply({ result: { tools: [] } });
  else reply({ error: { code: -32601, message: 'Method not found' } });
}

/** The arrival that an answer's number names. */
export function arrivalOf(hosts: readonly RecordingHost[], text: unknown): Arrival | undefined {
  const number = Number(/\bseen (\d+)/.exec(String(text))?.[1]);
  return hosts.flatMap((host) => host.arrivals).find(({ seen }) => seen === number);
}
