import type { Plan } from '../../contract/rows/compiled.ts';
import { NOT_A_STRING } from '../../contract/schemas/common.ts';

/** A JSON schema as plain data, with our `x-` annotations. */
export interface JsonSchema {
  type?: string | string[];
  properties?: Record<string, JsonSchema>;
  patternProperties?: Record<string, JsonSchema>;
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  /** The named schema that this one narrows; for the document only. */
  'x-narrows'?: JsonSchema;
  'x-secret'?: boolean;
  /** Numbers and booleans are converted to strings, null to the empty string. */
  'x-text'?: boolean;
  'x-trim'?: boolean;
  /** Case-insensitive: converted to lower case. */
  'x-fold'?: boolean;
  'x-message'?: string;
  'x-stored-items'?: number;
  /** Constraints checked in code instead of by the validator; for the document only. */
  'x-form'?: JsonSchema;
  [key: string]: unknown;
}

/** The key plan of a schema; alternatives are merged. */
export function planOf(schema: JsonSchema): Plan {
  if (schema.anyOf) return schema.anyOf.map(planOf).reduce(merge);
  if (schema.type === 'array') return { i: schema.items ? planOf(schema.items) : true };
  if (schema.type === 'object' || schema.properties || schema.patternProperties) {
    const properties = Object.entries(schema.properties ?? {}).map(([key, value]) => [key, planOf(value)] as const);
    const others = additional(schema);
    if (properties.length === 0 && others === true) return true;
    return { p: Object.fromEntries(properties), ...(others === undefined ? {} : { a: others }) };
  }
  const form = textForm(schema);
  if (form) return form;
  return schema.type || schema.enum || 'const' in schema ? {} : true;
}

function textForm(schema: JsonSchema): Plan | undefined {
  const { 'x-text': text, 'x-trim': trim, 'x-fold': fold } = schema;
  if (!text && !trim && !fold) return undefined;
  return { ...(text ? { c: 1 } : {}), ...(trim ? { t: 1 } : {}), ...(fold ? { l: 1 } : {}) };
}

function additional(schema: JsonSchema): Plan | undefined {
  const patterns = Object.values(schema.patternProperties ?? {});
  if (patterns.length > 0) return patterns.map(planOf).reduce(merge);
  if (schema.additionalProperties === true) return true;
  if (schema.additionalProperties) return planOf(schema.additionalProperties);
  // An object without declared keys is free-form.
  return schema.properties ? undefined : true;
}

function merge(a: Plan, b: Plan): Plan {
  if (a === true || b === true) return true;
  const keys = new Set([...Object.keys(a.p ?? {}), ...Object.keys(b.p ?? {})]);
  const properties = [...keys].map((key) => {
    const [left, right] = [a.p?.[key], b.p?.[key]];
    return [key, left && right ? merge(left, right) : (left ?? right)];
  });
  const both = (x?: Plan, y?: Plan) => (x && y ? merge(x, y) : (x ?? y));
  const [others, items] = [both(a.a, b.a), both(a.i, b.i)];
  return {
    ...(a.c || b.c ? { c: 1 as const } : {}),
    ...(a.t || b.t ? { t: 1 as const } : {}),
    ...(a.l || b.l ? { l: 1 as const } : {}),
    ...(keys.size > 0 ? { p: Object.fromEntries(properties) } : {}),
    ...(others === undefined ? {} : { a: others }),
    ...(items === undefined ? {} : { i: items }),
  };
}

/** Paths (`details/token`) of all secrets; `*` stands for keys chosen by the caller. */
export function secretPaths(schema: JsonSchema, path: readonly string[] = []): string[] {
  if (schema['x-secret']) return [path.join('/')];
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([key, value]) => [key, value] as const),
    ...Object.values(schema.patternProperties ?? {}).map((value) => ['*', value] as const),
  ];
  const below = inner.flatMap(([key, value]) => secretPaths(value, [...path, key]));
  return [...new Set([...below, ...(schema.anyOf ?? []).flatMap((option) => secretPaths(option, path))])];
}

/** Schema path -> message that replaces the validator's own. */
export function messagesOf(schema: JsonSchema, path = '#'): Record<string, string> {
  const messages = {
    ...(schema['x-message'] ? { [path]: schema['x-message'] } : {}),
    // A wrong type needs another message than a wrong text.
    ...(schema['x-text'] ? { [`${path}/type`]: NOT_A_STRING } : {}),
  };
  const inner: [string, JsonSchema][] = [
    ...Object.entries(schema.properties ?? {}).map(([key, value]): [string, JsonSchema] => [
      `properties/${key}`,
      value,
    ]),
    ...Object.entries(schema.patternProperties ?? {}).map(([key, value]): [string, JsonSchema] => [
      `patternProperties/${encodeURIComponent(key)}`,
      value,
    ]),
    ...(schema.anyOf ?? []).map((value, index): [string, JsonSchema] => [`anyOf/${index}`, value]),
    ...(schema.items ? [['items', schema.items] as [string, JsonSchema]] : []),
  ];
  return Object.assign(messages, ...inner.map(([key, value]) => messagesOf(value, `${path}/${key}`)));
}

/** Keywords that only the document needs. */
const FOR_THE_DOCUMENT = new Set(['x-name', 'x-narrows', 'x-form']);

/**
 * Removes what the validator ignores, to keep the driver small. Where stored lists may be longer than new ones (`x-stored-items`),
 * the validator gets the larger bound, and the code, which knows the record, checks new lists.
 */
export function checkable(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    // A field of that name has a schema, not a text.
    if (key === 'description' && typeof value === 'string') return undefined;
    if (FOR_THE_DOCUMENT.has(key)) return undefined;
    return typeof value?.['x-stored-items'] === 'number' ? { ...value, maxItems: value['x-stored-items'] } : value;
  });
}
