import type { GuardFault } from '../kinds.ts';
import type { Token } from '../lexer.ts';
import { searches } from '../sources.ts';
import type { Stage } from '../stages.ts';
import { type Term, termsOf, textOf } from '../terms.ts';
import { readTime } from './modifier.ts';

/** Time limits of a search, and the moment it is judged at. */
export interface TimeLimit {
  maxSpanDays: number;
  now: Date;
}

const DAY = 86_400_000;
const MODIFIERS = ['earliest', 'latest', '_index_earliest', '_index_latest', 'index_earliest', 'index_latest'];
/** Spellings of earlier versions, which splunkd still reads: those that count back from now, by their unit. */
const COUNTED: ReadonlyMap<string, string> = new Map(
  Object.entries({ days: 'd', hours: 'h', minutes: 'm', months: 'mon' }).flatMap(([unit, short]) =>
    ['start', 'end', ''].map((side) => [`${side}${unit}ago`, short] as const),
  ),
);
/** Earlier spellings of seconds since 1970. */
const EPOCHS = ['starttimeu', 'endtimeu'];
/** Earlier spellings whose value depends on others or has a format of its own. */
const UNREAD = [
  ...['starttime', 'endtime', 'timeformat'],
  ...['days', 'hours', 'minutes', 'months'].map((unit) => `searchtimespan${unit}`),
];
const NAMES = new Set([...MODIFIERS, ...COUNTED.keys(), ...EPOCHS, ...UNREAD]);
const STARTS = /^(?:_?(?:index_)?earliest|start\w+|(?:days|hours|minutes|months)ago)$/;
/** Names that are terms with a meaning of their own when a subsearch returns them; the format of a time is none. */
const COMPUTED: ReadonlySet<string> = new Set([...NAMES].filter((name) => name !== 'timeformat'));

/** The fault of a search's time range, which names the field. */
export function rangeFault(range: { earliest: string; latest: string }, limit: TimeLimit): GuardFault | undefined {
  return valueFault('earliest', range.earliest, 0, limit) ?? valueFault('latest', range.latest, 0, limit);
}

/** Faults of time limits among the terms of a stage that searches. */
export function timeFaults(text: string, stage: Stage, limit: TimeLimit): GuardFault[] {
  const terms = termsOf(text, stage.tokens)
    .map((term) => ({ ...term, name: term.key.toLowerCase() }))
    .filter(({ name }) => NAMES.has(name));
  const faults = terms.flatMap((term) => termFault(term, limit) ?? []);
  const ends = terms.filter(({ name }) => !STARTS.test(name) && !name.includes('index_'));
  if (ends.length > 0 && !terms.some(({ name }) => STARTS.test(name) && !name.includes('index_'))) {
    const message = `${ends[0]?.name} is not allowed without earliest beside it, such as earliest=-4h latest=-1h`;
    faults.push(timeFault(ends[0]?.position ?? stage.position, message));
  }
  return faults;
}

function termFault(
  { name, operator, value, position, isSimple }: Term & { name: string },
  limit: TimeLimit,
): GuardFault | undefined {
  if (UNREAD.includes(name)) {
    return timeFault(position, `${name} is not allowed; use earliest and latest, such as earliest=-4h latest=now`);
  }
  if (operator !== '=' || !isSimple)
    return timeFault(position, `${name} must be followed by = and a time, such as earliest=-4h`);
  const unit = COUNTED.get(name);
  if (unit === undefined && !EPOCHS.includes(name)) return valueFault(name, value, position, limit);
  if (!/^\d{1,12}$/.test(value))
    return timeFault(position, `${name} must be followed by = and a number; use earliest and latest instead`);
  return valueFault(name, unit === undefined ? value : `-${value}${unit}`, position, limit);
}

/**
 * Faults of a stage whose rows become terms of the search around it: a field or text of it that is named as a time limit would be
 * one there, with a value that cannot be judged.
 */
export function computedTimeFaults(text: string, stage: Stage): GuardFault[] {
  const judged = new Set(searches(stage.command) ? termsOf(text, stage.tokens).map(({ index }) => index) : []);
  const token = stage.tokens.find(
    (each, index) => !judged.has(index) && isTimeName(text, each, stage.tokens[index + 1]),
  );
  if (!token) return [];
  const message = `A subsearch must not compute a time limit; write it in the search, such as earliest=-4h, and rename the field`;
  return [timeFault(token.start, message)];
}

function isTimeName(text: string, token: Token, next: Token | undefined): boolean {
  const words = textOf(text, token).toLowerCase().split(/\W+/);
  if (!words.some((word) => COMPUTED.has(word))) return false;
  const isFunction = token.kind === 'word' && next?.start === token.end && text.charAt(next.start) === '(';
  return !isFunction;
}

function valueFault(
  name: string,
  value: string,
  position: number,
  { maxSpanDays, now }: TimeLimit,
): GuardFault | undefined {
  const time = readTime(value, now);
  const shown = JSON.stringify(value.slice(0, 40));
  if (time === 'real time') return timeFault(position, `${name} ${shown} is real time; use a time such as -4h or now`);
  if (time === 'unreadable') {
    return timeFault(
      position,
      `${name} ${shown} is no time; use a modifier such as -4h@h, ISO 8601, seconds since 1970 or now`,
    );
  }
  if (!STARTS.test(name) || time.earliest >= now.getTime() - maxSpanDays * DAY) return undefined;
  return timeFault(
    position,
    `${name} ${shown} reaches back more than ${maxSpanDays} days; use a later time, such as -${maxSpanDays}d`,
  );
}

const timeFault = (position: number, message: string): GuardFault => ({
  reason: 'time',
  command: null,
  position,
  message,
});
