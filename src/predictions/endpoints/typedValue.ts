import { isObject } from '../../contract/basics.ts';
import { parseExact, stringifyExact } from '../../contract/exactJson.ts';
import { exactNumberOf, hasLeadingZero, isTooDeep, MAX_LEVELS } from '../rows/values.ts';

/** A value as the model takes it, or what it would have to be. */
export type TypedValue = { value: unknown } | { what: string };

export const SHALLOW = `nested ${MAX_LEVELS} levels deep at most`;

/**
 * Converts a value to a type that the specification allows. Without one, text that reads as a number is one.
 * @param types of JSON Schema; none: the specification does not say
 */
export function typedValue(value: unknown, types: ReadonlySet<unknown>): TypedValue {
  if (isTooDeep(value)) return { what: SHALLOW };
  if (types.size === 0) return { value: typeof value === 'string' ? (exactNumberOf(value) ?? value) : value };
  if (types.has('string') && typeof value === 'string' && hasLeadingZero(value)) return { value };
  for (const [type, convert] of CONVERSIONS) {
    const converted = types.has(type) ? convert(value) : undefined;
    if (converted !== undefined) return { value: converted };
  }
  const names = CONVERSIONS.flatMap(([type, , name]) => (types.has(type) ? name : []));
  return { what: names.length > 0 ? names.join(' or ') : 'null' };
}

type Conversion = (value: unknown) => unknown;

const toNumber: Conversion = (value) => (typeof value === 'boolean' ? Number(value) : exactNumberOf(value));

const toInteger: Conversion = (value) => {
  const number = toNumber(value);
  return typeof number === 'bigint' || Number.isInteger(number) ? number : undefined;
};

function toBoolean(value: unknown): boolean | undefined {
  if (typeof value === 'boolean') return value;
  const text = String(value).trim().toLowerCase();
  if (text === 'true' || text === '1') return true;
  return text === 'false' || text === '0' ? false : undefined;
}

const toText: Conversion = (value) =>
  typeof value === 'string' ? value : typeof value === 'object' ? stringifyExact(value) : String(value);

/** A field of a search has a list or an object as text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    const structure = parseExact(value);
    return isTooDeep(structure) ? undefined : structure;
  } catch {
    return undefined;
  }
}

const toList: Conversion = (value) => {
  const structure = parsed(value);
  return Array.isArray(structure) ? structure : undefined;
};

const toObject: Conversion = (value) => {
  const structure = parsed(value);
  return isObject(structure) ? structure : undefined;
};

/** In the order in which they are tried: everything is a text. */
const CONVERSIONS: readonly [type: string, convert: Conversion, name: string][] = [
  ['array', toList, 'a list'],
  ['object', toObject, 'an object'],
  ['integer', toInteger, 'an integer'],
  ['number', toNumber, 'a number'],
  ['boolean', toBoolean, 'true or false'],
  ['string', toText, 'a text'],
];
