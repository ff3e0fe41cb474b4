import { inTurn, type Pairs } from '../../bench/measure.ts';

// Written in the platform's tests, which import nothing of the app's.
export { eventually, patience, until } from '../../platform/test/support/patience.ts';

/**
 * How much a piece of work costs, as a multiple of a fixed one that takes a few milliseconds: the same on a fast machine and
 * a slow one, an idle one and a busy one. Work that leaves this thread is not seen.
 */
export function effort(work: () => unknown): number {
  yardstick();
  // Some systems count in ticks of several milliseconds.
  const unit = cpuMs(() => Array.from({ length: REPEATS }, yardstick)) / REPEATS;
  return cpuMs(work) / unit;
}

/** CPU time of this thread alone. */
export function cpuMs(work: () => unknown): number {
  const before = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

const REPEATS = 20;
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(3000);

function yardstick(): void {
  if ([...TEXT.matchAll(/\b[a-z]+\b/g)].length !== 24_000) throw new Error('the yardstick has bent');
}

/**
 * How many times as long one look takes as another, by the best of each: whatever else the machine does only ever adds. They
 * take turns, at least 6 times each and, as long as the answer is not below `aim`, up to 25.
 *
 * @param look gives the milliseconds that it took
 * @returns the ratio, and the times for whom it surprises
 */
export async function slowdown(
  look: () => Promise<number>,
  base: () => Promise<number>,
  aim: number,
): Promise<{ ratio: number; figures: string }> {
  const ratioOf = (pairs: Pairs) => Math.min(...pairs.ours) / Math.min(...pairs.base);
  const areEnough = (pairs: Pairs) => {
    const { length } = pairs.ours;
    return length >= 25 || (length >= 6 && ratioOf(pairs) < aim);
  };
  const pairs = await inTurn(areEnough, look, base);
  const [ours, others] = [pairs.ours, pairs.base].map((times) => times.map(Math.round).join(' '));
  return { ratio: ratioOf(pairs), figures: `${ours} ms, the other: ${others} ms` };
}
