import { type Calling, MlExtensionError, TransportError } from './errors.ts';
import type { Answer } from './exchange.ts';
import type { Failure, PlatformMessages } from './schemas.ts';

/** These statuses of a proxy pass by themselves. */
const PASSING = new Set([429, 502, 503, 504]);
const LONGEST_TITLE = 100;

/**
 * The reply in an answer.
 * @throws MlExtensionError when the app or the platform has refused
 * @throws TransportError when neither of them has spoken
 */
export function readAnswer(calling: Calling, origin: string, { status, headers, text }: Answer): unknown {
  const value = parsed(text);
  const retryAfter = secondsOf(headers.get('retry-after'));
  if (isObject(value)) {
    // Each reply has a status, but for the OpenAPI document; without it, another program has answered.
    if (status === 200 && (typeof value.status === 'string' || typeof value.openapi === 'string')) return value;
    const isRefusal = typeof value.error_code === 'string' || Array.isArray(value.messages);
    if (status >= 400 && isRefusal)
      throw new MlExtensionError(calling, status, value as Failure | PlatformMessages, retryAfter);
  }
  const message = `${origin} answered ${status} with ${described(text, value)}: this is not an answer of the Machine Learning Extension`;
  const isTransient = PASSING.has(status);
  throw new TransportError(calling, 'unexpected_answer', message, { status, retryAfter, isTransient });
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

/** What somebody needs who has to find out which program has answered. */
function described(text: string, value: unknown): string {
  const start = text.trimStart();
  if (start === '') return 'nothing';
  if (value !== undefined) return 'other JSON';
  if (start.startsWith('{')) return 'broken JSON';
  if (!start.startsWith('<')) return 'text that is not JSON';
  const title = /<title>([^<]*)<\/title>/i.exec(text.slice(0, 10_000))?.[1]?.trim().slice(0, LONGEST_TITLE);
  return title ? `an HTML page, “${title}”` : 'an HTML page';
}

/** Both forms that the header may have. */
function secondsOf(text: string | null): number | undefined {
  if (text === null) return undefined;
  if (/^\d{1,9}$/.test(text.trim())) return Number(text);
  const date = Date.parse(text);
  return Number.isNaN(date) ? undefined : Math.max(0, (date - Date.now()) / 1000);
}
