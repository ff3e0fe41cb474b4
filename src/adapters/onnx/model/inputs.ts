import type { OnnxValue } from '../../../ports/onnx/onnxRuntime.ts';

/** Types of inputs that values of rows can become. */
const INPUT_TYPES = ['float32', 'float64', 'int32', 'int64', 'bool', 'string'] as const;
export type InputType = (typeof INPUT_TYPES)[number];

export interface PlannedInput {
  name: string;
  type: InputType;
  /** Columns of its values in a row, in order. */
  columns: number[];
  /** Sizes of a row; behind the number of rows, unless the input has none. */
  rowShape: number[];
  hasRows: boolean;
}

export interface InputPlan {
  features: readonly string[];
  inputs: PlannedInput[];
  /** Rows of a run, if the model fixes them. */
  block: number | undefined;
}

/** The features do not fit the inputs, or there is an input that rows cannot fill. */
export class PlanProblem extends Error {
  override readonly name = 'PlanProblem';
  /** The field of an upload that has to change. */
  readonly field: 'features' | 'model_file';

  constructor(field: PlanProblem['field'], message: string) {
    super(message);
    this.field = field;
  }
}

/**
 * Decides which features become which input: an input has the feature of its name, the others have the other features in
 * order, each as many as it takes values in a row.
 * @param named empty if unknown: then each input is a feature
 * @throws PlanProblem
 */
export function planInputs(inputs: readonly OnnxValue[], named: readonly string[]): InputPlan {
  const tensors = inputs.map(tensorOf);
  const features = named.length > 0 ? named : tensors.map(({ name }) => name);
  const assigned = assign(tensors, features);
  const planned = tensors.map((tensor, index) => planInput(tensor, assigned[index] as number[], features));
  return { features, inputs: planned, block: blockOf(tensors, planned) };
}

/** Shape for a tensor of any shape: rows of values. */
const ANY_SHAPE = [null, null];

type TensorInput = { name: string; type: InputType; shape: (number | null)[] };

function tensorOf({ name, type, shape }: OnnxValue): TensorInput {
  const inputType = INPUT_TYPES.find((candidate) => candidate === type);
  if (inputType) return { name, type: inputType, shape: shape ?? ANY_SHAPE };
  const what = type === undefined ? 'is not a tensor' : `has the type ${type}`;
  throw new PlanProblem('model_file', `its input ${name} ${what}; rows can fill tensors of ${INPUT_TYPES.join(', ')}`);
}

/** Columns of each input. */
function assign(tensors: readonly TensorInput[], features: readonly string[]): number[][] {
  const columns = features.map((_, index) => index);
  const isNamed = (tensor: TensorInput) => tensors.length > 1 && features.includes(tensor.name) && fits(tensor, 1);
  const unnamed = columns.filter(
    (index) => !tensors.some((tensor) => tensor.name === features[index] && isNamed(tensor)),
  );
  const open = tensors.filter((tensor) => !isNamed(tensor));
  const widths = new Map(open.map((tensor) => [tensor, open.length === 1 ? unnamed.length : widthOf(tensor)]));
  const needed = [...widths.values()].reduce((sum, width) => sum + width, 0);
  if (needed !== unnamed.length || (open.length === 1 && unnamed.length === 0)) {
    const takes = tensors.reduce((sum, tensor) => sum + (widths.get(tensor) ?? 1), 0);
    const names = tensors.map(({ name }) => name).join(', ');
    throw new PlanProblem(
      'features',
      `are ${features.length}, but the inputs of the model (${excerpt(names)}) take ${takes || 'some'} values in a row`,
    );
  }
  return tensors.map((tensor) => {
    const width = widths.get(tensor);
    return width === undefined ? [features.indexOf(tensor.name)] : unnamed.splice(0, width);
  });
}

/** Most values of a run that is filled up to a fixed number of rows. */
const MAX_BLOCK_VALUES = 8_000_000;

const excerpt = (text: string): string => (text.length > 200 ? `${text.slice(0, 200)}…` : text);

const product = (sizes: readonly number[]): number => sizes.reduce((result, size) => result * size, 1);

/** Sizes of a row: those behind the first dimension. The first is the rows, even where it is the only one. */
const rowSizes = ({ shape }: TensorInput): (number | null)[] => shape.slice(1);

/** Values in a row where other inputs have features too. A dynamic size is 1. */
function widthOf(tensor: TensorInput): number {
  if (tensor.shape.length === 1) return tensor.shape[0] ?? 1;
  return product(rowSizes(tensor).map((size) => size ?? 1));
}

const fits = (tensor: TensorInput, width: number): boolean => rowShapeOf(tensor, width) !== undefined;

/** The shape of so many values of a row: the last dynamic size takes what the others leave. */
function rowShapeOf(tensor: TensorInput, width: number): { rowShape: number[]; hasRows: boolean } | undefined {
  const { shape } = tensor;
  if (shape.length === 0) return width === 1 ? { rowShape: [], hasRows: false } : undefined;
  if (shape.length === 1) {
    if (width === 1) return { rowShape: [], hasRows: true };
    return shape[0] === null || shape[0] === width ? { rowShape: [width], hasRows: false } : undefined;
  }
  const sizes = rowSizes(tensor);
  const fixed = product(sizes.map((size) => size ?? 1));
  const last = sizes.lastIndexOf(null);
  if (last < 0 ? fixed !== width : width % fixed !== 0) return undefined;
  return { rowShape: sizes.map((size, index) => (index === last ? width / fixed : (size ?? 1))), hasRows: true };
}

function planInput(tensor: TensorInput, columns: number[], features: readonly string[]): PlannedInput {
  const shaped = rowShapeOf(tensor, columns.length);
  const { name, type } = tensor;
  if (shaped) return { name, type, columns, ...shaped };
  const shape = tensor.shape.map((size) => size ?? '?').join(', ');
  throw new PlanProblem(
    'features',
    `are ${features.length}, of which ${columns.length} would be the input ${name} of the shape [${shape}], which they cannot fill`,
  );
}

/** An input without rows takes one row in a run. */
function blockOf(tensors: readonly TensorInput[], planned: readonly PlannedInput[]): number | undefined {
  const fixed = planned.flatMap(({ hasRows }, index) => (hasRows ? (tensors[index]?.shape[0] ?? []) : 1));
  const sizes = new Set(fixed);
  const [block] = fixed;
  if (block !== undefined && block * Math.max(...planned.map(({ columns }) => columns.length)) > MAX_BLOCK_VALUES) {
    throw new PlanProblem(
      'model_file',
      `it takes ${block} rows at a time, which is too many; export it with a dynamic number of rows`,
    );
  }
  if (sizes.size <= 1) return block;
  throw new PlanProblem('model_file', `its inputs take different numbers of rows: ${[...sizes].join(', ')}`);
}
