import { isObject, type Json, MASK } from '../../contract/basics.ts';
import { Fault, type Problem } from '../../contract/codes/faults.ts';
import { setKey } from '../values/json.ts';

/** Path (`details/token`) -> value, in the clear. */
export type Secrets = Record<string, string>;
/** Path -> what the caller sent: a value, the mask, or null to delete. A path ending in `/*` deletes all below. */
export type SubmittedSecrets = Record<string, string | null>;

/** Path -> the name of its field for a person. */
export type FieldOf = (path: string) => string;
export const toDottedPath: FieldOf = (path) => path.replaceAll('/', '.');

/** Takes the secrets out of an input. The input is not changed. */
export function splitSecrets<T extends object>(
  input: T,
  paths: readonly string[],
): { open: T; given: SubmittedSecrets } {
  const open = structuredClone(input) as Json;
  const given: SubmittedSecrets = {};
  for (const path of paths) take(open, path.split('/'), [], given);
  return { open: open as T, given };
}

function take(node: Json, [key, ...rest]: string[], at: string[], given: SubmittedSecrets): void {
  if (key === undefined) return;
  // A caller's own key may be called `*`: it is a name like any other, not the pattern again.
  if (key === '*') for (const name of Object.keys(node)) takeKey(node, name, rest, at, given);
  else if (Object.hasOwn(node, key)) takeKey(node, key, rest, at, given);
}

function takeKey(node: Json, key: string, rest: string[], at: string[], given: SubmittedSecrets): void {
  const value = node[key];
  if (rest.length === 0) {
    given[[...at, key].join('/')] = typeof value === 'string' && value !== '' ? value : null;
    delete node[key];
  } else if (isObject(value)) {
    take(value, rest, [...at, key], given);
    // What held nothing but secrets leaves no trace: a masked read shows it again.
    if (rest[0] === '*' && Object.keys(value).length === 0) delete node[key];
  } else if (value === null && rest[0] === '*') {
    given[[...at, key, '*'].join('/')] = null;
    delete node[key];
  }
}

export interface SecretDecision {
  /** Paths whose stored value stays. */
  keep: string[];
  /** New values. */
  set: Secrets;
  /** False when the stored secrets stay exactly as they are. */
  changes: boolean;
}

/** What becomes of a record's secrets, and what was sent of them. */
export interface SecretChange extends SecretDecision {
  submitted: SubmittedSecrets;
}

/** Paths of the secrets that a record has after a write. */
export const secretsAfter = ({ keep, set }: SecretDecision): string[] => [...keep, ...Object.keys(set)];

/**
 * What a write means for the stored secrets: the mask and absence keep, empty and null delete, a value sets.
 * @throws Fault `masked_value_without_stored_secret` naming every such field
 */
export function decideSecrets(
  given: SubmittedSecrets,
  stored: readonly string[],
  fieldOf: FieldOf = toDottedPath,
): SecretDecision {
  const entries = Object.entries(given);
  const known = new Set(stored);
  const unmatched = entries.filter(([path, value]) => value === MASK && !known.has(path));
  if (unmatched.length > 0) {
    const errors: Problem[] = unmatched.map(([path]) => ({
      field: fieldOf(path),
      message: 'is masked, but no secret is stored',
    }));
    const names = errors.map((error) => error.field).join(', ');
    throw new Fault('masked_value_without_stored_secret', `The mask was sent where no secret is stored: ${names}`, {
      errors,
    });
  }
  const touched = entries.filter(([, value]) => value !== MASK);
  const set = Object.fromEntries(touched.filter((entry): entry is [string, string] => entry[1] !== null));
  // A mask outweighs a path that deletes all around it: of a list, the masked entries stay.
  const beginnings = touched.flatMap(([path]) => (path.endsWith('/*') ? path.slice(0, -1) : []));
  const isTouched = (path: string) => Object.hasOwn(given, path) || beginnings.some((text) => path.startsWith(text));
  const keep = stored.filter((path) => given[path] === MASK || !isTouched(path));
  return { keep, set, changes: keep.length !== stored.length || Object.keys(set).length > 0 };
}

/**
 * An address to which secrets go has changed: none of the stored ones may follow without being sent again.
 * @throws Fault `secret_required_for_new_host` naming the fields to send and the addresses that changed
 */
export function assertBound(
  kept: readonly string[],
  changedAddresses: readonly string[],
  fieldOf: FieldOf = toDottedPath,
): void {
  if (kept.length === 0 || changedAddresses.length === 0) return;
  const errors: Problem[] = kept.map((path) => ({
    field: fieldOf(path),
    message: 'must be sent again, or deleted with ""',
  }));
  throw new Fault(
    'secret_required_for_new_host',
    `${changedAddresses.join(', ')} differs from the stored record, so stored secrets do not go there: send ${errors
      .map((error) => error.field)
      .join(', ')} again`,
    { errors },
  );
}

/** Path -> the keys that lead to its value. */
export type KeysOf = (path: string) => string[];
const splitPath: KeysOf = (path) => path.split('/');

/** Puts values (or masks) of secrets back at their paths. */
export function insertSecrets<T extends object>(
  open: T,
  values: Readonly<Record<string, string>>,
  keysOf: KeysOf = splitPath,
): T {
  const filled = structuredClone(open) as Json;
  for (const [path, value] of Object.entries(values)) {
    const keys = keysOf(path);
    const last = keys.pop() as string;
    let node = filled;
    for (const key of keys) {
      const inner = Object.hasOwn(node, key) ? node[key] : undefined;
      if (typeof inner !== 'object' || inner === null) setKey(node, key, {});
      node = node[key] as Json;
    }
    setKey(node, last, value);
  }
  return filled as T;
}

/** The masked view: shows that a secret is stored, never which. */
export function maskSecrets<T extends object>(open: T, stored: readonly string[], keysOf?: KeysOf): T {
  if (stored.length === 0) return open;
  return insertSecrets(open, Object.fromEntries(stored.map((path) => [path, MASK])), keysOf);
}

export const mergeSecrets = ({ keep, set }: SecretDecision, stored: Readonly<Secrets>): Secrets => ({
  ...Object.fromEntries(keep.map((path) => [path, stored[path] ?? ''])),
  ...set,
});
