import { isObject } from '../contract/basics.ts';
import { Fault, type Problem } from '../contract/codes/faults.ts';
import { base64Size, cutLongStrings, decodeInPlace, longString, textOf } from './longStrings.ts';

/** Limit of the body without the file, as for other endpoints. */
const MAX_FIELD_BYTES = 1_048_576;
const MAX_FIELDS = 100;

export interface Upload {
  fields: Record<string, unknown>;
  /** Undefined if the field has no file. */
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
 * Reads a JSON body with a file in base64. Decodes the file in place, which overwrites `body`.
 * @throws Fault `malformed_json`, `payload_too_large`
 */
export function readJsonUpload(body: Uint8Array, fileField: FileField): Upload {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const cut = cutLongStrings(bytes, MAX_FIELD_BYTES);
  if (!cut) {
    const message = `Without ${fileField.field} the body is larger than ${MAX_FIELD_BYTES} bytes`;
    throw new Fault('payload_too_large', message, { limit: MAX_FIELD_BYTES });
  }
  let fields: unknown;
  let text: Buffer | undefined;
  try {
    fields = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(cut.rest), (_key, item) => {
      const long = longString(cut, item);
      // Restores long strings other than the file.
      return long && _key !== fileField.field ? textOf(long) : item;
    });
    const value = isObject(fields) ? fields[fileField.field] : undefined;
    const long = longString(cut, value);
    // Escaped line breaks or slashes require a string conversion.
    if (long) text = long.includes(0x5c) ? Buffer.from(withoutBreaks(textOf(long))) : long;
    else if (typeof value === 'string') text = Buffer.from(withoutBreaks(value));
  } catch {
    throw malformed('The body is not valid JSON in UTF-8');
  }
  if (!isObject(fields)) throw malformed('The body must be a JSON object');
  if (text === undefined) return { fields, file: undefined, problems: [] };
  if (base64Size(text) > fileField.maxBytes) throw tooLarge(fileField);
  const file = decodeInPlace(text);
  const problems = file ? [] : [{ field: fileField.field, message: 'is not valid base64' }];
  return { fields: { ...fields, [fileField.field]: '' }, file, problems };
}

const withoutBreaks = (text: string): string => text.replace(/[\r\n]+/g, '');

/**
 * Reads a `multipart/form-data` body with text fields and one file. A repeated field becomes a list.
 * @throws Fault `malformed_json`, `payload_too_large`
 */
export async function readMultipart(body: Uint8Array, contentType: string, fileField: FileField): Promise<Upload> {
  // Only the default export exists both with and without a bundle.
  const { Busboy } = (await import('@fastify/busboy')).default;
  const fields = new Map<string, string | string[]>();
  const problems: Problem[] = [];
  const chunks: Buffer[] = [];
  let [files, truncated] = [0, false];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  try {
    const parser = new Busboy({
      headers: { 'content-type': contentType },
      limits: {
        fileSize: fileField.maxBytes,
        fieldSize: MAX_FIELD_BYTES,
        fields: MAX_FIELDS,
        files: 2,
        headerPairs: 50,
      },
      // Clients may omit the file name.
      isPartAFile: (name, _type, fileName) => name === fileField.field || fileName !== undefined,
    });
    parser.on('file', (name, stream) => {
      const isExpected = name === fileField.field;
      if (isExpected) files += 1;
      else problems.push({ field: name || 'file', message: `is a file; only ${fileField.field} may be one` });
      stream.on('data', (chunk: Buffer) => isExpected && files === 1 && chunks.push(chunk));
      // The only event for a truncated part.
      stream.on('error', reject);
      stream.on('limit', () => {
        truncated ||= isExpected;
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
  if (truncated) throw tooLarge(fileField);
  if (files > 1) problems.push({ field: fileField.field, message: 'is given more than once' });
  // fromEntries treats a key __proto__ as data.
  const values = Object.fromEntries(fields);
  if (files === 0) return { fields: values, file: undefined, problems };
  return { fields: { ...values, [fileField.field]: '' }, file: joinChunks(body, chunks), problems };
}

/** Avoids a copy if the chunks are adjacent in the body. */
function joinChunks(body: Uint8Array, chunks: readonly Buffer[]): Uint8Array {
  const [first] = chunks;
  let end = first?.byteOffset ?? 0;
  for (const chunk of chunks) {
    if (chunk.buffer !== body.buffer || chunk.byteOffset !== end) return Buffer.concat(chunks);
    end += chunk.length;
  }
  return first ? Buffer.from(body.buffer, first.byteOffset, end - first.byteOffset) : new Uint8Array();
}
