import { DAYS_BY_HOUR } from '../../../../src/contract/families/usage.ts';

export const INTERVALS = { hour: 'hour', day: 'day', month: 'month' } as const;
export type Interval = keyof typeof INTERVALS;

export const HOUR = 3600;
export const DAY = 24 * HOUR;

/** The sums of single hours are kept for so long. */
const HOURLY = DAYS_BY_HOUR * DAY;
/** More bars than this are too narrow to tell apart. */
const WIDEST: Readonly<Record<Interval, number>> = {
  hour: 7 * DAY + HOUR,
  day: 100 * DAY,
  month: Number.POSITIVE_INFINITY,
};

/** In epoch seconds. */
export interface Span {
  earliest: number;
  latest: number;
}

export const RANGES = {
  '24h': { label: 'Last 24 hours', seconds: DAY },
  '7d': { label: 'Last 7 days', seconds: 7 * DAY },
  '30d': { label: 'Last 30 days', seconds: 30 * DAY },
  '90d': { label: 'Last 90 days', seconds: 90 * DAY },
  '1y': { label: 'Last 12 months', seconds: 365 * DAY },
} as const;
export type Range = keyof typeof RANGES;

/** Until the next whole hour, since usage is summed by hours. */
export function spanOf(range: Range, now: number): Span {
  const latest = beginOf(now, 'hour') + HOUR;
  return { earliest: latest - RANGES[range].seconds, latest };
}

export const isFit = (interval: Interval, { earliest, latest }: Span, now: number): boolean =>
  latest - earliest <= WIDEST[interval] && (interval !== 'hour' || earliest > now - HOURLY + HOUR);

/** @param wished is used if it is fit for the span */
export function intervalOf(wished: string | null, span: Span, now: number): Interval {
  if (wished !== null && wished in INTERVALS && isFit(wished as Interval, span, now)) return wished as Interval;
  const isShort = span.latest - span.earliest <= 2 * DAY;
  if (isShort && isFit('hour', span, now)) return 'hour';
  return isFit('day', span, now) ? 'day' : 'month';
}

/** The begin of the hour, day or month of a time, in UTC as the sums are. */
function beginOf(time: number, interval: Interval): number {
  if (interval === 'month') {
    const date = new Date(time * 1000);
    return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000;
  }
  const length = interval === 'hour' ? HOUR : DAY;
  return Math.floor(time / length) * length;
}

/** The begins of all hours, days or months of a span. */
export function beginsOf({ earliest, latest }: Span, interval: Interval): number[] {
  const begins: number[] = [];
  for (let begin = beginOf(earliest, interval); begin < latest; begin = beginOf(begin + LONGEST[interval], interval))
    begins.push(begin);
  return begins;
}

/** From the begin of one into the next. */
const LONGEST: Readonly<Record<Interval, number>> = { hour: HOUR, day: DAY, month: 31 * DAY };

const hours = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });
const days = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const months = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });
const FORMATS: Readonly<Record<Interval, Intl.DateTimeFormat>> = { hour: hours, day: days, month: months };

/** `12 Nov, 18:00` in the reader's zone; days and months are those of UTC. */
export const timeWords = (time: number, interval: Interval): string => FORMATS[interval].format(new Date(time * 1000));
