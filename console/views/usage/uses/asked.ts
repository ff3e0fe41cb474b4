import { USAGE_KEYS, type UsageKey } from '../../../../src/contract/families/usage.ts';
import { MEASURES, type MeasureName } from './measures.ts';
import { DAY, HOUR, RANGES, type Range, type Span, spanOf } from './time.ts';

export const CUSTOM = 'custom';
const DEFAULT_RANGE = '30d';
const LONGEST = 10 * 365 * DAY;

/** The report that the address asks for. */
export interface ReportQuery {
  range: Range | typeof CUSTOM;
  /** ISO 8601 or epoch seconds, of a custom range. */
  from: string;
  until: string;
  by: UsageKey;
  show: MeasureName;
  /** The interval that was chosen. */
  interval: string | null;
}

export function askedIn(url: URLSearchParams): ReportQuery {
  const [from, until] = [url.get('earliest') ?? '', url.get('latest') ?? ''];
  const range = url.get('range') ?? '';
  const isCustom = range === CUSTOM || from !== '' || until !== '';
  const by = USAGE_KEYS.find((key) => key === url.get('by')) ?? 'model';
  const show = url.get('show') ?? '';
  return {
    range: isCustom ? CUSTOM : range in RANGES ? (range as Range) : DEFAULT_RANGE,
    ...{ from, until, by },
    show: show in MEASURES ? (show as MeasureName) : 'requests',
    interval: url.get('interval'),
  };
}

/** @param now epoch seconds; there is no usage after it */
export function spanIn({ range, from, until }: ReportQuery, now: number): Span {
  if (range !== CUSTOM) return spanOf(range, now);
  const { latest: end } = spanOf(DEFAULT_RANGE, now);
  const latest = Math.min(secondsOf(until) ?? end, end);
  const earliest = secondsOf(from) ?? latest - RANGES[DEFAULT_RANGE].seconds;
  return { earliest: Math.max(earliest, latest - LONGEST), latest };
}

function secondsOf(text: string): number | undefined {
  const seconds = /^[\d.]+$/.test(text) ? Number(text) : Date.parse(text) / 1000;
  return text === '' || Number.isNaN(seconds) ? undefined : Math.floor(seconds / HOUR) * HOUR;
}
