import type { GuardFault } from '../kinds.ts';
import type { Token } from '../lexer.ts';
import { searches } from '../sources.ts';
import type { Stage } from '../stages.ts';
import { termsOf, textOf } from '../terms.ts';
import { readTime } from './modifier.ts';

/** Time limits of a search, and the moment it is judged at. */
export interface TimeLimit {
  maxSpanDays: number;
  now: Date;
}

const DAY = 86_400_000;
const MODIFIERS = ['earliest', 'latest', '_index_earliest', '_index_latest', 'index_earliest', 'index_latest'];
/** Spellings of earlier versions, which splunkd still reads. */
const OLD_MODIFIERS = [
  ...['starttime', 'endtime', 'starttimeu', 'endtimeu', 'timeformat'],
  ...['days', 'hours', 'minutes', 'months'].flatMap((unit) => [
    ...[`start${unit}ago`, `end${unit}ago`, `${unit}ago`, `searchtimespan${unit}`],
  ]),
];
const NAMES = new Set([...MODIFIERS, ...OLD_MODIFIERS]);
/** Names that are terms with a meaning of their own when a subsearch returns them; the format of a time is none. */
const COMPUTED = [...NAMES].filter((name) => name !== 'timeformat').join('|');
const ANY_NAME = new RegExp(`(?<!\\w)(?:${COMPUTED})(?!\\w)`, 'i');

/** The fault of a search's time range, which names the field. */
export function rangeFault(range: { earliest: string; latest: string }, limit: TimeLimit): GuardFault | undefined {
  return valueFault('earliest', range.earliest, 0, limit) ?? valueFault('latest', range.latest, 0, limit);
}

/** Faults of time limits among the terms of a stage that searches. */
export function timeFaults(text: string, stage: Stage, limit: TimeLimit): GuardFault[] {
  const faults: GuardFault[] = [];
  const names = new Set<string>();
  for (const { key, operator, value, position, isSimple } of termsOf(text, stage.tokens)) {
    const name = key.toLowerCase();
    if (!NAMES.has(name)) continue;
    names.add(name);
    const fault = OLD_MODIFIERS.includes(name)
      ? timeFault(position, `${name} is not allowed; use earliest and latest, such as earliest=-4h latest=now`)
      : operator === '=' && isSimple
        ? valueFault(name, value, position, limit)
        : timeFault(position, `${name} must be followed by = and a time, such as ${name}=-4h`);
    if (fault) faults.push(fault);
  }
  if (names.has('latest') && !names.has('earliest')) {
    faults.push(
      timeFault(stage.position, 'latest is not allowed without earliest beside it, such as earliest=-4h latest=-1h'),
    );
  }
  return faults;
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
  if (!ANY_NAME.test(textOf(text, token))) return false;
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
  const isStart = name.endsWith('earliest');
  if (!isStart || time.earliest >= now.getTime() - maxSpanDays * DAY) return undefined;
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
