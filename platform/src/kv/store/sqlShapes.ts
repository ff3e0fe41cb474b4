import type { DatabaseSync } from 'node:sqlite';
import { isObject, type Json } from './json.ts';

/** A field holds a value that SQLite does not compare as the platform's store does. */
export const ODD = '!';
const FUNCTION = 'document_shape';

/** An SQL function, so that an index computes a document's shape once, when it is written. */
export function registerShapes(db: DatabaseSync): void {
  db.function(FUNCTION, { deterministic: true }, (doc, fields) => shapeOf(String(doc), String(fields)));
}

/** The call exactly as in the index. */
export const shapeSql = (fields: readonly string[]): string => `${FUNCTION}(doc, '${fields.join(',')}')`;

/** Null = only texts and numbers; else the fields with arrays of texts, or `ODD`. */
function shapeOf(text: string, names: string): string | null {
  const doc: Json = JSON.parse(text);
  if (!isObject(doc)) return ODD;
  const lists: string[] = [];
  for (const name of names.split(',')) {
    const value = Object.hasOwn(doc, name) ? doc[name] : undefined;
    if (Array.isArray(value)) {
      if (!value.every(isPlain)) return ODD;
      lists.push(name);
    } else if (typeof value === 'string') {
      // The index holds arrays as JSON text, so a text that looks like one is ambiguous.
      if (value.startsWith('[')) return ODD;
    } else if (value !== undefined && typeof value !== 'number') return ODD;
  }
  return lists.length === 0 ? null : lists.join(',');
}

/** Without escapes, array elements are the parts between quotes. */
export const isPlain = (value: Json): value is string =>
  typeof value === 'string' && JSON.stringify(value) === `"${value}"`;
