import { AGENT_NAME_MESSAGE, AGENT_NAME_PATTERN } from '../../../contract/families/agents.ts';
import { parallel } from '../../../domain/async/parallel.ts';
import { parseTemplate } from '../../../domain/values/template.ts';
import { NOT_EMPTY, text } from '../../argumentTypes.ts';
import { command, SearchError } from '../../command.ts';
import { outputField, rowOptions } from '../gatewayOptions.ts';
import { answerRows, errorFields } from '../rowAnswers.ts';
import { answerRun, runFields } from './answerRun.ts';
import { runWorker, WORKER_FIELDS } from './runWorker.ts';

const MAX_ROWS = 1000;
const OUTPUT = 'answer';
const DEFAULT_TIMEOUT_S = 300;
const PARALLEL = 3;
const { max_rows, on_error, timeout } = rowOptions(MAX_ROWS);

/** `| mlagent`: a run of an agent for each row; with `run_id`, the worker of one run. */
export const mlAgent = command({
  name: 'mlagent',
  kind: 'streaming',
  isRisky: true,
  arguments: {
    agent: text('agent that you may read', { pattern: new RegExp(AGENT_NAME_PATTERN), message: AGENT_NAME_MESSAGE }),
    input: text('question or task; {field} stands for a value of the row, {{ and }} for braces', NOT_EMPTY),
    output: outputField(OUTPUT),
    max_rows,
    on_error,
    timeout: {
      ...timeout,
      help: `seconds for a row; default ${DEFAULT_TIMEOUT_S}. A run that takes longer goes on in a search of its own`,
    },
    run_id: text('take the steps of this run, without rows before; no other argument', {
      pattern: /^[0-9a-f-]{1,64}$/,
      message: 'must be the id of a run',
    }),
  },
  fields: [OUTPUT, ...runFields(OUTPUT), ...errorFields(OUTPUT)],
  help: {
    summary: 'Runs an agent for each row.',
    description: [
      'Three runs at a time. The answer is in answer, the run in answer_run_id, answer_state and answer_steps; output= changes these names.',
      "answer_unverified lists the addresses, hosts, users, numbers and the like of the answer that were not found in the run's data.",
      'A row whose run waits for approval has answer_error = waiting_for_approval; decide about it in the console.',
      'A cancelled search cancels the runs that it began. With run_id= the command takes the steps of one run and gives a row for each.',
    ].join(' '),
    examples: [
      {
        search: '… | mlagent agent=triage input="Find the cause of: {message}" | table message answer answer_state',
        comment: 'Let an agent look into each event.',
      },
    ],
    tags: 'ai agent run tools',
  },
  prepare({ run_id: id, ...values }) {
    if (id !== undefined) {
      if (Object.keys(values).length > 0) throw new SearchError('run_id goes with no other argument');
      return { fields: WORKER_FIELDS, generate: runWorker(id) };
    }
    const { agent, input, output = OUTPUT, timeout: timeoutS = DEFAULT_TIMEOUT_S, ...options } = values;
    if (agent === undefined || input === undefined) throw new SearchError('agent and input are required');
    const start = answerRows({
      command: 'mlagent',
      output,
      fields: [output, ...runFields(output)],
      templates: [parseTemplate(input)],
      maxRows: options.max_rows ?? MAX_ROWS,
      failsFast: options.on_error === 'fail',
      async open(info, { runs, clock }) {
        const use = { agent, output, timeoutS, runs: await runs(info), clock };
        return (questions, signal) =>
          parallel(questions, PARALLEL, async ({ texts: [text = ''] }) =>
            signal.aborted ? { cells: {} } : answerRun(use, text, signal),
          );
      },
    });
    return { start };
  },
});
