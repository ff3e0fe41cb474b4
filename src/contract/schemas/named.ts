import type { TSchema } from 'typebox';

/** Sets the schema's name in the OpenAPI document and in generated clients. */
export function named<T extends TSchema>(name: string, schema: T): T {
  const before = nameOf(schema);
  if (before !== undefined && before !== name) throw new Error(`The schema is already named ${before}: ${name}`);
  return Object.assign(schema, { 'x-name': name });
}

/** Restricts a named schema: the document refers to `base` and adds the restrictions, so a client has one type for both. */
export function narrowed<T extends TSchema>(base: TSchema, schema: T): T {
  return Object.assign(schema, { 'x-narrows': base });
}

export function nameOf(schema: TSchema): string | undefined {
  return (schema as { 'x-name'?: string })['x-name'];
}
