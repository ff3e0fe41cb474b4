export type Verb = 'list' | 'get' | 'create' | 'update' | 'delete';

/** Suffixes of the operationIds of a kind. */
export interface CrudNames<One extends string, Many extends string> {
  one: One;
  many: Many;
}

/** Verb -> row or handler becomes operationId -> row or handler. */
export type ByOperation<T, One extends string, Many extends string> = {
  [V in keyof T & string as V extends 'list' ? `list${Many}` : `${V}${One}`]: T[V];
};

export function byOperation<T extends Record<Verb, unknown>, One extends string, Many extends string>(
  values: T,
  names: CrudNames<One, Many>,
): ByOperation<T, One, Many> {
  const entries = Object.entries(values).map(([verb, value]) => [operationOf(verb as Verb, names), value]);
  return Object.fromEntries(entries) as ByOperation<T, One, Many>;
}

export const operationOf = (verb: Verb, { one, many }: CrudNames<string, string>): string =>
  verb === 'list' ? `list${many}` : `${verb}${one}`;
