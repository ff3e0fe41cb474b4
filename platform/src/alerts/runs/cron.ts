/** A schedule of five fields, in UTC as everything here. */
export interface Cron {
  /** The first time after another one, both in epoch seconds; undefined for a date that never comes, such as 30 February. */
  next(after: number): number | undefined;
}

interface Field {
  values: ReadonlySet<number>;
  /** Whether it begins with an asterisk, so that a day need not match it. */
  isAny: boolean;
}

/** Least and most of minute, hour, day of the month, month, day of the week; 7 is Sunday as 0 is. */
const BOUNDS = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12],
  [0, 7],
] as const;
const DAY_MS = 86_400_000;
/** Days until 29 February comes again, at most. */
const MOST_DAYS = 8 * 366;

/** Reads a schedule; undefined if it is none. */
export function parseCron(text: string): Cron | undefined {
  const fields = text.trim().split(/\s+/);
  if (fields.length !== BOUNDS.length) return undefined;
  const read = fields.map((field, index) => fieldOf(field, BOUNDS[index] ?? [0, 0]));
  const [minutes, hours, days, months, weekdays] = read;
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const isDay = (date: Date): boolean => {
    if (!months.values.has(date.getUTCMonth() + 1)) return false;
    const isOfMonth = days.values.has(date.getUTCDate());
    const weekday = date.getUTCDay();
    const isOfWeek = weekdays.values.has(weekday) || (weekday === 0 && weekdays.values.has(7));
    // With both restricted, either is enough.
    return days.isAny || weekdays.isAny ? isOfMonth && isOfWeek : isOfMonth || isOfWeek;
  };
  return {
    next(after) {
      const start = (Math.floor(after / 60) + 1) * 60_000;
      const midnight = Math.floor(start / DAY_MS) * DAY_MS;
      for (let day = 0; day < MOST_DAYS; day += 1) {
        const date = midnight + day * DAY_MS;
        if (!isDay(new Date(date))) continue;
        for (const hour of hours.values) {
          for (const minute of minutes.values) {
            const time = date + (hour * 60 + minute) * 60_000;
            if (time >= start) return time / 1000;
          }
        }
      }
      return undefined;
    },
  };
}

/** The seconds between two runs from a time on; undefined where there are no two. */
export function periodOf(cron: Cron, after: number): number | undefined {
  const first = cron.next(after);
  const second = first === undefined ? undefined : cron.next(first);
  return first === undefined || second === undefined ? undefined : second - first;
}

/** Lists of numbers, ranges and asterisks, each with a step. */
function fieldOf(text: string, [least, most]: readonly [number, number]): Field | undefined {
  const values = new Set<number>();
  for (const part of text.split(',')) {
    const [, any, from, to, step] = /^(?:(\*)|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(part) ?? [];
    if (any === undefined && from === undefined) return undefined;
    const first = any === undefined ? Number(from) : least;
    const single = step === undefined ? first : most;
    const last = any === undefined ? (to === undefined ? single : Number(to)) : most;
    const by = Number(step ?? 1);
    if (first < least || last > most || first > last || by === 0) return undefined;
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return { values: new Set([...values].sort((a, b) => a - b)), isAny: text.startsWith('*') };
}
