import { isObject } from '../contract/basics.ts';
import { Fault, type Problem } from '../contract/codes/faults.ts';
import { base64Size, cutLongStrings, decodeInPlace, longString, textOf } from './longStrings.ts';

/** Limit for everything besides the file: what any other endpoint takes as its body. */
const MAX_REST = 1_048_576;
const MAX_FIELDS = 100;

export interface Upload {
  fields: Record<string, unknown>;
  /** Undefined where the body has none; then the field says what it has instead. */
  file: Uint8Array | undefined;
  problems: Problem[];
}

export interface FileField {
  field: string;
  maxBytes: number;
}

const tooLarge = ({ field, maxBytes }: FileField) =>
  new Fault('payload_too_large', `${field} is larger than ${maxBytes} bytes`, { limit: maxBytes });
const malformed = (what: string) => new Fault('malformed_json', what);

/**
 * A JSON body with a file in base64. The file is decoded inside the body, which is used up by that; everything else is
 * parsed as usual.
 * @throws Fault `malformed_json`, `payload_too_large`
 */
export function readJsonUpload(body: Uint8Array, wanted: FileField): Upload {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const cut = cutLongStrings(bytes, MAX_REST);
  if (!cut) {
    const what = `Without ${wanted.field} the body is larger than ${MAX_REST} bytes`;
    throw new Fault('payload_too_large', what, { limit: MAX_REST });
  }
  let fields: unknown;
  let text: Buffer | undefined;
  try {
    fields = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(cut.rest), (_key, value) => {
      const long = longString(cut, value);
      // The file stays cut out; any other long text comes back.
      return long && _key !== wanted.field ? textOf(long) : value;
    });
    const given = isObject(fields) ? fields[wanted.field] : undefined;
    const long = longString(cut, given);
    // Line breaks, and slashes that some encoders escape: then it has to become a text after all.
    if (long) text = long.includes(0x5c) ? Buffer.from(withoutBreaks(textOf(long))) : long;
    else if (typeof given === 'string') text = Buffer.from(withoutBreaks(given));
  } catch {
    throw malformed('The body is not valid JSON in UTF-8');
  }
  if (!isObject(fields)) throw malformed('The body must be a JSON object');
  if (text === undefined) return { fields, file: undefined, problems: [] };
  if (base64Size(text) > wanted.maxBytes) throw tooLarge(wanted);
  const file = decodeInPlace(text);
  const problems = file ? [] : [{ field: wanted.field, message: 'is not valid base64' }];
  return { fields: { ...fields, [wanted.field]: '' }, file, problems };
}

const withoutBreaks = (text: string): string => text.replace(/[\r\n]+/g, '');

/**
 * A `multipart/form-data` body: text fields, and one part with the bytes of the file. A field that is given several times
 * is a list.
 * @throws Fault `malformed_json`, `payload_too_large`
 */
export async function readMultipart(body: Uint8Array, contentType: string, wanted: FileField): Promise<Upload> {
  // The default alone is there both in a bundle and without one.
  const { Busboy } = (await import('@fastify/busboy')).default;
  const fields = new Map<string, string | string[]>();
  const problems: Problem[] = [];
  const chunks: Buffer[] = [];
  let [files, truncated] = [0, false];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: { fileSize: wanted.maxBytes, fieldSize: MAX_REST, fields: MAX_FIELDS, files: 2, headerPairs: 50 },
      // The file's part is known by its name, whether it says a file name or not.
      isPartAFile: (name, _type, fileName) => name === wanted.field || fileName !== undefined,
    });
    parser.on('file', (name, stream) => {
      const isWanted = name === wanted.field;
      if (isWanted) files += 1;
      else problems.push({ field: name || 'file', message: `is a file; only ${wanted.field} may be one` });
      stream.on('data', (chunk: Buffer) => isWanted && files === 1 && chunks.push(chunk));
      // A part that the end of the body cuts off tells so here, and nowhere else.
      stream.on('error', reject);
      stream.on('limit', () => {
        truncated ||= isWanted;
      });
    });
    parser.on('field', (name, value, nameCut, valueCut) => {
      if (nameCut || valueCut) problems.push({ field: name.slice(0, 100), message: 'is too long' });
      const before = fields.get(name);
      fields.set(name, before === undefined ? value : [...[before].flat(), value]);
    });
    parser.on('fieldsLimit', () => problems.push({ field: '$body', message: `has more than ${MAX_FIELDS} fields` }));
    parser.on('filesLimit', () => problems.push({ field: '$body', message: 'has more than one file' }));
    parser.on('finish', resolve);
    parser.on('error', reject);
    parser.end(body);
    await promise;
  } catch {
    throw malformed('The body is not valid multipart/form-data');
  }
  if (truncated) throw tooLarge(wanted);
  if (files > 1) problems.push({ field: wanted.field, message: 'is given more than once' });
  // fromEntries defines keys: one called __proto__ is data.
  const given = Object.fromEntries(fields);
  if (files === 0) return { fields: given, file: undefined, problems };
  return { fields: { ...given, [wanted.field]: '' }, file: joined(body, chunks), problems };
}

/** The parser gives pieces of what it was given: mostly they still stand side by side, and need no copy. */
function joined(body: Uint8Array, chunks: readonly Buffer[]): Uint8Array {
  const [first] = chunks;
  let end = first?.byteOffset ?? 0;
  for (const chunk of chunks) {
    if (chunk.buffer !== body.buffer || chunk.byteOffset !== end) return Buffer.concat(chunks);
    end += chunk.length;
  }
  return first ? Buffer.from(body.buffer, first.byteOffset, end - first.byteOffset) : new Uint8Array();
}
