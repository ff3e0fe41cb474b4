import { PlatformError } from '../../http/reply.ts';

/** Bounds of a search in epoch seconds, the earliest included, the latest not. */
export interface TimeRange {
  earliest: number;
  latest: number;
}

const UNITS: Readonly<Record<string, 's' | 'm' | 'h' | 'd' | 'w' | 'mon' | 'q' | 'y'>> = {
  s: 's',
  sec: 's',
  secs: 's',
  second: 's',
  seconds: 's',
  m: 'm',
  min: 'm',
  mins: 'm',
  minute: 'm',
  minutes: 'm',
  h: 'h',
  hr: 'h',
  hrs: 'h',
  hour: 'h',
  hours: 'h',
  d: 'd',
  day: 'd',
  days: 'd',
  w: 'w',
  week: 'w',
  weeks: 'w',
  mon: 'mon',
  month: 'mon',
  months: 'mon',
  q: 'q',
  qtr: 'q',
  qtrs: 'q',
  quarter: 'q',
  quarters: 'q',
  y: 'y',
  yr: 'y',
  yrs: 'y',
  year: 'y',
  years: 'y',
};
const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 };
const MONTHS: Readonly<Record<string, number>> = { mon: 1, q: 3, y: 12 };

function isUnit(name: string): boolean {
  return Object.hasOwn(UNITS, name) || /^w[0-7]$/.test(name);
}

/**
 * A bound of a time range as epoch seconds. Accepts epoch seconds, `now`, offsets and snaps such as `-1d@d+2h`, and ISO
 * 8601. Calendar units count in UTC. Throws 400 for anything else, real-time bounds included. @param now epoch milliseconds
 */
export function timeBound(name: string, text: string, now: number): number {
  const value = text.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return Number(value);
  if (/^rt/.test(value))
    throw new PlatformError(400, `Invalid ${name}: the embedded platform has no real-time searches.`, 'FATAL');
  const invalid = () => new PlatformError(400, `Invalid ${name}.`, 'FATAL');
  if (/^\d{4}-\d\d-\d\d/.test(value)) {
    const date = Date.parse(value);
    if (Number.isNaN(date)) throw invalid();
    return date / 1000;
  }
  let seconds = Math.floor(now / 1000);
  const modifiers = value.replace(/^now(?:\(\))?/, '');
  if (modifiers === '' && value === '') throw invalid();
  const pattern = /([+-])(\d{0,9})([a-z]+)|@([a-z]+[0-7]?)/gy;
  while (pattern.lastIndex < modifiers.length) {
    const match = pattern.exec(modifiers);
    if (match === null) throw invalid();
    const [, sign, count = '', unit = '', snap] = match;
    if (!isUnit(snap ?? unit)) throw invalid();
    seconds =
      snap === undefined
        ? shifted(seconds, (sign === '-' ? -1 : 1) * Number(count || '1'), unit)
        : snapped(seconds, snap);
  }
  return Math.max(0, seconds);
}

function shifted(seconds: number, count: number, name: string): number {
  const unit = UNITS[name] ?? 's';
  const months = MONTHS[unit];
  if (months === undefined) return seconds + count * (SECONDS[unit] ?? 1);
  const date = new Date(seconds * 1000);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + count * months);
  // The last day of a shorter month stands for a day that it does not have.
  const last = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, last));
  return date.getTime() / 1000;
}

function snapped(seconds: number, name: string): number {
  const [, weekday] = /^w([0-7])$/.exec(name) ?? [];
  const unit = weekday === undefined ? (UNITS[name] ?? 's') : 'w';
  const date = new Date(seconds * 1000);
  if (unit === 'w') {
    const midnight = Math.floor(seconds / 86_400) * 86_400;
    return midnight - ((date.getUTCDay() - Number(weekday ?? 0) + 7) % 7) * 86_400;
  }
  const months = MONTHS[unit];
  if (months === undefined) return Math.floor(seconds / (SECONDS[unit] ?? 1)) * (SECONDS[unit] ?? 1);
  const month = Math.floor(date.getUTCMonth() / months) * months;
  return Date.UTC(date.getUTCFullYear(), month, 1) / 1000;
}

/** The length of a span such as `5m`, in seconds; undefined for anything else, months included. */
export function spanSeconds(text: string): number | undefined {
  const [, count = '', name = ''] = /^(\d{1,9})?([a-z]+)$/.exec(text) ?? [];
  const seconds = Object.hasOwn(UNITS, name) ? SECONDS[UNITS[name] ?? ''] : undefined;
  return seconds === undefined || count === '0' ? undefined : Number(count || '1') * seconds;
}
