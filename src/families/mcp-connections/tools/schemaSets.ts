import { isObject } from '../../../contract/basics.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { sortKeysDeep } from '../../../domain/values/json.ts';

/** Lists whose order means nothing. Servers that build them from sets list them in another order after each restart. */
const SETS = new Set(['required', 'enum', 'type', 'anyOf', 'oneOf', 'allOf']);
/** Objects whose keys are names, not keywords. */
const BY_NAME = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
]);
/** Values that are data, in which the order of lists counts. */
const DATA = new Set(['default', 'const', 'example', 'examples']);

/** A JSON schema in which lists that are sets have one order. Their duplicates stay. */
export function withSortedSets(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(withSortedSets);
  if (!isObject(schema)) return schema;
  return mapped(schema, (value, key) => {
    if (DATA.has(key)) return value;
    if (Array.isArray(value) && SETS.has(key)) return sorted(key === 'enum' ? value : value.map(withSortedSets));
    if (isObject(value) && BY_NAME.has(key))
      return mapped(value, (inner) => (Array.isArray(inner) ? sorted(inner) : withSortedSets(inner)));
    return withSortedSets(value);
  });
}

// fromEntries defines keys: one called __proto__ is data.
const mapped = (object: object, map: (value: unknown, key: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

function sorted(list: readonly unknown[]): unknown[] {
  const texts = list.map((item) => ({ item, text: stringifyExact(sortKeysDeep(item)) }));
  return texts.sort((a, b) => (a.text < b.text ? -1 : Number(a.text > b.text))).map(({ item }) => item);
}
