import { isObject, type Json } from '../../contract/basics.ts';
import { keepStrings, mapStrings } from './strings.ts';

type Replace = (text: string) => string;

const MAPS = ['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas'];
const SCHEMAS = [
  ...['items', 'additionalItems', 'prefixItems', 'contains', 'additionalProperties', 'unevaluatedItems'],
  ...['unevaluatedProperties', 'propertyNames', 'not', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf'],
];
/** Keywords whose strings are names. */
const NAMES = [
  ...['type', 'required', 'format', '$schema', '$anchor', '$dynamicAnchor', '$dynamicRef', 'dependentRequired'],
  ...['contentEncoding', 'contentMediaType', 'propertyOrdering'],
];
/** Keywords that a placeholder would not match. */
const FORMS = ['format', 'pattern', 'minLength', 'maxLength'];

/** Replaces the texts of a JSON schema: descriptions, values and unknown keywords. Names stay. */
export function walkSchema<T>(schema: T, replace: Replace, keep: (text: string) => void): T;
export function walkSchema(schema: unknown, replace: Replace, keep: (text: string) => void): unknown {
  return mapSchema(schema, (name, value) => {
    const isName = NAMES.includes(name) || (name === '$ref' && typeof value === 'string' && value.startsWith('#'));
    if (!isName) return mapStrings(value, replace);
    keepStrings(value, keep);
    return value;
  });
}

/** The schema as a provider may enforce it that sees placeholders; the true one judges the restored answer. */
export function loosened<T>(schema: T): T;
export function loosened(schema: unknown): unknown {
  return mapSchema(schema, (name, value, { type }) =>
    FORMS.includes(name) && (type === undefined || [type].flat().includes('string')) ? undefined : value,
  );
}

/** @param map gets the keywords that hold no schema; undefined leaves one out */
function mapSchema(schema: unknown, map: (name: string, value: unknown, schema: Json) => unknown): unknown {
  if (Array.isArray(schema)) return schema.map((item) => mapSchema(item, map));
  if (!isObject(schema)) return schema;
  const entries = Object.entries(schema).map(([name, value]): [string, unknown] => {
    if (MAPS.includes(name) && isObject(value)) {
      return [name, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapSchema(inner, map)]))];
    }
    if (SCHEMAS.includes(name) && typeof value === 'object') return [name, mapSchema(value, map)];
    return [name, map(name, value, schema)];
  });
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}
