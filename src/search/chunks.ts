import type { Readable } from 'node:stream';
import { ByteReader } from './byteReader.ts';

/** A violation of the chunked protocol. */
export class ChunkError extends Error {
  override readonly name = 'ChunkError';
}

export type Metadata = Readonly<Record<string, unknown>>;

export interface Chunk {
  metadata: Metadata;
  /** Bytes of the body. */
  size: number;
  /** Rows as CSV in arbitrary pieces. `ChunkReader.next` skips an unread rest. */
  body: AsyncGenerator<Buffer>;
}

const HEADER = /^chunked\s+1\.0\s*,\s*(\d{1,12})\s*,\s*(\d{1,12})\s*$/;
const LONGEST_HEADER = 128;
const MOST_METADATA = 16 * 1024 * 1024;
const LINE_END = 10;

/** Encodes a message of the chunked protocol; lengths count bytes. */
export function encodeChunk(metadata: Metadata, body = ''): Buffer {
  const [json, rows] = [Buffer.from(JSON.stringify(metadata), 'utf8'), Buffer.from(body, 'utf8')];
  return Buffer.concat([Buffer.from(`chunked 1.0,${json.length},${rows.length}\n`, 'latin1'), json, rows]);
}

/** Reads messages of the chunked protocol with backpressure. */
export class ChunkReader {
  readonly #bytes: ByteReader;
  /** Unread bytes of the current body. */
  #left = 0;

  constructor(input: Readable) {
    this.#bytes = new ByteReader(input);
  }

  /** Resolves at the end of the input, even without a pending read. */
  get ended(): Promise<void> {
    return this.#bytes.ended;
  }

  /** Undefined at the end of the input. @throws ChunkError */
  async next(): Promise<Chunk | undefined> {
    while (this.#left > 0) await this.#piece();
    const line = await this.#bytes.until(LINE_END, LONGEST_HEADER);
    if (line === undefined) throw new ChunkError('The header of a chunk does not end');
    if (line.length === 0) return undefined;
    if (line.at(-1) !== LINE_END) throw new ChunkError('The input ends inside the header of a chunk');
    const match = HEADER.exec(line.toString('latin1'));
    if (!match) throw new ChunkError('The input is not a chunk of version 1.0');
    const metadataBytes = Number(match[1]);
    if (metadataBytes > MOST_METADATA) throw new ChunkError('The metadata of a chunk is too large');
    const pieces: Buffer[] = [];
    this.#left = metadataBytes;
    while (this.#left > 0) pieces.push(await this.#piece());
    const size = Number(match[2]);
    this.#left = size;
    return { metadata: parseMetadata(Buffer.concat(pieces)), size, body: this.#body() };
  }

  /** Discards the rest of the input. */
  async drain(): Promise<void> {
    while (await this.#bytes.take(Number.POSITIVE_INFINITY));
  }

  async *#body(): AsyncGenerator<Buffer> {
    while (this.#left > 0) yield await this.#piece();
  }

  async #piece(): Promise<Buffer> {
    const piece = await this.#bytes.take(this.#left);
    if (piece === undefined) throw new ChunkError('The input ends inside a chunk');
    this.#left -= piece.length;
    return piece;
  }
}

function parseMetadata(bytes: Buffer): Metadata {
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
