import type { FieldFacts, Values } from '../facts.ts';
import { type FormField, factsOf } from '../spec.ts';
import { changedPaths, INVALID_KEY, InvalidJson, isObject, isSame } from '../values.ts';

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

/** Session storage has about 5 MB for all forms of a tab. */
const MAX_CHARACTERS = 200_000;
const PREFIX = 'ml_extension form ';

const ofUser = (): string => `${PREFIX}${JSON.stringify(window.$C?.USERNAME ?? '')} `;

/** @param title of the form */
export const draftKey = (operation: string, title: string): string =>
  `${ofUser()}${JSON.stringify([operation, title, new URLSearchParams(window.location.search).get('name')])}`;

const isSecret = ({ secret, fields = [] }: FieldFacts): boolean => secret === true || fields.some(isSecret);
const hasFile = (value: unknown): boolean => isObject(value) && Object.values(value).some((one) => one instanceof Blob);

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

export function readDraft(key: string): Draft | undefined {
  try {
    const text = sessionStorage.getItem(key);
    return text === null ? undefined : (JSON.parse(text, reviveInvalid) as Draft);
  } catch {
    return undefined;
  }
}

const reviveInvalid = (_key: string, value: unknown): unknown =>
  isObject(value) && typeof value[INVALID_KEY] === 'string' ? new InvalidJson(value[INVALID_KEY]) : value;

/** Without storage, or if it is full, a form is kept only while it is open. */
export function writeDraft(key: string, draft: Draft | undefined): void {
  try {
    sessionStorage.removeItem(key);
    if (!draft || draft.changes.length === 0) return;
    const text = JSON.stringify(draft);
    if (text.length <= MAX_CHARACTERS) sessionStorage.setItem(key, text);
  } catch {
    // The draft is lost, the form is not.
  }
}

const textKey = (name: string): string => `${ofUser()}${JSON.stringify([name])}`;

/** The text that was typed into a field outside of forms; empty without one. */
export function readText(name: string): string {
  try {
    return sessionStorage.getItem(textKey(name)) ?? '';
  } catch {
    return '';
  }
}

export function writeText(name: string, text: string): void {
  try {
    if (text === '' || text.length > MAX_CHARACTERS) sessionStorage.removeItem(textKey(name));
    else sessionStorage.setItem(textKey(name), text);
  } catch {
    // The text is kept only while the field is shown.
  }
}

/** Removes drafts of other users at the start, and all when the user logs out in this tab. */
export function guardDrafts(): void {
  removeDrafts((key) => !key.startsWith(ofUser()));
  const logout = '[href*="/account/logout"], [formaction*="/account/logout"]';
  document.addEventListener(
    'click',
    ({ target }) => {
      if (target instanceof Element && target.closest(logout)) removeDrafts(() => true);
    },
    true,
  );
}

function removeDrafts(isRemoved: (key: string) => boolean): void {
  try {
    for (const key of Object.keys(sessionStorage))
      if (key.startsWith(PREFIX) && isRemoved(key)) sessionStorage.removeItem(key);
  } catch {
    // A browser that forbids storage has no drafts.
  }
}
