const DAYS = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];
const two = (value: number): string => String(value).padStart(2, '0');

function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000) + 1;
}

/** Conversions of strftime, in UTC. */
const WRITE: Readonly<Record<string, (date: Date, seconds: number) => string>> = {
  A: (date) => DAYS[date.getUTCDay()] ?? '',
  a: (date) => (DAYS[date.getUTCDay()] ?? '').slice(0, 3),
  B: (date) => MONTHS[date.getUTCMonth()] ?? '',
  b: (date) => (MONTHS[date.getUTCMonth()] ?? '').slice(0, 3),
  d: (date) => two(date.getUTCDate()),
  e: (date) => String(date.getUTCDate()).padStart(2, ' '),
  F: (date) => date.toISOString().slice(0, 10),
  H: (date) => two(date.getUTCHours()),
  I: (date) => two(date.getUTCHours() % 12 || 12),
  j: (date) => String(dayOfYear(date)).padStart(3, '0'),
  k: (date) => String(date.getUTCHours()).padStart(2, ' '),
  M: (date) => two(date.getUTCMinutes()),
  m: (date) => two(date.getUTCMonth() + 1),
  N: (_date, seconds) => fraction(seconds, 9),
  p: (date) => (date.getUTCHours() < 12 ? 'AM' : 'PM'),
  Q: (_date, seconds) => fraction(seconds, 3),
  S: (date) => two(date.getUTCSeconds()),
  s: (_date, seconds) => String(Math.floor(seconds)),
  T: (date) => date.toISOString().slice(11, 19),
  u: (date) => String(date.getUTCDay() || 7),
  w: (date) => String(date.getUTCDay()),
  Y: (date) => String(date.getUTCFullYear()),
  y: (date) => two(date.getUTCFullYear() % 100),
  Z: () => 'UTC',
  z: () => '+0000',
  '%': () => '%',
};

function fraction(seconds: number, digits: number): string {
  return (seconds - Math.floor(seconds)).toFixed(9).slice(2).slice(0, digits);
}

/** Formats epoch seconds; `%3N` has three digits, an unknown conversion stays as it is. */
export function formatTime(seconds: number, format: string): string | undefined {
  const date = new Date(Math.floor(seconds) * 1000);
  if (Number.isNaN(date.getTime())) return undefined;
  return format.replace(/%(\d?)([A-Za-z%])/g, (whole, digits: string, name: string) => {
    if (digits !== '') return name === 'N' || name === 'Q' ? fraction(seconds, Number(digits)) : whole;
    return (Object.hasOwn(WRITE, name) ? WRITE[name] : undefined)?.(date, seconds) ?? whole;
  });
}

/** Patterns of the parts that strptime reads, at one position of a text. */
const READ: Readonly<Record<string, RegExp>> = {
  A: /[A-Za-z]+/y,
  a: /[A-Za-z]{3}/y,
  B: /[A-Za-z]+/y,
  b: /[A-Za-z]{3}/y,
  d: /\d{1,2}/y,
  H: /\d{1,2}/y,
  I: /\d{1,2}/y,
  M: /\d{1,2}/y,
  m: /\d{1,2}/y,
  N: /\d{1,9}/y,
  p: /[AP]M/iy,
  Q: /\d{1,9}/y,
  S: /\d{1,2}/y,
  s: /\d{1,12}/y,
  Y: /\d{4}/y,
  y: /\d{2}/y,
  Z: /[A-Za-z]{1,5}/y,
  z: /Z|[+-]\d{2}:?\d{2}/y,
};

/** Reads a time of that format as epoch seconds; undefined where it does not match. */
export function parseTime(text: string, format: string): number | undefined {
  const parts: Record<string, string> = {};
  let position = text.length - text.trimStart().length;
  const whole = format.replaceAll('%F', '%Y-%m-%d').replaceAll('%T', '%H:%M:%S');
  for (let index = 0; index < whole.length; index += 1) {
    if (whole[index] !== '%') {
      if (text[position] !== whole[index]) return undefined;
      position += 1;
      continue;
    }
    const digits = /\d/.test(whole.charAt(index + 1)) ? 1 : 0;
    const name = whole.charAt(index + 1 + digits);
    const pattern = Object.hasOwn(READ, name) ? READ[name] : undefined;
    if (pattern === undefined) return undefined;
    pattern.lastIndex = position;
    const [value] = pattern.exec(text) ?? [];
    if (value === undefined) return undefined;
    parts[name] = value;
    position += value.length;
    index += 1 + digits;
  }
  return epochOf(parts);
}

function epochOf({ Y, y, m, b, B, d, H, I, p, M, S, N, Q, s, z }: Record<string, string>): number | undefined {
  if (s !== undefined) return Number(s);
  const monthName = (b ?? B)?.slice(0, 3).toLowerCase();
  const month =
    monthName === undefined
      ? Number(m ?? 1) - 1
      : MONTHS.findIndex((name) => name.slice(0, 3).toLowerCase() === monthName);
  if (month < 0 || month > 11) return undefined;
  const hour = p === undefined ? Number(H ?? I ?? 0) : (Number(I ?? H ?? 0) % 12) + (p.toUpperCase() === 'PM' ? 12 : 0);
  const year = Y === undefined ? (y === undefined ? new Date().getUTCFullYear() : 2000 + Number(y)) : Number(Y);
  const time = Date.UTC(year, month, Number(d ?? 1), hour, Number(M ?? 0), Number(S ?? 0)) / 1000;
  const [, sign, hours = 0, minutes = 0] = /^([+-])(\d{2}):?(\d{2})$/.exec(z ?? '') ?? [];
  const offset = (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
  const fractionDigits = N ?? Q;
  return time - (sign === undefined ? 0 : offset) + (fractionDigits === undefined ? 0 : Number(`0.${fractionDigits}`));
}
