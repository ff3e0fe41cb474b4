import { invalid } from '../../contract/codes/faults.ts';

/** `2026-01-01T00:00:00Z`. @param seconds epoch seconds, whole */
export const timeText = (seconds: number): string => new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');

/** Parses `earliest` or `latest` to epoch seconds. @throws Fault `validation_failed` */
export function parseTime(field: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const isDate = /^\d{4}-\d\d-\d\d(T[\d:.]+(Z|[+-]\d\d:?\d\d)?)?$/.test(text);
  const value = /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) : isDate ? Date.parse(text) / 1000 : Number.NaN;
  if (Number.isFinite(value)) return value;
  throw invalid([{ field, message: 'must be epoch seconds or an ISO 8601 date' }]);
}
