import { type Calling, TransportError } from './errors.ts';
import type { Limit } from './limit.ts';
import { codeOf, untrustedReason } from './untrusted.ts';

export interface Request {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | undefined;
  /** Send the browser's cookies. */
  withCookies: boolean;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
}

interface Means {
  calling: Calling;
  send: typeof fetch;
  limit: Limit;
  maxReplyBytes: number;
}

/** No connection was made. */
const NOT_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT']);

/**
 * Sends a request and reads the whole answer.
 * @throws TransportError
 * @throws the reason of the limit's signal
 */
export async function exchange({ url, method, headers, body, withCookies }: Request, means: Means): Promise<Answer> {
  const { calling, send, limit } = means;
  let response: Response;
  try {
    const sending = send(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      // Never followed: the credentials, and the secrets in a body, are for this server alone.
      redirect: 'manual',
      // Some runtimes without cookies refuse the very word.
      ...(withCookies ? { credentials: 'include' as const } : {}),
      signal: limit.signal,
    });
    response = await limit.race(sending);
  } catch (error) {
    const code = codeOf(error);
    calling.wasSent ||= !NOT_CONNECTED.has(code) && untrustedReason(code) === undefined;
    limit.signal.throwIfAborted();
    throw unconnected(calling, url, error);
  }
  calling.wasSent = true;
  const { status } = response;
  const isElsewhere = response.redirected || response.type === 'opaqueredirect';
  if (isElsewhere || (status >= 300 && status < 400)) {
    discard(response.body);
    throw redirected(calling, url, response);
  }
  try {
    return { status, headers: response.headers, text: await textOf(response, means) };
  } catch (error) {
    limit.signal.throwIfAborted();
    if (error instanceof TransportError) throw error;
    const message = `The answer of ${url.origin} broke off`;
    throw new TransportError(calling, 'cut_off', message, { status, isTransient: true, cause: error });
  }
}

function unconnected(calling: Calling, url: URL, error: unknown): TransportError {
  const code = codeOf(error);
  const untrusted = untrustedReason(code);
  const reason = untrusted === undefined ? code || (error as Partial<Error>).message : `${untrusted} (${code})`;
  return new TransportError(calling, 'network', `The connection to ${url.origin} failed: ${reason}`, {
    isTransient: untrusted === undefined,
    cause: error,
  });
}

function redirected(calling: Calling, url: URL, { status, headers, url: reached }: Response): TransportError {
  const location = headers.get('location') ?? reached;
  const to = location && URL.canParse(location, url) ? ` to ${new URL(location, url).origin}` : '';
  return new TransportError(calling, 'redirect', `${url.origin} redirects this call${to}, which the app never does`, {
    // Browsers hide it.
    status: status || undefined,
  });
}

async function textOf(response: Response, { calling, limit, maxReplyBytes: most }: Means): Promise<string> {
  const { status, body, headers } = response;
  const tooLarge = () =>
    new TransportError(calling, 'too_large', `The answer has more than ${most} bytes: ask for less`, { status });
  if (Number(headers.get('content-length')) > most) {
    discard(body);
    throw tooLarge();
  }
  if (!body) return limit.race(response.text());
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await limit.race(reader.read());
      if (done) break;
      bytes += value.byteLength;
      if (bytes > most) throw tooLarge();
      parts.push(decoder.decode(value, { stream: true }));
    }
  } catch (error) {
    reader.cancel().catch(() => undefined);
    throw error;
  }
  return parts.join('') + decoder.decode();
}

/** Frees the connection. */
function discard(body: Response['body']): void {
  body?.cancel().catch(() => undefined);
}
