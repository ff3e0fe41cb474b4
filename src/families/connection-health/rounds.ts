import type { Attempt } from '../../domain/connectionHealth.ts';
import { startDeadline, unlessAborted, within } from '../../domain/deadline.ts';
import { parallel } from '../../domain/parallel.ts';
import type { Deadline } from '../../ports/deadline.ts';

/** How long a check takes, in ms, and how many tests run at a time. */
export interface Pace {
  atATime: number;
  /** What a test gets in the first round. */
  quickMs: number;
  /** A server that has not answered for so long can be said not to. */
  leastMs: number;
  /** What it takes to keep a finding. */
  keepMs: number;
  /** All rounds together. */
  wholeMs: number;
}

/** An answer within 25 s, of which a second is for reading and for what is written last. */
export const PACE: Pace = { atATime: 8, quickMs: 3000, leastMs: 4000, keepMs: 300, wholeMs: 23_500 };

/**
 * Tests many, a few at a time, so that those who do not answer cannot use up the time of the others: in a first round nobody is
 * waited for long, and a silence is no finding. What was silent shares the rest of the time in a second round, in which each gets as
 * much as there is for it, but never too little to be judged by: then some are not reached.
 * @param test finds out about one, and does not throw
 * @returns those about which something was found
 */
export async function inRounds<T>(
  items: readonly T[],
  test: (item: T, attempt: Attempt) => Promise<void>,
  isUnhurried: (item: T) => boolean,
  { atATime, quickMs, leastMs, keepMs, wholeMs }: Pace = PACE,
): Promise<ReadonlySet<T>> {
  using whole = startDeadline(wholeMs);
  const found = new Set<T>();
  const left = () => whole.remaining() - keepMs;
  const round = (these: readonly T[], ms: number, isLast: boolean): Promise<unknown> =>
    parallel(
      these,
      atATime,
      async (item) => {
        using deadline = within(whole, Math.min(ms, left()));
        const attempt = new TimedAttempt(deadline, isLast);
        await test(item, attempt);
        if (attempt.isFound) found.add(item);
      },
      () => left() < Math.min(ms, leastMs),
    );
  const work = async (): Promise<void> => {
    // Where each has a place of its own nobody waits for another.
    const hasPlaces = items.length <= atATime;
    if (!hasPlaces) {
      await round(
        items.filter((item) => !isUnhurried(item)),
        quickMs,
        false,
      );
    }
    const late = items.filter((item) => !found.has(item));
    const share = whole.remaining() / Math.ceil(late.length / atATime) - keepMs;
    await round(late, Math.max(leastMs, share), true);
  };
  // A test that cannot be ended does not keep the others' findings from the caller.
  await unlessAborted(work(), whole.signal).catch((error: unknown) => {
    if (!whole.signal.aborted) throw error;
  });
  return new Set(found);
}

class TimedAttempt implements Attempt {
  readonly deadline: Deadline;
  readonly #isLast: boolean;
  isFound = false;

  constructor(deadline: Deadline, isLast: boolean) {
    this.deadline = deadline;
    this.#isLast = isLast;
  }

  isFinding(error: { code: string } | undefined): boolean {
    this.isFound = this.#isLast || !error || !this.deadline.signal.aborted;
    return this.isFound;
  }
}
