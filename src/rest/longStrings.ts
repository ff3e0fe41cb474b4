const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Shorter strings stay where they are. */
export const LONG = 65_536;
/** A multiple of four: base64 is cut between its groups. */
const CHUNK = 65_536;

/** JSON whose long strings have been taken out of the text: megabytes of base64 need not become strings to be decoded. */
export interface Cut {
  /** The JSON that is left. */
  rest: Buffer;
  /** The string that stands in for a long one: unguessable, so that no other text can pass for it. */
  mark: string;
  /** The bytes between the quotes, as they were written. */
  long: Buffer[];
}

/**
 * Strings are found by their quotes alone, so broken JSON stays broken: the parser sees everything that is not inside one.
 * @returns undefined when more than `most` bytes are left outside long strings
 */
export function cutLongStrings(bytes: Buffer, most: number): Cut | undefined {
  const mark = `long-${globalThis.crypto.randomUUID()}-`;
  const long: Buffer[] = [];
  const pieces: Buffer[] = [];
  let [from, at, left] = [0, 0, 0];
  for (;;) {
    const open = bytes.indexOf(QUOTE, at);
    const close = open < 0 ? -1 : closingQuote(bytes, open + 1);
    if (close < 0) break;
    at = close + 1;
    if (close - open < LONG) {
      if (left + at - from > most) return undefined;
      continue;
    }
    pieces.push(bytes.subarray(from, open), Buffer.from(`"${mark}${long.length}"`));
    left += open - from;
    long.push(bytes.subarray(open + 1, close));
    from = at;
  }
  left += bytes.length - from;
  if (left > most) return undefined;
  pieces.push(bytes.subarray(from));
  return { rest: Buffer.concat(pieces), mark, long };
}

function closingQuote(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(QUOTE, from); at >= 0; at = bytes.indexOf(QUOTE, at + 1)) {
    let escapes = 0;
    while (at - escapes > from && bytes[at - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return at;
  }
  return -1;
}

/** The long string that a value stands for. */
export function longString({ mark, long }: Cut, value: unknown): Buffer | undefined {
  return typeof value === 'string' && value.startsWith(mark) ? long[Number(value.slice(mark.length))] : undefined;
}

/** The text of a long string. @throws SyntaxError when it is not a JSON string */
export function textOf(bytes: Buffer): string {
  return JSON.parse(`"${new TextDecoder('utf-8', { fatal: true }).decode(bytes)}"`);
}

/** How many bytes a base64 text stands for, whatever it holds. */
export function base64Size(text: Buffer): number {
  const padding = text.at(-1) !== 0x3d ? 0 : text.at(-2) === 0x3d ? 2 : 1;
  return Math.floor(((text.length - padding) * 3) / 4);
}

/**
 * Decodes a text into the memory that it occupies: what is decoded is shorter than what was read. An upload thus needs its own
 * size once, not once more for each form it has had. The text is gone afterwards, even if it was not base64. @returns undefined
 * for what is not base64
 */
export function decodeInPlace(text: Buffer): Buffer | undefined {
  const size = base64Size(text);
  const left = text.length % 4;
  if (left === 1 || (left !== 0 && text.at(-1) === 0x3d)) return undefined;
  let written = 0;
  for (let at = 0; at < text.length; at += CHUNK) {
    // The decoder skips what is not base64: the result is then shorter than the text promises.
    const piece = Buffer.from(text.toString('latin1', at, at + CHUNK), 'base64');
    if (written + piece.length > size) return undefined;
    written += piece.copy(text, written);
  }
  return written === size ? text.subarray(0, size) : undefined;
}
