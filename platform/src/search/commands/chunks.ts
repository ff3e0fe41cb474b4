/** One message of the chunked search command protocol. */
export interface Chunk {
  metadata: Record<string, unknown>;
  body: string;
}

/** The command's output is not the chunked protocol. */
export class ChunkError extends Error {}

/** `chunked 1.0,<metadata bytes>,<body bytes>\n`, metadata as JSON, body. */
export function encodeChunk(metadata: Record<string, unknown>, body = ''): Buffer {
  const head = Buffer.from(JSON.stringify(metadata), 'utf8');
  const bytes = Buffer.from(body, 'utf8');
  return Buffer.concat([Buffer.from(`chunked 1.0,${head.length},${bytes.length}\n`), head, bytes]);
}

const HEADER = /^chunked\s+1\.0\s*,\s*(\d{1,15})\s*,\s*(\d{1,15})\s*$/;
/** Longer than any header; otherwise garbage without a line break would be buffered forever. */
const MAX_HEADER = 128;
const MAX_METADATA = 16 * 1024 * 1024;
/** Node's strings hold about twice this. */
const MAX_BODY = 256 * 1024 * 1024;

export class ChunkReader {
  readonly #maxBytes: number;
  #parts: Buffer[] = [];
  #size = 0;
  #received = 0;
  #expected: { start: number; metadata: number; total: number } | undefined;

  /** `maxBytes`: the setting maxchunksize, 0 = no limit. */
  constructor(maxBytes = 0) {
    this.#maxBytes = maxBytes > 0 ? Math.min(maxBytes, MAX_BODY) : MAX_BODY;
  }

  /** Total bytes pushed. */
  get received(): number {
    return this.#received;
  }

  push(bytes: Buffer): void {
    this.#parts.push(bytes);
    this.#size += bytes.length;
    this.#received += bytes.length;
  }

  /** The next complete chunk; undefined while bytes are missing. Throws ChunkError. */
  take(): Chunk | undefined {
    if (this.#size === 0) return undefined;
    this.#expected ??= this.#header();
    const expected = this.#expected;
    if (expected === undefined || this.#size < expected.total) return undefined;
    const buffer = this.#joined();
    const { start, metadata, total } = expected;
    const chunk = {
      metadata: readMetadata(buffer.subarray(start, start + metadata)),
      body: buffer.toString('utf8', start + metadata, total),
    };
    const next = buffer.subarray(total);
    this.#parts = next.length === 0 ? [] : [next];
    this.#size = next.length;
    this.#expected = undefined;
    return chunk;
  }

  #header(): { start: number; metadata: number; total: number } | undefined {
    const buffer = this.#joined();
    const end = buffer.indexOf(10);
    if (end < 0 && buffer.length < MAX_HEADER) return undefined;
    const line = buffer.toString('utf8', 0, end < 0 ? MAX_HEADER : Math.min(end, MAX_HEADER));
    const match = end > MAX_HEADER ? null : HEADER.exec(line);
    if (match === null) throw new ChunkError(`Failed to parse transport header: ${JSON.stringify(line)}`);
    const metadata = Number(match[1]);
    const body = Number(match[2]);
    if (metadata > MAX_METADATA) throw new ChunkError(`Chunk metadata of ${metadata} bytes is too large`);
    if (body > this.#maxBytes) throw new ChunkError(`Chunk body of ${body} bytes is larger than ${this.#maxBytes}`);
    return { start: end + 1, metadata, total: end + 1 + metadata + body };
  }

  #joined(): Buffer {
    const [first, ...more] = this.#parts;
    if (first !== undefined && more.length === 0) return first;
    const buffer = Buffer.concat(this.#parts);
    this.#parts = [buffer];
    return buffer;
  }
}

function readMetadata(bytes: Buffer): Record<string, unknown> {
  if (bytes.length === 0) return {};
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw new ChunkError(`Failed to parse chunk metadata: ${(error as Error).message}`);
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new ChunkError('Chunk metadata is not a JSON object');
  return value as Record<string, unknown>;
}
