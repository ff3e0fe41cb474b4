/** Null and "" unset a field. */
export function mergeFields<T extends object>(base: Partial<T>, changes: { [K in keyof T]?: unknown }): T {
  const merged: Record<string, unknown> = { ...base };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null || value === '') delete merged[key];
    else if (value !== undefined) merged[key] = value;
  }
  return merged as T;
}

/** Null empties the value. */
export function replaceValue<T>(base: T | undefined, value: T | null | undefined, empty: T): T {
  return value === undefined ? (base ?? empty) : (value ?? empty);
}
