import type { FieldFacts, Values } from '../facts.ts';
import { type FormField, factsOf } from '../spec.ts';
import { changedPaths, INVALID_KEY, InvalidJson, isObject, isSame } from '../values.ts';
import { keep, keyOf, readKept } from './storage.ts';

/** The input of a form that was neither saved nor cancelled. Secrets are left out. */
export interface Draft {
  version: number | undefined;
  changes: readonly { path: string; before: unknown; after: unknown }[];
  /** Labels of the secrets that were typed. */
  secrets: readonly string[];
}

export interface Snapshot {
  values: Values;
  version: number | undefined;
}

/** @param title of the form */
export const draftKey = (operation: string, title: string): string =>
  keyOf(operation, title, new URLSearchParams(window.location.search).get('name'));

const isSecret = ({ secret, fields = [] }: FieldFacts): boolean => secret === true || fields.some(isSecret);
const hasFile = (value: unknown): boolean =>
  isObject(value) && Object.values(value).some((entry) => entry instanceof Blob);

export function draftOf(
  fields: readonly FormField[],
  facts: ReadonlyMap<string, FieldFacts>,
  { values: before, version }: Snapshot,
  after: Values,
): Draft {
  const paths = changedPaths(before, after);
  const changed = fields.filter(({ path }) => paths.includes(path));
  const secrets = changed.filter((field) => isSecret(factsOf(field, facts)));
  return {
    version,
    changes: changed
      .filter((field) => !secrets.includes(field) && !hasFile(after[field.path]))
      .map(({ path }) => ({ path, before: before[path], after: after[path] })),
    secrets: secrets.map(({ label }) => label),
  };
}

/** Applies a draft to the record as it is now. `theirs` is set if somebody else has changed the same fields. */
export function resume(now: Snapshot, draft: Draft | undefined, isEdit: boolean) {
  const changes = draft?.changes.filter(({ path, after }) => !isSame(now.values[path], after)) ?? [];
  if (!draft || changes.length === 0) return { base: now, values: now.values };
  const put = (side: 'before' | 'after'): Values => ({
    ...now.values,
    ...Object.fromEntries(changes.map((change) => [change.path, change[side]])),
  });
  const values = put('after');
  const isTaken = isEdit && changes.some(({ path, before }) => !isSame(now.values[path], before));
  return isTaken
    ? { base: { values: put('before'), version: draft.version }, values, theirs: now, draft }
    : { base: now, values, draft };
}

export const readDraft = (key: string): Draft | undefined => parseKept(readKept(key)) as Draft | undefined;

/** A value that was kept as JSON; undefined if there is none. */
export function parseKept(text: string): unknown {
  try {
    return JSON.parse(text, reviveInvalid);
  } catch {
    return undefined;
  }
}

const reviveInvalid = (_key: string, value: unknown): unknown =>
  isObject(value) && typeof value[INVALID_KEY] === 'string' ? new InvalidJson(value[INVALID_KEY]) : value;

export const writeDraft = (key: string, draft: Draft | undefined): void =>
  keep(key, draft && draft.changes.length > 0 ? JSON.stringify(draft) : '');
