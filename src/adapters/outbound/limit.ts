import { Transform, type TransformCallback } from 'node:stream';
import { OutboundError } from '../../contract/codes/outbound.ts';

export const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Fails a body that exceeds `maxBytes`. For server-sent events the limit applies to each event. */
export function sizeLimit(maxBytes: number, perEvent: boolean): Transform {
  let size = 0;
  let tail = '';
  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback): void {
      size += chunk.length;
      // Includes the start of the next event in this chunk, so the limit is exact to one chunk.
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
    const start = text.lastIndexOf(boundary);
    if (start >= 0) end = Math.max(end, start + boundary.length);
  }
  return end;
}

/**
 * Reads a whole body. `sizeLimit` bounds each event of an event stream alone; this bounds what is kept in memory.
 * @throws OutboundError `upstream_error` above `maxBytes`
 */
export async function collect(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function tooLarge(maxBytes: number): OutboundError {
  const mib = maxBytes / (1024 * 1024);
  return new OutboundError(
    'upstream_error',
    `The answer is larger than ${mib >= 1 ? `${mib} MiB` : `${maxBytes} bytes`}`,
  );
}
