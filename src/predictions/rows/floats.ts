const MAX_DIGITS = 9;

/**
 * The shortest decimal number that is this number in 32 bits: 0.1 instead of 0.10000000149011612.
 * @param value a number of 32 bits, finite
 */
export function shortFloat(value: number): number {
  for (let digits = 6; digits < MAX_DIGITS; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return Number(value.toPrecision(MAX_DIGITS));
}
