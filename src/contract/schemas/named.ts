import type { TSchema } from 'typebox';

/** Gives a schema the name that the document, and every client made of it, calls it by. */
export function named<T extends TSchema>(name: string, schema: T): T {
  const before = nameOf(schema);
  if (before !== undefined && before !== name) throw new Error(`${before} cannot be ${name} too`);
  return Object.assign(schema, { 'x-name': name });
}

/**
 * A schema that takes less than one which has a name, and needs no name itself: the document refers to that one, and says
 * beside it what is less. So a client has one type for both.
 */
export function narrowed<T extends TSchema>(base: TSchema, schema: T): T {
  return Object.assign(schema, { 'x-narrows': base });
}

export function nameOf(schema: TSchema): string | undefined {
  return (schema as { 'x-name'?: string })['x-name'];
}
