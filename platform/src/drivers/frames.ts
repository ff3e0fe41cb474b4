/** The platform's side of the persistent protocol: packets out, reply frames in. */

const OPCODE_INIT = 0x01;
const OPCODE_BLOCK = 0x02;
const OPCODE_END = 0x04;
const NEWLINE = 0x0a;

/** Larger than any real reply; keeps a bogus length from blocking forever. */
const MAX_REPLY_BYTES = 512 * 1024 * 1024;

/** The driver's output is not a reply frame. */
export class FrameError extends Error {
  static badCharacter(byte: number): FrameError {
    return new FrameError(`bad character (${byte}) in reply size`);
  }
}

/** The packet of an ordinary request: command, argument and request block. */
export function encodePacket(command: readonly string[], commandArg: string, block: string): Buffer {
  return Buffer.concat([
    Buffer.of(OPCODE_INIT | OPCODE_BLOCK | OPCODE_END),
    Buffer.from(`${command.length}\n`),
    ...[...command, commandArg, block].flatMap(encodeString),
  ]);
}

function encodeString(text: string): Buffer[] {
  const bytes = Buffer.from(text, 'utf8');
  return [Buffer.from(`${bytes.length}\n`), bytes];
}

/** Splits a driver's output into frames. */
export class ReplyFrames {
  #chunks: Buffer[] = [];
  #buffered = 0;
  #digits = '';
  #size: number | undefined;

  get buffered(): number {
    return this.#buffered;
  }

  push(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.#chunks.push(chunk);
    this.#buffered += chunk.length;
  }

  /** The next complete frame; undefined while bytes are missing. Throws FrameError. */
  take(): Buffer | undefined {
    if (this.#size === undefined) this.#size = this.#readSize();
    if (this.#size === undefined || this.#buffered < this.#size) return undefined;
    const frame = this.#readBytes(this.#size);
    this.#size = undefined;
    return frame;
  }

  /** The first unexpected byte between two replies, checked before a request is sent. */
  stray(): number | undefined {
    for (let byte = this.#peek(); byte !== undefined; byte = this.#peek()) {
      if (byte !== NEWLINE) return byte;
      this.#readBytes(1);
    }
    return undefined;
  }

  #readSize(): number | undefined {
    for (let byte = this.#peek(); byte !== undefined; byte = this.#peek()) {
      this.#readBytes(1);
      if (byte === NEWLINE) {
        if (this.#digits === '') continue;
        const size = Number(this.#digits);
        this.#digits = '';
        if (size > MAX_REPLY_BYTES) throw new FrameError(`reply size ${size} is too large`);
        return size;
      }
      const isDigit = byte >= 0x30 && byte <= 0x39;
      // A size has no leading zero, so a digit after "0" is not part of a frame.
      if (!isDigit || this.#digits === '0' || this.#digits.length > 9) throw FrameError.badCharacter(byte);
      this.#digits += String.fromCharCode(byte);
    }
    return undefined;
  }

  #peek(): number | undefined {
    return this.#chunks[0]?.[0];
  }

  #readBytes(count: number): Buffer {
    const parts: Buffer[] = [];
    let missing = count;
    while (missing > 0) {
      const head = this.#chunks[0];
      if (!head) throw new Error('read more bytes than were there');
      if (head.length > missing) {
        parts.push(head.subarray(0, missing));
        this.#chunks[0] = head.subarray(missing);
        missing = 0;
      } else {
        parts.push(head);
        this.#chunks.shift();
        missing -= head.length;
      }
    }
    this.#buffered -= count;
    return parts.length === 1 && parts[0] ? parts[0] : Buffer.concat(parts, count);
  }
}
