import { randomBytes } from 'node:crypto';
import { PlatformError } from '../../http/reply.ts';
import { applyTypes, type TypeRules } from './fieldTypes.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export interface StorableDocument {
  key: string;
  doc: string;
}

/** Turns a request body into a stored document. A `key` from the URL takes precedence. */
export function prepare(input: Json, rules: TypeRules, key?: string): StorableDocument {
  if (!isObject(input)) throw new PlatformError(400, 'A document must be a JSON object.');
  checkNames(input);
  // The namespace sets the owner, not the body.
  const { _key: inputKey, _user: _ignored, ...fields } = input;
  if (inputKey !== undefined && (typeof inputKey !== 'string' || inputKey === '' || !inputKey.isWellFormed())) {
    throw new PlatformError(400, 'The field _key must be a string that is not empty.');
  }
  const doc = JSON.stringify(applyTypes(fields, rules));
  if (Buffer.byteLength(doc) > MAX_DOCUMENT_BYTES) {
    throw new PlatformError(400, `A document cannot be larger than ${MAX_DOCUMENT_BYTES} bytes.`);
  }
  return { key: key ?? inputKey ?? generatedKey(), doc };
}

/** 24 hex digits that begin with the seconds, as in MongoDB, so that generated keys sort by age. */
function generatedKey(): string {
  const seconds = Math.floor(Date.now() / 1000);
  return seconds.toString(16).padStart(8, '0') + randomBytes(8).toString('hex');
}

/** Adds the platform's two fields to the stored text without parsing it. */
export function withIdentity(doc: string, user: string, key: string): string {
  const identity = `"_user":${JSON.stringify(user)},"_key":${JSON.stringify(key)}}`;
  return doc === '{}' ? `{${identity}` : `${doc.slice(0, -1)},${identity}`;
}

export function parseStored(doc: string, user: string, key: string): JsonObject {
  const parsed: JsonObject = JSON.parse(doc);
  parsed._user = user;
  parsed._key = key;
  return parsed;
}

function checkNames(value: Json): void {
  if (Array.isArray(value)) for (const item of value) checkNames(item);
  if (!isObject(value)) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name.startsWith('$')) throw new PlatformError(400, 'Document field names cannot start with $.');
    if (name.includes('\0')) throw new PlatformError(400, 'Document field names cannot contain a null character.');
    checkNames(inner);
  }
}
