import { StringDecoder } from 'node:string_decoder';
import { withoutLineEnd } from '../../domain/values/texts.ts';
import { EngineFailure, type LogLine } from '../../ports/engines/containerEngine.ts';

const HEADER = 8;
const LINE_FEED = 0x0a;
const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;
/** Longer than every stamp. */
const STAMP_BYTES = 64;
/** A frame is 16 KB by default; log drivers with larger frames stay far below this. */
const MAX_FRAME_BYTES = 8 * 1024 * 1024;
const FULL_FRAME_BYTES = 16_384;
const MAX_LINE_LENGTH = 1024 * 1024;
/** Limit of the bytes received; only the newest lines are kept. */
const MAX_BYTES = 64 * 1024 * 1024;
/** The maximum of `tail`. Bounds a log of empty lines. */
const MAX_LINES = 10_000;

interface OpenLine {
  entry: LogLine;
  decoder: StringDecoder;
  /** Whether the last frame ended within the line for certain. */
  isCut: boolean;
  stamp: string;
}

/**
 * Parses the engine's multiplexed log stream with timestamps: each frame has a header of eight bytes (byte 0 the stream,
 * bytes 4 to 7 the length). A line longer than 16 KB spans several frames, each with its own timestamp; a frame may end
 * within a character. Beyond `limit` characters the oldest lines are dropped; a line is cut after a megabyte.
 */
export class LogReader {
  readonly #limit: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #neededBytes = HEADER;
  #receivedBytes = 0;
  #lines: LogLine[] = [];
  #dropped = 0;
  #size = 0;
  /** Lines without their end yet, by stream. */
  readonly #open = new Map<number, OpenLine>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** @throws EngineFailure when the stream is not a Docker log or is too large */
  push(chunk: Buffer): void {
    this.#receivedBytes += chunk.length;
    if (this.#receivedBytes > MAX_BYTES) {
      const message = `The log is larger than ${MAX_BYTES / 1024 ** 2} MiB. Request fewer lines.`;
      throw new EngineFailure('upstream_error', message);
    }
    this.#waiting.push(chunk);
    this.#waitingBytes += chunk.length;
    // Concatenated only when a frame is complete, to avoid a copy for each chunk.
    if (this.#waitingBytes >= this.#neededBytes) this.#read(Buffer.concat(this.#waiting));
  }

  #read(buffer: Buffer): void {
    let offset = 0;
    this.#neededBytes = HEADER;
    while (offset + HEADER <= buffer.length) {
      const length = buffer.readUInt32BE(offset + 4);
      if (length > MAX_FRAME_BYTES)
        throw new EngineFailure('upstream_error', 'The reply of the engine is not a Docker log');
      const end = offset + HEADER + length;
      if (end > buffer.length) {
        this.#neededBytes = HEADER + length;
        break;
      }
      this.#piece(buffer[offset] ?? 0, buffer.subarray(offset + HEADER, end));
      offset = end;
    }
    this.#waiting = [buffer.subarray(offset)];
    this.#waitingBytes = buffer.length - offset;
  }

  lines(): LogLine[] {
    for (const stream of this.#open.keys()) this.#close(stream);
    return this.#lines.slice(this.#dropped).map(({ time, line }) => ({ time, line: withoutLineEnd(line) }));
  }

  #piece(stream: number, bytes: Buffer): void {
    const match = STAMP.exec(bytes.toString('latin1', 0, STAMP_BYTES));
    const text = bytes.subarray(match?.[0].length ?? 0);
    const stamp = match?.[1] ?? '';
    let line = this.#open.get(stream);
    // The driver `local` of older engines drops the end of a long line. The frames of one line have one stamp.
    if (line !== undefined && !line.isCut && line.stamp !== stamp) {
      this.#close(stream);
      line = undefined;
    }
    if (line === undefined) {
      line = { entry: { time: stamp, line: '' }, decoder: new StringDecoder('utf8'), isCut: false, stamp };
      this.#lines.push(line.entry);
      this.#open.set(stream, line);
    }
    this.#append(line.entry, line.decoder.write(text));
    line.isCut = text.length >= FULL_FRAME_BYTES || endsWithinCharacter(text);
    if (text.at(-1) === LINE_FEED) this.#close(stream);
    this.#dropOldest();
  }

  #append(entry: LogLine, text: string): void {
    const more = text.slice(0, Math.max(0, MAX_LINE_LENGTH - entry.line.length));
    entry.line += more;
    this.#size += more.length;
  }

  #close(stream: number): void {
    const line = this.#open.get(stream);
    if (line) this.#append(line.entry, line.decoder.end());
    this.#open.delete(stream);
  }

  #dropOldest(): void {
    const isTooMuch = () => this.#size > this.#limit || this.#lines.length - this.#dropped > MAX_LINES;
    while (isTooMuch() && this.#dropped < this.#lines.length - 1) {
      this.#size -= this.#lines[this.#dropped]?.line.length ?? 0;
      this.#dropped += 1;
    }
    if (this.#dropped > MAX_LINES) {
      this.#lines = this.#lines.slice(this.#dropped);
      this.#dropped = 0;
    }
  }
}

function endsWithinCharacter(bytes: Buffer): boolean {
  const tail = bytes.subarray(-3);
  const lead = tail.findLastIndex((byte) => byte < 0x80 || byte >= 0xc0);
  const byte = tail[lead] ?? 0;
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
  return tail.length - lead < length;
}
