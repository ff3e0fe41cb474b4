import { parseExact } from '../../contract/exactJson.ts';
import { isColumnName, isObject } from './results.ts';

const MOST_LEVELS = 100;

/**
 * Whether a result found nothing: all its lists are empty, and each other value is 0, false, null, empty or stands in the arguments
 * of its step.
 */
export function isEmptyResult(output: string, input: string | undefined): boolean {
  const text = output.trim();
  return isEmptyText(text, input ?? '', 0);
}

function isEmptyText(text: string, input: string, level: number): boolean {
  if (text === '' || text === '0') return true;
  const first = text.charAt(0);
  if (level === 0 && '{["fnt'.includes(first)) {
    try {
      return isEmpty(parseExact(text), input, 1);
    } catch {
      // It is a text.
    }
  }
  return isHeaderAlone(text) || (text.length <= input.length && standsIn(text, input));
}

/** Arguments are JSON, in which quotes and backslashes have escapes. */
const standsIn = (text: string, input: string): boolean =>
  input.includes(text) || input.includes(JSON.stringify(text).slice(1, -1));

function isEmpty(value: unknown, input: string, level: number): boolean {
  if (level > MOST_LEVELS) return false;
  if (typeof value === 'string') return isEmptyText(value.trim(), input, level);
  if (Array.isArray(value)) return value.length === 0;
  if (!isObject(value)) return value === 0 || value === false || value === null || value === undefined;
  return Object.entries(value).every(([key, inner]) => isColumnList(value, key) || isEmpty(inner, input, level + 1));
}

/** Names of columns say nothing where there are no rows. */
const isColumnList = (object: Record<string, unknown>, key: string): boolean =>
  key === 'fields' && Array.isArray(object.rows) && object.rows.length === 0;

/** A line of names of columns. */
function isHeaderAlone(text: string): boolean {
  if (text.includes('\n') || !text.includes(',')) return false;
  return text.split(',').every((name) => isColumnName(name) && /^"?[A-Za-z_][A-Za-z0-9_()]*"?$/.test(name));
}
