import type { Readable } from 'node:stream';

/** The other end does not speak the protocol. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
}

export type Metadata = Readonly<Record<string, unknown>>;

const HEADER = /^chunked\s+1\.0\s*,\s*(\d{1,12})\s*,\s*(\d{1,12})\s*$/;
const LONGEST_HEADER = 128;
const MOST_METADATA = 16 * 1024 * 1024;

/** One message of the chunked protocol: lengths are bytes, the metadata has no line break after it. */
export function encodeChunk(metadata: Metadata, body = ''): Buffer {
  const [json, rows] = [Buffer.from(JSON.stringify(metadata), 'utf8'), Buffer.from(body, 'utf8')];
  return Buffer.concat([Buffer.from(`chunked 1.0,${json.length},${rows.length}\n`, 'latin1'), json, rows]);
}

/**
 * The metadata of each message until the stream ends. Bodies are skipped: a generating command has no input.
 * @throws ChunkError
 */
export async function* readChunks(input: Readable): AsyncGenerator<Metadata> {
  const source = input[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
  let held: Buffer = Buffer.alloc(0);
  const more = async (): Promise<boolean> => {
    const { value, done } = await source.next();
    if (done) return false;
    held = held.length === 0 ? value : Buffer.concat([held, value]);
    return true;
  };
  const skip = async (bytes: number): Promise<boolean> => {
    for (let left = bytes; ; ) {
      const here = Math.min(left, held.length);
      held = held.subarray(here);
      left -= here;
      if (left === 0) return true;
      if (!(await more())) return false;
    }
  };

  for (;;) {
    let end = held.indexOf(10);
    while (end < 0) {
      if (held.length > LONGEST_HEADER) throw new ChunkError('The header of a chunk does not end');
      if (!(await more())) {
        if (held.length > 0) throw new ChunkError('The input ends inside the header of a chunk');
        return;
      }
      end = held.indexOf(10);
    }
    const match = HEADER.exec(held.subarray(0, end).toString('latin1'));
    if (!match) throw new ChunkError('The input is not a chunk of version 1.0');
    const [metadataBytes, bodyBytes] = [Number(match[1]), Number(match[2])];
    if (metadataBytes > MOST_METADATA) throw new ChunkError('The metadata of a chunk is too large');
    held = held.subarray(end + 1);
    while (held.length < metadataBytes) if (!(await more())) throw new ChunkError('The input ends inside a chunk');
    const metadata = parse(held.subarray(0, metadataBytes));
    held = held.subarray(metadataBytes);
    if (!(await skip(bodyBytes))) throw new ChunkError('The input ends inside a chunk');
    yield metadata;
  }
}

function parse(bytes: Buffer): Metadata {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new ChunkError('The metadata of a chunk is not JSON');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ChunkError('The metadata of a chunk is not a JSON object');
  }
  return value as Metadata;
}
