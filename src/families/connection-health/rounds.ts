import type { Attempt } from '../../domain/connectionHealth.ts';
import { startDeadline, unlessAborted, within } from '../../domain/deadline.ts';
import { parallel } from '../../domain/parallel.ts';
import type { Deadline } from '../../ports/deadline.ts';

/** How long a check takes, in ms, and how many tests run at a time. */
export interface Pace {
  atATime: number;
  /** How many of these are those of tests that must not be hurried, where there are others, too. */
  unhurried: number;
  /** What a test gets in the first round. */
  quickMs: number;
  /** A server that has not answered for so long can be said not to. */
  leastMs: number;
  /** A test that must not be hurried is not begun with less. */
  calmMs: number;
  /** What it takes to keep a finding. */
  keepMs: number;
  /** So long after its deadline a test has to make room. */
  overdueMs: number;
  /** All together. */
  wholeMs: number;
}

/** An answer within 25 s, of which some is for reading and for what is written last. */
export const PACE: Pace = {
  atATime: 8,
  unhurried: 3,
  quickMs: 3000,
  leastMs: 3500,
  calmMs: 8000,
  keepMs: 300,
  overdueMs: 1000,
  wholeMs: 22_500,
};

/** How the tests of one round are made. */
interface Round {
  places: number;
  /** What each test gets. */
  ms: number;
  /** With less than that left, none is begun. */
  leastMs: number;
  /** Whether silence is a finding. */
  isLast: boolean;
}

/**
 * Tests many, a few at a time, so that those who do not answer cannot use up the time of the others: in a first round nobody is
 * waited for long, and a silence is no finding. What was silent shares the rest of the time in a second round, in which each gets as
 * much as there is for it, but never too little to be judged by: then some are not reached. Beside that, those that must not be
 * hurried are tested once, with all the time that they take.
 * @param test finds out about one, and does not throw
 * @returns those about which something was found
 */
export async function inRounds<T>(
  items: readonly T[],
  test: (item: T, attempt: Attempt) => Promise<void>,
  isUnhurried: (item: T) => boolean,
  { atATime, unhurried, quickMs, leastMs, calmMs, keepMs, overdueMs, wholeMs }: Pace = PACE,
): Promise<ReadonlySet<T>> {
  using whole = startDeadline(wholeMs);
  const found = new Set<T>();
  const left = () => whole.remaining() - keepMs;

  /** @returns those that were silent, and those that were not reached */
  async function round(these: readonly T[], { places, ms, leastMs, isLast }: Round): Promise<T[]> {
    const settled = new Set<T>();
    const one = async (item: T): Promise<void> => {
      const givenMs = Math.min(ms, left());
      using deadline = within(whole, givenMs);
      using place = within(whole, givenMs + overdueMs);
      const attempt = new TimedAttempt(deadline, isLast);
      // What holds a test up need not be its server, which has a deadline: the next one gets its place all the same.
      await unlessAborted(test(item, attempt), place.signal).catch((error: unknown) => {
        if (!place.signal.aborted) throw error;
      });
      attempt.isOver = true;
      if (attempt.isFound) found.add(item);
      if (attempt.isFound !== false) settled.add(item);
    };
    await parallel(these, places, one, () => left() < leastMs);
    return these.filter((item) => !settled.has(item));
  }
  const patiently = (these: readonly T[], places: number, leastMs: number) =>
    round(these, { places, ms: wholeMs, leastMs, isLast: true });
  async function inTwo(these: readonly T[], places: number): Promise<void> {
    const late = await round(these, { places, ms: quickMs, leastMs: quickMs, isLast: false });
    const share = left() / Math.ceil(late.length / places) - keepMs;
    await round(late, { places, ms: Math.max(leastMs, share), leastMs, isLast: true });
  }
  async function all(): Promise<void> {
    // Where each has a place of its own nobody waits for another.
    if (items.length <= atATime) return void (await patiently(items, atATime, leastMs));
    const calm = items.filter(isUnhurried);
    const others = items.filter((item) => !isUnhurried(item));
    const kept = others.length === 0 ? atATime : Math.min(calm.length, unhurried);
    await Promise.all([patiently(calm, kept, calmMs), inTwo(others, atATime - kept)]);
  }

  // A test that cannot be ended does not keep the others' findings from the caller.
  await unlessAborted(all(), whole.signal).catch((error: unknown) => {
    if (!whole.signal.aborted) throw error;
  });
  return new Set(found);
}

class TimedAttempt implements Attempt {
  readonly deadline: Deadline;
  readonly #isLast: boolean;
  /** Undefined until somebody asks: a test that could not be made is not made again. */
  isFound: boolean | undefined;
  /** Nobody waits for it any more. */
  isOver = false;

  constructor(deadline: Deadline, isLast: boolean) {
    this.deadline = deadline;
    this.#isLast = isLast;
  }

  isFinding(error: { code: string } | undefined): boolean {
    if (this.isOver) return false;
    this.isFound = this.#isLast || !error || !this.deadline.signal.aborted;
    return this.isFound;
  }
}
