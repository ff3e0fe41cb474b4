import { Fault } from '../../../contract/codes/faults.ts';
import { isIdle } from '../../../contract/families/runs.ts';
import { startDeadline } from '../../../domain/async/deadline.ts';
import type { Clock } from '../../../ports/platform/clock.ts';
import type { RunsApi } from '../../../ports/platform/ownApi.ts';
import { type CommandParts, SearchError, type SearchInfo, type Transform } from '../../command.ts';
import type { Row } from '../../rows.ts';
import { cellOf, errorFields } from '../gatewayRun.ts';
import type { Failure } from '../itemAnswer.ts';
import { MAX_ROWS, RunReport } from '../runReport.ts';
import type { Template } from '../template.ts';
import { takeSteps } from './takeSteps.ts';

const PARALLEL = 3;

export interface AgentUse {
  agent: string;
  template: Template;
  output: string;
  maxRows: number;
  failsFast: boolean;
  timeoutS: number;
}

export const runFields = (output: string): string[] => ['run_id', 'state', 'steps'].map((name) => `${output}_${name}`);

interface Answer {
  cells: Row;
  failure?: Failure;
  /** It waits for a person, which is no failure. */
  waits?: true;
}

/** One run for each row, three at a time. */
export function answerRows(use: AgentUse): (info: SearchInfo, parts: CommandParts) => Transform {
  const { output, maxRows } = use;
  return (info, parts) => {
    const report = new RunReport();
    const empty = Object.fromEntries(
      [output, ...runFields(output), ...errorFields(output)].map((field) => [field, '']),
    );
    let count = 0;
    return async (rows, { isLast, signal }) => {
      const answers: Answer[] = [];
      const from = count;
      count += rows.length;
      let next = 0;
      const runs = await parts.runs(info);
      const work = async (): Promise<void> => {
        while (next < rows.length && !signal.aborted) {
          const at = next++;
          answers[at] = await answerOf(use, runs, parts.clock, rows[at] as Row, from + at >= maxRows, signal);
        }
      };
      await Promise.all(Array.from({ length: Math.min(PARALLEL, rows.length) }, work));
      const result = rows.map((row, index) => {
        const { cells, failure, waits } = answers[index] ?? { cells: {} };
        if (!failure) report.answered({});
        else if (!waits) {
          if (use.failsFast) throw new SearchError(`${failure.message} (${failure.error_code})`);
          report.failed(failure, failure.error_code !== MAX_ROWS && failure.error_code !== 'missing_field');
        }
        const error = failure
          ? { [`${output}_error`]: failure.error_code, [`${output}_error_message`]: failure.message }
          : {};
        return { ...row, ...empty, ...cells, ...error };
      });
      if (!isLast) return { rows: result };
      report.assertAnswered();
      return { rows: result, messages: report.messages('mlagent', { maxRows, maxCost: undefined }) };
    };
  };
}

async function answerOf(
  use: AgentUse,
  runs: RunsApi,
  clock: Clock,
  row: Row,
  isBeyond: boolean,
  signal: AbortSignal,
): Promise<Answer> {
  const failed = (error_code: string, message: string, cells: Row = {}): Answer => ({
    cells,
    failure: { error_code, message },
  });
  if (isBeyond) return failed(MAX_ROWS, `Only the first ${use.maxRows} rows are sent (max_rows)`);
  const filled = use.template.fill(row);
  if ('missing' in filled) return failed('missing_field', `The field ${filled.missing} is missing or empty`);
  try {
    const started = await runs.start({ agent: use.agent, input: filled.text, worker: 'caller', wait_s: 0 });
    if (started.status !== 200) return failed(codeOf(started.body), messageOf(started.body));
    return await finished(use, runs, clock, String(started.body.run_id), signal);
  } catch (error) {
    if (error instanceof Fault) return failed(error.code, error.message);
    if (error instanceof SearchError) return failed('upstream_error', error.message);
    throw error;
  }
}

/** Takes the steps of a run until it is idle or its time is over. */
async function finished(
  { output, timeoutS }: AgentUse,
  runs: RunsApi,
  clock: Clock,
  id: string,
  signal: AbortSignal,
): Promise<Answer> {
  const until = clock.now() + timeoutS * 1000;
  using deadline = startDeadline(timeoutS * 1000);
  let state = 'queued';
  for await (const report of takeSteps(runs, clock, id, AbortSignal.any([signal, deadline.signal]))) {
    state = report.state;
    if (clock.now() >= until) break;
  }
  if (signal.aborted && !isIdle(state)) {
    await runs.cancel(id);
    return { cells: {} };
  }
  const { body } = await runs.read(id);
  const { config = {} } = body as { config?: Readonly<Record<string, unknown>> };
  const steps = Array.isArray(config.steps) ? config.steps.length : '';
  const cells: Row = {
    [output]: cellOf(config.output),
    [`${output}_run_id`]: id,
    [`${output}_state`]: cellOf(config.state),
    [`${output}_steps`]: steps,
  };
  if (state === 'succeeded') return { cells };
  if (state === 'waiting_for_approval') {
    const message = `The run ${id} waits for approval`;
    return { cells, failure: { error_code: 'waiting_for_approval', message }, waits: true };
  }
  if (!isIdle(state)) {
    const goesOn = await handOver(runs, String(config.user), id);
    return {
      cells,
      failure: { error_code: 'timeout', message: `The run ${id} takes longer than timeout=${timeoutS}. ${goesOn}` },
    };
  }
  return { cells, failure: { error_code: codeOf(config), message: messageOf(config) } };
}

/** A search of its own takes the other steps. @returns a sentence about how the run goes on */
async function handOver(runs: RunsApi, user: string, id: string): Promise<string> {
  try {
    return `It goes on in the search ${await runs.handOver(user, id)}`;
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return `No search could be started that takes its other steps (${error.message}). Run | mlagent run_id=${id}`;
  }
}

const codeOf = ({ error_code }: Readonly<Record<string, unknown>>): string => String(error_code ?? 'cancelled');
const messageOf = ({ message }: Readonly<Record<string, unknown>>): string => String(message ?? 'no reason given');
