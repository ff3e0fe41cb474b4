import { newRow, type Row } from './rows.ts';

/** The values of JSON by dotted names, `{}` for list items. */
export function jsonFields(value: unknown): Row {
  const row = newRow();
  extract(value, '', row);
  return row;
}

function extract(value: unknown, path: string, row: Row): void {
  if (Array.isArray(value)) {
    for (const item of value) extract(item, `${path}{}`, row);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) extract(inner, path === '' ? key : `${path}.${key}`, row);
  } else if (path !== '' && value !== undefined) {
    const before = row[path];
    const text = String(value);
    row[path] = before === undefined ? text : [...[before].flat(), text];
  }
}
