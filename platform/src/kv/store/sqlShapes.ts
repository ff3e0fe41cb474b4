import type { DatabaseSync } from 'node:sqlite';
import { isObject, type Json } from './json.ts';

/** Some field holds what SQLite does not compare as the platform's store does. */
export const ODD = '!';
const FUNCTION = 'document_shape';

/** A function of SQL, so that an index can keep what a document is like: found out once, when it is written. */
export function registerShapes(db: DatabaseSync): void {
  db.function(FUNCTION, { deterministic: true }, (doc, fields) => shapeOf(String(doc), String(fields)));
}

/** The call in the very words of the index. */
export const shapeSql = (fields: readonly string[]): string => `${FUNCTION}(doc, '${fields.join(',')}')`;

/** Null = texts and numbers alone; else the fields with arrays of texts, or `ODD`. */
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
      // The index has an array as its JSON text: this one could not be told from it.
      if (value.startsWith('[')) return ODD;
    } else if (value !== undefined && typeof value !== 'number') return ODD;
  }
  return lists.length === 0 ? null : lists.join(',');
}

/** Without escapes, an element is what stands between two quotes. */
export const isPlain = (value: Json): value is string =>
  typeof value === 'string' && JSON.stringify(value) === `"${value}"`;
