import type { OnnxValue, PredictedColumn } from '../../../ports/onnx/onnxRuntime.ts';
import { type FetchedOutput, MAX_CLASSES, type OutputMessage, type TensorData } from '../runner/messages.ts';
import { PlanProblem } from './inputs.ts';

export interface OutputPlan {
  /** Names of the fields, in the order of the columns that fill them. */
  targets: readonly string[];
  /** Outputs whose columns are the targets, in order. */
  predicted: string[];
  probability: ProbabilityPlan | undefined;
}

interface ProbabilityPlan {
  name: string;
  classes: readonly string[];
  /** Number of classes; undefined if it is dynamic. */
  width: number | undefined;
  /** Without a declared shape, a run has to show that it has a value for each class. */
  isOpen?: true;
}

const LABEL_TYPES = new Set(['string', 'int64', 'int32', 'bool']);
const PROBABILITY_TYPES = new Set(['float32', 'float64', 'float16']);
const PROBABILITY_NAME = /prob/i;

/**
 * @param targets empty if unknown: then each output is a target
 * @param classes by name of a label
 * @throws PlanProblem without a tensor output
 */
export function planOutputs(
  outputs: readonly OnnxValue[],
  targets: readonly string[],
  classes: Readonly<Record<string, readonly string[]>>,
): OutputPlan {
  const tensors = outputs.filter(({ type }) => type !== undefined);
  if (tensors.length === 0) {
    throw new PlanProblem('model_file', 'it has no output that is a tensor; export it so that it answers tensors');
  }
  const labels = tensors.filter(({ type = '' }) => LABEL_TYPES.has(type));
  const probability =
    labels.length > 0
      ? tensors.find(
          ({ name, type = '', shape = [null, null] }) =>
            PROBABILITY_TYPES.has(type) && shape.length === 2 && PROBABILITY_NAME.test(name),
        )
      : undefined;
  const others = tensors.filter((tensor) => tensor !== probability);
  const named = targets.length > 0 ? targets : others.map(({ name }) => name);
  const label = labels.find(({ name }) => classes[name] !== undefined);
  return {
    targets: named,
    predicted: firstOf(others, named.length).map(({ name }) => name),
    probability: probability && {
      name: probability.name,
      classes: (label && classes[label.name]) ?? [],
      width: probability.shape?.[1] ?? undefined,
      ...(probability.shape ? {} : { isOpen: true }),
    },
  };
}

/** The outputs with the shapes that a run has shown, where none are declared. */
export const withShapesOf = (
  outputs: readonly OnnxValue[],
  answered: Readonly<Record<string, OutputMessage>>,
): OnnxValue[] =>
  outputs.map((output) => {
    const { rank } = answered[output.name] ?? {};
    return output.shape || rank === undefined ? output : { ...output, shape: new Array<null>(rank).fill(null) };
  });

/** The outputs of a plan, each with as many columns as may be needed. */
export const fetchedOf = ({ predicted, targets, probability }: OutputPlan): FetchedOutput[] => [
  ...predicted.map((name) => ({ name, columns: targets.length, isWhole: false })),
  ...(probability ? [{ name: probability.name, columns: MAX_CLASSES, isWhole: true }] : []),
];

/** As many outputs as have a column for each target; one whose width is unknown has at least one. */
function firstOf(outputs: readonly OnnxValue[], columns: number): OnnxValue[] {
  let left = columns;
  return outputs.filter(({ shape = [] }) => {
    const isNeeded = left > 0;
    left -= shape.slice(1).reduce<number>((width, size) => width * (size ?? 1), 1);
    return isNeeded;
  });
}

/** @param answered the outputs of the plan; without that of the probabilities, these are left out */
export function columnsOf(plan: OutputPlan, answered: Readonly<Record<string, OutputMessage>>): PredictedColumn[] {
  const predicted: PredictedColumn[] = [];
  for (const name of plan.predicted) {
    const targets = plan.targets.slice(predicted.length);
    const columns = columnsIn(answered[name], targets.length);
    predicted.push(...columns.map((column, index) => ({ ...column, field: `predicted(${targets[index]})` })));
  }
  const shares = plan.probability ? columnsIn(answered[plan.probability.name], MAX_CLASSES) : [];
  const classes = plan.probability?.classes.length === shares.length ? plan.probability.classes : [];
  return [
    ...predicted,
    ...shares.map((share, index) => ({ ...share, field: `probability(${classes[index] ?? index})` })),
  ];
}

/** @param most number of columns to make, from the first */
function columnsIn(tensor: OutputMessage | undefined, most: number): Omit<PredictedColumn, 'field'>[] {
  if (!tensor || most === 0) return [];
  const { data, width } = tensor;
  const type = columnType(tensor.type);
  if (width === 1) return [{ type, values: data }];
  return Array.from({ length: Math.min(width, most) }, (_, column) => ({
    type,
    values: everyNth(data, width, column),
  }));
}

function everyNth(data: TensorData, step: number, from: number): ArrayLike<number | bigint | string> {
  const rows = data.length / step;
  const column: ArrayLike<number | bigint | string> = Array.isArray(data)
    ? new Array<string>(rows)
    : new (data.constructor as Float32ArrayConstructor)(rows);
  const writable = column as (number | bigint | string)[];
  for (let row = 0, source = from; row < rows; row += 1, source += step) writable[row] = data[source] as number;
  return column;
}

function columnType(type: string): PredictedColumn['type'] {
  if (type === 'float32' || type === 'float64' || type === 'bool' || type === 'string') return type;
  return type.startsWith('float') ? 'float32' : 'integer';
}
