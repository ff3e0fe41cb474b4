import { Fault, invalid } from '../../../contract/codes/faults.ts';
import type { OnnxModel, OnnxRuntime } from '../../../ports/llm/onnxRuntime.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { OutputMessage, RunnerOrder, RunnerReply, TensorData } from '../runner/messages.ts';
import { type Isolation, RunnerEnded, RunnerHost } from './host.ts';
import { type InputPlan, PlanProblem, planInputs } from './inputs.ts';
import { columnsOf, type OutputPlan, planOutputs } from './outputs.ts';
import { readValues } from './values.ts';

/** Of what the runtime said. */
const MAX_SAID = 300;
const TOO_LARGE = 'The model asks for more memory than it may have';

/**
 * @param program the file of the runner, which calls `serveRunner`
 * @param isolation `process` keeps a hostile model from taking its caller down
 */
export function onnxRuntime(program: URL, isolation: Isolation): OnnxRuntime {
  return {
    async open(bytes, names, deadline) {
      const host = new RunnerHost(program, isolation);
      const reply = await ask(host, { open: bytes }, deadline);
      if (!('opened' in reply)) throw new TypeError('the runner answered something else');
      const { inputs, outputs, classes } = reply.opened;
      try {
        const planned = planInputs(inputs, names.features);
        const plan = { inputs: planned, outputs: planOutputs(outputs, names.targets, classes) };
        return { inputs, outputs, ...predicting(host, plan) };
      } catch (error) {
        host.close();
        throw error instanceof PlanProblem ? invalid([{ field: error.field, message: error.message }]) : error;
      }
    },
  };
}

type Predicting = Pick<OnnxModel, 'features' | 'targets' | 'predict' | 'close'>;

function predicting(host: RunnerHost, plan: { inputs: InputPlan; outputs: OutputPlan }): Predicting {
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

/** @throws Fault after which the host is closed */
async function ask(host: RunnerHost, order: RunnerOrder, deadline: Deadline): Promise<RunnerReply> {
  try {
    const reply = await host.ask(order, deadline);
    if (!('error' in reply)) return reply;
    throw notRunnable(reply.error.includes('bad_alloc') ? TOO_LARGE : `The model cannot run: ${said(reply.error)}`);
  } catch (error) {
    host.close();
    if (error instanceof RunnerEnded) {
      throw notRunnable(`${TOO_LARGE}, or the runtime crashed`);
    }
    if (deadline.signal.aborted) throw new Fault('timeout', 'The model did not answer in time');
    throw error;
  }
}

const notRunnable = (message: string) => new Fault('model_not_runnable', message);

/** Without the places in the runtime's own source code. */
function said(text: string): string {
  const [, message = text] = /ERROR_MESSAGE:\s*([^]*)/.exec(text) ?? [];
  const line = message
    .replace(/\S*\/onnxruntime\/\S+:\d+/g, '')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > MAX_SAID ? `${line.slice(0, MAX_SAID)}…` : line;
}
