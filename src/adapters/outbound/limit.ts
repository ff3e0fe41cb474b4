import { Transform, type TransformCallback } from 'node:stream';
import { OutboundError } from '../../contract/codes/outbound.ts';

export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/**
 * Ends a body that grows beyond `maxBytes`. A body of server-sent events is a row of messages, so there each event
 * is measured, and the stream as a whole may be longer.
 */
export function sizeLimit(maxBytes: number, perEvent: boolean): Transform {
  let size = 0;
  let tail = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback): void {
      size += chunk.length;
      // An event that ends inside this chunk is measured with what this chunk holds of the next one: at most one chunk off.
      if (size > maxBytes) {
        done(tooLarge(maxBytes));
        return;
      }
      if (perEvent) {
        const text = tail + chunk.toString('latin1');
        const end = lastEventEnd(text);
        if (end >= 0) size = text.length - end;
        tail = text.slice(-3);
      }
      done(null, chunk);
    },
  });
}

function lastEventEnd(text: string): number {
  let end = -1;
  for (const boundary of ['\n\n', '\r\n\r\n', '\r\r']) {
    const at = text.lastIndexOf(boundary);
    if (at >= 0) end = Math.max(end, at + boundary.length);
  }
  return end;
}

export function tooLarge(maxBytes: number): OutboundError {
  const mib = maxBytes / (1024 * 1024);
  return new OutboundError(
    'upstream_error',
    `The answer is larger than ${mib >= 1 ? `${mib} MiB` : `${maxBytes} bytes`}.`,
  );
}
