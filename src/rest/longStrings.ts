const [QUOTE, BACKSLASH] = [0x22, 0x5c];
/** Shorter strings stay in the JSON. */
export const LONG = 65_536;
/** A multiple of four, the size of a base64 group. */
const CHUNK = 65_536;

/** JSON without its long strings, so that megabytes of base64 are decoded without becoming strings. */
export interface Cut {
  /** JSON with placeholders. */
  rest: Buffer;
  /** Prefix of the placeholders; random, so that no other string matches. */
  placeholder: string;
  /** Raw bytes between the quotes. */
  long: Buffer[];
}

/**
 * Finds strings by their quotes only; the JSON parser still sees everything outside long strings, so broken JSON is detected.
 * @returns undefined when more than `limit` bytes are left
 */
export function cutLongStrings(bytes: Buffer, limit: number): Cut | undefined {
  const placeholder = `long-${globalThis.crypto.randomUUID()}-`;
  const long: Buffer[] = [];
  const pieces: Buffer[] = [];
  let [from, end, left] = [0, 0, 0];
  for (;;) {
    const open = bytes.indexOf(QUOTE, end);
    const close = open < 0 ? -1 : closingQuote(bytes, open + 1);
    if (close < 0) break;
    end = close + 1;
    if (close - open < LONG) {
      if (left + end - from > limit) return undefined;
      continue;
    }
    pieces.push(bytes.subarray(from, open), Buffer.from(`"${placeholder}${long.length}"`));
    left += open - from;
    long.push(bytes.subarray(open + 1, close));
    from = end;
  }
  left += bytes.length - from;
  if (left > limit) return undefined;
  pieces.push(bytes.subarray(from));
  return { rest: Buffer.concat(pieces), placeholder, long };
}

function closingQuote(bytes: Buffer, from: number): number {
  for (let quote = bytes.indexOf(QUOTE, from); quote >= 0; quote = bytes.indexOf(QUOTE, quote + 1)) {
    let escapes = 0;
    while (quote - escapes > from && bytes[quote - escapes - 1] === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return quote;
  }
  return -1;
}

/** The long string of a placeholder. */
export function longString({ placeholder, long }: Cut, value: unknown): Buffer | undefined {
  return typeof value === 'string' && value.startsWith(placeholder)
    ? long[Number(value.slice(placeholder.length))]
    : undefined;
}

/** @throws SyntaxError when it is not a JSON string */
export function textOf(bytes: Buffer): string {
  return JSON.parse(`"${new TextDecoder('utf-8', { fatal: true }).decode(bytes)}"`);
}

/** Decoded size of a base64 text, without checking it. */
export function base64Size(text: Buffer): number {
  const padding = text.at(-1) !== 0x3d ? 0 : text.at(-2) === 0x3d ? 2 : 1;
  return Math.floor(((text.length - padding) * 3) / 4);
}

/**
 * Decodes base64 in place, so that an upload needs memory only once. Overwrites `text`, even if it is invalid.
 * @returns undefined for invalid base64
 */
export function decodeInPlace(text: Buffer): Buffer | undefined {
  const size = base64Size(text);
  const left = text.length % 4;
  if (left === 1 || (left !== 0 && text.at(-1) === 0x3d)) return undefined;
  let written = 0;
  for (let start = 0; start < text.length; start += CHUNK) {
    // The decoder skips invalid characters, so the result is then too short.
    const piece = Buffer.from(text.toString('latin1', start, start + CHUNK), 'base64');
    if (written + piece.length > size) return undefined;
    written += piece.copy(text, written);
  }
  return written === size ? text.subarray(0, size) : undefined;
}
