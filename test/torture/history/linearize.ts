import type { People } from './access.ts';
import { type Event, isWrite } from './events.ts';
import { type Maybe, step } from './model.ts';

/** Beyond so many steps a history counts as undecided, which the report says: it is no pass. */
const MOST_STEPS = 400_000;

export type Verdict = 'possible' | 'impossible' | 'undecided';

/**
 * Is there an order of the events, each somewhere between its call and its answer, that the model allows? The search of
 * Wing and Gong with Lowe's memory of what was tried. What changes nothing is taken as soon as it is legal: that loses no
 * order. An unknown write may come at any time after its call, or never.
 */
export const linearize = (people: People, history: readonly Event[]): Verdict => new Search(people, history).run();

class Search {
  readonly #people: People;
  readonly #events: readonly Event[];
  readonly #tried = new Set<string>();
  #steps = 0;

  constructor(people: People, history: readonly Event[]) {
    this.#people = people;
    // A read of unknown outcome says nothing.
    this.#events = history
      .filter((event) => event.outcome.kind !== 'unknown' || isWrite(event))
      .sort((a, b) => a.from - b.from);
  }

  run(): Verdict {
    return this.#go(undefined, 0n);
  }

  #go(state: Maybe, before: bigint): Verdict {
    const done = this.#settle(state, before);
    const key = `${done}|${JSON.stringify(state)}`;
    if (this.#tried.has(key)) return 'impossible';
    this.#tried.add(key);
    this.#steps += 1;
    if (this.#steps > MOST_STEPS) return 'undecided';
    if (this.#isOver(done)) return 'possible';
    let verdict: Verdict = 'impossible';
    for (const index of this.#enabled(done)) {
      const event = this.#events[index] as Event;
      const after = step(this.#people, state, event);
      if (after === 'illegal' || (event.outcome.kind === 'unknown' && after.next === state)) continue;
      const found = this.#go(after.next, done | (1n << BigInt(index)));
      if (found === 'possible') return found;
      if (found === 'undecided') verdict = found;
    }
    return verdict;
  }

  /** Takes everything that is due and changes nothing. */
  #settle(state: Maybe, before: bigint): bigint {
    let done = before;
    for (let moved = true; moved; ) {
      moved = false;
      for (const index of this.#enabled(done)) {
        const event = this.#events[index] as Event;
        if (event.outcome.kind === 'unknown' || (isWrite(event) && event.outcome.kind === 'ok')) continue;
        if (step(this.#people, state, event) === 'illegal') continue;
        done |= 1n << BigInt(index);
        moved = true;
      }
    }
    return done;
  }

  /** Events not yet taken that began before the first end among them; definite ones first. */
  #enabled(done: bigint): number[] {
    let firstEnd = Number.POSITIVE_INFINITY;
    const open: number[] = [];
    for (const [index, event] of this.#events.entries()) {
      if (event.from > firstEnd) break;
      if ((done >> BigInt(index)) & 1n) continue;
      open.push(index);
      firstEnd = Math.min(firstEnd, event.to);
    }
    const rank = (index: number) => this.#events[index]?.to ?? 0;
    return open.filter((index) => (this.#events[index]?.from ?? 0) <= firstEnd).sort((a, b) => rank(a) - rank(b));
  }

  #isOver(done: bigint): boolean {
    return this.#events.every(({ outcome }, index) => outcome.kind === 'unknown' || (done >> BigInt(index)) & 1n);
  }
}
