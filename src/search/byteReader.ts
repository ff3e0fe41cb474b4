import type { Readable } from 'node:stream';

/** Buffer limit: reading ahead detects the end of the input without holding all of it. */
const READ_AHEAD = 1024 * 1024;

/** Reads a stream by length or delimiter. */
export class ByteReader {
  readonly #input: Readable;
  readonly #pieces: Buffer[] = [];
  #size = 0;
  #isEnded = false;
  #wake: () => void = () => {};
  readonly ended: Promise<void>;

  constructor(input: Readable) {
    this.#input = input;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const end = (): void => {
      this.#isEnded = true;
      this.#wake();
      resolve();
    };
    input.on('data', (bytes: Buffer) => {
      this.#pieces.push(bytes);
      this.#size += bytes.length;
      if (this.#size >= READ_AHEAD) input.pause();
      this.#wake();
    });
    input.on('end', end);
    // Without an end, if it is destroyed.
    input.on('close', end);
    input.on('error', end);
  }

  /** Reads one to `most` bytes; undefined at the end. */
  async take(most: number): Promise<Buffer | undefined> {
    if (!(await this.#has(1))) return undefined;
    const first = this.#pieces.shift() as Buffer;
    const piece = first.subarray(0, most);
    if (piece.length < first.length) this.#pieces.unshift(first.subarray(piece.length));
    this.#size -= piece.length;
    if (this.#size < READ_AHEAD) this.#input.resume();
    return piece;
  }

  /** Reads up to and including this byte, or to the end; undefined if it is not within `most` bytes. */
  async until(byte: number, most: number): Promise<Buffer | undefined> {
    for (let required = 1; ; required = this.#size + 1) {
      const isMore = await this.#has(required);
      const held = Buffer.concat(this.#pieces);
      const position = held.indexOf(byte);
      if (position > most || (position < 0 && held.length > most)) return undefined;
      if (position < 0 && isMore) continue;
      const end = position < 0 ? held.length : position + 1;
      this.#pieces.splice(0, this.#pieces.length, ...(end < held.length ? [held.subarray(end)] : []));
      this.#size = held.length - end;
      if (this.#size < READ_AHEAD) this.#input.resume();
      return held.subarray(0, end);
    }
  }

  async #has(size: number): Promise<boolean> {
    while (this.#size < size && !this.#isEnded) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    return this.#size >= size;
  }
}
