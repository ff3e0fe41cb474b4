import { isObject, type Json } from '../../../contract/basics.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import type { Cell } from '../../rows.ts';
import type { Cells } from '../rowAnswers.ts';

/** The fields of a tool's result; with `expand` a list makes a row of each of its entries. */
export function toolCells(output: string, result: Json, expand: boolean): Cells | Cells[] {
  const { content, structured_content: structured } = result;
  const texts = partsOf(content).map(textOf);
  const isValue = structured !== undefined && !isObject(structured);
  const fields = isObject(structured) ? structured : {};
  const base = {
    [output]: texts.length === 0 && isValue ? cellOf(structured) : cellOf(texts),
    ...cellsOf(output, fields),
  };
  if (!expand) return base;
  const { entries, others } = onlyList(output, structured, base);
  if (!entries) return texts.length > 1 ? texts.map((text) => ({ ...base, [output]: text })) : base;
  if (entries.length === 0) return base;
  return entries.map((entry) => ({
    ...others,
    ...(isObject(entry) ? { [output]: '', ...cellsOf(output, entry) } : { [output]: cellOf(entry) }),
  }));
}

/** The only list of a structured result, or the result if it is a list, and the fields of all else. */
function onlyList(output: string, structured: unknown, base: Cells): { entries?: unknown[]; others: Cells } {
  if (Array.isArray(structured)) return { entries: structured, others: base };
  const lists = Object.entries(isObject(structured) ? structured : {}).filter(([, value]) => Array.isArray(value));
  const [list, ...more] = lists as [string, unknown[]][];
  if (!list || more.length > 0) return { others: base };
  const { [`${output}.${list[0]}`]: _, ...others } = base;
  return { entries: list[1], others };
}

/** All texts of a result, for a message. */
export const textsOf = (content: unknown): string => partsOf(content).map(textOf).join('\n');

const partsOf = (content: unknown): Json[] => (Array.isArray(content) ? content.filter((part) => isObject(part)) : []);

/** Links are passed on as text and never fetched; of pictures and sounds only the type fits a field. */
function textOf(part: Json): string {
  const { type, text, uri, mimeType, resource } = part;
  if (typeof text === 'string') return text;
  if (typeof uri === 'string') return uri;
  if (isObject(resource)) return textOf(resource);
  return `[${[type, mimeType].filter((word) => typeof word === 'string').join(' ')}]`;
}

const cellsOf = (output: string, fields: Json): Cells =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [`${output}.${name}`, cellOf(value)]));

function cellOf(value: unknown): Cell {
  if (!Array.isArray(value)) return scalar(value);
  const cells = value.map((entry) => String(scalar(entry)));
  return cells.length === 1 ? (cells[0] as string) : cells.length === 0 ? '' : cells;
}

function scalar(value: unknown): string | number {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return value === null || value === undefined ? '' : stringifyExact(value);
}
