import type { FailedRow, FeatureColumn } from '../../../ports/onnx/onnxRuntime.ts';
import type { TensorData } from '../runner/messages.ts';
import type { InputPlan, InputType, PlannedInput } from './inputs.ts';

export interface ReadValues {
  /** By name of the input: the values of the good rows. */
  data: Record<string, TensorData>;
  /** Indices of the good rows, ascending; undefined = all. */
  rows: Int32Array | undefined;
  count: number;
  failed: FailedRow[];
}

type NumericData = Exclude<TensorData, readonly string[]>;
type Fill = string[] | NumericData;
/** Writes a value and returns whether it could be read. */
type Write = (value: unknown, into: Fill, index: number) => boolean;

const MAX_FLOAT32 = 3.4028234663852886e38;
const MAX_INT32 = 2 ** 31;
const MAX_INT64 = 2n ** 63n;
const INTEGER = /^[+-]?\d{1,20}$/;
/** Numbers that `Number` reads beside decimal ones. */
const OTHER_BASE = /^\s*0[xob]/i;
const TRUE = /^(true|t|yes|y|1)$/i;
const FALSE = /^(false|f|no|n|0)$/i;
/** Shown of an unreadable value. */
const MAX_SHOWN = 40;

/** Makes the inputs of a call from the columns of features. A row fails alone, with its first bad feature. */
export function readValues(
  { inputs, features }: InputPlan,
  columns: readonly FeatureColumn[],
  count: number,
): ReadValues {
  const bad = new Uint8Array(count);
  const failed: FailedRow[] = [];
  const fills = inputs.map((input) => {
    const { type, columns: own } = input;
    const width = own.length;
    const fill = emptyFill(type, count * width);
    const write = WRITERS[type];
    for (const [place, column] of own.entries()) {
      const values = columns[column] as FeatureColumn;
      for (let row = 0, index = place; row < count; row += 1, index += width) {
        const value = values[row];
        if (isGiven(value) && write(value, fill, index)) continue;
        if (bad[row] === 0) failed.push(failure(row, features[column] ?? '', value, type));
        bad[row] = 1;
      }
    }
    return fill;
  });
  const names = inputs.map(({ name }) => name);
  const together = (data: readonly Fill[]) => Object.fromEntries(data.map((fill, index) => [names[index], fill]));
  if (failed.length === 0) return { data: together(fills), rows: undefined, count, failed };
  const rows = Int32Array.from(goodRows(bad));
  const data = fills.map((fill, index) => compacted(fill, rows, (inputs[index] as PlannedInput).columns.length));
  return { data: together(data), rows, count: rows.length, failed: failed.sort((a, b) => a.row - b.row) };
}

/** Searches have an empty text where a field is not there. */
const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== '';

function failure(row: number, feature: string, value: unknown, type: InputType): FailedRow {
  if (!isGiven(value)) {
    return { row, error_code: 'missing_field', message: `The field ${feature} is missing or empty` };
  }
  const shown = typeof value === 'object' ? (Array.isArray(value) ? 'a list' : 'an object') : `"${excerpt(value)}"`;
  const message = `The field ${feature} is ${shown}, which cannot be read as ${READ_AS[type]}`;
  return { row, error_code: 'unreadable_value', message };
}

function excerpt(value: unknown): string {
  const text = String(value).replace(/[\p{Cc}\p{Cf}]+/gu, ' ');
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text;
}

const READ_AS: Record<InputType, string> = {
  float32: 'a number',
  float64: 'a number',
  int32: 'a whole number of 32 bits',
  int64: 'a whole number of 64 bits',
  bool: 'true or false',
  string: 'a text without NUL characters',
};

function emptyFill(type: InputType, length: number): Fill {
  switch (type) {
    case 'float32':
      return new Float32Array(length);
    case 'float64':
      return new Float64Array(length);
    case 'int32':
      return new Int32Array(length);
    case 'int64':
      return new BigInt64Array(length);
    case 'bool':
      return new Uint8Array(length);
    case 'string':
      return new Array<string>(length);
  }
}

/** Not-a-number for what is no finite number. */
function numberOf(value: unknown): number {
  if (typeof value === 'number') return Number.isFinite(value) ? value : Number.NaN;
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'bigint') return numberOf(Number(value));
  if (typeof value !== 'string') return Number.NaN;
  const number = Number(value);
  if (!Number.isFinite(number)) return Number.NaN;
  // White space alone is 0 to JavaScript, and 0x10 is 16.
  const isNumber = number === 0 ? value.includes('0') : true;
  const mayBeOther = value.charCodeAt(1) > 57 || value.charCodeAt(0) <= 32;
  return isNumber && !(mayBeOther && OTHER_BASE.test(value)) ? number : Number.NaN;
}

function bigIntOf(value: unknown): bigint | undefined {
  const number = numberOf(value);
  if (Number.isSafeInteger(number)) return BigInt(number);
  if (typeof value !== 'bigint' && (typeof value !== 'string' || !INTEGER.test(value.trim()))) return undefined;
  const integer = typeof value === 'bigint' ? value : BigInt(value.trim().replace(/^\+/, ''));
  return integer >= -MAX_INT64 && integer < MAX_INT64 ? integer : undefined;
}

const WRITERS: Record<InputType, Write> = {
  float32(value, into, index) {
    const number = numberOf(value);
    (into as Float32Array)[index] = number;
    return Math.abs(number) <= MAX_FLOAT32;
  },
  float64(value, into, index) {
    const number = numberOf(value);
    (into as Float64Array)[index] = number;
    return !Number.isNaN(number);
  },
  int32(value, into, index) {
    const number = numberOf(value);
    (into as Int32Array)[index] = number;
    return Number.isInteger(number) && number >= -MAX_INT32 && number < MAX_INT32;
  },
  int64(value, into, index) {
    const integer = bigIntOf(value);
    (into as BigInt64Array)[index] = integer ?? 0n;
    return integer !== undefined;
  },
  bool(value, into, index) {
    const text = typeof value === 'object' ? '' : String(value).trim();
    const isTrue = TRUE.test(text);
    (into as Uint8Array)[index] = Number(isTrue);
    return isTrue || FALSE.test(text);
  },
  string(value, into, index) {
    if (typeof value === 'object') return false;
    const text = String(value);
    (into as string[])[index] = text;
    // The runtime would end the text there.
    return !text.includes('\0');
  },
};

function* goodRows(bad: Uint8Array): Generator<number> {
  for (const [row, isBad] of bad.entries()) if (isBad === 0) yield row;
}

function compacted(fill: Fill, rows: Int32Array, width: number): Fill {
  if (Array.isArray(fill)) {
    return Array.from(rows, (row) => fill.slice(row * width, (row + 1) * width)).flat();
  }
  for (const [index, row] of rows.entries()) fill.copyWithin(index * width, row * width, (row + 1) * width);
  return fill.subarray(0, rows.length * width);
}
