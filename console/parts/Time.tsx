const exact = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });
const ago = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** `3 minutes ago`. @param at epoch seconds */
function sinceWords(at: number, now = Date.now() / 1000): string {
  const seconds = at - now;
  const [unit, length] = UNITS.find(([, size]) => Math.abs(seconds) >= size) ?? (['second', 1] as const);
  return ago.format(Math.round(seconds / length), unit);
}

/**
 * A moment, in the words of the reader's zone; the title has it to the second and in UTC.
 * @param at epoch seconds
 * @param isExact to the second, for who wants to compare it with a log
 */
export function Time({ at, isExact = false }: { at: number | null | undefined; isExact?: boolean }) {
  if (typeof at !== 'number') return <>–</>;
  const date = new Date(at * 1000);
  return (
    <time dateTime={date.toISOString()} title={`${exact.format(date)} (${date.toISOString()})`}>
      {isExact ? `${exact.format(date)} (${sinceWords(at)})` : sinceWords(at)}
    </time>
  );
}
