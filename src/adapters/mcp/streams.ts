import { OutboundError } from '../../contract/codes/outbound.ts';

/** The library hands an answer on in the same turn; if nothing has come of it after this time, it was not an answer. */
const GRACE_MS = 200;

function closedEarly(): OutboundError {
  return new OutboundError('connection_reset', 'The MCP server closed its event stream before it answered.');
}

/** All answers of the SSE transport come over one stream; when it ends, the library would reconnect and wait. */
export function failAtEnd(response: Response, fail: (failure: OutboundError) => void): Response {
  return through(response, { flush: () => fail(closedEarly()) });
}

/**
 * The event stream of one POST may end without the answer, and the library would wait for it until the deadline. One with event
 * ids may be resumed. `moved` tells whether the client has gone on to its next message since.
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
