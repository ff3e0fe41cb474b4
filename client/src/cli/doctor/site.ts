import { setTimeout as sleep } from 'node:timers/promises';

export interface Asked {
  body?: string | URLSearchParams;
  headers?: Readonly<Record<string, string>>;
  /** Without credentials. */
  isAnonymous?: boolean;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  /** Undefined if the text is not JSON. */
  json: unknown;
  /** Local time in the middle of the call, in ms since the epoch. */
  at: number;
  ms: number;
}

export type Silence = 'timeout' | 'refused' | 'unknown_host' | 'certificate' | 'not_tls' | 'broken_off' | 'too_large';

/** A call without an answer. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
  readonly kind: Silence;

  constructor(kind: Silence, message: string) {
    super(message);
    this.kind = kind;
  }
}

const LARGEST = 32 * 1024 * 1024;

/** Plain HTTP requests without redirects or retries. */
export class Site {
  readonly #base: string;
  readonly #fetch: typeof fetch;
  readonly #timeoutMs: number;
  /** Value of the Authorization header. */
  authorization: string | undefined;

  /** @param base without a trailing slash */
  constructor(base: string, send: typeof fetch, timeoutMs: number) {
    this.#base = base;
    this.#fetch = send;
    this.#timeoutMs = timeoutMs;
  }

  /** @throws Unanswered */
  async ask(method: string, path: string, { body, headers = {}, isAnonymous = false }: Asked = {}): Promise<Answer> {
    const from = Date.now();
    const abort = new AbortController();
    const isForm = body instanceof URLSearchParams;
    const all: Record<string, string> = {
      Accept: 'application/json',
      ...(body === undefined ? {} : { 'Content-Type': isForm ? FORM : 'application/json' }),
      ...(this.authorization && !isAnonymous ? { Authorization: this.authorization } : {}),
      ...headers,
    };
    const calling = this.#call(new URL(this.#base + path), {
      method,
      headers: all,
      signal: abort.signal,
      ...(body === undefined ? {} : { body: String(body) }),
    });
    // Also limits answers that stall.
    const patience = sleep(this.#timeoutMs, undefined, { signal: abort.signal }).then(() => {
      throw new Unanswered('timeout', `no answer within ${this.#timeoutMs / 1000} seconds`);
    });
    try {
      const { status, headers: responseHeaders, text } = await Promise.race([calling, patience]);
      const ms = Date.now() - from;
      return { status, headers: responseHeaders, text, json: parsed(text), at: from + ms / 2, ms };
    } catch (error) {
      throw error instanceof Unanswered ? error : unanswered(error);
    } finally {
      abort.abort();
      patience.catch(() => undefined);
      calling.catch(() => undefined);
    }
  }

  async #call(url: URL, init: RequestInit) {
    const response = await this.#fetch(url, init);
    const parts: Uint8Array[] = [];
    let bytes = 0;
    for await (const part of response.body ?? []) {
      bytes += part.byteLength;
      if (bytes > LARGEST) throw new Unanswered('too_large', `an answer of more than ${LARGEST} bytes`);
      parts.push(part);
    }
    return { status: response.status, headers: response.headers, text: Buffer.concat(parts).toString() };
  }
}

const FORM = 'application/x-www-form-urlencoded';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unanswered(error: unknown): Unanswered {
  const { cause = error } = error as { cause?: unknown };
  const { code = '', message = '' } = cause as { code?: string; message?: string };
  // An AggregateError has no message.
  return new Unanswered(kindOf(code), code || message || 'the connection failed');
}

function kindOf(code: string): Silence {
  if (/^(ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)$/.test(code)) return 'refused';
  if (/^(ENOTFOUND|EAI_AGAIN)$/.test(code)) return 'unknown_host';
  if (/^(EPROTO|ERR_SSL_WRONG_VERSION_NUMBER|ERR_SSL_PACKET_LENGTH_TOO_LONG|HPE_INVALID_CONSTANT)$/.test(code))
    return 'not_tls';
  if (/CERT|SIGNATURE|SELF_SIGNED/.test(code)) return 'certificate';
  return 'broken_off';
}
