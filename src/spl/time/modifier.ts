/** The earliest moment that a time can mean, in milliseconds since 1970; real time has none. */
export type ReadTime = { earliest: number } | 'real time' | 'unreadable';

const SECOND = 1_000;
const DAY = 86_400 * SECOND;
/** A user's time zone is at most 14 hours ahead of UTC. */
const ZONE = 14 * 3_600 * SECOND;

type Unit = 's' | 'm' | 'h' | 'd' | 'w' | 'mon' | 'q' | 'y';
const SPELLINGS: Readonly<Record<Unit, string>> = {
  s: 's sec secs second seconds',
  m: 'm min mins minute minutes',
  h: 'h hr hrs hour hours',
  d: 'd day days',
  w: 'w week weeks',
  mon: 'mon month months',
  q: 'q qtr qtrs quarter quarters',
  y: 'y yr yrs year years',
};
const UNITS = new Map(
  Object.entries(SPELLINGS).flatMap(([unit, words]) => words.split(' ').map((word) => [word, unit as Unit])),
);
/** The greatest length of a unit. */
const LONGEST: Readonly<Record<Unit, number>> = {
  ...{ s: SECOND, m: 60 * SECOND, h: 3_600 * SECOND, d: DAY, w: 7 * DAY, mon: 31 * DAY, q: 92 * DAY, y: 366 * DAY },
};

const STEP = /([+-])(\d{0,6})([a-z]{1,8})|@([a-z]{1,8})([0-7]?)/y;
const EPOCH = /^\d{1,12}(?:\.\d{1,9})?$/;
const ISO = /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)(Z|[+-]\d\d:?\d\d)?)?$/;
/** `%m/%d/%Y:%H:%M:%S`, the form of times within a search. */
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})(?::(\d{1,2}):(\d\d):(\d\d))?$/;

/** Why a value is no time at which a search may begin or end, to follow its name; undefined if it is one. */
export function timeProblem(value: unknown): string | undefined {
  const text = typeof value === 'number' ? String(value) : value;
  const isTime = typeof text === 'string' && !text.endsWith(')') && typeof readTime(text, new Date(0)) === 'object';
  return isTime ? undefined : 'must be a time: a modifier such as -4h@h, ISO 8601, seconds since 1970 or now';
}

/** Reads a time modifier (`-1d@d`), `now`, seconds since 1970, ISO 8601 or `10/27/2026:00:00:00`. */
export function readTime(text: string, now: Date): ReadTime {
  if (/^rt/i.test(text)) return 'real time';
  if (text === 'now' || text === 'now()') return { earliest: now.getTime() };
  if (EPOCH.test(text)) return { earliest: Number(text) * SECOND };
  const moment = readIso(text) ?? readAmerican(text);
  if (moment !== undefined) return Number.isNaN(moment) ? 'unreadable' : { earliest: moment };
  return readModifier(text, now);
}

/** ISO 8601; without a zone the user's own counts, which can be any. */
function readIso(text: string): number | undefined {
  const [match, date = '', clock = '00:00', zone] = ISO.exec(text) ?? [];
  if (match === undefined) return undefined;
  const moment = Date.parse(`${date}T${clock.length === 5 ? `${clock}:00` : clock}${zone ?? 'Z'}`);
  return zone === undefined ? moment - ZONE : moment;
}

function readAmerican(text: string): number | undefined {
  const match = AMERICAN.exec(text);
  if (!match) return undefined;
  const [month = 0, day = 0, year = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  return Date.UTC(year, month - 1, day, hour, minute, second) - ZONE;
}

function readModifier(text: string, now: Date): ReadTime {
  let earliest = now.getTime();
  STEP.lastIndex = 0;
  if (text === '') return 'unreadable';
  while (STEP.lastIndex < text.length) {
    const [match, sign, count, word, snap, weekday = ''] = STEP.exec(text) ?? [];
    const unit = UNITS.get(word ?? snap ?? '');
    if (match === undefined || unit === undefined || (weekday !== '' && snap !== 'w')) return 'unreadable';
    if (sign === undefined) earliest = snapped(earliest, unit);
    else earliest = moved(earliest, unit, (sign === '-' ? -1 : 1) * Number(count || 1));
  }
  return Number.isFinite(earliest) ? { earliest } : 'unreadable';
}

function moved(time: number, unit: Unit, count: number): number {
  const months = { mon: 1, q: 3, y: 12 }[unit as string];
  if (months === undefined) return time + count * LONGEST[unit];
  const date = new Date(time);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * months);
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return date.setUTCDate(Math.min(day, last));
}

/**
 * A lower bound of the start of a unit: in any time zone it is less than a unit away, and it is not further back than the start in
 * UTC by more than a zone.
 */
function snapped(time: number, unit: Unit): number {
  return Math.max(time - LONGEST[unit], startOf(time, unit) - ZONE);
}

function startOf(time: number, unit: Unit): number {
  const date = new Date(time);
  const month = date.getUTCMonth();
  if (unit === 'y') return Date.UTC(date.getUTCFullYear(), 0, 1);
  if (unit === 'q') return Date.UTC(date.getUTCFullYear(), month - (month % 3), 1);
  if (unit === 'mon') return Date.UTC(date.getUTCFullYear(), month, 1);
  return time - LONGEST[unit];
}
