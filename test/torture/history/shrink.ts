import type { People } from './access.ts';
import { type Event, isWrite } from './events.ts';
import { finalStates, linearize } from './linearize.ts';
import type { Maybe } from './model.ts';

export interface Story {
  /** What the record could be when the story begins. */
  initialStates: Maybe[];
  events: Event[];
}

/**
 * The shortest history that still cannot be. Each step only takes away demands, so that what is left over is wrong by
 * itself: a shorter end, a beginning replaced by all states that it can leave, fewer reads and refusals.
 */
export function shrink(people: People, history: readonly Event[]): Story {
  const fails = (events: readonly Event[], initial: Maybe[]) => linearize(people, events, initial) === 'impossible';
  let story: Story = {
    initialStates: [undefined],
    events: endsEarliest(history, (events) => fails(events, [undefined])),
  };
  story = beginsLatest(people, story, fails);
  const events = withoutNeedless(story.events, (rest) => fails(rest, story.initialStates));
  const last = Math.max(...events.filter(({ to }) => Number.isFinite(to)).map(({ to }) => to));
  return { initialStates: story.initialStates, events: events.filter(({ from }) => from <= last) };
}

/** Answers that came later are dropped; a call that was under way then is one of unknown outcome. */
function endsEarliest(history: readonly Event[], fails: (events: Event[]) => boolean): Event[] {
  const ends = [...new Set(history.map(({ to }) => to).filter(Number.isFinite))].sort((a, b) => a - b);
  const upTo = (end: number): Event[] =>
    history.filter(({ from }) => from <= end).map((event) => (event.to <= end ? event : openEnded(event)));
  let [low, high] = [0, ends.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (fails(upTo(ends[middle] ?? 0))) high = middle;
    else low = middle + 1;
  }
  const cut = upTo(ends[low] ?? Number.POSITIVE_INFINITY);
  return fails(cut) ? cut : [...history];
}

const openEnded = (event: Event): Event => ({
  ...event,
  to: Number.POSITIVE_INFINITY,
  outcome: { kind: 'unknown', because: 'not answered yet' },
});

/** So many beginnings a story may have. */
const MOST_BEGINNINGS = 32;

/** Calls that were under way at the moment may have been done before it or after it: both are allowed. */
function beginsLatest(people: People, story: Story, fails: (events: Event[], given: Maybe[]) => boolean): Story {
  const starts = story.events.map(({ from }) => from).sort((a, b) => b - a);
  for (const moment of starts) {
    const began = story.events.filter((event) => event.from < moment);
    const before = began.map((event) => (event.to < moment ? event : openEnded(event)));
    const initial = before.length === 0 ? story.initialStates : finalStates(people, before, story.initialStates);
    if (!initial || initial.length > MOST_BEGINNINGS) continue;
    const rest = before.filter((event) => !Number.isFinite(event.to) && isWrite(event));
    const events = [...rest, ...story.events.filter((event) => event.from >= moment)];
    if (fails(events, initial)) return { initialStates: initial, events };
  }
  return story;
}

function withoutNeedless(events: Event[], fails: (rest: Event[]) => boolean): Event[] {
  let remaining = events.filter((event) => event.outcome.kind !== 'unknown' || isWrite(event));
  const needless = (event: Event) => !isWrite(event) || event.outcome.kind === 'fail';
  for (let size = Math.ceil(remaining.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < remaining.length; ) {
      const rest = remaining.filter((event, index) => index < at || index >= at + size || !needless(event));
      if (rest.length < remaining.length && fails(rest)) remaining = rest;
      else at += size;
    }
  }
  return remaining;
}
