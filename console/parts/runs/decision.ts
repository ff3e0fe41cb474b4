import type { RunDecision, RunDetail, RunStep } from '../../../client/src/index.ts';
import { EXPIRY } from '../../../src/contract/families/runs.ts';
import { isObject } from '../form/values.ts';
import { RUN_WORDS, STEP_WORDS } from './words.ts';

/** Input of the user beside a call that waits. */
export interface DecisionInput {
  /** JSON. */
  args: string;
  result: string;
  comment: string;
}

/** The arguments of a call as they are edited. */
export const argumentsText = ({ input }: Pick<RunStep, 'input'>): string => JSON.stringify(input ?? {}, null, 2);

/** The body of a decision, or the reason that there is none. */
export function decisionBody(
  step: Pick<RunStep, 'index' | 'input'>,
  decision: RunDecision['decision'],
  { args, result, comment }: DecisionInput,
): { body: RunDecision } | { problem: string } {
  const base = { step: step.index, decision };
  if (decision === 'reject') return { body: comment.trim() === '' ? base : { ...base, comment: comment.trim() } };
  const edited = editedArguments(step, args);
  if ('problem' in edited) return edited;
  if (result === '') return { body: { ...base, ...edited } };
  if (edited.arguments) return { problem: 'Give either other arguments or a result: with a result nothing is called' };
  return { body: { ...base, result } };
}

/** Unchanged arguments are not sent: numbers beyond the precision of browsers stay what they are. */
function editedArguments(
  step: Pick<RunStep, 'input'>,
  text: string,
): { arguments?: NonNullable<RunDecision['arguments']> } | { problem: string } {
  if (text === argumentsText(step)) return {};
  try {
    const args: unknown = JSON.parse(text);
    if (isObject(args)) {
      const isSame = JSON.stringify(args) === JSON.stringify(step.input ?? {});
      return isSame ? {} : { arguments: args as NonNullable<RunDecision['arguments']> };
    }
  } catch {
    // Reported below.
  }
  return { problem: 'The arguments must be a JSON object' };
}

/** The outcome of a call that this user could no longer decide. @param run as it is now; undefined if it cannot be read */
export function overtakenWords(
  run: RunDetail | undefined,
  step: Pick<RunStep, 'index' | 'name'>,
  user?: string,
): string {
  const call = `the call of ${step.name ?? 'the agent'}`;
  if (!run) return `The run was deleted, or you may not read it any more. Nothing was decided about ${call}.`;
  const now = run.steps.find(({ index }) => index === step.index);
  const by = now?.decided_by;
  if (by === undefined) return `Your decision was not taken: the run is ${RUN_WORDS[run.state][0]}.`;
  const who = by === user ? 'You have decided' : `${by} has decided`;
  const what = by === EXPIRY ? `Nobody decided about ${call} in time` : `${who} about ${call} already`;
  return `${what}. It is ${STEP_WORDS[now?.state ?? 'done'][0]}. Your decision was not taken.`;
}

/** When a call that waits is decided without a person, in epoch seconds; undefined for a call without a limit, or whose wait has no known beginning. */
export function waitsUntil(
  { definition }: Pick<RunDetail, 'definition'>,
  { state, started_at }: Pick<RunStep, 'state' | 'started_at'>,
): number | undefined {
  const { runtime_type, approval_timeout_s: seconds } = definition;
  if (state !== 'waiting' || runtime_type !== 'BUILT_IN' || typeof seconds !== 'number' || seconds === 0)
    return undefined;
  return started_at + seconds;
}
