/**
 * The persistent-handler protocol (docs/platform.md, "Persistent protocol").
 *
 *   packet := *LF opcode [command] [block]      opcode: one byte, bit mask
 *   string := *LF length LF <length bytes>      decimal, bytes not characters
 */
const INIT = 0x01;
const BLOCK = 0x02;
const END = 0x04;
const ALLOW_STREAM = 0x08;

const LF = 0x0a;
const KNOWN = INIT | BLOCK | END | ALLOW_STREAM;
const MAX_DIGITS = 12;
/** Several times the largest body. */
const MAX_STRING = 512 * 1024 * 1024;

export interface Packet {
  init: boolean;
  /** Program and arguments; only with `init`. */
  command: string[];
  commandArg: string | undefined;
  block: Buffer | undefined;
  end: boolean;
}

/** A violation of the protocol, which ends the process. */
export class ProtocolError extends Error {}

/** Reads packets; copies bytes only when a string spans chunks. */
export class PacketReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #buffer: Buffer = Buffer.alloc(0);
  #at = 0;
  /** A requested chunk that is not in the buffer yet. */
  #ahead: Promise<IteratorResult<Buffer>> | undefined;

  constructor(stream: AsyncIterable<Buffer>) {
    this.#chunks = stream[Symbol.asyncIterator]();
  }

  /** The next packet; undefined at a clean end (EOF where an opcode is expected). */
  async next(): Promise<Packet | undefined> {
    const opcode = await this.#opcode();
    if (opcode === undefined) return undefined;
    if ((opcode & ~KNOWN) !== 0 || opcode === 0) throw new ProtocolError(`unknown opcode ${opcode}`);
    const init = (opcode & INIT) !== 0;
    const command: string[] = [];
    let commandArg: string | undefined;
    if (init) {
      for (let left = await this.#number(); left > 0; left--) command.push((await this.#string()).toString('utf8'));
      // The reference implementation treats an empty argument as absent.
      commandArg = (await this.#string()).toString('utf8') || undefined;
    }
    const block = (opcode & BLOCK) !== 0 ? await this.#string() : undefined;
    return { init, command, commandArg, block, end: (opcode & END) !== 0 };
  }

  /** Resolves when the input has ended; never while there is more input. */
  async ended(): Promise<void> {
    this.#ahead ??= this.#chunks.next();
    if (!(await this.#ahead).done) await new Promise(() => {});
  }

  async #opcode(): Promise<number | undefined> {
    for (;;) {
      const byte = await this.#byte();
      if (byte !== LF) return byte;
    }
  }

  async #number(): Promise<number> {
    let digits = '';
    for (;;) {
      const byte = await this.#byte();
      if (byte === undefined) throw new ProtocolError('end of input inside a packet');
      if (byte === LF) {
        // A peer may end each string with an empty line.
        if (digits === '') continue;
        return Number(digits);
      }
      if (byte < 0x30 || byte > 0x39) throw new ProtocolError(`bad character (${byte}) in a number`);
      digits += String.fromCharCode(byte);
      if (digits.length > MAX_DIGITS) throw new ProtocolError('a number is too long');
    }
  }

  async #string(): Promise<Buffer> {
    const length = await this.#number();
    if (this.#buffer.length - this.#at >= length) {
      const bytes = this.#buffer.subarray(this.#at, this.#at + length);
      this.#at += length;
      return bytes;
    }
    if (length > MAX_STRING) throw new ProtocolError(`a string of ${length} bytes is too long`);
    // Concatenating parts at the end would need the memory of an upload twice.
    const bytes = Buffer.allocUnsafe(length);
    let written = 0;
    while (written < length) {
      if (this.#at >= this.#buffer.length && !(await this.#fill())) {
        throw new ProtocolError('end of input inside a packet');
      }
      const part = this.#buffer.subarray(this.#at, this.#at + length - written);
      this.#at += part.length;
      written += part.copy(bytes, written);
    }
    return bytes;
  }

  async #byte(): Promise<number | undefined> {
    while (this.#at >= this.#buffer.length) if (!(await this.#fill())) return undefined;
    return this.#buffer[this.#at++];
  }

  async #fill(): Promise<boolean> {
    const { value, done } = await (this.#ahead ?? this.#chunks.next());
    this.#ahead = undefined;
    if (done) return false;
    this.#buffer = value;
    this.#at = 0;
    return true;
  }
}

/** A reply frame: length in bytes, LF, the bytes. */
export function frame(text: string): Buffer {
  const length = Buffer.byteLength(text);
  const header = `${length}\n`;
  const bytes = Buffer.allocUnsafe(header.length + length);
  bytes.write(header, 0, 'latin1');
  bytes.write(text, header.length, 'utf8');
  return bytes;
}
