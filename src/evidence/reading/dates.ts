import { LONGEST_MONTH, MONTHS } from '../data/calendar.ts';
import { classAt, DIGIT, endOfDigits, isBlank, LETTER, valueOfDigits } from './characters.ts';

export interface DateReading {
  /** `year` is undefined where none is written. */
  dates: { year: number | undefined; month: number; day: number }[];
  isMonth: boolean;
  end: number;
}

/** Date that begins at a digit or at the name of a month. */
export function readDate(text: string, from: number): DateReading | undefined {
  if ((classAt(text, from) & DIGIT) === 0) return monthFirst(text, from);
  const end = endOfDigits(text, from);
  const length = end - from;
  if (length === 4) return yearFirst(text, from, end);
  if (length === 8) return compact(text, from, end);
  return length <= 2 ? dayFirst(text, from, end) : undefined;
}

/** The month that a word is, where it begins with a capital letter or `isAnyCase`. */
export function monthAt(text: string, from: number, isAnyCase = false): { month: number; end: number } | undefined {
  const first = text.charCodeAt(from);
  if (!isAnyCase && !(first >= 65 && first <= 90)) return undefined;
  let end = from;
  while (end - from <= LONGEST_MONTH && (classAt(text, end) & LETTER) !== 0) end += 1;
  if (end - from < 3 || end - from > LONGEST_MONTH) return undefined;
  const month = MONTHS.get(text.slice(from, end).toLowerCase());
  return month === undefined ? undefined : { month, end };
}

/** `2026-11-24`, `2026/11/24`, `2026.11.24`. */
function yearFirst(text: string, from: number, end: number): DateReading | undefined {
  const mark = text.charAt(end);
  if (mark !== '-' && mark !== '/' && mark !== '.') return undefined;
  const monthEnd = endOfDigits(text, end + 1);
  if (monthEnd - end > 3 || text.charAt(monthEnd) !== mark) return undefined;
  const dayEnd = endOfDigits(text, monthEnd + 1);
  if (dayEnd - monthEnd > 3 || isPartOfMore(text, dayEnd)) return undefined;
  const year = valueOfDigits(text, from, end);
  const month = valueOfDigits(text, end + 1, monthEnd);
  return single(year, month, valueOfDigits(text, monthEnd + 1, dayEnd), dayEnd);
}

/** `20261124T091402Z`; without the time of day it would be a number. */
function compact(text: string, from: number, end: number): DateReading | undefined {
  if (!/[Tt_]/.test(text.charAt(end)) || endOfDigits(text, end + 1) !== end + 7) return undefined;
  const [year, month, day] = [
    text.slice(from, from + 4),
    text.slice(from + 4, from + 6),
    text.slice(from + 6, end),
  ].map(Number);
  return single(year, month, day, end);
}

/** `24.11.2026`, `24/11/2026`, `24 November 2026`, `24/Nov/2026`, `24. November`. */
function dayFirst(text: string, from: number, end: number): DateReading | undefined {
  const first = valueOfDigits(text, from, end);
  const mark = text.charAt(end);
  const second = endOfDigits(text, end + 1);
  if ((mark === '.' || mark === '/' || mark === '-') && second > end + 1) {
    if (second - end > 3 || text.charAt(second) !== mark) return undefined;
    const yearEnd = endOfDigits(text, second + 1);
    if (yearEnd - second !== 5 || isPartOfMore(text, yearEnd)) return undefined;
    return bothOrders(
      first,
      Number(text.slice(end + 1, second)),
      Number(text.slice(second + 1, yearEnd)),
      mark,
      yearEnd,
    );
  }
  const monthStart = mark === '/' || mark === '-' ? end + 1 : skipOrdinal(text, end);
  const month = monthStart === undefined ? undefined : monthAt(text, monthStart, true);
  if (!month) return undefined;
  const year = yearBehind(text, month.end, mark === '/' || mark === '-' ? mark : '');
  return single(year?.year, month.month, first, year?.end ?? month.end, true);
}

/** Index behind `.`, `st`, `th` and the like and one or two blanks. */
function skipOrdinal(text: string, end: number): number | undefined {
  let index = end;
  if (text.charAt(index) === '.') index += 1;
  else if ((classAt(text, index) & LETTER) !== 0 && /^(?:st|nd|rd|th|er)$/.test(text.slice(index, index + 2)))
    index += 2;
  const start = index;
  while (index < start + 2 && isBlank(text.charCodeAt(index))) index += 1;
  if (text.startsWith('of ', index)) index += 3;
  return index > end ? index : undefined;
}

/** `November 24, 2026`, `Nov 24 09:14:02`, `November 2026`. */
function monthFirst(text: string, from: number): DateReading | undefined {
  const month = monthAt(text, from);
  if (!month) return undefined;
  let start = text.charAt(month.end) === '.' ? month.end + 1 : month.end;
  while (start < month.end + 3 && isBlank(text.charCodeAt(start))) start += 1;
  const end = endOfDigits(text, start);
  if (start === month.end || end === start) return undefined;
  if (end - start === 4) {
    const year = yearBehind(text, month.end, '');
    return year && { dates: [{ year: year.year, month: month.month, day: 1 }], isMonth: true, end: year.end };
  }
  if (end - start > 2) return undefined;
  const suffix = /^(?:st|nd|rd|th)$/.test(text.slice(end, end + 2)) ? 2 : 0;
  const next = text.charAt(end + suffix);
  if ((suffix === 0 && (classAt(text, end) & LETTER) !== 0) || next === ':' || next === '%') return undefined;
  const year = yearBehind(text, text.charAt(end + suffix) === ',' ? end + suffix + 1 : end + suffix, '');
  return single(year?.year, month.month, Number(text.slice(start, end)), year?.end ?? end + suffix, true);
}

/** A year of four digits behind a mark or a blank. */
function yearBehind(text: string, end: number, mark: string): { year: number; end: number } | undefined {
  let start = end;
  if (mark === '') {
    if (text.charAt(start) === '.') start += 1;
    while (start < end + 3 && isBlank(text.charCodeAt(start))) start += 1;
  } else if (text.charAt(start) === mark) start += 1;
  const yearEnd = endOfDigits(text, start);
  if (start === end || yearEnd - start !== 4) return undefined;
  const year = Number(text.slice(start, yearEnd));
  const isOther = (classAt(text, yearEnd) & LETTER) !== 0 || (mark === '' && text.charAt(yearEnd) === ':');
  return year >= 1900 && year < 2100 && !isOther ? { year, end: yearEnd } : undefined;
}

function bothOrders(first: number, second: number, year: number, mark: string, end: number): DateReading | undefined {
  const dates = [
    single(year, second, first, end),
    mark === '/' && first !== second ? single(year, first, second, end) : undefined,
  ]
    .filter((date) => date !== undefined)
    .flatMap((date) => date.dates);
  return dates.length === 0 ? undefined : { dates, isMonth: false, end };
}

const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function single(
  year: number | undefined,
  month = 0,
  day = 0,
  end: number,
  mayLackYear = false,
): DateReading | undefined {
  if (year === undefined ? !mayLackYear : year < 1900 || year >= 2100) return undefined;
  if (month < 1 || month > 12 || day < 1 || day > (DAYS[month - 1] ?? 0)) return undefined;
  return { dates: [{ year, month, day }], isMonth: false, end };
}

/** Whether a date would be a part of a longer number or word. */
function isPartOfMore(text: string, end: number): boolean {
  const next = text.charAt(end);
  if (next === '.' || next === '-' || next === '/') return (classAt(text, end + 1) & (DIGIT | LETTER)) !== 0;
  if (next === 'T' || next === 't' || next === '_') return (classAt(text, end + 1) & DIGIT) === 0;
  return (classAt(text, end) & (DIGIT | LETTER)) !== 0;
}
