import { isObject, type Json } from '../../../contract/basics.ts';
import type { HeaderMap } from '../../../domain/secrets/secretHeaders.ts';
import type { SubmittedSecrets } from '../../../domain/secrets/secrets.ts';
import { setKey } from '../../../domain/values/json.ts';
import { FIELD_NAMES, MODEL_FIELDS } from '../settingFields.ts';

/** Paths of the secrets that the schema marks. */
export type SecretPaths = readonly string[];

const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));

/** Whether the schema marks the value at a path as a secret; `*` at the end of a mark stands for any name. */
export const isMarked = (path: string, marked: SecretPaths): boolean =>
  marked.includes(path) || marked.includes(`${parentOf(path)}/*`);

/** Further headers of the requests to the provider. */
export const HEADERS: HeaderMap = {
  prefix: 'servicesettings/headers/value/',
  field: 'servicesettings.headers.value',
  nameOf: (path) => keysOfPath(path).slice(3).join('/'),
};

/** Names of undeclared fields whose texts count as secrets, at any depth below them. `author` alone does not count. */
const SUSPICIOUS = /key|token|secret|passw|pwd|credential|auth(?!or(s|ed|ing|ship)?(?![a-z]))|bearer|cookie|signature/i;
/** Keys of the texts that a form puts beside a `value`. */
const DECORATION = new Set(['label', 'type', 'description']);
/** The members of objects that no mark makes a secret, whatever they are called. */
const MEMBERS = new Set(
  ['', '/value', '/value/token_url', '/value/client_id', '/value/scope'].map((path) => `servicesettings/oauth${path}`),
);
const DECLARED = new Set([
  ...FIELD_NAMES.map((field) => `servicesettings/${field}`),
  ...Object.keys(MODEL_FIELDS).map((field) => `modelsettings/${field}`),
]);

/** Whether the schema declares the field and marks no secret in it: then its name does not matter. */
const isPlain = (path: string, marked: SecretPaths): boolean =>
  MEMBERS.has(path) || (DECLARED.has(path) && !marked.some((secret) => secret.startsWith(`${path}/`)));

/** A path is its keys joined by `/`; within a key, the characters that paths and wildcards are made of are escaped. */
export const pathPart = (key: string): string =>
  key.replace(/[%/*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
const unescapePart = (part: string): string =>
  part.replace(/%([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
export const keysOfPath = (path: string): string[] => path.split('/').map(unescapePart);

/** The connection's secrets keep the path they have in a body; a model's own are stored below its id. */
export const isShared = (path: string): boolean => path.startsWith('servicesettings/');
const modelPrefix = (model: string): string => `models/${pathPart(model)}/`;
export const isOfModel = (path: string, model: string): boolean => path.startsWith(modelPrefix(model));
/** Deletes every secret of one model. */
export const withoutModelSecrets = (model: string): SubmittedSecrets => ({ [`${modelPrefix(model)}*`]: null });

export const toStoredPath = (path: string, model: string): string =>
  isShared(path) ? path : `${modelPrefix(model)}${path}`;
/** The path that a stored secret has in the body of one model; undefined if it belongs to another one. */
export function toBodyPath(path: string, model: string): string | undefined {
  if (isShared(path)) return path;
  return isOfModel(path, model) ? path.slice(modelPrefix(model).length) : undefined;
}
/** The name of a stored secret in messages. */
export const fieldOfPath = (path: string): string => keysOfPath(path.replace(/^models\/[^/]*\//, '')).join('.');

const REMOVED = Symbol('a credential, or an object that held nothing else');

/** Separates the secrets of a configuration: those that are marked, and undeclared texts that look like credentials. */
export function splitCredentials(config: Json, marked: SecretPaths): { open: Json; submitted: SubmittedSecrets } {
  const submitted: SubmittedSecrets = {};
  const open: Json = {};
  for (const [key, value] of Object.entries(config)) {
    const path = pathPart(key);
    const openValue = take(value, path, SUSPICIOUS.test(key), { submitted, marked });
    if (openValue !== REMOVED) setKey(open, key, openValue);
    else if (key === 'servicesettings' || key === 'modelsettings') open[key] = {};
  }
  return { open, submitted };
}

interface SecretSplit {
  readonly submitted: SubmittedSecrets;
  readonly marked: SecretPaths;
}

/** A value that is no object replaces all that is stored below its path; keys absent from an object keep what is stored. */
function take(value: unknown, path: string, suspicious: boolean, secrets: SecretSplit): unknown {
  const { submitted } = secrets;
  if (isObject(value)) {
    if (suspicious) submitted[path] = null;
    return takeObject(value, path, suspicious, secrets);
  }
  submitted[`${path}/*`] = null;
  if (suspicious) submitted[path] = typeof value === 'string' && value !== '' ? value : null;
  if (Array.isArray(value)) {
    // A credential's place in the list stays, so that the other entries keep theirs.
    return value.map((item, index) => {
      const openItem = take(item, `${path}/${index}`, suspicious, secrets);
      return openItem === REMOVED ? (isObject(item) ? {} : null) : openItem;
    });
  }
  return suspicious && (typeof value === 'string' || value === null) ? REMOVED : value;
}

function takeObject(value: Json, path: string, suspicious: boolean, secrets: SecretSplit): unknown {
  const open: Json = {};
  const entries = Object.entries(value);
  const isField = Object.hasOwn(value, 'value');
  let remaining = 0;
  for (const [key, inner] of entries) {
    const below = `${path}/${pathPart(key)}`;
    const isDecoration = isField && DECORATION.has(key) && typeof inner === 'string';
    const isSuspicious = !isPlain(below, secrets.marked) && (SUSPICIOUS.test(key) || (suspicious && !isDecoration));
    const openValue = take(inner, below, isSuspicious || isMarked(below, secrets.marked), secrets);
    if (openValue === REMOVED) continue;
    setKey(open, key, openValue);
    remaining += 1;
  }
  return entries.length > 0 && remaining === 0 ? REMOVED : open;
}
