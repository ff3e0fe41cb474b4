type OfNumber = (value: number | bigint) => unknown;

/** Applies a function to all strings of a parsed JSON value but keys, which are names. @param ofNumber by default numbers stay */
export function mapStrings<T>(value: T, replace: (text: string) => string, ofNumber?: OfNumber): T;
export function mapStrings(value: unknown, replace: (text: string) => string, ofNumber?: OfNumber): unknown {
  if (typeof value === 'string') return replace(value);
  if (ofNumber && (typeof value === 'number' || typeof value === 'bigint')) return ofNumber(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, replace, ofNumber));
  if (typeof value !== 'object' || value === null) return value;
  // fromEntries defines keys: one called __proto__ is data.
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, mapStrings(item, replace, ofNumber)]));
}

/** Shows all strings of a value that stay as they are. */
export function keepStrings(value: unknown, keep: (text: string) => void): void {
  mapStrings(value, (text) => {
    keep(text);
    return text;
  });
}

/** As a member to spread: absent where there is none. */
export const mapped = <K extends string, T, R>(
  name: K,
  value: T | undefined,
  map: (value: T) => R,
): { [key in K]?: R } => (value === undefined ? {} : ({ [name]: map(value) } as { [key in K]?: R }));
