/** A row that has each value of several rows; undefined where there is none. */
export function mergedRow(rows: readonly Readonly<Record<string, unknown>>[]): Record<string, unknown> | undefined {
  const [first, ...others] = rows;
  if (others.length === 0) return first;
  const fields = new Set(rows.flatMap(Object.keys));
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries([...fields].map((field) => [field, [...new Set(rows.flatMap((row) => row[field] ?? []))]]));
}
