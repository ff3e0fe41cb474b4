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
