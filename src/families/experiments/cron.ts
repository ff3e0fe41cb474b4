const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const FIELDS = [
  { name: 'minute', min: 0, max: 59, words: [] as string[] },
  { name: 'hour', min: 0, max: 23, words: [] },
  { name: 'day of the month', min: 1, max: 31, words: [] },
  { name: 'month', min: 1, max: 12, words: MONTHS },
  // 7 is Sunday too.
  { name: 'day of the week', min: 0, max: 7, words: DAYS },
];

/** Validates a cron expression of five fields; undefined = valid. */
export function cronProblem(expression: string): string | undefined {
  const parts = expression.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) {
    return 'must have five fields: minute, hour, day of the month, month, day of the week';
  }
  for (const [index, field] of FIELDS.entries()) {
    const items = (parts[index] ?? '').split(',');
    if (!items.every((item) => isValidItem(item.toLowerCase(), field))) {
      return `has an invalid ${field.name}: use numbers from ${field.min} to ${field.max}, lists, ranges and steps`;
    }
  }
  return undefined;
}

function isValidItem(item: string, { min, max, words }: (typeof FIELDS)[number]): boolean {
  const match = /^(?:\*|([a-z0-9]+)(?:-([a-z0-9]+))?)(?:\/(\d{1,2}))?$/.exec(item);
  if (!match) return false;
  const [, from, to, step] = match;
  const value = (text: string) =>
    words.includes(text) ? words.indexOf(text) + min : /^\d{1,2}$/.test(text) ? Number(text) : -1;
  const inRange = (number: number) => number >= min && number <= max;
  if (step !== undefined && (Number(step) < 1 || Number(step) > max)) return false;
  if (from === undefined) return true;
  const first = value(from);
  return inRange(first) && (to === undefined || (inRange(value(to)) && value(to) >= first));
}
