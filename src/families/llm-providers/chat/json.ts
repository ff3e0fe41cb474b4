export type Json = Record<string, unknown>;
export const asObject = (value: unknown): Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {};
export const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
export const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Null, and texts, lists and objects without content. */
export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Without undefined fields. */
export const defined = (body: Json): Json =>
  Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));

/** Undefined for an object without defined fields. */
export function definedOrNothing(body: Json): Json | undefined {
  const found = defined(body);
  return Object.keys(found).length > 0 ? found : undefined;
}

export const count = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

/** The sum of the defined values; undefined without the first. */
export function sum(first: unknown, ...more: unknown[]): number | undefined {
  const start = count(first);
  return start === undefined ? undefined : more.reduce<number>((total, one) => total + (count(one) ?? 0), start);
}
