import { invalid } from '../../../contract/codes/faults.ts';
import type { FieldNames, OnnxModel, OnnxSignature } from '../../../ports/llm/onnxRuntime.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { OpenedModel, OutputMessage, TensorData } from '../runner/messages.ts';
import { ask } from './ask.ts';
import type { RunnerHost } from './host.ts';
import { type InputPlan, PlanProblem, planInputs } from './inputs.ts';
import { columnsOf, type OutputPlan, planOutputs } from './outputs.ts';
import { readValues } from './values.ts';

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
    return Object.assign(predicting(host, planModel({ inputs, outputs }, names, classes)), { inputs, outputs });
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

type Predicting = Pick<OnnxModel, 'features' | 'targets' | 'predict' | 'close' | 'isClosed'>;

function predicting(host: RunnerHost, plan: ModelPlan): Predicting {
  return {
    features: plan.inputs.features,
    targets: plan.outputs.targets,
    async predict(columns, { rows, probabilities, deadline }) {
      const read = readValues(plan.inputs, columns, rows);
      const { probability, predicted } = plan.outputs;
      const outputs = { ...plan.outputs, probability: probabilities ? probability : undefined };
      const fetch = [...predicted, ...(outputs.probability ? [outputs.probability.name] : [])];
      const found = read.count === 0 ? {} : await run(host, plan.inputs, { ...read, fetch }, deadline);
      return { rows: read.rows, columns: columnsOf(outputs, found), failed: read.failed };
    },
    close: () => host.close(),
    get isClosed() {
      return host.isEnded;
    },
  };
}

type Input = Pick<ReturnType<typeof readValues>, 'data' | 'count'> & { fetch: string[] };

async function run(
  host: RunnerHost,
  { inputs, block }: InputPlan,
  { data, count, fetch }: Input,
  deadline: Deadline,
): Promise<Readonly<Record<string, OutputMessage>>> {
  const messages = inputs.map(({ name, type, rowShape, hasRows }) => {
    return [name, { type, rowShape, hasRows, data: data[name] as TensorData }] as const;
  });
  const reply = await ask(host, { run: { inputs: Object.fromEntries(messages), rows: count, block, fetch } }, deadline);
  if (!('outputs' in reply)) throw new TypeError('the runner answered something else');
  return reply.outputs;
}
