import type { Json } from '../../../contract/basics.ts';
import { parseExact } from '../../../contract/exactJson.ts';
import { isExpired } from '../approvals/expiry.ts';
import { isChecked } from '../evidence/isChecked.ts';
import {
  type DecisionDoc,
  hasEnded,
  type RunDoc,
  type RunHistory,
  type StepDoc,
  type TurnCall,
} from '../documents/stored.ts';
import { isOutOfTime, lateText, limitOf, tokensOf } from './limits.ts';
import { type AnswerFault, evidenceFault, faultOf, wasAskedAgain } from './repeats.ts';

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
const EMPTY_ANSWER =
  'The model answered with an empty text. If it is a reasoning model, raise llm.max_tokens, which its reasoning may have used up.';

/** Where a call of a model has no step yet. */
export interface DueCall {
  index: number;
  call: TurnCall;
}

/** A call of a tool or store that is due. */
export interface DueStep extends DueCall {
  /** The step as it was stored: a decision or a crash came before. */
  step?: StepDoc;
  decision?: DecisionDoc;
  /** Its call was begun after the decision. */
  isClaimed?: boolean;
}

/** The next action of a run. The caller holds its lease. */
export type NextAction =
  /** It has ended. */
  | { do: 'nothing' }
  | { do: 'end'; state: 'succeeded' | 'failed' | 'cancelled'; output?: string | Json; code?: string; message?: string }
  /** Looks up the claims of the answer. */
  | { do: 'check'; answer: StepDoc }
  /** Stores about which claims of the answer the model is asked again. */
  | { do: 'doubt'; answer: StepDoc; claims: readonly string[] }
  /** People decide. */
  | { do: 'wait'; steps: readonly StepDoc[] }
  /** Stores steps without a call: those that wait, and those whose call goes back to the model as an error. */
  | { do: 'open'; calls: readonly DueCall[] }
  /** Stores that searches are not made, since the user of the run does not come back: nobody else can make them. */
  | { do: 'lose'; calls: readonly DueStep[] }
  /** Stores that nobody decided in time. */
  | { do: 'expire'; steps: readonly StepDoc[] }
  /** Stores the end of steps that people decided without a call. */
  | { do: 'settle'; steps: readonly { step: StepDoc; decision: DecisionDoc }[] }
  /** A call began whose outcome nobody knows, and it must not be repeated. */
  | { do: 'ask'; steps: readonly StepDoc[] }
  /** The targets of approved calls have changed since they were shown: the decisions are void, and people decide anew. */
  | { do: 'show'; decided: readonly { step: StepDoc; changed: NonNullable<DecisionDoc['changed']> }[] }
  /** Tools were missing, and are listed again at a time in epoch seconds. */
  | { do: 'pause'; until: number }
  /** @param step the step of an earlier try */
  | { do: 'model'; index: number; withTools: boolean; step?: StepDoc }
  | { do: 'invoke'; index: number; step?: StepDoc; decision?: DecisionDoc; isClaimed?: boolean }
  | { do: 'call'; calls: readonly DueStep[] };

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
  if (hasWaitedTooLong(run, now)) return NOT_DECIDED;
  const expired = steps.filter((step) => isExpired(run, step, now));
  return expired.length > 0 ? { do: 'expire', steps: expired } : { do: 'wait', steps };
}

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

/** Undefined where the model is asked for its answer once more. */
function endOfAnswer(run: RunDoc, steps: readonly StepDoc[], answer: StepDoc, now: number): NextAction | undefined {
  const { output = '' } = answer;
  const models = steps.filter(({ kind }) => kind === 'model');
  const fault = faultOf(answer);
  if (!fault) return endOfFitting(run, answer, () => mayAskAgain(run, steps, 'evidence', now));
  if (wasAskedAgain(models, fault.kind)) return failed(fault.code, `${fault.problem}. The model was asked twice.`);
  const limit = limitOf(run, steps, models, now);
  // The end without the repeat is that of an answer whose claims are marked.
  if (fault.kind === 'evidence' && limit !== undefined) return endOfFitting(run, answer, () => false);
  if (limit === undefined) return undefined;
  return failed(fault.code, `${fault.problem}. The model was not asked again: ${limit} is reached.`);
}

/** The end of an answer that fits the schema, once its claims were checked. @param mayAsk whether the model may be asked again */
function endOfFitting(run: RunDoc, answer: StepDoc, mayAsk: () => boolean): NextAction {
  const { definition, evidence, entities = [] } = run;
  const text = answer.output ?? '';
  const isEmpty = text.trim() === '';
  if (!isEmpty && isChecked(definition) && run.checked !== answer.index) return { do: 'check', answer };
  const output = definition.output_schema ? (parseExact(text) as Json) : text;
  const claims = entities.filter(({ status }) => status === 'unverified').map((entity) => entity.text);
  if (evidence && claims.length > 0) {
    if (definition.on_unverified === 'ask_again' && mayAsk()) return { do: 'doubt', answer, claims };
    if (definition.on_unverified === 'fail') {
      const { code, problem } = evidenceFault(claims);
      return { do: 'end', state: 'failed', output, code, message: `${problem}.` };
    }
  }
  return { do: 'end', state: 'succeeded', output, ...(isEmpty ? { message: EMPTY_ANSWER } : {}) };
}

function mayAskAgain(run: RunDoc, steps: readonly StepDoc[], kind: AnswerFault['kind'], now: number): boolean {
  const models = steps.filter((step) => step.kind === 'model');
  return !wasAskedAgain(models, kind) && limitOf(run, steps, models, now) === undefined;
}

const isAnswer = ({ calls = [] }: StepDoc): boolean => calls.length === 0;

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

const failed = (code: string, message: string | undefined): NextAction => ({
  ...{ do: 'end', state: 'failed', code },
  ...(message === undefined ? {} : { message }),
});

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
