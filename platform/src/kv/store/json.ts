import { PlatformError } from '../../http/reply.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

/** Maximum nesting, as in MongoDB. Deeper input would overflow the stack. */
const MAX_DEPTH = 100;

/** Texts above this size are checked for depth before parsing. */
const LARGE = 1024 * 1024;

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Invalid UTF-8 is refused, since decoding it leniently would store a different text. */
export function parseBody(body: Buffer, what: string): Json {
  let text: string;
  try {
    text = UTF8.decode(body);
  } catch {
    throw new PlatformError(400, `The ${what} is not valid UTF-8.`);
  }
  return parseJson(text, what);
}

/** The parser's own message quotes the input, so it is not in the reply. */
export function parseJson(text: string, what: string): Json {
  if (text.length > LARGE && hasTooManyBrackets(text)) throw nested(what);
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    throw new PlatformError(400, `JSON in the ${what} is invalid.`);
  }
  if (isTooDeep(value, MAX_DEPTH)) throw nested(what);
  return value;
}

function nested(what: string): PlatformError {
  return new PlatformError(400, `JSON in the ${what} is nested deeper than ${MAX_DEPTH} levels.`);
}

/** The parser needs some 50 bytes for each open bracket: a body of brackets would take gigabytes. */
function hasTooManyBrackets(text: string): boolean {
  let depth = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charCodeAt(index);
    if (quoted) {
      if (char === BACKSLASH) index += 1;
      else if (char === QUOTE) quoted = false;
    } else if (char === QUOTE) quoted = true;
    else if (char === OPEN_LIST || char === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_DEPTH) return true;
    } else if (char === CLOSE_LIST || char === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}

function isTooDeep(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  return Object.values(value).some((item) => isTooDeep(item, levels - 1));
}

/** Value at `a.b`; a field of exactly that name takes precedence. */
export function at(doc: JsonObject, path: string): Json | undefined {
  if (Object.hasOwn(doc, path)) return doc[path];
  let value: Json | undefined = doc;
  for (const name of path.split('.')) {
    if (!isObject(value) || !Object.hasOwn(value, name)) return undefined;
    value = value[name];
  }
  return value;
}
