import { availableParallelism, loadavg } from 'node:os';

/**
 * A bound for something that waits, on this machine as it is now: with more work than cores everything takes longer.
 * It tells a wait that ended early from one that did not, never how fast the product is.
 */
export function patience(ms: number): number {
  const perCore = (loadavg()[0] ?? 0) / availableParallelism();
  return ms * Math.max(1, 2 * perCore);
}

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
function cpuMs(work: () => unknown): number {
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
