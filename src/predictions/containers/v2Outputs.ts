import { isObject, type Json } from '../../contract/basics.ts';
import type { PredictedRow } from '../rows/prediction.ts';
import { fieldValue } from './answers.ts';
import { MAX_RANK } from './v2Types.ts';

/**
 * A field for each output of an answer; an output with several values for a row is a list as JSON.
 * @param count rows that were sent
 * @param rows number of rows to read, from the first
 * @returns undefined if there is no output, or one without a value for each row
 */
export function outputRows(body: unknown, count: number, rows: number): PredictedRow[] | undefined {
  const outputs = isObject(body) && Array.isArray(body.outputs) ? body.outputs : [];
  const columns = outputs.map((output) => (isObject(output) ? columnOf(output, count) : undefined));
  if (columns.length === 0 || !columns.every((column) => column !== undefined)) return undefined;
  return Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(
      columns.map(({ name, data, width }) => [name, fieldValue(data.slice(row * width, (row + 1) * width))]),
    ),
  );
}

function columnOf({ name, shape, data }: Json, count: number) {
  if (typeof name !== 'string' || !isShape(shape) || shape[0] !== count) return undefined;
  const values = flattened(data, shape);
  return values && values.length > 0 ? { name, data: values, width: values.length / count } : undefined;
}

const isShape = (shape: unknown): shape is number[] =>
  Array.isArray(shape) &&
  shape.length <= MAX_RANK &&
  shape.every((length) => Number.isSafeInteger(length) && length >= 0);

/** The values of a tensor, which stand in one list or are nested like its shape; undefined if they do not fill it. */
function flattened(data: unknown, shape: readonly number[]): unknown[] | undefined {
  if (!Array.isArray(data)) return undefined;
  const size = shape.reduce((product, length) => product * length, 1);
  const [length, ...inner] = shape;
  if (inner.length === 0 || !data.some(Array.isArray)) return data.length === size ? data : undefined;
  if (data.length !== length) return undefined;
  const parts = data.map((part) => flattened(part, inner));
  return parts.every((part) => part !== undefined) ? parts.flat() : undefined;
}
