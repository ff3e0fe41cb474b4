import { isObject } from '../../../src/contract/basics.ts';

/**
 * Differences between what a case of test/fixtures/clients expects and a value: objects match as subsets, lists in full length,
 * `{}` fits any element. `<any>` is any value that is not null, `<int>` an integer, `<re:…>` an expression that the text must match.
 */
export function differencesFrom(expected: unknown, value: unknown, path = '$'): string[] {
  const differs = () => [`${path}: ${JSON.stringify(value)} is not ${JSON.stringify(expected)}`];
  if (Array.isArray(expected)) {
    if (!Array.isArray(value) || value.length !== expected.length) return differs();
    return expected.flatMap((each, index) => differencesFrom(each, value[index], `${path}.${index}`));
  }
  if (isObject(expected)) {
    if (Object.keys(expected).length > 0 && !isObject(value)) return differs();
    return Object.entries(expected).flatMap(([key, each]) =>
      differencesFrom(each, isObject(value) ? value[key] : undefined, `${path}.${key}`),
    );
  }
  return fits(expected, value) ? [] : differs();
}

function fits(expected: unknown, value: unknown): boolean {
  if (expected === '<any>') return value !== null && value !== undefined;
  if (expected === '<int>') return Number.isInteger(value);
  const pattern = typeof expected === 'string' ? /^<re:(.*)>$/s.exec(expected)?.[1] : undefined;
  if (pattern !== undefined) return typeof value === 'string' && new RegExp(pattern).test(value);
  return expected === value;
}
