const ANYTHING = '…';

/**
 * Holds a value against an example. `"…"` stands for any value, inside a longer text for any characters, and as the last
 * entry of a list for any further entries. A key too many is a difference like one too few.
 * @returns what differs, with its path; empty when nothing does
 */
export function differences(expected: unknown, actual: unknown, path = '$'): string[] {
  if (expected === ANYTHING) return [];
  if (typeof expected === 'string' && typeof actual === 'string') {
    const pattern = expected.split(ANYTHING).map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return new RegExp(`^${pattern.join('.*')}$`, 'su').test(actual) ? [] : [unlike(path, expected, actual)];
  }
  if (Array.isArray(expected) && Array.isArray(actual)) {
    const open = expected.length > 1 && expected.at(-1) === ANYTHING;
    const entries = open ? expected.slice(0, -1) : expected;
    if (open ? actual.length < entries.length : actual.length !== entries.length) {
      return [`${path}: ${actual.length} entries instead of ${entries.length}${open ? ' or more' : ''}`];
    }
    return entries.flatMap((entry, index) => differences(entry, actual[index], `${path}[${index}]`));
  }
  if (isObject(expected) && isObject(actual)) {
    const keys = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...keys].flatMap((key) => {
      if (!(key in actual)) return [`${path}.${key} is missing`];
      if (!(key in expected)) return [`${path}.${key} is not in the example: ${JSON.stringify(actual[key])}`];
      return differences(expected[key], actual[key], `${path}.${key}`);
    });
  }
  return Object.is(expected, actual) ? [] : [unlike(path, expected, actual)];
}

function unlike(path: string, expected: unknown, actual: unknown): string {
  return `${path} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The JSON document with which an output ends: replies come one after the other, without a line break between them. */
export function lastDocument(output: string): unknown {
  let last: { from: number; to: number } | undefined;
  let from = 0;
  let depth = 0;
  let inText = false;
  for (let i = 0; i < output.length; i += 1) {
    const char = output[i];
    if (inText) {
      if (char === '\\') i += 1;
      else if (char === '"') inText = false;
    } else if (depth > 0 && char === '"') inText = true;
    else if (char === '{' || char === '[') {
      if (depth === 0) from = i;
      depth += 1;
    } else if (depth > 0 && (char === '}' || char === ']')) {
      depth -= 1;
      if (depth === 0) last = { from, to: i + 1 };
    }
  }
  if (!last || output.slice(last.to).trim() !== '') throw new Error(`no JSON document ends this output: ${output}`);
  return JSON.parse(output.slice(last.from, last.to));
}
