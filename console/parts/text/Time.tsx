import { useTicking } from '../../api/clock.ts';

/** `22 Nov 2026, 18:15:12` in the reader's zone: unambiguous in every locale. */
const exact = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS = [
  ['year', 31_557_600],
  ['month', 2_629_800],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 minutes ago`. @param at epoch seconds */
function sinceWords(time: number, now = Date.now() / 1000): string {
  const seconds = time - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  return ago.format(Math.round(seconds / length), unit);
}

/**
 * A time in the reader's zone; the title has the seconds and UTC.
 * @param at epoch seconds
 * @param isExact shows the seconds
 */
export function Time({ at, isExact = false }: { at: number | null | undefined; isExact?: boolean }) {
  useTicking();
  if (typeof at !== 'number') return <>–</>;
  const date = new Date(at * 1000);
  return (
    <time dateTime={date.toISOString()} title={`${exact.format(date)} (${date.toISOString()})`}>
      {isExact ? `${exact.format(date)} (${sinceWords(at)})` : sinceWords(at)}
    </time>
  );
}
