import type { Readable } from 'node:stream';
import { OutboundError } from '../../contract/codes/outbound.ts';
import { classify } from './classify.ts';
import type { Exchange, Wire } from './exchange.ts';
import { callableUrl } from './guard.ts';
import { MAX_MESSAGE_BYTES } from './limit.ts';
import type { SessionOptions } from './session.ts';

const BODILESS = new Set([204, 205, 304]);

/**
 * The part of WHATWG fetch that libraries use: string or byte bodies, headers, streaming replies, abort. Network and policy
 * failures reject with OutboundError, an abort by the caller with AbortError.
 */
export function createFetch(wire: Wire, options: SessionOptions, userAgent: string): typeof fetch {
  const { deadline, secrets } = options;
  const hasClientCertificate = options.clientCertificate !== undefined;

  return async (input, init) => {
    const request = input instanceof Request ? input : undefined;
    const url = request?.url ?? String(input);
    const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
    const caller = init?.signal ?? request?.signal;
    const signal = caller ? AbortSignal.any([deadline.signal, caller]) : deadline.signal;
    let peer: string | undefined;

    const failure = (error: unknown): unknown => {
      if (caller?.aborted && !deadline.signal.aborted) return abortError();
      const classified = classify(error, { peer, secrets, signal: deadline.signal, hasClientCertificate });
      options.onFailure?.(classified, { method });
      return classified;
    };

    try {
      peer = callableUrl(url).host;
      signal.throwIfAborted();
      const headers = new Headers(init?.headers ?? request?.headers);
      if (!headers.has('user-agent')) headers.set('user-agent', userAgent);
      const answer = await wire.exchange({
        method,
        url,
        headers: Object.fromEntries(headers),
        body: await bytes(init?.body ?? request),
        signal,
        maxBytes: options.maxBytes ?? MAX_MESSAGE_BYTES,
        redirects: options.followsSameOrigin ? 'same_origin' : 'refuse',
      });
      return toResponse(answer, failure);
    } catch (error) {
      throw failure(error);
    }
  };
}

function abortError(): DOMException {
  return new DOMException('The call was aborted.', 'AbortError');
}

async function bytes(body: BodyInit | Request | null | undefined): Promise<string | Uint8Array | undefined> {
  if (body === null || body === undefined || typeof body === 'string') return body ?? undefined;
  if (body instanceof URLSearchParams) return body.toString();
  const source = body instanceof Request ? body : new Response(body);
  return source.body === null ? undefined : new Uint8Array(await source.arrayBuffer());
}

function toResponse(answer: Exchange, failure: (error: unknown) => unknown): Response {
  if (answer.status < 200 || answer.status > 599) {
    answer.body.destroy();
    throw new OutboundError('upstream_error', `The server answered with the HTTP status ${answer.status}`);
  }
  const headers = new Headers();
  for (const [name, value] of Object.entries(answer.headers)) {
    for (const text of Array.isArray(value) ? value : [value]) headers.append(name, String(text));
  }
  const init = { status: answer.status, statusText: answer.statusText, headers };
  if (BODILESS.has(answer.status)) {
    answer.body.resume();
    return new Response(null, init);
  }
  return new Response(toWebStream(answer.body, failure), init);
}

/** Not `Readable.toWeb`: errors have to be classified, and an unread body must not raise one. */
function toWebStream(body: Readable, failure: (error: unknown) => unknown): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const next = await chunks.next();
          if (next.done) controller.close();
          else controller.enqueue(new Uint8Array(next.value));
        } catch (error) {
          controller.error(failure(error));
        }
      },
      cancel() {
        body.destroy();
      },
    },
    // No read-ahead.
    { highWaterMark: 0 },
  );
}
