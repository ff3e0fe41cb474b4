/** Sent fields replace stored ones; null and "" unset them. */
export function mergeFields<T extends object>(base: Partial<T>, given: { [K in keyof T]?: unknown }): T {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(given)) {
    if (value === null || value === '') delete merged[key];
    else if (value !== undefined) merged[key] = value;
  }
  return merged as T;
}

/** A sent value replaces the stored one; null empties it. */
export function replaced<T>(base: T | undefined, given: T | null | undefined, empty: T): T {
  return given === undefined ? (base ?? empty) : (given ?? empty);
}
