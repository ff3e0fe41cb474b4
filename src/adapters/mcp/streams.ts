import { OutboundError } from '../../contract/codes/outbound.ts';

/** The library processes a reply in the same turn; after this time there was none in the stream. */
const GRACE_MS = 200;

function closedEarly(): OutboundError {
  return new OutboundError('connection_reset', 'The MCP server closed its event stream before it answered.');
}

/** All SSE replies use one stream; when it ends, the library would reconnect and wait. */
export function failAtEnd(response: Response, fail: (failure: OutboundError) => void): Response {
  return through(response, { flush: () => fail(closedEarly()) });
}

/**
 * The event stream of a POST may end without a reply, for which the library would wait until the deadline. A stream with
 * event ids may be resumed. `moved` returns whether the client has sent another message since.
 */
export function failWithoutAnswer(
  response: Response,
  moved: () => boolean,
  fail: (failure: OutboundError) => void,
): Response {
  let resumable = false;
  return through(response, {
    transform(chunk, controller) {
      resumable ||= /(^|[\r\n])id:/.test(Buffer.from(chunk).toString('latin1'));
      controller.enqueue(chunk);
    },
    flush() {
      if (resumable) return;
      setTimeout(() => {
        if (!moved()) fail(closedEarly());
      }, GRACE_MS).unref();
    },
  });
}

function through(response: Response, transformer: Transformer<Uint8Array, Uint8Array>): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  return new Response(body.pipeThrough(new TransformStream(transformer)), { status, statusText, headers });
}
