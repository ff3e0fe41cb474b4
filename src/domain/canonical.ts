/** The value with the keys of all its objects in one order, so that equal values have equal texts. */
export function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]));
}

export const isSameValue = (a: unknown, b: unknown): boolean =>
  JSON.stringify(inOrder(a)) === JSON.stringify(inOrder(b));
