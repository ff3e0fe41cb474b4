import { type Calling, MlExtensionError, TransportError } from './errors.ts';
import type { Answer } from './exchange.ts';
import { operations } from './operations.ts';
import type { Failure, PlatformMessages } from './schemas.ts';

/** Transient statuses of a proxy. */
const TRANSIENT = new Set([502, 503, 504]);
const LONGEST_TITLE = 100;

/** Whether the platform or a proxy refused the call since too many are under way; the app has not seen it. */
export function isBusy({ status, text }: Answer): boolean {
  const value = status === 429 ? parsed(text) : undefined;
  return status === 429 && !(isObject(value) && typeof value.error_code === 'string');
}

/**
 * Parses the reply.
 * @throws MlExtensionError if the app or the platform refused the call
 * @throws TransportError if the answer comes from something else
 */
export function readAnswer(calling: Calling, origin: string, answer: Answer): unknown {
  const { status, headers, text } = answer;
  const retryAfter = secondsOf(headers.get('retry-after'));
  if (isBusy(answer)) {
    const message = `${origin} has too many calls under way and refused this one (429)`;
    throw new TransportError(calling, 'busy', message, { status, retryAfter, isTransient: true });
  }
  const value = parsed(text);
  if (isObject(value)) {
    if (status === 200 && isOfApp(calling, value)) return value;
    const isRefusal = typeof value.error_code === 'string' || Array.isArray(value.messages);
    if (status >= 400 && isRefusal)
      throw new MlExtensionError(calling, status, value as Failure | PlatformMessages, retryAfter);
  }
  const message = `${origin} answered ${status} with ${described(text, value)}: this is not an answer of the Machine Learning Extension`;
  const isTransient = TRANSIENT.has(status);
  throw new TransportError(calling, 'unexpected_answer', message, { status, retryAfter, isTransient });
}

/** Rows that speak the protocol of others. */
const BARE = /^\/ai_gateway\/(v1|mcp)(\/|$)/;

/** Every reply but the OpenAPI document has a `status`; those of OpenAI's API have an `object`, those of MCP a `jsonrpc`. */
function isOfApp({ operation }: Calling, { status, openapi, object, jsonrpc }: Record<string, unknown>): boolean {
  if (BARE.test(operations[operation].path)) return typeof object === 'string' || jsonrpc === '2.0';
  return typeof status === 'string' || typeof openapi === 'string';
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Helps to find out which program answered. */
function described(text: string, value: unknown): string {
  const start = text.trimStart();
  if (start === '') return 'nothing';
  if (value !== undefined) return 'other JSON';
  if (start.startsWith('{')) return 'broken JSON';
  if (!start.startsWith('<')) return 'text that is not JSON';
  const title = /<title>([^<]*)<\/title>/i.exec(text.slice(0, 10_000))?.[1]?.trim().slice(0, LONGEST_TITLE);
  return title ? `an HTML page, “${title}”` : 'an HTML page';
}

/** Retry-After is a number of seconds or a date. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
