import { isObject, type Json } from '../../../contract/basics.ts';

export { isObject, type Json };
export const asObject = (value: unknown): Json => (isObject(value) ? value : {});
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
  const fields = defined(body);
  return Object.keys(fields).length > 0 ? fields : undefined;
}

const MAX_MODEL_NAME = 256;

/** A provider's name of a model, as a field of an answer. */
export function modelName(value: unknown): { model?: string } {
  const name = asText(value).trim();
  return name === '' ? {} : { model: name.slice(0, MAX_MODEL_NAME) };
}

/** No model takes or gives as many tokens: a larger count is none. */
const MOST_TOKENS = 10_000_000;

/** A count of tokens, rounded up; undefined for what cannot be one. */
export function count(value: unknown): number | undefined {
  if (typeof value !== 'number' || !(value >= 0)) return undefined;
  const whole = Math.ceil(value);
  return whole <= MOST_TOKENS ? whole : undefined;
}

/** The sum of the counts that are there; undefined without the first, and if one of them cannot be a count. */
export function sum(first: unknown, ...more: unknown[]): number | undefined {
  const counts = [first, ...more.filter((value) => value !== undefined && value !== null)].map(count);
  return counts.includes(undefined) ? undefined : count(counts.reduce<number>((total, part) => total + (part ?? 0), 0));
}
