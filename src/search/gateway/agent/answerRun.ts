import { isObject } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { isIdle } from '../../../contract/families/runs.ts';
import { startDeadline } from '../../../domain/async/deadline.ts';
import type { Clock } from '../../../ports/platform/clock.ts';
import type { RunsApi } from '../../../ports/platform/ownApi.ts';
import { SearchError } from '../../command.ts';
import type { Cell } from '../../rows.ts';
import { type Cells, cellOf, type RowResult } from '../rowAnswers.ts';
import { takeSteps } from './takeSteps.ts';
import { typedFields } from './typedFields.ts';

/** The agent that answers the rows of a search. */
export interface AgentUse {
  agent: string;
  output: string;
  timeoutS: number;
  runs: RunsApi;
  clock: Clock;
}

export const runFields = (output: string): string[] =>
  ['run_id', 'state', 'steps', 'unverified'].map((name) => `${output}_${name}`);

/** Starts a run of the agent and takes its steps; a failure fails the row alone. */
export async function answerRun(use: AgentUse, input: string, signal: AbortSignal): Promise<RowResult> {
  try {
    const { status, body } = await use.runs.start({ agent: use.agent, input, worker: 'caller', wait_s: 0 });
    return status === 200 ? await resultOf(use, String(body.run_id), signal) : failureOf(body);
  } catch (error) {
    if (error instanceof Fault) return { error_code: error.code, message: error.message };
    if (error instanceof SearchError) return { error_code: 'upstream_error', message: error.message };
    throw error;
  }
}

/** Takes the steps of a run until it is idle or its time is over. */
async function resultOf(
  { output, timeoutS, runs, clock }: AgentUse,
  id: string,
  signal: AbortSignal,
): Promise<RowResult> {
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
  // An answer with claims that fail the run stays on the run alone.
  const answer = state === 'succeeded' ? config.output : undefined;
  const { output_schema: schema } = Object(config.definition) as { output_schema?: unknown };
  const cells: Cells = {
    ...typedFields(schema, answer),
    [output]: isObject(answer) ? stringifyExact(answer) : cellOf(answer ?? ''),
    [`${output}_run_id`]: id,
    [`${output}_state`]: cellOf(config.state),
    [`${output}_steps`]: steps,
    [`${output}_unverified`]: unverifiedIn(config.evidence),
  };
  if (state === 'succeeded') return { cells };
  if (state === 'waiting_for_approval') {
    // Waiting for a person is no failure of the row.
    const error = { [`${output}_error`]: state, [`${output}_error_message`]: `The run ${id} waits for approval` };
    return { cells: { ...cells, ...error } };
  }
  if (isIdle(state)) return { ...failureOf(config), cells };
  const sequel = await handOver(runs, String(config.user), id);
  return { error_code: 'timeout', message: `The run ${id} takes longer than timeout=${timeoutS}. ${sequel}`, cells };
}

/** The texts of the claims that were not found in the run's data. */
function unverifiedIn(evidence: unknown): Cell {
  const { entities } = (evidence ?? {}) as { entities?: unknown };
  if (!Array.isArray(entities)) return '';
  const texts = entities.filter(({ status }) => status === 'unverified').map(({ text }) => String(text));
  return texts.length === 0 ? '' : texts;
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

const failureOf = ({ error_code, message }: Readonly<Record<string, unknown>>) => ({
  error_code: String(error_code ?? 'cancelled'),
  message: String(message ?? 'no reason given'),
});
