import { endOfAnswer, isAnswer } from '../answers/answerEnd.ts';
import { isExpired } from '../approvals/expiry.ts';
import { hasEnded, type RunDoc, type RunHistory, type StepDoc, type TurnCall } from '../documents/stored.ts';
import { isOutOfTime, lateText, tokensOf } from './limits.ts';
import { type DueCall, type DueStep, failed, type NextAction, type SettledStep } from './nextAction.ts';

/** Tools of one turn that are called side by side. */
const SIDE_BY_SIDE = 4;
/** Calls of one turn whose steps are stored at a time; in between the time and a cancellation are looked at. */
const OPENED_AT_ONCE = 16;
/** Seconds after which a run that nobody has decided about ends. */
export const MAX_WAIT_S = 30 * 86_400;
/** Seconds after a decision in which the user of a run has to take a step where a search is due. */
const SESSION_S = 60;
/** Equal calls that fail in a row before the run ends. */
const EQUAL_FAILURES = 3;

/**
 * Decides from the documents of a run alone, so that a crash between any two writes leaves a state with one answer.
 * @param now epoch seconds
 * @param isOwn whether the user of the run asks, with whose session alone searches are made
 */
export function nextOf(run: RunDoc, history: RunHistory, now: number, isOwn = true): NextAction {
  const next = nextStep(run, history, now);
  if (isOwn || !isSearchDue(next) || !isSessionMissing(history, now)) return next;
  return { do: 'lose', calls: next.calls.filter(isSearch) };
}

/** Whether a step makes a search. */
export const isSearchDue = (next: NextAction): next is Extract<NextAction, { do: 'call' }> =>
  next.do === 'call' && next.calls.some(isSearch);

const isSearch = ({ call }: DueCall): boolean => call.target?.kind === 'search';

/** A run whose user is still at work has had a step since. */
function isSessionMissing({ steps, decisions }: RunHistory, now: number): boolean {
  const decidedAt = Math.max(...decisions.map((decision) => decision.decided_at));
  const activeAt = Math.max(...steps.map(({ started_at, ended_at = started_at }) => ended_at));
  return decisions.length > 0 && now - Math.max(decidedAt, activeAt) > SESSION_S;
}

function nextStep(run: RunDoc, history: RunHistory, now: number): NextAction {
  if (hasEnded(run)) return { do: 'nothing' };
  const { decisions } = history;
  const cancel = decisions.find(({ decision }) => decision === 'cancel');
  if (cancel) return { do: 'end', state: 'cancelled', ...(cancel.comment ? { message: cancel.comment } : {}) };
  const steps = history.steps.toSorted((a, b) => a.index - b.index);
  const claimed = new Set(history.claims.filter(({ kind }) => kind === 'call').map(roundOf));
  const isClaimed = (step: StepDoc) => claimed.has(roundOf(step));
  const ended = isInvoked(run) ? endOfInvoked(steps) : endOfModel(run, steps, now);
  if (ended) return ended;
  if (isOutOfTime(run, now)) {
    return failed('timeout', lateText(run.definition));
  }
  const unknown = steps.filter(
    (step) => (step.state === 'started' || (isAsked(step) && isClaimed(step))) && !mayRepeat(step),
  );
  if (unknown.length > 0) return { do: 'ask', steps: unknown };
  const turn = lastTurn(steps);
  if (turn) {
    const { begun, missing } = callsOf(turn, steps);
    const opening = missing.filter(({ call }) => call.needsApproval || call.problem !== undefined);
    if (opening.length > 0) return { do: 'open', calls: opening.slice(0, OPENED_AT_ONCE) };
    const due = [...begun.filter((step) => step.state === 'started').map(dueStep), ...missing];
    if (due.length > 0) return { do: 'call', calls: due.slice(0, SIDE_BY_SIDE) };
  }
  const asked = steps.filter(isAsked);
  const decisionsOf = new Map(decisions.map((decision) => [roundOf(decision), decision]));
  const undecided = asked.filter((step) => !decisionsOf.has(roundOf(step)));
  const decided = asked.flatMap((step) => {
    const decision = decisionsOf.get(roundOf(step));
    return decision ? [{ step, decision }] : [];
  });
  const changed = decided.flatMap(({ step, decision }) =>
    decision.changed ? [{ step, changed: decision.changed }] : [],
  );
  if (changed.length > 0) return { do: 'show', decided: changed };
  if (undecided.length > 0) return actionOfUndecided(run, undecided, now);
  const settled = decided.filter(({ decision }) => decision.decision === 'reject' || decision.result !== undefined);
  if (settled.length > 0) return { do: 'settle', steps: settled };
  const invoked = decided.find(({ step }) => step.kind === 'invoke');
  if (invoked) return { do: 'invoke', index: invoked.step.index, ...invoked, isClaimed: isClaimed(invoked.step) };
  if (decided.length > 0) {
    const calls = decided.map(({ step, decision }) => ({
      ...dueStep(step),
      decision,
      isClaimed: isClaimed(step),
    }));
    return { do: 'call', calls: calls.slice(0, SIDE_BY_SIDE) };
  }
  return isInvoked(run) ? { do: 'invoke', index: 0 } : afterPause(run, nextRequest(run, steps), now);
}

function actionOfUndecided(run: RunDoc, steps: readonly StepDoc[], now: number): NextAction {
  if (run.on_approval === 'reject') return { do: 'settle', steps: steps.map(refusedByAlert) };
  if (hasWaitedTooLong(run, now)) return NOT_DECIDED;
  const expired = steps.filter((step) => isExpired(run, step, now));
  return expired.length > 0 ? { do: 'expire', steps: expired } : { do: 'wait', steps };
}

/** A decision that nobody makes and no document stores. */
const refusedByAlert = (step: StepDoc): SettledStep => ({ step, decision: { decision: 'reject' } });

/** A step as it waits now, which a decision and a claim belong to. */
export const roundOf = ({ index, round = 1 }: Pick<StepDoc, 'index' | 'round'>): string => `${index} ${round}`;

const NOT_DECIDED: NextAction = {
  ...{ do: 'end', state: 'cancelled' },
  message: `Nobody decided within ${MAX_WAIT_S / 86_400} days about a call that waited for approval`,
};

/** Whether nobody has decided about a run in time. */
export const hasWaitedTooLong = ({ state, waits_since: since }: RunDoc, now: number): boolean =>
  state === 'waiting_for_approval' && since !== undefined && now - since > MAX_WAIT_S;

/** The agent runs elsewhere and is asked once. */
const isInvoked = ({ definition }: RunDoc): boolean => definition.runtime_type !== 'BUILT_IN';

function endOfInvoked(steps: readonly StepDoc[]): NextAction | undefined {
  const [step] = steps;
  if (step?.state === 'done') return { do: 'end', state: 'succeeded', output: step.output ?? '' };
  if (step?.state === 'failed' || step?.state === 'rejected') {
    return failed(step.error_code ?? 'cancelled', step.output);
  }
  return undefined;
}

/** The end to which the last answer of the model leads, whatever the time. */
function endOfModel(run: RunDoc, steps: readonly StepDoc[], now: number): NextAction | undefined {
  const { definition } = run;
  const models = steps.filter(({ kind }) => kind === 'model');
  const last = models.at(-1);
  if (last?.state === 'failed') return failed(last.error_code ?? 'upstream_error', last.output);
  if (last?.state !== 'done') return undefined;
  if (isAnswer(last)) return endOfAnswer(run, steps, last, now);
  if (models.length < definition.max_steps) return undefined;
  return failed(
    'step_limit',
    `The model still called tools in the last of ${definition.max_steps} requests. Raise max_steps, or say in the prompts when to stop.`,
  );
}

function nextRequest({ definition }: RunDoc, steps: readonly StepDoc[]): NextAction {
  const models = steps.filter(({ kind }) => kind === 'model');
  const last = models.at(-1);
  const { max_steps: most, max_tokens_per_run: mostTokens } = definition;
  if (last?.state === 'started') {
    return { do: 'model', index: last.index, withTools: models.length < most, step: last };
  }
  // An answer came since the calls that failed.
  const isRepeat = last?.state === 'done' && isAnswer(last);
  if (!isRepeat && makesNoProgress(steps)) {
    const name = steps.findLast(({ call }) => call !== undefined)?.name ?? '';
    return failed(
      'no_progress',
      `The same call of ${name} failed ${EQUAL_FAILURES} times in a row. Its steps say why: correct the tool, or say in the prompts how to call it.`,
    );
  }
  const spent = tokensOf(steps);
  if (mostTokens !== undefined && spent >= mostTokens) {
    return failed('token_limit', `The run has used ${spent} of its ${mostTokens} tokens. Raise max_tokens_per_run.`);
  }
  return { do: 'model', index: (steps.at(-1)?.index ?? -1) + 1, withTools: models.length + 1 < most };
}

/** A request for which tools were missing is due later. */
function afterPause({ lack }: RunDoc, next: NextAction, now: number): NextAction {
  if (next.do !== 'model' || lack?.index !== next.index || now >= lack.until) return next;
  return { do: 'pause', until: lack.until };
}

/** Whether people are asked about a step. */
export const isAsked = ({ state }: StepDoc): boolean => state === 'waiting' || state === 'unknown';

/** A step that was begun and has no outcome may be begun again if that has no effects. */
const mayRepeat = ({ kind, call }: StepDoc): boolean =>
  kind === 'model' || kind === 'retrieve' || (kind === 'tool' && call?.isRepeatable === true);

/** The answer of the model whose calls are not all answered, if there is one. */
const lastTurn = (steps: readonly StepDoc[]): StepDoc | undefined =>
  steps.findLast(({ kind, state }) => kind === 'model' && state === 'done');

/** The calls of a turn are the steps that follow it, in the same order. */
function callsOf(turn: StepDoc, steps: readonly StepDoc[]): { begun: StepDoc[]; missing: DueCall[] } {
  const begun: StepDoc[] = [];
  const missing: DueCall[] = [];
  const stored = new Map(steps.map((step) => [step.index, step]));
  for (const [position, call] of (turn.calls ?? []).entries()) {
    const index = turn.index + 1 + position;
    const step = stored.get(index);
    if (step) begun.push(step);
    else missing.push({ index, call });
  }
  return { begun, missing };
}

const dueStep = (step: StepDoc): DueStep => ({ index: step.index, call: step.call as TurnCall, step });

function makesNoProgress(steps: readonly StepDoc[]): boolean {
  const last = steps.filter(({ call }) => call !== undefined).slice(-EQUAL_FAILURES);
  const [first] = last;
  return (
    last.length === EQUAL_FAILURES &&
    last.every(({ state, call }) => state === 'failed' && isEqualCall(call, first?.call))
  );
}

const isEqualCall = (a: TurnCall | undefined, b: TurnCall | undefined): boolean =>
  a?.name === b?.name && a?.arguments === b?.arguments;
