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
  /** The named schema that this one takes less than: for the document alone. */
  'x-narrows'?: JsonSchema;
  'x-secret'?: boolean;
  /** Numbers and booleans are taken for the texts that they read as, null for the empty one. */
  'x-text'?: boolean;
  'x-trim'?: boolean;
  /** Without regard to case: brought into lower case. */
  'x-fold'?: boolean;
  'x-message'?: string;
  'x-stored-items'?: number;
  /** What the code checks beside the validator, and tells together with all other problems: for the document alone. */
  'x-form'?: JsonSchema;
  [key: string]: unknown;
}

/** The key plan of a schema: the union of what its alternatives let pass. */
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
  // An object without any declared key is free-form.
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

/** Paths (`details/token`) of everything marked as a secret; `*` for keys that the caller chooses. */
export function secretPaths(schema: JsonSchema, path: readonly string[] = []): string[] {
  if (schema['x-secret']) return [path.join('/')];
  const inner = [
    ...Object.entries(schema.properties ?? {}).map(([key, value]) => [key, value] as const),
    ...Object.values(schema.patternProperties ?? {}).map((value) => ['*', value] as const),
  ];
  const below = inner.flatMap(([key, value]) => secretPaths(value, [...path, key]));
  return [...new Set([...below, ...(schema.anyOf ?? []).flatMap((option) => secretPaths(option, path))])];
}

/** Path of a schema, or of one of its keywords -> the sentence that a person should read instead of the validator's. */
export function messagesOf(schema: JsonSchema, path = '#'): Record<string, string> {
  const own = {
    ...(schema['x-message'] ? { [path]: schema['x-message'] } : {}),
    // Whatever else a text has to be: for a value that is not a text, the message says that it must be one.
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
  return Object.assign(own, ...inner.map(([key, value]) => messagesOf(value, `${path}/${key}`)));
}

/** What tells the document what a schema is called, and what the code checks of it. */
const FOR_THE_DOCUMENT = new Set(['x-name', 'x-narrows', 'x-form']);

/**
 * What the validator is made of: what it does not look at would only make the driver larger. Where a stored list may be longer than a
 * new one (`x-stored-items`), the document tells the bound of new ones and the code, which knows the record, holds them to it.
 */
export function checkable(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema), (key, value) => {
    // A field of that name has a schema, not a text.
    if (key === 'description' && typeof value === 'string') return undefined;
    if (FOR_THE_DOCUMENT.has(key)) return undefined;
    return typeof value?.['x-stored-items'] === 'number' ? { ...value, maxItems: value['x-stored-items'] } : value;
  });
}
