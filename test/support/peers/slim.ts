import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { tokenEnd } from '../../../src/domain/secrets/tokenExpiry.ts';
import type { MadeCertificate } from './certificates.ts';
import { listen, readBody, sendJson } from './listen.ts';

/**
 * The models that Splunk hosts, as published clients call them: `ai_commander_util.py` of Splunk AI Toolkit 5.7.4, and
 * `trackme_libs_ai.py` of TrackMe 2.4.1, which also quotes the refusal of a request without `request_id`.
 */
export class SlimServer {
  readonly tenant = 'acme-prod';
  /** Tokens of the requests, in their order. */
  readonly tokens: string[] = [];
  readonly bodies: Record<string, unknown>[] = [];
  /** Ids of requests. */
  readonly ids: string[] = [];
  /** Tokens that are no longer good. */
  readonly revoked = new Set<string>();
  refusesAll = false;
  models: readonly object[] = [
    { model_name: 'gpt-oss-20b', model_id: 'a1b2c3d4' },
    { model_name: 'gpt-oss-120b', model_id: 'e5f6a7b8' },
  ];
  says = 'ok';
  /** As a stream of events, which nobody asks for. */
  streams = false;
  host = '';
  close: () => Promise<void> = async () => {};

  async start({ cert, key }: MadeCertificate): Promise<this> {
    const server = createServer({ cert, key }, (request, response) => void this.#answer(request, response));
    const { port, close } = await listen(server);
    this.host = `127.0.0.1:${port}`;
    this.close = close;
    return this;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readBody(request);
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    this.tokens.push(token);
    const id = requestId(request);
    if (id === undefined) return sendJson(response, 400, { error_message: 'Request ID not present in header' });
    this.ids.push(id);
    const isOver = (tokenEnd(token) ?? 0) <= Date.now() / 1000;
    if (isOver || this.refusesAll || this.revoked.has(token)) {
      return sendJson(response, 401, { error_message: `Token ${token} is not valid` });
    }
    const base = `/${this.tenant}/slim-api/v1alpha1`;
    if (request.method === 'GET' && request.url === `${base}/chat/models`) return sendJson(response, 200, this.models);
    if (request.method !== 'POST' || request.url !== `${base}/chat/completions`) return sendJson(response, 404, {});
    const body = JSON.parse(text) as Record<string, unknown>;
    this.bodies.push(body);
    const problem = this.#problemOf(body);
    if (problem !== undefined) return sendJson(response, 400, { error_message: problem });
    const usage = { prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 };
    if (!this.streams) return sendJson(response, 200, { choices: [{ message: { content: this.says } }], usage });
    const events = [...this.says].map((content) => ({ choices: [{ index: 0, delta: { content } }] }));
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const event of [...events, { choices: [], usage }]) response.write(`data: ${JSON.stringify(event)}\n\n`);
    response.end('data: [DONE]\n\n');
  }

  /** Stricter than is known: it refuses whatever no published client sends. */
  #problemOf(body: Record<string, unknown>): string | undefined {
    const fields = ['model_id', 'messages', 'max_tokens', 'temperature', 'stream', 'extra_headers'];
    const other = Object.keys(body).find((name) => !fields.includes(name));
    if (other !== undefined) return `Unknown field ${other}`;
    const { model_id, messages, max_tokens, stream, extra_headers } = body;
    if (!this.models.some((model) => 'model_id' in model && model.model_id === model_id)) return 'Unknown model_id';
    if (!Array.isArray(messages) || !Number.isInteger(max_tokens) || stream !== false) return 'Invalid body';
    return typeof extra_headers === 'object' ? undefined : 'extra_headers is missing';
  }
}

/** The header whose name has to be written like this. */
function requestId({ rawHeaders }: IncomingMessage): string | undefined {
  const at = rawHeaders.findIndex((text, index) => index % 2 === 0 && text === 'request_id');
  const value = at < 0 ? undefined : rawHeaders[at + 1];
  return value !== undefined && /^[\da-f]{64}$/.test(value) ? value : undefined;
}
