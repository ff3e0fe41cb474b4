import { isObject, type Json, MASK } from '../../contract/basics.ts';
import { Fault, type Problem } from '../../contract/codes/faults.ts';
import { SHORTEST_MASKED } from '../net/redact.ts';
import { setKey } from '../values/json.ts';

/** Path (`details/token`) -> plain-text value. */
export type Secrets = Record<string, string>;
/** Path -> a value, the mask, or null to delete. A path ending in `/*` deletes everything below. */
export type SubmittedSecrets = Record<string, string | null>;

/** Converts a path to a field name for messages. */
export type FieldOf = (path: string) => string;
export const toDottedPath: FieldOf = (path) => path.replaceAll('/', '.');

/** Separates the secrets from an input without changing it. */
export function splitSecrets<T extends object>(
  input: T,
  paths: readonly string[],
): { open: T; submitted: SubmittedSecrets } {
  const open = structuredClone(input) as Json;
  const submitted: SubmittedSecrets = {};
  for (const path of paths) take(open, path.split('/'), [], submitted);
  return { open: open as T, submitted };
}

function take(node: Json, [key, ...inner]: string[], path: string[], submitted: SubmittedSecrets): void {
  if (key === undefined) return;
  // A key in the input may be named `*`; it is not a pattern.
  if (key === '*') for (const name of Object.keys(node)) takeKey(node, name, inner, path, submitted);
  else if (Object.hasOwn(node, key)) takeKey(node, key, inner, path, submitted);
}

function takeKey(node: Json, key: string, inner: string[], path: string[], submitted: SubmittedSecrets): void {
  const value = node[key];
  if (inner.length === 0) {
    submitted[[...path, key].join('/')] = typeof value === 'string' && value !== '' ? value : null;
    delete node[key];
  } else if (isObject(value)) {
    take(value, inner, [...path, key], submitted);
    // Removes an object that had only secrets; a masked read adds it again.
    if (inner[0] === '*' && Object.keys(value).length === 0) delete node[key];
  } else if (value === null && inner[0] === '*') {
    submitted[[...path, key, '*'].join('/')] = null;
    delete node[key];
  }
}

export interface SecretDecision {
  /** Paths of stored secrets to keep. */
  keep: string[];
  /** New values. */
  set: Secrets;
  /** False when all stored secrets are kept. */
  changes: boolean;
}

export interface SecretChange extends SecretDecision {
  submitted: SubmittedSecrets;
}

/** Names the new secrets that are too short to be masked. */
export const shortSecretWarnings = (set: Secrets, fieldOf: FieldOf): string[] =>
  Object.keys(set)
    .filter((path) => (set[path]?.length ?? 0) < SHORTEST_MASKED)
    .map(
      (path) =>
        `${fieldOf(path)} is shorter than ${SHORTEST_MASKED} characters: it is not masked where a server or a model repeats it`,
    );

/** Paths of the secrets after a write. */
export const secretsAfter = ({ keep, set }: SecretDecision): string[] => [...keep, ...Object.keys(set)];

/**
 * Decides for each secret: the mask or absence keeps it, an empty string or null deletes it, a value sets it.
 * @throws Fault `masked_value_without_stored_secret`
 */
export function decideSecrets(
  submitted: SubmittedSecrets,
  stored: readonly string[],
  fieldOf: FieldOf = toDottedPath,
): SecretDecision {
  const entries = Object.entries(submitted);
  const storedPaths = new Set(stored);
  const unmatched = entries.filter(([path, value]) => value === MASK && !storedPaths.has(path));
  if (unmatched.length > 0) {
    const errors: Problem[] = unmatched.map(([path]) => ({
      field: fieldOf(path),
      message: 'is masked, but has no stored secret',
    }));
    const names = errors.map((error) => error.field).join(', ');
    throw new Fault(
      'masked_value_without_stored_secret',
      `No secret is stored for masked fields: ${names}. Send the secret, or omit the field.`,
      {
        errors,
      },
    );
  }
  const changed = entries.filter(([, value]) => value !== MASK);
  const set = Object.fromEntries(changed.filter((entry): entry is [string, string] => entry[1] !== null));
  // A mask takes precedence over a path that deletes everything around it.
  const deleted = new Set(changed.flatMap(([path]) => (path.endsWith('/*') ? path.slice(0, -2) : [])));
  const isChanged = (path: string) =>
    Object.hasOwn(submitted, path) || parentsOf(path).some((parent) => deleted.has(parent));
  const keep = stored.filter((path) => submitted[path] === MASK || !isChanged(path));
  return { keep, set, changes: keep.length !== stored.length || Object.keys(set).length > 0 };
}

/** The largest of the new secrets, if all secrets of the record together are too large. */
export function sizeProblem(
  secrets: Readonly<Secrets>,
  set: Readonly<Secrets>,
  maxBytes: number,
  fieldOf: FieldOf = toDottedPath,
): Problem | undefined {
  const bytes = Object.values(secrets).reduce((sum, value) => sum + Buffer.byteLength(value), 0);
  const [largest] = Object.entries(set).sort(([, a], [, b]) => b.length - a.length);
  if (bytes <= maxBytes || largest === undefined) return undefined;
  const message = `is too large: the secrets of the record have ${bytes} bytes together, at most ${maxBytes} are accepted`;
  return { field: fieldOf(largest[0]), message };
}

const parentsOf = (path: string): string[] => [...path.matchAll(/\//g)].map(({ index }) => path.slice(0, index));

/**
 * Stored secrets must be sent again after their address has changed.
 * @throws Fault `secret_required_for_new_host`
 */
export function assertBound(
  unchangedPaths: readonly string[],
  changedAddresses: readonly string[],
  fieldOf: FieldOf = toDottedPath,
): void {
  if (unchangedPaths.length === 0 || changedAddresses.length === 0) return;
  const errors: Problem[] = unchangedPaths.map((path) => ({
    field: fieldOf(path),
    message: 'must be sent again, or deleted with ""',
  }));
  throw new Fault(
    'secret_required_for_new_host',
    `${changedAddresses.join(', ')} differs from the stored record. Send ${errors.map(({ field }) => field).join(', ')} again.`,
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
  for (const [path, value] of Object.entries(values)) insertSecret(filled, keysOf(path), value);
  return filled as T;
}

/** Changes `target`. */
export function insertSecret(target: Json, keys: readonly string[], value: string): void {
  let node = target;
  for (const key of keys.slice(0, -1)) {
    const inner = Object.hasOwn(node, key) ? node[key] : undefined;
    if (typeof inner !== 'object' || inner === null) setKey(node, key, {});
    node = node[key] as Json;
  }
  setKey(node, keys.at(-1) as string, value);
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
