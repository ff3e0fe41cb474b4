import type { Json } from '../../../contract/basics.ts';
import { isObject, MASK } from '../../../contract/basics.ts';
import type { SubmittedSecrets } from '../../../domain/secrets/secrets.ts';

/**
 * The secrets of a free-form configuration: the texts that the schema marks, and others that nobody declared. Those are
 * recognised by their names, and when in doubt a text counts as one: every text, at any depth, below a name with one of
 * these words in it. `author` alone does not count.
 */
const SUSPICIOUS = /key|token|secret|passw|pwd|credential|auth(?!or(s|ed|ing|ship)?(?![a-z]))|bearer|cookie|signature/i;
/** Declared fields that have such a name and hold no secret. */
const PLAIN = new Set(['servicesettings/cloud_access_key_id', 'modelsettings/max_tokens']);
/** What a form keeps beside a `value`. */
const DECORATION = new Set(['label', 'type', 'description']);

/** A path is its keys joined by `/`; within a key, the characters that paths and wildcards are made of are escaped. */
export const pathPart = (key: string): string =>
  key.replace(/[%/*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
const keyOf = (part: string): string =>
  part.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
export const keysOfPath = (path: string): string[] => path.split('/').map(keyOf);
export const fieldOfPath = (path: string): string => keysOfPath(path).join('.');

/** Keys are data here: `__proto__` is a key like any other. */
function put(target: Json, key: string, value: unknown): void {
  if (key === '__proto__') {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

const GONE = Symbol('a credential, or an object that held nothing else');

/** Paths of the secrets that the schema marks. */
export type Marks = readonly string[];

/** Takes the credentials out of a configuration. The configuration is not changed. */
export function splitCredentials(blob: Json, marks: Marks): { open: Json; given: SubmittedSecrets } {
  const given: SubmittedSecrets = {};
  const open: Json = {};
  for (const [key, value] of Object.entries(blob)) {
    const path = pathPart(key);
    const rest = take(value, path, SUSPICIOUS.test(key), { given, marks });
    if (rest !== GONE) put(open, key, rest);
    else if (key === 'servicesettings' || key === 'modelsettings') open[key] = {};
  }
  return { open, given };
}

interface Found {
  readonly given: SubmittedSecrets;
  readonly marks: Marks;
}

/** A value that is no object replaces all that is stored below its path; keys absent from an object keep what is stored. */
function take(value: unknown, path: string, suspicious: boolean, found: Found): unknown {
  const { given } = found;
  if (isObject(value)) {
    if (suspicious) given[path] = null;
    return takeObject(value, path, suspicious, found);
  }
  given[`${path}/*`] = null;
  if (suspicious) given[path] = typeof value === 'string' && value !== '' ? value : null;
  if (Array.isArray(value)) {
    // A credential's place in the list stays, so that the other entries keep theirs.
    return value.map((item, index) => {
      const rest = take(item, `${path}/${index}`, suspicious, found);
      return rest === GONE ? (isObject(item) ? {} : null) : rest;
    });
  }
  return suspicious && (typeof value === 'string' || value === null) ? GONE : value;
}

function takeObject(value: Json, path: string, suspicious: boolean, found: Found): unknown {
  const open: Json = {};
  const entries = Object.entries(value);
  const isField = Object.hasOwn(value, 'value');
  let kept = 0;
  for (const [key, inner] of entries) {
    const below = `${path}/${pathPart(key)}`;
    const isDecoration = isField && DECORATION.has(key) && typeof inner === 'string';
    const isSuspicious = !PLAIN.has(below) && (SUSPICIOUS.test(key) || (suspicious && !isDecoration));
    const rest = take(inner, below, isSuspicious || found.marks.includes(below), found);
    if (rest === GONE) continue;
    put(open, key, rest);
    kept += 1;
  }
  return entries.length > 0 && kept === 0 ? GONE : open;
}

/** Puts values (or masks) back at their paths. Changes `open` itself: it was just parsed, and a copy would cost more. */
export function fillCredentials(open: Json, values: Readonly<Record<string, string>>): Json {
  for (const [path, value] of Object.entries(values)) {
    const keys = keysOfPath(path);
    const last = keys.pop() as string;
    const at = keys.reduce<unknown>(step, open);
    if (typeof at === 'object' && at !== null) put(at as Json, last, value);
  }
  return open;
}

function step(node: unknown, key: string): unknown {
  if (typeof node !== 'object' || node === null) return undefined;
  const below = Object.hasOwn(node, key) ? (node as Json)[key] : undefined;
  if (typeof below === 'object' && below !== null) return below;
  put(node as Json, key, {});
  return (node as Json)[key];
}

export function maskCredentials(open: Json, paths: readonly string[]): Json {
  return fillCredentials(open, Object.fromEntries(paths.map((path) => [path, MASK])));
}
