import type { SearchPart } from '../pipeline/spl.ts';
import { spanSeconds, timeBound } from '../pipeline/times.ts';
import { refused } from './arguments.ts';

/** The start of the span that a value is in. */
export type Step = (value: number) => number;

/** Spans of time such as `5m`, `1d` or `1mon`, in UTC. */
export function timeStep(part: Pick<SearchPart, 'name'>, span: string): Step {
  const seconds = spanSeconds(span);
  if (seconds !== undefined) {
    // Weeks begin on Sundays, while the epoch began on a Thursday.
    const shift = /w/.test(span) ? 4 * 86_400 : 0;
    return (time) => Math.floor((time + shift) / seconds) * seconds - shift;
  }
  const [, count = '1', unit = ''] = /^(\d*)(mon|month|months|q|qtr|quarter|y|yr|year)s?$/.exec(span) ?? [];
  if (unit === '' || !['', '1'].includes(count))
    throw refused(part.name, `Invalid option value. Expecting a 'span' for option 'span'. Instead got '${span}'.`);
  return (time) => timeBound('span', `@${unit}`, time * 1000);
}

/** Spans of `_time`, or of numbers. */
export function stepOf(part: Pick<SearchPart, 'name'>, field: string, span: string): Step {
  if (field === '_time' || /[a-z]/i.test(span)) return timeStep(part, span);
  const size = Number(span);
  if (!(size > 0) || !Number.isFinite(size))
    throw refused(part.name, `Invalid option value. Expecting a 'span' for option 'span'. Instead got '${span}'.`);
  return (value) => Math.floor(value / size) * size;
}

/** Spans of `timechart` by the length of its range, in seconds. */
const AUTOMATIC: readonly [number, string][] = [
  [15 * 60, '10s'],
  [60 * 60, '1m'],
  [4 * 3600, '5m'],
  [24 * 3600, '30m'],
  [7 * 86_400, '1d'],
  [100 * 86_400, '1d'],
];

/** The span of `timechart` without one, for at most 100 columns. */
export function automaticSpan(seconds: number): string {
  return AUTOMATIC.find(([most]) => seconds <= most)?.[1] ?? '1mon';
}
