import type { LimitWindow } from '../../contract/families/usageLimits.ts';

/** Epoch seconds; `ends` is the first second after it. */
export interface Window {
  begin: number;
  ends: number;
}

const SECONDS = { minute: 60, hour: 3600, day: 86_400 } as const;

/** The window of the calendar, in UTC, that a time is in. @param now milliseconds since the epoch */
export function windowAt(window: LimitWindow, now: number): Window {
  if (window === 'month') {
    const date = new Date(now);
    const monthBegin = (offset: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + offset, 1) / 1000;
    return { begin: monthBegin(0), ends: monthBegin(1) };
  }
  const length = SECONDS[window];
  const begin = Math.floor(now / 1000 / length) * length;
  return { begin, ends: begin + length };
}
