import { BEFORE_CLOCK, BEFORE_DATE, LOCAL, ZONES } from '../data/calendar.ts';
import { classAt, endOfDigits, isBlank, isDigit, LETTER, valueOfDigits } from './characters.ts';
import { type DateReading, monthAt, readDate } from './dates.ts';

export interface Clock {
  /** Milliseconds since midnight. */
  ms: number;
  /** Length of the unit that is written, in milliseconds. */
  unit: number;
  end: number;
}

export interface Zone {
  /** Minutes east of Greenwich; undefined for a time that is called local. */
  offset: number | undefined;
  end: number;
}

/** A time as it is written. */
export interface TimeReading {
  /** Two where day and month may be exchanged; none for a time of day alone. */
  dates: DateReading['dates'];
  /** Milliseconds of the date's unit: a day or, where `isMonth`, a month. */
  isMonth: boolean;
  clock?: Clock;
  zone?: Zone;
  end: number;
}

export const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Time that begins at a digit or at the name of a month. */
export function readTime(text: string, from: number): TimeReading | undefined {
  const date = readDate(text, from);
  if (date) return withClock(text, date);
  const clock = readClock(text, from);
  return clock && withDate(text, clock);
}

export const mayBeginTime = (text: string, index: number): boolean =>
  isDigit(text, index) || monthAt(text, index) !== undefined;

/** A date, with the time of day behind it. */
function withClock(text: string, date: DateReading): TimeReading {
  const alone = { dates: date.dates, isMonth: date.isMonth, end: date.end };
  if (date.isMonth) return alone;
  const start = clockStart(text, date.end);
  const clock = start === undefined ? undefined : readClock(text, start);
  if (!clock) return alone;
  const zone = readZone(text, clock.end);
  return { ...alone, clock, ...(zone ? { zone } : {}), end: zone?.end ?? clock.end };
}

/** Index of the time of day behind a date. */
function clockStart(text: string, end: number): number | undefined {
  const direct = text.charAt(end);
  if ((direct === 'T' || direct === 't' || direct === ':' || direct === '_') && isDigit(text, end + 1)) return end + 1;
  let index = skipBlanks(text, direct === ',' || direct === ';' ? end + 1 : end);
  const word = wordAt(text, index);
  if (BEFORE_CLOCK.has(word.toLowerCase())) index = skipBlanks(text, index + word.length);
  return index > end && isDigit(text, index) ? index : undefined;
}

/** A time of day, with the date behind it. */
function withDate(text: string, clock: Clock): TimeReading {
  const zone = readZone(text, clock.end);
  const end = zone?.end ?? clock.end;
  const read = { isMonth: false, clock, ...(zone ? { zone } : {}) };
  let index = skipBlanks(text, text.charAt(end) === ',' ? end + 1 : end);
  const word = wordAt(text, index);
  if (BEFORE_DATE.has(word.toLowerCase())) index = skipBlanks(text, index + word.length);
  const date = index > end ? readDate(text, index) : undefined;
  // A second time of day belongs to that date.
  const isOther = date !== undefined && (date.isMonth || hasClock(text, date.end));
  return date && !isOther ? { ...read, dates: date.dates, end: date.end } : { ...read, dates: [], end };
}

function hasClock(text: string, end: number): boolean {
  const start = clockStart(text, end);
  return start !== undefined && readClock(text, start) !== undefined;
}

/** `9:14`, `09:14:02`, `09:14:02.112`, `091402`, with `am` and `pm`. */
function readClock(text: string, from: number): Clock | undefined {
  const end = endOfDigits(text, from);
  if (end - from === 6 && /[Tt_]/.test(text.charAt(from - 1))) return compactClock(text, from, end);
  if (end - from > 2 || end === from || text.charAt(end) !== ':') return undefined;
  const minuteEnd = endOfDigits(text, end + 1);
  if (minuteEnd - end !== 3) return undefined;
  const hours = valueOfDigits(text, from, end);
  const minutes = valueOfDigits(text, end + 1, minuteEnd);
  const seconds = secondsAt(text, minuteEnd);
  if (minutes > 59 || hours > 23 || seconds === undefined) return undefined;
  const half = halfOfDay(text, seconds.end);
  if (half && (hours < 1 || hours > 12)) return undefined;
  const hour = half ? (hours % 12) + (half.isAfternoon ? 12 : 0) : hours;
  const next = text.charAt(half?.end ?? seconds.end);
  if (next === ':' && isDigit(text, seconds.end + 1)) return undefined;
  return {
    ms: hour * 60 * MINUTE_MS + minutes * MINUTE_MS + seconds.ms,
    unit: seconds.unit,
    end: half?.end ?? seconds.end,
  };
}

function compactClock(text: string, from: number, end: number): Clock | undefined {
  const [hours, minutes, seconds] = [0, 2, 4].map((offset) => Number(text.slice(from + offset, from + offset + 2)));
  if (hours === undefined || minutes === undefined || seconds === undefined) return undefined;
  if (hours > 23 || minutes > 59 || seconds > 59) return undefined;
  return { ms: ((hours * 60 + minutes) * 60 + seconds) * 1000, unit: 1000, end };
}

function secondsAt(text: string, from: number): { ms: number; unit: number; end: number } | undefined {
  if (text.charAt(from) !== ':' || !isDigit(text, from + 1)) return { ms: 0, unit: MINUTE_MS, end: from };
  const end = endOfDigits(text, from + 1);
  const seconds = valueOfDigits(text, from + 1, end);
  if (end - from !== 3 || seconds > 59) return undefined;
  const mark = text.charAt(end);
  const fractionEnd = mark === '.' || mark === ',' ? endOfDigits(text, end + 1) : end;
  if (fractionEnd <= end + 1 || fractionEnd > end + 10) return { ms: seconds * 1000, unit: 1000, end };
  // Nothing finer than a millisecond is compared.
  const digits = text.slice(end + 1, Math.min(fractionEnd, end + 4));
  const unit = 10 ** (3 - digits.length);
  return { ms: seconds * 1000 + Number(digits) * unit, unit, end: fractionEnd };
}

function halfOfDay(text: string, from: number): { isAfternoon: boolean; end: number } | undefined {
  const start = skipBlanks(text, from);
  const word = wordAt(text, start);
  if (word !== 'am' && word !== 'pm' && word !== 'AM' && word !== 'PM') return undefined;
  // `am` is also the German word before a date.
  if (word === 'am' && readDate(text, skipBlanks(text, start + 2)) !== undefined) return undefined;
  return { isAfternoon: word === 'pm' || word === 'PM', end: start + 2 };
}

/** `Z`, `UTC`, `+01:00`, `UTC+1`, `CET`, `local`. */
function readZone(text: string, from: number): Zone | undefined {
  const direct = offsetAt(text, from);
  if (direct) return direct;
  let start = skipBlanks(text, from);
  if (text.charAt(start) === '(') start += 1;
  const spaced = start > from ? offsetAt(text, start) : undefined;
  if (spaced && spaced.end - start >= 5) return spaced;
  const word = wordAt(text, start).toLowerCase();
  if (word === 'uhr' || word === 'h') return readZone(text, start + word.length);
  if (word === 'heure') return readZone(text, start + word.length);
  if (LOCAL.has(word)) return { offset: undefined, end: endOfLocal(text, start + word.length) };
  const offset = ZONES.get(word);
  if (offset === undefined || (word === 'z' && start > from)) return undefined;
  const end = start + word.length;
  const behind = offset === 0 && word !== 'z' ? offsetAt(text, end) : undefined;
  return behind ?? { offset, end };
}

function endOfLocal(text: string, end: number): number {
  const start = skipBlanks(text, end);
  return wordAt(text, start) === 'time' ? start + 4 : end;
}

function offsetAt(text: string, from: number): Zone | undefined {
  const sign = text.charAt(from);
  if (sign !== '+' && sign !== '-' && sign !== '\u2212') return undefined;
  const end = endOfDigits(text, from + 1);
  const digits = text.slice(from + 1, end);
  if (digits.length !== 1 && digits.length !== 2 && digits.length !== 4) return undefined;
  const hours = Number(digits.slice(0, 2));
  const isSplit = digits.length < 4 && text.charAt(end) === ':' && endOfDigits(text, end + 1) === end + 3;
  const minutes = isSplit ? Number(text.slice(end + 1, end + 3)) : Number(digits.slice(2));
  if (hours > 14 || minutes > 59) return undefined;
  return { offset: (sign === '+' ? 1 : -1) * (hours * 60 + minutes), end: isSplit ? end + 3 : end };
}

const MOST_BLANKS = 3;

export function skipBlanks(text: string, from: number): number {
  let index = from;
  while (index < from + MOST_BLANKS && isBlank(text.charCodeAt(index))) index += 1;
  return index;
}

/** Letters that begin at an index, '' where there are none or too many. */
export function wordAt(text: string, from: number): string {
  let end = from;
  while (end < from + 16 && (classAt(text, end) & LETTER) !== 0) end += 1;
  return end < from + 16 ? text.slice(from, end) : '';
}
