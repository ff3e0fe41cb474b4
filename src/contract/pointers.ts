import { isObject } from './basics.ts';

/** `/a~1b/c` -> `a/b`, `c`. */
export const namesIn = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value in a document that a reference such as `#/$defs/a` means; others are not followed: nothing is fetched. */
export function pointed(document: unknown, reference: string): unknown {
  if (!reference.startsWith('#/')) return undefined;
  return namesIn(reference).reduce<unknown>(
    (place, name) => (isObject(place) && Object.hasOwn(place, name) ? place[name] : undefined),
    document,
  );
}
