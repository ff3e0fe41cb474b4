import { isObject, type Json, MASK } from '../../contract/basics.ts';

export type FieldChange =
  | { field: string; before?: unknown; after?: unknown }
  | { field: string; secret: 'set' | 'replaced' | 'removed' };

const METADATA = ['version', 'created_at', 'created_by', 'last_updated_at', 'last_updated_by', 'last_test'];
/** Longer values and paths are truncated. */
const MAX_VALUE = 256;
/** Limits of one entry; further changes are only counted. */
const MAX_CHANGES = 200;
const MAX_BYTES = 65_536;

/** Diffs two states of a record by dotted paths; arrays count as one value. Masked values are skipped. */
export function fieldChanges(before: object | undefined, after: object | undefined): FieldChange[] {
  const [old, now] = [leavesOf(withoutMetadata(before ?? {})), leavesOf(withoutMetadata(after ?? {}))];
  const fields = [...new Set([...old.keys(), ...now.keys()])].sort();
  const changed = fields.filter((field) => {
    const [a, b] = [old.get(field), now.get(field)];
    return a !== MASK && b !== MASK && JSON.stringify(a) !== JSON.stringify(b);
  });
  return changed.map((field) => ({
    field,
    ...(old.has(field) ? { before: truncate(old.get(field)) } : {}),
    ...(now.has(field) ? { after: truncate(now.get(field)) } : {}),
  }));
}

/** The changes as JSON, as many as an entry may hold. */
export function serializeChanges(changes: readonly FieldChange[]): string {
  const summary = (more: number) => JSON.stringify({ field: '*', after: `${more} more` });
  const texts: string[] = [];
  // Brackets and the longest last item.
  let bytes = 2 + summary(changes.length).length;
  for (const change of changes.slice(0, MAX_CHANGES)) {
    const text = JSON.stringify({ ...change, field: truncate(change.field) });
    bytes += Buffer.byteLength(text) + 1;
    if (bytes > MAX_BYTES) break;
    texts.push(text);
  }
  const more = changes.length - texts.length;
  return `[${[...texts, ...(more > 0 ? [summary(more)] : [])].join()}]`;
}

export function withoutMetadata(record: object): object {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !METADATA.includes(key)));
}

function leavesOf(value: object, parent = '', leaves = new Map<string, unknown>()): Map<string, unknown> {
  for (const [key, inner] of Object.entries(value as Json)) {
    const path = parent === '' ? key : `${parent}.${key}`;
    if (isObject(inner) && Object.keys(inner).length > 0) leavesOf(inner, path, leaves);
    else if (inner !== undefined) leaves.set(path, inner);
  }
  return leaves;
}

function truncate(value: unknown): unknown {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE - 1).toWellFormed()}…` : value;
}
