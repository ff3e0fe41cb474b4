import type { Json } from '../../../contract/basics.ts';
import { RUN_CODES } from '../../../contract/codes/runCodes.ts';
import { EXPIRY } from '../../../contract/families/runs.ts';
import { argumentsOf, isSameValue } from '../../../domain/values/json.ts';
import type { ShownTarget, StepDoc, TurnCall } from '../documents/stored.ts';
import { runArguments } from '../masked/toolArguments.ts';
import { type CallOutcome, ChangedSinceShown, failedCall, makeCall } from './calls.ts';
import type { DueCall, DueStep, SettledStep } from './nextAction.ts';
import { asRefusal, endOf, replaced, type StepOutcome, type StepWork, type StepWriter } from './stepWork.ts';

/** Calls side by side; each has a step of its own, which is stored before and after. */
export async function takeCalls(work: StepWork, calls: readonly DueStep[]): Promise<StepOutcome> {
  const { history } = work;
  // All of them end before an error of one gives up the lease.
  const settled = await Promise.allSettled(calls.map((due) => takeCall(work, due)));
  const ended = settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
  const lost = ended.find(({ error_code }) => error_code === 'unknown_reference');
  const next = replaced(history, ...ended);
  const acted = { history: next, step: ended[0] };
  return lost ? { ...acted, ended: endOf('unknown_reference', lost.output ?? '') } : acted;
}

/**
 * One call. Its step is stored as started just before the call, so that a store that fails earlier leaves the step as it was.
 * @throws Fault `store_unavailable`
 */
async function takeCall({ site, writer, run, history, context }: StepWork, due: DueStep): Promise<StepDoc> {
  const { index, call, step, decision } = due;
  const target = call.target as NonNullable<DueCall['call']['target']>;
  // A step that was begun before has the arguments that a person may have edited.
  const args = decision?.arguments ?? step?.input ?? argumentsOf(call.arguments) ?? {};
  const fresh = step ?? writer.fresh(index, kindOf(target), { name: call.name, call });
  const decided = decision ? { decided_by: decision.decided_by } : {};
  let begun: StepDoc | undefined;
  const begin = async (): Promise<StepDoc> => {
    begun ??= await writer.begin({ ...fresh, input: args, ...decided }, due);
    return begun;
  };
  const beforeCall = async (): Promise<void> => void (await begin());
  const approved = decision && !due.isClaimed ? call : undefined;
  const own = runArguments(history, call, args as Json);
  let outcome: CallOutcome;
  try {
    outcome = await site.record(run, context, (recorded) =>
      makeCall(target, sentOf(call, args as Json), { ...recorded, beforeCall }, approved, own),
    );
  } catch (error) {
    if (error instanceof ChangedSinceShown) return showAgain(writer, fresh, error.now, error.what);
    outcome = failedCall(asRefusal(site, run, error));
  }
  // A call that was refused before it was made has a step as well.
  return writer.finish({ ...(await begin()), ...outcome });
}

/** The arguments that go out: those that a person edited go as they were written, the others as without an approval. */
function sentOf({ arguments: text, sent }: TurnCall, args: Json): Json {
  if (sent === undefined) return args;
  const [shown, hidden] = [argumentsOf(text) ?? {}, argumentsOf(sent) ?? {}];
  const entries = Object.entries(args).map(([name, value]): [string, unknown] => {
    const isEdited = !Object.hasOwn(hidden, name) || !isSameValue(value, shown[name]);
    return [name, isEdited ? value : hidden[name]];
  });
  return Object.fromEntries(entries);
}

/** The kind of the step of a call. */
const kindOf = (target: DueCall['call']['target']): 'tool' | 'retrieve' =>
  target?.kind === 'retrieve' ? 'retrieve' : 'tool';

/** Stores that people decide anew about a step, and what they are shown. */
export function showAgain(writer: StepWriter, step: StepDoc, shown: ShownTarget, what: string): Promise<StepDoc> {
  const { decided_by: _, call, round = 1, ...undecided } = step;
  const again = {
    ...undecided,
    round: round + 1,
    // A step of which nobody knows the outcome keeps the time of its call.
    ...(step.state === 'unknown' ? { asked_at: writer.now() } : { started_at: writer.now() }),
    output: changedText(what),
    ...(call ? { call: { ...call, shown } } : {}),
  };
  return writer.save(again);
}

export const changedText = (what: string): string =>
  `changed since it was approved: ${what}. The call was not made. Look at it and decide again.`;

/** Stores a step that waits, or whose call goes back to the model. */
export function openCall(writer: StepWriter, { index, call }: DueCall): Promise<StepDoc> {
  const fresh = writer.fresh(index, kindOf(call.target), { name: call.name, call });
  const input = argumentsOf(call.arguments);
  const { problem } = call;
  return writer.insert({
    ...fresh,
    ...(input ? { input } : {}),
    ...(problem === undefined
      ? { state: 'waiting', round: 1 }
      : {
          state: 'failed',
          output: problem,
          error_code: problem.split(':')[0] as string,
          ended_at: fresh.started_at,
        }),
  });
}

/** Stores that a search was not made, since the user of the run did not come back. */
export function loseCall(writer: StepWriter, { index, call, step, decision }: DueStep): Promise<StepDoc> {
  const output = `session_required: ${RUN_CODES.session_required.when}`;
  const failed = { state: 'failed', output, error_code: 'session_required' } as const;
  if (!step) return openCall(writer, { index, call: { ...call, problem: output } });
  return writer.finish({ ...step, ...(decision ? { decided_by: decision.decided_by } : {}), ...failed });
}

/** Stores the end of a step that was decided without a call. */
export function settleStep(
  writer: StepWriter,
  step: StepDoc,
  { decision, result, comment, decided_by, decided_at = writer.now() }: SettledStep['decision'],
): Promise<StepDoc> {
  const decided = { ...step, ...(decided_by === undefined ? {} : { decided_by }), ended_at: decided_at };
  if (decision === 'approve') return writer.save({ ...decided, state: 'done', output: result ?? '' });
  const said = comment === undefined ? '' : `: ${comment}`;
  const byAlert = step.state === 'unknown' ? NO_REPEAT : NO_APPROVAL;
  const why =
    decided_by === undefined ? byAlert : decided_by === EXPIRY ? comment : `A person refused this call${said}`;
  return writer.save({ ...decided, state: 'rejected', output: `rejected: ${why}` });
}

const NO_APPROVAL = 'The alert that started this run rejects every call that needs approval';
const NO_REPEAT =
  'Nobody knows whether this call was made, since its process ended meanwhile, and the alert that started this run lets nobody repeat it';
