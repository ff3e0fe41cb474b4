import type { Json } from '../../contract/basics.ts';
import { invalid } from '../../contract/codes/faults.ts';
import { featuresOf } from './columns.ts';
import type { Column, RowModel, SentRow } from './protocol.ts';
import { type Datatype, type Input, TYPES } from './v2Types.ts';

/** How rows become the inputs of a request. */
export interface InputPlan extends Pick<RowModel, 'features' | 'most'> {
  inputs(rows: readonly SentRow[]): Json[];
  /** Parameters of the request. */
  parameters?: Json;
}

/**
 * An input belongs to the field of its name, else by order: one matrix of all fields, or an input for each.
 * @throws Fault `validation_failed` if the rows have another number of fields than a matrix
 */
export function inputPlan(inputs: readonly Input[], columns: readonly Column[]): InputPlan {
  const [first] = inputs;
  if (!first) return dataFrame(columns);
  const names = new Set(columns.map(({ name }) => name));
  const isNamed = inputs.every(({ name }) => names.has(name));
  const [rowCount = -1, ...lengths] = first.shape;
  const isKnown = lengths.every((length) => length > 0);
  const most = rowCount > 0 ? rowCount : undefined;
  if (!isNamed && inputs.length === 1 && lengths.some((length) => length !== 1))
    return { most, ...matrix(first, isKnown ? lengths : [columns.length], columns) };
  const isByOrder = !isNamed && inputs.length === columns.length;
  return {
    most,
    features: inputs.map(({ name, datatype }, index) => ({
      ...TYPES[datatype],
      name: isByOrder ? (columns[index] as Column).name : name,
    })),
    inputs: (rows) =>
      inputs.map(({ name, datatype, shape }, index) => ({
        name,
        datatype,
        shape: [rows.length, ...shape.slice(1).map(() => 1)],
        data: rows.map((row) => row[index]),
      })),
  };
}

const MAX_NAMED = 20;
const MAX_NAME = 100;

function matrix({ name, datatype }: Input, lengths: readonly number[], columns: readonly Column[]): InputPlan {
  const width = lengths.reduce((product, length) => product * length, 1);
  if (width !== columns.length) {
    const names = columns.map((column) => column.name.slice(0, MAX_NAME));
    const has = names.length > MAX_NAMED ? `${names.length}` : names.join(', ') || 'none';
    throw invalid([
      { field: 'rows', message: `must have ${width} fields, in the order of the model; they have ${has}` },
    ]);
  }
  return {
    features: columns.map((column) => ({ ...TYPES[datatype], name: column.name })),
    inputs: (rows) => [{ name, datatype, shape: [rows.length, ...lengths], data: rows.flat() }],
  };
}

const DATATYPES: Readonly<Record<Column['kind'], Datatype>> = { number: 'FP64', boolean: 'BOOL', text: 'BYTES' };

/** Servers of Python's models declare no inputs. They take a data frame, by the names of its columns. */
const dataFrame = (columns: readonly Column[]): InputPlan => ({
  features: featuresOf(columns),
  parameters: { content_type: 'pd' },
  inputs: (rows) =>
    columns.map(({ name, kind }, index) => ({
      name,
      datatype: DATATYPES[kind],
      shape: [rows.length, 1],
      data: rows.map((row) => row[index]),
      ...(kind === 'text' ? { parameters: { content_type: 'str' } } : {}),
    })),
});
