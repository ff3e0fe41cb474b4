import { isObject, type Json, MASK } from '../../contract/basics.ts';

export type FieldChange =
  | { field: string; before?: unknown; after?: unknown }
  | { field: string; secret: 'set' | 'replaced' | 'removed' };

const METADATA = ['version', 'created_at', 'created_by', 'last_updated_at', 'last_updated_by', 'last_test'];
/** Longer values are truncated. */
const MAX_VALUE = 256;
/** Further fields are only counted. */
const MAX_FIELDS = 500;

/** Diffs two states of a record by dotted paths; arrays count as one value. Masked values are skipped. */
export function fieldChanges(before: object | undefined, after: object | undefined): FieldChange[] {
  const [old, now] = [leavesOf(withoutMetadata(before ?? {})), leavesOf(withoutMetadata(after ?? {}))];
  const fields = [...new Set([...old.keys(), ...now.keys()])].sort();
  const changed = fields.filter((field) => {
    const [a, b] = [old.get(field), now.get(field)];
    return a !== MASK && b !== MASK && JSON.stringify(a) !== JSON.stringify(b);
  });
  const changes: FieldChange[] = changed.slice(0, MAX_FIELDS).map((field) => ({
    field,
    ...(old.has(field) ? { before: truncate(old.get(field)) } : {}),
    ...(now.has(field) ? { after: truncate(now.get(field)) } : {}),
  }));
  const more = changed.length - changes.length;
  return more > 0 ? [...changes, { field: '*', after: `${more} more` }] : changes;
}

export function withoutMetadata(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !METADATA.includes(key)));
}

function leavesOf(value: object, at = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  for (const [key, inner] of Object.entries(value as Json)) {
    const path = at === '' ? key : `${at}.${key}`;
    if (isObject(inner) && Object.keys(inner).length > 0) leavesOf(inner, path, leaves);
    else if (inner !== undefined) leaves.set(path, inner);
  }
  return leaves;
}

function truncate(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1).toWellFormed()}…` : value;
}
