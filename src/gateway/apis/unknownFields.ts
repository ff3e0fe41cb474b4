const MAX_NAMED = 20;
const LONGEST = 100;

/** A warning for each field of a body that the gateway does not know. A reply must not grow with what was sent. */
export function unknownFieldWarnings(names: readonly string[]): string[] {
  const more = names.length - MAX_NAMED;
  return [
    ...names.slice(0, MAX_NAMED).map((name) => `${name.slice(0, LONGEST)} was left out: the gateway does not know it`),
    ...(more > 0 ? [`${more} more fields were left out: the gateway does not know them`] : []),
  ];
}
