/** A field of a protobuf message: a number, or bytes. Numbers of fixed size are bytes too. */
export interface WireField {
  id: number;
  value: bigint;
  bytes: Uint8Array;
}

const NOTHING = new Uint8Array();
const [VARINT, FIXED64, LENGTH, FIXED32] = [0, 1, 2, 5];
export const LONGEST_VARINT = 10;

/**
 * Reads the fields of a message without decoding what they hold.
 * @throws RangeError for bytes that are no message
 */
export function* fieldsOf(message: Uint8Array): Generator<WireField> {
  const reader = new WireReader(message);
  while (!reader.isAtEnd) {
    const tag = Number(reader.varint());
    const id = Math.floor(tag / 8);
    switch (tag % 8) {
      case VARINT:
        yield { id, value: reader.varint(), bytes: NOTHING };
        break;
      case FIXED64:
        yield { id, value: 0n, bytes: reader.take(8) };
        break;
      case LENGTH:
        yield { id, value: 0n, bytes: reader.take(Number(reader.varint())) };
        break;
      case FIXED32:
        yield { id, value: 0n, bytes: reader.take(4) };
        break;
      default:
        throw new RangeError('a field of an unknown kind');
    }
  }
}

/** Signed 64-bit numbers of a packed field. */
export function packedIntegers(bytes: Uint8Array): bigint[] {
  const reader = new WireReader(bytes);
  const integers: bigint[] = [];
  while (!reader.isAtEnd) integers.push(BigInt.asIntN(64, reader.varint()));
  return integers;
}

class WireReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  take(count: number): Uint8Array {
    const end = this.#at + count;
    if (end > this.#bytes.length) throw new RangeError('a field goes beyond the end');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  varint(): bigint {
    let [low, shift] = [0, 0];
    // Most are short, and numbers are faster than big integers.
    for (; shift < 28; shift += 7) {
      const byte = this.#next();
      low |= (byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt(low);
    }
    let value = BigInt(low);
    for (; shift < LONGEST_VARINT * 7; shift += 7) {
      const byte = this.#next();
      value |= BigInt(byte & 0x7f) << BigInt(shift);
      if (byte < 0x80) return value;
    }
    throw new RangeError('a number does not end');
  }

  #next(): number {
    const byte = this.#bytes[this.#at];
    if (byte === undefined) throw new RangeError('a number goes beyond the end');
    this.#at += 1;
    return byte;
  }
}
