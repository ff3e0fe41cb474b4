import { isBusy, readAnswer } from './answer.ts';
import { type Calling, MlExtensionError, TransportError } from './errors.ts';
import { exchange, type Request } from './exchange.ts';
import { Limit, pause, TimeIsUp } from './limit.ts';
import { itemKey } from './listings.ts';
import { operations } from './operations.ts';
import type { ClientOptions } from './options.ts';
import { entries, type Page } from './pages.ts';
import { pauseBefore, shouldRetry } from './retries.ts';
import { authorizationOf, baseOf, formKey } from './session.ts';
import type {
  AnyInput,
  CallArguments,
  CallOptions,
  Item,
  ListingArguments,
  ListingId,
  OperationId,
  Reply,
} from './types.ts';

const TIMEOUT_MS = 120_000;
const RETRIES = 2;
const MAX_REPLY_BYTES = 64 * 1024 * 1024;
const PAGE_SIZE = 100;
/** Longer waits are left to the caller. */
const LONGEST_WAIT_MS = 60_000;

/** Typed client for every operation of the OpenAPI document. */
export class MlExtension {
  readonly #options: ClientOptions;
  readonly #base: { origin: string; prefix: string };
  readonly #authorization: string | undefined;

  /** @throws TypeError for an address or credentials that cannot be used */
  constructor(options: ClientOptions) {
    this.#options = options;
    this.#base = baseOf(options);
    this.#authorization = authorizationOf(options);
  }

  /**
   * @returns the reply with HTTP status 200; a failed connection test also has it, with `status: "fail"`
   * @throws MlExtensionError if the app or the platform refused the call
   * @throws TransportError if neither answered
   * @throws the reason of the signal
   */
  async call<Id extends OperationId>(id: Id, ...[input, options]: CallArguments<Id>): Promise<Reply<Id>> {
    return (await this.#call(id, (input ?? {}) as AnyInput, options)) as Reply<Id>;
  }

  /**
   * Iterates over all entries of a list and fetches pages as needed.
   * @throws what `call` throws
   */
  each<Id extends ListingId>(
    id: Id,
    ...[input, options = {}]: ListingArguments<Id>
  ): AsyncGenerator<Item<Id>, void, undefined> {
    const { pageSize = PAGE_SIZE, ...others } = options;
    if (!Number.isSafeInteger(pageSize) || pageSize < 1)
      throw new RangeError('pageSize must be a whole number from 1 on');
    const { query, ...parts } = (input ?? {}) as AnyInput;
    const page = async (offset: number, count: number) =>
      (await this.#call(id, { ...parts, query: { ...query, offset, count } }, others)) as Page<Item<Id>>;
    const endless = (message: string) =>
      new TransportError({ operation: id, tries: 1, wasSent: true }, 'unexpected_answer', message);
    return entries({ page, pageSize, keyOf: (item) => itemKey(id, item), signal: others.signal, endless });
  }

  async #call(id: OperationId, input: AnyInput, { signal, timeoutMs, retries }: CallOptions = {}): Promise<unknown> {
    const ms = timeoutMs ?? this.#options.timeoutMs ?? TIMEOUT_MS;
    const limit = new Limit(ms, signal);
    const calling = { operation: id, tries: 0, wasSent: false };
    try {
      return await this.#repeat(calling, input, limit, retries ?? this.#options.retries ?? RETRIES);
    } catch (error) {
      if (!(error instanceof TimeIsUp)) throw error;
      throw new TransportError(calling, 'timeout', `No answer within ${ms} ms`, { cause: error });
    } finally {
      limit.release();
    }
  }

  /** @param calling updated with each try */
  async #repeat(calling: Calling, input: AnyInput, limit: Limit, retries: number): Promise<unknown> {
    let hasNewKey = false;
    for (;;) {
      const request = this.#request(calling.operation, input);
      try {
        limit.signal.throwIfAborted();
        calling.tries += 1;
        return await this.#once(calling, request, limit);
      } catch (failure) {
        if (!(failure instanceof MlExtensionError || failure instanceof TransportError)) throw failure;
        // Another tab has logged in again. A 401 precedes all other checks, so repeating is safe.
        const isStale: boolean = !hasNewKey && failure.status === 401 && this.#hasOtherKey(request);
        hasNewKey ||= isStale;
        if (isStale) continue;
        if (calling.tries > retries || !shouldRetry(failure, input)) throw failure;
        const wait = pauseBefore(failure);
        // Fail now if the wait would exceed the time limit.
        if (wait > LONGEST_WAIT_MS || wait >= limit.remainingMs()) throw failure;
        await pause(wait, limit.signal);
      }
    }
  }

  async #once(calling: Calling, request: Request, limit: Limit): Promise<unknown> {
    const { fetch: send = fetch, maxReplyBytes = MAX_REPLY_BYTES } = this.#options;
    const { wasSent } = calling;
    const answer = await exchange(request, { calling, send, limit, maxReplyBytes });
    if (isBusy(answer)) calling.wasSent = wasSent;
    return readAnswer(calling, request.url.origin, answer);
  }

  #request(id: OperationId, input: AnyInput): Request {
    const { ifMatch, body } = input;
    const withCookies = this.#authorization === undefined;
    return {
      url: this.#url(id, input, withCookies),
      method: operations[id].method,
      headers: {
        Accept: 'application/json',
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        ...(ifMatch === undefined ? {} : { 'If-Match': String(ifMatch) }),
        ...(withCookies ? browserHeaders() : { Authorization: this.#authorization ?? '' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      withCookies,
    };
  }

  #url(id: OperationId, { params = {}, query = {}, ifMatch }: AnyInput, isProxied: boolean): URL {
    const path = operations[id].path.replaceAll(/\{(\w+)\}/g, (_, name: string) => segment(name, params[name]));
    const { origin, prefix } = this.#base;
    const { owner = 'nobody' } = this.#options;
    const url = new URL(
      `${prefix && `/${prefix}`}/servicesNS/${encodeURIComponent(owner)}/ml_extension${path}`,
      origin,
    );
    for (const [key, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(key, String(value));
    // Splunk Web drops If-Match.
    if (isProxied && ifMatch !== undefined) url.searchParams.set('version', String(ifMatch));
    // Makes the platform's own errors JSON, too.
    url.searchParams.set('output_mode', 'json');
    return url;
  }

  #hasOtherKey({ headers, withCookies }: Request): boolean {
    return withCookies && formKey() !== headers['X-Splunk-Form-Key'];
  }
}

function browserHeaders(): Record<string, string> {
  const key = formKey();
  return { 'X-Requested-With': 'XMLHttpRequest', ...(key === undefined ? {} : { 'X-Splunk-Form-Key': key }) };
}

/**
 * Model ids may contain slashes.
 * @throws TypeError for values that would change the path
 */
function segment(name: string, value: string | undefined): string {
  const parts = (value ?? '').split('/');
  if (!value || parts.some((part) => part === '.' || part === '..')) {
    throw new TypeError(`${name} must not be empty, and no part of it may be . or ..`);
  }
  return parts.map(encodeURIComponent).join('/');
}
