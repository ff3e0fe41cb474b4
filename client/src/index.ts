import { type Operations, operations } from './operations.ts';
import type { ErrorCode, FieldProblem } from './schemas.ts';

export type { Operations } from './operations.ts';
export { operations } from './operations.ts';
export type * from './schemas.ts';

export interface ClientOptions {
  /** Base address of the management port: `https://host:8089`. */
  baseUrl: string;
  /** A session key, a bearer token, or user name and password. */
  auth: { sessionKey: string } | { token: string } | { username: string; password: string };
  /** Owner in the URL; has no influence on who the caller is. */
  owner?: string;
  /** Another fetch, for proxies or private authorities, say. */
  fetch?: typeof fetch;
  /** Milliseconds for one call; 120,000 unless given. */
  timeoutMs?: number;
}

/** What goes into a call of an operation. */
export type Input<Id extends keyof Operations> = Omit<Operations[Id], 'reply'>;
export type Reply<Id extends keyof Operations> = Operations[Id]['reply'];

interface Loose {
  params?: Record<string, string>;
  query?: Record<string, unknown>;
  ifMatch?: number;
  body?: unknown;
}

/** A call that failed. `code` is one of the documented error codes; the platform's own failures have none. */
export class MlExtensionError extends Error {
  readonly status: number;
  readonly code: ErrorCode | undefined;
  /** What a person can do about it. */
  readonly remedy: string | undefined;
  readonly requestId: string | undefined;
  /** Problems by field (400). */
  readonly errors: FieldProblem[];
  readonly body: unknown;

  constructor(status: number, body: unknown) {
    const fail = (typeof body === 'object' && body !== null ? body : {}) as {
      message?: string;
      error_code?: ErrorCode;
      remedy?: string;
      request_id?: string;
      errors?: FieldProblem[];
      messages?: { text: string }[];
    };
    super(fail.message ?? fail.messages?.[0]?.text ?? `The platform answered ${status}`);
    this.name = 'MlExtensionError';
    this.status = status;
    this.code = fail.error_code;
    this.remedy = fail.remedy;
    this.requestId = fail.request_id;
    this.errors = fail.errors ?? [];
    this.body = body;
  }
}

/** Calls the Machine Learning Extension of a platform. Every operation of its OpenAPI document, typed. */
export class MlExtension {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /**
   * @returns the reply of status 200; tests of connections answer `status: "fail"` there when they fail
   * @throws MlExtensionError for every other status
   */
  async call<Id extends keyof Operations>(
    id: Id,
    ...[input]: Record<string, never> extends Input<Id> ? [input?: Input<Id>] : [input: Input<Id>]
  ): Promise<Reply<Id>> {
    const { params = {}, query = {}, ifMatch, body } = (input ?? {}) as Loose;
    const { method, path } = operations[id];
    const { baseUrl, owner = 'nobody', timeoutMs = 120_000 } = this.#options;
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(params[name] ?? ''));
    const url = new URL(`/servicesNS/${encodeURIComponent(owner)}/ml_extension${filled}`, baseUrl);
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
    // The app answers JSON always; the platform's own refusals do when they are asked to.
    url.searchParams.set('output_mode', 'json');
    const send = this.#options.fetch ?? fetch;
    const response = await send(url, {
      method,
      headers: {
        Authorization: this.#authorization(),
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'If-Match': String(ifMatch) }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const text = await response.text();
    const value = parse(text);
    if (response.status !== 200) throw new MlExtensionError(response.status, value);
    return value as Reply<Id>;
  }

  #authorization(): string {
    const { auth } = this.#options;
    if ('sessionKey' in auth) return `Splunk ${auth.sessionKey}`;
    if ('token' in auth) return `Bearer ${auth.token}`;
    const bytes = new TextEncoder().encode(`${auth.username}:${auth.password}`);
    return `Basic ${btoa(String.fromCharCode(...bytes))}`;
  }
}

/** A model id may hold slashes: it is the whole rest of its path. */
const segment = (value: string) => value.split('/').map(encodeURIComponent).join('/');

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
