import { parseBoolean, type Stanza } from '../../confs/conf.ts';
import { PlatformError } from '../../http/reply.ts';
import type { Json, JsonObject } from './json.ts';

/** Field types of a collections.conf stanza. */
export interface TypeRules {
  enforce: boolean;
  types: Map<string, string>;
}

const INVALID = Symbol('invalid');

const CONVERTERS: Record<string, (value: Json) => Json | typeof INVALID> = {
  number: toNumber,
  time: (value) => {
    const number = toNumber(value);
    if (number !== INVALID) return number;
    return typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : INVALID;
  },
  bool: (value) => {
    if (typeof value === 'boolean') return value;
    if (value === 1 || value === '1' || value === 'true') return true;
    return value === 0 || value === '0' || value === 'false' ? false : INVALID;
  },
  string: (value) => (typeof value === 'object' ? INVALID : String(value)),
  array: (value) => (Array.isArray(value) ? value : INVALID),
};

export function typeRules(stanza: Stanza): TypeRules {
  const types = new Map<string, string>();
  for (const [name, type] of Object.entries(stanza)) {
    if (name.startsWith('field.')) types.set(name.slice('field.'.length), type.trim().toLowerCase());
  }
  return { enforce: parseBoolean(stanza.enforceTypes) === true, types };
}

/**
 * Converts typed fields (`"12"` to 12). A value that cannot be converted is refused if the collection enforces types,
 * else dropped. Unknown types convert nothing; null stays null.
 */
export function applyTypes(doc: JsonObject, { enforce, types }: TypeRules): JsonObject {
  if (types.size === 0) return doc;
  const entries: [string, Json][] = [];
  for (const [name, value] of Object.entries(doc)) {
    const type = types.get(name) ?? '';
    const convert = Object.hasOwn(CONVERTERS, type) ? CONVERTERS[type] : undefined;
    const converted = convert === undefined || value === null ? value : convert(value);
    if (converted !== INVALID) entries.push([name, converted]);
    else if (enforce) throw new PlatformError(400, `Field "${name}" must be of type ${type}.`);
  }
  // Not by assignment: a document's `__proto__` must stay a plain field.
  return Object.fromEntries(entries);
}

function toNumber(value: Json): number | typeof INVALID {
  if (typeof value === 'number') return value;
  if (typeof value !== 'string' || value.trim() === '') return INVALID;
  const number = Number(value);
  return Number.isFinite(number) ? number : INVALID;
}
