import { invalid } from '../../../contract/codes/faults.ts';
import type { FailedRow, FieldNames, OnnxModel, OnnxSignature } from '../../../ports/onnx/onnxRuntime.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { FetchedOutput, OpenedModel, RunnerReply, TensorData } from '../runner/messages.ts';
import { ask, cannotRun } from './ask.ts';
import type { RunnerHost } from './host.ts';
import { type InputPlan, PlanProblem, planInputs } from './inputs.ts';
import { columnsOf, fetchedOf, type OutputPlan, planOutputs, withShapesOf } from './outputs.ts';
import { type ReadValues, readValues } from './values.ts';

/** A run of so many rows of a large forest takes a tenth of a second. */
const RUN_ROWS = 16_384;
/** Values of a run, given or answered: a model with thousands of them in a row gets fewer rows. */
const RUN_VALUES = 1_000_000;
/** Assumed where the number of classes is dynamic. */
const UNKNOWN_CLASSES = 1000;

/**
 * Loads a model.
 * @throws Fault after which the host has ended
 */
export async function openModel(
  host: RunnerHost,
  bytes: Uint8Array,
  names: FieldNames,
  deadline: Deadline,
): Promise<OnnxModel> {
  const reply = await ask(host, { open: bytes }, deadline);
  if (!('opened' in reply)) throw new TypeError('the runner answered something else');
  const { inputs, outputs, classes } = reply.opened;
  try {
    const planOf = (shown: OnnxSignature['outputs']) => planModel({ inputs, outputs: shown }, names, classes);
    return Object.assign(predicting(host, outputs, planOf), { inputs, outputs });
  } catch (error) {
    host.close();
    throw error;
  }
}

interface ModelPlan {
  inputs: InputPlan;
  outputs: OutputPlan;
}

/** @throws Fault `validation_failed` for inputs and outputs that fields cannot be */
export function planModel(
  { inputs, outputs }: OnnxSignature,
  { features, targets }: FieldNames,
  classes: OpenedModel['classes'] = {},
): ModelPlan {
  try {
    return { inputs: planInputs(inputs, features), outputs: planOutputs(outputs, targets, classes) };
  } catch (error) {
    throw error instanceof PlanProblem ? invalid([{ field: error.field, message: error.message }]) : error;
  }
}

type Predicting = Pick<OnnxModel, 'features' | 'targets' | 'mostRows' | 'predict' | 'close' | 'isClosed'>;

/** @param declared outputs as the model declares them @param planOf the plan for outputs whose shapes a run has shown */
function predicting(
  host: RunnerHost,
  declared: OnnxSignature['outputs'],
  planOf: (outputs: OnnxSignature['outputs']) => ModelPlan,
): Predicting {
  let shown = declared;
  let plan = planOf(shown);
  return {
    features: plan.inputs.features,
    mostRows: mostRowsOf(plan),
    get targets() {
      return plan.outputs.targets;
    },
    async predict(columns, { rows, probabilities, deadline }) {
      const read = readValues(plan.inputs, columns, rows);
      for (;;) {
        const { inputs, outputs: planned } = plan;
        const outputs = probabilities ? planned : { ...planned, probability: undefined };
        if (read.count === 0) return { rows: read.rows, columns: columnsOf(outputs, {}), failed: read.failed };
        const isOpen = planned.probability?.isOpen === true;
        const reply = await run(host, inputs, { ...read, fetch: fetchedOf(isOpen ? planned : outputs) }, deadline);
        if (isOpen) {
          shown = withShapesOf(shown, reply.outputs);
          plan = planOf(shown);
        }
        // If the output is none of probabilities, others may be needed.
        if (!isOpen || plan.outputs.probability?.name === planned.probability?.name)
          return { columns: columnsOf(outputs, reply.outputs), ...answeredRows(read, reply.refused) };
      }
    },
    close: () => host.close(),
    get isClosed() {
      return host.isEnded;
    },
  };
}

function mostRowsOf({ inputs, outputs }: ModelPlan): number {
  const { targets, probability } = outputs;
  const answered = targets.length + (probability ? (probability.width ?? UNKNOWN_CLASSES) : 0);
  const most = Math.min(RUN_ROWS, Math.floor(RUN_VALUES / Math.max(inputs.features.length, answered)));
  const { block } = inputs;
  // Whole blocks: the last one is filled up.
  return block === undefined ? Math.max(1, most) : Math.max(1, Math.floor(most / block)) * block;
}

/** The rows that the model has answered, and all others. */
function answeredRows(
  { rows, count, failed }: ReadValues,
  refused: RunOutputs['refused'],
): { rows: Int32Array | undefined; failed: FailedRow[] } {
  if (refused.length === 0) return { rows, failed };
  const given = rows ?? Int32Array.from({ length: count }, (_, index) => index);
  const without = new Set(refused.map(({ row }) => row));
  const more = refused.map(
    ({ row, error }): FailedRow => ({
      row: given[row] as number,
      error_code: 'model_not_runnable',
      message: cannotRun(error),
    }),
  );
  return {
    rows: given.filter((_, index) => !without.has(index)),
    failed: [...failed, ...more].sort((a, b) => a.row - b.row),
  };
}

type Input = Pick<ReadValues, 'data' | 'count'> & { fetch: FetchedOutput[] };
type RunOutputs = Extract<RunnerReply, { outputs: unknown }>;

async function run(
  host: RunnerHost,
  { inputs, block }: InputPlan,
  { data, count, fetch }: Input,
  deadline: Deadline,
): Promise<RunOutputs> {
  const messages = inputs.map(({ name, type, rowShape, hasRows }) => {
    return [name, { type, rowShape, hasRows, data: data[name] as TensorData }] as const;
  });
  const reply = await ask(host, { run: { inputs: Object.fromEntries(messages), rows: count, block, fetch } }, deadline);
  if (!('outputs' in reply)) throw new TypeError('the runner answered something else');
  return reply;
}
