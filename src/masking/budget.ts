import { MaskingFailure } from './failure.ts';

const BLOCK = 1_000_000;
const PER_BLOCK_MS = 250;
const PATTERN_BLOCK = 100_000;
const PER_PATTERN_MS = 20;

/** CPU time of the thread in milliseconds. */
export type CpuClock = () => number;

/**
 * Ends masking that takes too long: 250 ms for each MB begun, and 20 ms for each own pattern and 100 KB begun.
 * @returns a function that fails once the time is over
 */
export function timeLimit(clock: CpuClock, size: number, patterns: number): () => void {
  const blocks = Math.max(1, Math.ceil(size / BLOCK));
  const patternBlocks = patterns * Math.max(1, Math.ceil(size / PATTERN_BLOCK));
  const end = clock() + blocks * PER_BLOCK_MS + patternBlocks * PER_PATTERN_MS;
  return () => {
    if (clock() > end) throw new MaskingFailure('time');
  };
}
