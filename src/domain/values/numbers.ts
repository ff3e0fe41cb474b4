/** US dollars without the noise of binary fractions. */
export const roundDollars = (value: number): number => Number(value.toFixed(12));

/** To a tenth, as times in milliseconds are shown. */
export const roundTenths = (value: number): number => Math.round(value * 10) / 10;

/** Seconds to a thousandth, as times of events are written. */
export const roundMilliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** The sum of two counts; undefined if neither is known. */
export const addKnown = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined && b === undefined ? undefined : (a ?? 0) + (b ?? 0);
