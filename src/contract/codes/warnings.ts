/** Limit of unknown fields that one reply names; the others are only counted. */
const MAX_NAMED = 50;
const MAX_PATH_LENGTH = 120;

/** @param prefix path of the object that has the fields */
export function unknownFieldWarnings(paths: readonly string[], prefix = ''): string[] {
  const named = paths.slice(0, MAX_NAMED).map((path) => `Unknown field ignored: ${prefix}${truncate(path)}`);
  const more = paths.length - MAX_NAMED;
  return more > 0 ? [...named, `${more} more unknown fields ignored`] : named;
}

const truncate = (path: string): string =>
  path.length > MAX_PATH_LENGTH ? `${path.slice(0, MAX_PATH_LENGTH)}…` : path;

/** Each text once, in order. */
export const withoutRepeats = (texts: readonly string[]): string[] => [...new Set(texts)];
