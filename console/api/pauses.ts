const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/** Milliseconds before the next try: each time twice as long, so that a server in trouble is left alone. @param tries that have failed, from 0 */
export const pauseAfter = (tries: number): number => Math.min(FIRST_MS * 2 ** tries, LONGEST_MS);

const FLAGS_MS = 10_000;
/** Drivers read settings every five seconds: what is switched on again is seen here within ten. */
const FLAGS_OFF_MS = 4000;

/** Milliseconds until the switches of features are looked at again. */
export const flagsPause = (flags: object | undefined): number =>
  Object.values(flags ?? {}).includes(false) ? FLAGS_OFF_MS : FLAGS_MS;
