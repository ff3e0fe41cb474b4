import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../bundle/schemas.ts';

/** Keywords that do not constrain values. */
const REMARKS = new Set(['description', 'default']);

/**
 * The keywords beside a reference that narrow the named schema: more required fields, and every field or keyword that differs.
 * @throws Error if the schema is wider: keywords beside a reference can only add constraints
 */
export function narrowing(name: string, base: JsonSchema, narrower: JsonSchema): JsonSchema {
  const wider = (what: string) => new Error(`not a narrower ${name}: ${what}`);
  const lost = Object.keys(base).find((key) => !REMARKS.has(key) && key !== 'required' && !(key in narrower));
  if (lost !== undefined) throw wider(`${lost} is missing`);
  const [needed, before] = [toArray(narrower.required), toArray(base.required)];
  const optional = before.find((field) => !needed.includes(field));
  if (optional !== undefined) throw wider(`${String(optional)} is not required`);
  const values = toArray(narrower.enum).find((value) => !toArray(base.enum).includes(value));
  if (values !== undefined) throw wider(`${String(values)} is another value`);
  const fields = Object.entries(narrower.properties ?? {}).flatMap(([field, schema]) => {
    const former = base.properties?.[field];
    if (!former) throw wider(`${field} is another field`);
    return isDeepStrictEqual(schema, former) ? [] : [[field, schema] as const];
  });
  const { properties: _, required: _required, ...keywords } = narrower;
  // The order of values does not matter.
  if (toArray(narrower.enum).length === toArray(base.enum).length) delete keywords.enum;
  const required = needed.filter((field) => !before.includes(field));
  return {
    ...Object.fromEntries(Object.entries(keywords).filter(([key, value]) => !isDeepStrictEqual(value, base[key]))),
    ...(required.length > 0 ? { required } : {}),
    ...(fields.length > 0 ? { properties: Object.fromEntries(fields) } : {}),
  };
}

/** Merges a named schema with the keywords beside a reference to it. */
export function withNarrowing(
  named: JsonSchema,
  { $ref: _, required, properties, ...keywords }: JsonSchema,
): JsonSchema {
  const needed = [...toArray(named.required), ...toArray(required)];
  return {
    ...named,
    ...keywords,
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(properties ? { properties: { ...named.properties, ...properties } } : {}),
  };
}

const toArray = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);
