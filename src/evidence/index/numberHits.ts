import type { Unit } from '../data/units.ts';
import type { NumberReading } from '../reading/numbers.ts';
import { addHit, type Hits } from './hits.ts';
import { type Range, Ranges } from './ranges.ts';

export interface NumberClaim {
  reading: NumberReading;
  hits: Hits;
}

/** Share of a value that a number of JavaScript may be off. */
const EPSILON = 1e-12;

/** Numbers that an answer claims, found by the numbers that they may stand for. */
export class NumberTargets {
  readonly #bare: Ranges<NumberClaim>;
  readonly #scaled: Ranges<NumberClaim>;

  constructor(claims: readonly NumberClaim[]) {
    const bare: Range<NumberClaim>[] = [];
    const scaled: Range<NumberClaim>[] = [];
    for (const claim of claims) {
      const { values, unit, digits } = claim.reading;
      if (digits !== undefined) continue;
      for (const { value, decimals } of values) {
        if (unit?.dimension !== 'count') bare.push({ ...rangeOf(value, decimals, 1), value: claim });
        scaled.push({ ...rangeOf(value, decimals, unit?.factor ?? 1), value: claim });
      }
    }
    this.#bare = new Ranges(bare);
    this.#scaled = new Ranges(scaled);
  }

  get isEmpty(): boolean {
    return this.#scaled.isEmpty;
  }

  /**
   * Claims that a number of the data is.
   * @param unit of the number or of its column
   */
  each(value: number, unit: Unit | undefined, take: (claim: NumberClaim) => void): void {
    for (const claim of this.#bare.holding(value)) {
      const own = claim.reading.unit;
      if (own === undefined || unit === undefined || (own.dimension === unit.dimension && own.factor === unit.factor))
        take(claim);
    }
    const scaled = unit === undefined ? value : value * unit.factor;
    for (const claim of this.#scaled.holding(scaled)) {
      if (isComparable(claim.reading.unit, unit)) take(claim);
    }
  }

  note(value: number, unit: Unit | undefined, source: number, field: string | undefined): void {
    this.each(value, unit, ({ hits }) => addHit(hits, source, field));
  }
}

/** Scaled values are compared within a dimension; a number alone may be of any. */
const isComparable = (own: Unit | undefined, unit: Unit | undefined): boolean =>
  unit === undefined || (own?.dimension ?? 'count') === unit.dimension;

/** Numbers that are this one when they are rounded or cut to the digits written. */
export function rangeOf(value: number, decimals: number, factor: number): { from: number; to: number } {
  const step = 10 ** -decimals;
  const slack = Math.max(Math.abs(value), step) * factor * EPSILON;
  const [below, above] = value < 0 ? [step, step / 2] : [step / 2, step];
  return { from: (value - below) * factor - slack, to: (value + above) * factor - slack };
}
