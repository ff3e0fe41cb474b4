const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Exponential backoff in milliseconds. @param tries that have failed, from 0 */
export const pauseAfter = (tries: number): number => Math.min(FIRST_MS * 2 ** tries, LONGEST_MS);

const FLAGS_MS = 10_000;
/** Together with the five seconds of a driver, less than ten. */
const FLAGS_OFF_MS = 4000;

/** Milliseconds until the feature flags are read again. */
export const flagsPause = (flags: object | undefined): number =>
  Object.values(flags ?? {}).includes(false) ? FLAGS_OFF_MS : FLAGS_MS;
