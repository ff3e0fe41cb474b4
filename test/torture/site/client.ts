import { Agent, request } from 'node:http';

export interface Answer {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely
  json: any;
}
/** `unsent`: the connection was refused, so nothing happened. `lost`: there was no complete answer. */
export type Called = Answer | { failure: 'unsent' | 'lost'; because: string };

export interface Call {
  method: string;
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 25_000;

/** Calls of one user. Never throws: a failure is a result. */
export class Client {
  readonly #agent: Agent;
  readonly #authorization: string;

  constructor(authorization: string) {
    this.#authorization = authorization;
    // One connection for each call: a kept one that the platform closes at the very moment would be a lost answer of ours.
    this.#agent = new Agent({ keepAlive: false });
  }

  call(base: string, { method, path, body, headers = {}, timeoutMs = TIMEOUT_MS }: Call): Promise<Called> {
    const bytes = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const all = {
      Authorization: this.#authorization,
      ...(bytes ? { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length) } : {}),
      ...headers,
    };
    const { hostname, port } = new URL(base);
    return new Promise((resolve) => {
      const outgoing = request({ agent: this.#agent, hostname, port, method, path, headers: all }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', (error) => over({ failure: 'lost', because: error.message }));
        response.on('end', () => over(answerOf(response.statusCode ?? 0, Buffer.concat(chunks).toString())));
        response.on('close', () => over({ failure: 'lost', because: 'the answer was cut off' }));
      });
      const timer = setTimeout(() => outgoing.destroy(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
      const over = (result: Called) => {
        clearTimeout(timer);
        resolve(result);
      };
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        over({ failure: error.code === 'ECONNREFUSED' ? 'unsent' : 'lost', because: error.message }),
      );
      outgoing.end(bytes);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function answerOf(status: number, text: string): Answer {
  try {
    return { status, text, json: JSON.parse(text) };
  } catch {
    return { status, text, json: undefined };
  }
}

export const isAnswer = (called: Called): called is Answer => 'status' in called;
