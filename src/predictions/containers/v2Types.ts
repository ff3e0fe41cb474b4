import { isObject } from '../../contract/basics.ts';
import { READERS } from './columns.ts';
import type { Feature, FeatureValue } from './protocol.ts';

type Reader = Pick<Feature, 'read' | 'what'>;

const FLOATS = ['FP16', 'FP32', 'FP64', 'BF16'] as const;
const INTEGERS = ['INT8', 'INT16', 'INT32', 'UINT8', 'UINT16', 'UINT32'] as const;
const LARGE_INTEGERS = ['INT64', 'UINT64'] as const;
export type Datatype = (typeof FLOATS | typeof INTEGERS | typeof LARGE_INTEGERS)[number] | 'BOOL' | 'BYTES';

function wholeNumber(value: FeatureValue): number | undefined {
  const number = READERS.number.read(value);
  return Number.isSafeInteger(number) ? (number as number) : undefined;
}

/** With all digits. */
function integerOf(value: FeatureValue, { least, most }: { least: bigint; most: bigint }): number | bigint | undefined {
  const number = READERS.number.read(value);
  if (typeof number !== 'bigint') return wholeNumber(value);
  return number >= least && number <= most ? number : undefined;
}

const SIGNED = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const UNSIGNED = { least: 0n, most: 2n ** 64n - 1n };
const WHOLE = 'a whole number';

/** Readers of the values of each datatype. */
export const TYPES = {
  ...same(FLOATS, READERS.number),
  ...same(INTEGERS, { read: wholeNumber, what: WHOLE }),
  INT64: { read: (value) => integerOf(value, SIGNED), what: WHOLE },
  UINT64: { read: (value) => integerOf(value, UNSIGNED), what: WHOLE },
  BOOL: READERS.boolean,
  BYTES: READERS.text,
} as Readonly<Record<Datatype, Reader>>;

function same(names: readonly Datatype[], reader: Reader): Partial<Record<Datatype, Reader>> {
  return Object.fromEntries(names.map((name) => [name, reader]));
}

export interface Input {
  name: string;
  datatype: Datatype;
  /** -1 = any. */
  shape: readonly number[];
}

/** More is no table. */
const MAX_INPUTS = 2000;
/** Most dimensions of a tensor. */
export const MAX_RANK = 8;

/** Inputs that the metadata of a model declare; empty if it declares none that rows fit. */
export function declaredInputs(inputs: unknown): Input[] {
  if (!Array.isArray(inputs) || inputs.length > MAX_INPUTS || !inputs.every(isInput)) return [];
  return inputs.map(({ name, datatype, shape }) => ({ name, datatype, shape }));
}

function isInput(value: unknown): value is Input {
  if (!isObject(value)) return false;
  const { name, datatype, shape } = value;
  const isShape =
    Array.isArray(shape) && shape.length > 0 && shape.length <= MAX_RANK && shape.every(Number.isSafeInteger);
  return typeof name === 'string' && typeof datatype === 'string' && Object.hasOwn(TYPES, datatype) && isShape;
}
