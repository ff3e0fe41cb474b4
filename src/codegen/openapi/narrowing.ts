import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../bundle/schemas.ts';

/** What is said of a schema without making it take less. */
const REMARKS = new Set(['description', 'default']);

/**
 * What stands beside a reference to a named schema where less is taken than it takes: further required fields, and whole
 * each field or keyword that differs.
 * @throws Error where the named one says what the narrower one does not: beside the reference nothing can be taken back
 */
export function narrowing(name: string, base: JsonSchema, own: JsonSchema): JsonSchema {
  const wider = (what: string) => new Error(`not a narrower ${name}: ${what}`);
  const lost = Object.keys(base).find((key) => !REMARKS.has(key) && key !== 'required' && !(key in own));
  if (lost !== undefined) throw wider(`${lost} is missing`);
  const [needed, before] = [listed(own.required), listed(base.required)];
  const optional = before.find((field) => !needed.includes(field));
  if (optional !== undefined) throw wider(`${String(optional)} is not required`);
  const values = listed(own.enum).find((value) => !listed(base.enum).includes(value));
  if (values !== undefined) throw wider(`${String(values)} is another value`);
  const fields = Object.entries(own.properties ?? {}).flatMap(([field, schema]) => {
    const former = base.properties?.[field];
    if (!former) throw wider(`${field} is another field`);
    return isDeepStrictEqual(schema, former) ? [] : [[field, unsaid(schema, former)] as const];
  });
  const { properties: _, required: _required, ...keywords } = own;
  // In another order they are the same values.
  if (listed(own.enum).length === listed(base.enum).length) delete keywords.enum;
  const required = needed.filter((field) => !before.includes(field));
  return {
    ...Object.fromEntries(Object.entries(keywords).filter(([key, value]) => !isDeepStrictEqual(value, base[key]))),
    ...(required.length > 0 ? { required } : {}),
    ...(fields.length > 0 ? { properties: Object.fromEntries(fields) } : {}),
  };
}

/** The other way round: a named schema with what stands beside a reference to it. */
export function withNarrowing(
  named: JsonSchema,
  { $ref: _, required, properties, ...keywords }: JsonSchema,
): JsonSchema {
  const needed = [...listed(named.required), ...listed(required)];
  const fields = Object.entries(properties ?? {}).map(([field, schema]) => {
    const { description } = named.properties?.[field] ?? {};
    return [field, { ...(description === undefined ? {} : { description }), ...schema }] as const;
  });
  return {
    ...named,
    ...keywords,
    ...(needed.length > 0 ? { required: needed } : {}),
    ...(fields.length > 0 ? { properties: { ...named.properties, ...Object.fromEntries(fields) } } : {}),
  };
}

const listed = (list: unknown): unknown[] => (Array.isArray(list) ? list : []);

/** What a field is for need not be said again. */
function unsaid(field: JsonSchema, former: JsonSchema): JsonSchema {
  const { description, ...rest } = field;
  return description === former.description ? rest : field;
}
