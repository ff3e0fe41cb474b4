const plain = new Intl.NumberFormat('en');

/** `10,000` in every locale. */
export const formatCount = (count: number): string => plain.format(count);

/** Cuts a longer text. @param most characters */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most)}…`;

const MINUTE = 60;

/** `300 ms`, `1.2 s`, `2 min 5 s` or `1 h 12 min` */
export function durationWords(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < MINUTE * 1000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  const minutes = Math.floor(seconds / MINUTE);
  const hours = Math.floor(minutes / MINUTE);
  return hours > 0 ? `${formatCount(hours)} h ${minutes % MINUTE} min` : `${minutes} min ${seconds % MINUTE} s`;
}

const UNITS = ['kB', 'MB', 'GB'] as const;
const STEP = 1024;

/** `1.2 MB` */
export function sizeWords(bytes: number | undefined): string {
  if (bytes === undefined) return '–';
  if (bytes < STEP) return `${bytes} ${bytes === 1 ? 'byte' : 'bytes'}`;
  let [size, unit] = [bytes / STEP, 0];
  while (size >= STEP && unit < UNITS.length - 1) [size, unit] = [size / STEP, unit + 1];
  return `${size.toFixed(1)} ${UNITS[unit]}`;
}

/** A quoted value of a search. */
export const quoted = (value: string): string => `"${value.replace(/[\\"]/g, '\\$&')}"`;

const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumFractionDigits: 2 });
const fractions = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });

/** `$12.30`, and `$0.00042` below a cent. @param cost US dollars */
export const costWords = (cost: number | undefined): string => {
  if (cost === undefined) return '–';
  return cost > 0 && cost < 0.01 ? fractions.format(cost) : dollars.format(cost);
};
