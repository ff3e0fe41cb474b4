import { isObject, type Json, MASK } from '../../contract/basics.ts';

/** What has become of one field. */
export type FieldChange =
  | { field: string; before?: unknown; after?: unknown }
  | { field: string; secret: 'set' | 'replaced' | 'removed' };

const METADATA = ['version', 'created_at', 'created_by', 'last_updated_at', 'last_updated_by', 'last_test'];
/** Longer values are cut: an entry says what was changed, it is no copy of it. */
const LONGEST_VALUE = 256;
/** Fields of one change; of what is beyond, only the number is told. */
const MOST_FIELDS = 500;

/**
 * What tells two states of a record apart, by dotted paths; lists count as one value. Masked values are left out: what has become
 * of a secret is told without looking at it.
 */
export function fieldChanges(before: object | undefined, after: object | undefined): FieldChange[] {
  const [old, now] = [leavesOf(withoutMetadata(before ?? {})), leavesOf(withoutMetadata(after ?? {}))];
  const fields = [...new Set([...old.keys(), ...now.keys()])].sort();
  const changed = fields.filter((field) => {
    const [a, b] = [old.get(field), now.get(field)];
    return a !== MASK && b !== MASK && JSON.stringify(a) !== JSON.stringify(b);
  });
  const shown: FieldChange[] = changed.slice(0, MOST_FIELDS).map((field) => ({
    field,
    ...(old.has(field) ? { before: cut(old.get(field)) } : {}),
    ...(now.has(field) ? { after: cut(now.get(field)) } : {}),
  }));
  const more = changed.length - shown.length;
  return more > 0 ? [...shown, { field: '*', after: `${more} more` }] : shown;
}

/** Who wrote a record and when is what the entry itself says. */
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

function cut(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE - 1).toWellFormed()}…` : value;
}
