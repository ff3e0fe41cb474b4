/** A JSON object: neither null nor a list. */
export type Json = Record<string, unknown>;

export function isObject<T extends object = Json>(value: unknown): value is T {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
