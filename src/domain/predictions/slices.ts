import type { OutboundError } from '../../contract/codes/outbound.ts';
import { parallel } from '../async/parallel.ts';

/** `refused`: the model does not take these rows, fewer of them may do. */
export type SliceAnswer<T> = { kind: 'answered'; values: readonly T[] } | { kind: 'refused'; error: OutboundError };

interface Slicing {
  /** Rows of one call, at most. */
  size: number;
  /** Calls at a time. */
  calls: number;
}

/**
 * Sends rows in slices, several at a time. A slice that is refused is halved, down to single rows.
 * @param send answers one value for each row of the slice; what it throws fails all
 * @returns for each row its value, or why it was refused alone
 */
export async function inSlices<R, T>(
  rows: readonly R[],
  { size, calls }: Slicing,
  send: (slice: readonly R[]) => Promise<SliceAnswer<T>>,
): Promise<({ value: T } | { error: OutboundError })[]> {
  const found: ({ value: T } | { error: OutboundError })[] = new Array(rows.length);
  async function ask(from: number, to: number): Promise<void> {
    const answer = await send(rows.slice(from, to));
    if (answer.kind === 'answered') {
      for (const [index, value] of answer.values.entries()) found[from + index] = { value };
    } else if (to - from === 1) {
      found[from] = { error: answer.error };
    } else {
      const middle = Math.ceil((from + to) / 2);
      await ask(from, middle);
      await ask(middle, to);
    }
  }
  const starts = Array.from({ length: Math.ceil(rows.length / size) }, (_, index) => index * size);
  await parallel(starts, calls, (from) => ask(from, Math.min(from + size, rows.length)));
  return found;
}
