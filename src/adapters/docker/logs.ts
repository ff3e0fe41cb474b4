import type { LogLine } from '../../ports/containerEngine.ts';

const HEADER = 8;
const STAMP = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)) ?/;

/**
 * Lines of a container's log as the engine sends it, with timestamps: each piece has a header of eight bytes (byte 0 the
 * stream, bytes 4 to 7 the length), and a line longer than 16 KB comes in several pieces, each with the timestamp anew.
 * Of more than `limit` characters the oldest lines are dropped.
 */
export class LogReader {
  readonly #limit: number;
  #rest: Buffer = Buffer.alloc(0);
  #lines: LogLine[] = [];
  #dropped = 0;
  #size = 0;
  readonly #open = new Map<number, LogLine>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  push(chunk: Buffer): void {
    const buffer = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    let at = 0;
    while (at + HEADER <= buffer.length) {
      const end = at + HEADER + buffer.readUInt32BE(at + 4);
      if (end > buffer.length) break;
      this.#piece(buffer[at] ?? 0, buffer.toString('utf8', at + HEADER, end));
      at = end;
    }
    this.#rest = buffer.subarray(at);
  }

  lines(): LogLine[] {
    return this.#lines.slice(this.#dropped).map(({ time, line }) => ({ time, line: line.replace(/[\r\n]+$/, '') }));
  }

  #piece(stream: number, text: string): void {
    const match = STAMP.exec(text);
    const [time, line] = match?.[1] ? [match[1], text.slice(match[0].length)] : ['', text];
    const whole = line.endsWith('\n');
    const begun = this.#open.get(stream);
    if (begun) begun.line += line;
    else {
      const entry = { time, line };
      this.#lines.push(entry);
      if (!whole) this.#open.set(stream, entry);
    }
    if (whole) this.#open.delete(stream);
    this.#size += line.length;
    while (this.#size > this.#limit && this.#dropped < this.#lines.length - 1) {
      this.#size -= this.#lines[this.#dropped]?.line.length ?? 0;
      this.#dropped += 1;
    }
    if (this.#dropped > 10_000) {
      this.#lines = this.#lines.slice(this.#dropped);
      this.#dropped = 0;
    }
  }
}
