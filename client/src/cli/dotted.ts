/** Splits a dotted path; `\` escapes a dot or backslash in a key. */
function keysOf(path: string): string[] {
  const keys = [''];
  for (const [part] of path.matchAll(/\\.|\.|[^.\\]+|\\/gs)) {
    if (part === '.') keys.push('');
    else keys[keys.length - 1] += part.length === 2 && part.startsWith('\\') ? part.slice(1) : part;
  }
  return keys;
}

/** The value at a path, or undefined. */
export function valueAt(value: unknown, path: string): unknown {
  let current = value;
  for (const key of keysOf(path)) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, key)) return undefined;
    current = (current as Record<string, unknown>)[key];
  }
  return current;
}
