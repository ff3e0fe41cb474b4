import { PlatformError } from '../../http/reply.ts';

const UNITS: Record<string, number> = {
  s: 1,
  sec: 1,
  m: 60,
  min: 60,
  h: 3600,
  hr: 3600,
  d: 86_400,
  day: 86_400,
  w: 604_800,
};

/**
 * A bound of the time range as epoch seconds in text, `0` if absent. Accepts epoch seconds, `now`, offsets such as
 * `-15m` and ISO 8601.
 */
export function timeBound(name: string, text: string | undefined, now: number): string {
  if (text === undefined || text.trim() === '') return '0';
  const value = text.trim();
  if (/^\d+(\.\d+)?$/.test(value)) return value;
  if (value === 'now' || value === 'now()') return String(Math.floor(now / 1000));
  const [, sign, count, unit = ''] = /^([+-])(\d{1,9})([a-z]+)$/.exec(value) ?? [];
  const seconds = UNITS[unit.length > 1 ? unit.replace(/s$/, '') : unit];
  if (sign !== undefined && seconds !== undefined) {
    const offset = Number(count) * seconds;
    return String(Math.max(0, Math.floor(now / 1000) + (sign === '-' ? -offset : offset)));
  }
  const date = /^\d{4}-\d\d-\d\d/.test(value) ? Date.parse(value) : Number.NaN;
  if (Number.isNaN(date)) throw new PlatformError(400, `Invalid ${name}.`, 'FATAL');
  return String(date / 1000);
}
