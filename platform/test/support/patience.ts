import { availableParallelism, loadavg } from 'node:os';

/**
 * A bound for something that waits, on this machine as it is now: with more work than cores everything takes longer. It
 * tells a wait that ended early from one that did not.
 */
export function patience(ms: number): number {
  const perCore = (loadavg()[0] ?? 0) / availableParallelism();
  return ms * Math.max(1, 2 * perCore);
}
