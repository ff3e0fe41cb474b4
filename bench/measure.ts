/** Paired measurements of the product and its baseline. */
export interface Pairs {
  ours: readonly number[];
  base: readonly number[];
}

export type Figure = 'p50' | 'p95' | 'p99';

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? Number.NaN;
}

export const figureOf = (figure: Figure, values: readonly number[]): number =>
  figure === 'p50' ? median(values) : percentile(values, figure === 'p95' ? 95 : 99);

/**
 * Measures alternately, so that changes of machine speed affect both. The first pair warms up and is not counted.
 * @param runs number of pairs, or a predicate that ends the measurement
 */
export async function inTurn(
  runs: number | ((pairs: Pairs) => boolean),
  ours: () => Promise<number>,
  base: () => Promise<number>,
): Promise<{ ours: number[]; base: number[] }> {
  const result = { ours: [] as number[], base: [] as number[] };
  const areEnough = typeof runs === 'number' ? () => result.ours.length >= runs : runs;
  await ours();
  await base();
  while (!areEnough(result)) {
    result.ours.push(await ours());
    result.base.push(await base());
  }
  return result;
}

export async function timed(action: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await action();
  return performance.now() - started;
}

/** Median of the ratios of pairs, which cancels out changes of machine speed. */
export function pairedRatio({ ours, base }: Pairs): number {
  return median(ours.map((value, index) => value / (base[index] ?? Number.NaN)));
}
