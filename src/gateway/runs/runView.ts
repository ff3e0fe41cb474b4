import type { Static } from 'typebox';
import type { Json } from '../../contract/basics.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { EXPIRY } from '../../contract/families/runs.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import { shownDefinition } from './acceptedTools.ts';
import { cutText } from './cutText.ts';
import { type DecisionDoc, hasEnded, type RunDoc, type RunHistory, type StepDoc } from './documents/stored.ts';
import type { RunSummary } from './schemas.ts';
import { isAsked, roundOf } from './steps/next.ts';
import { jobOf } from './workers.ts';

/** Finished steps show at most so many bytes of input and output. */
const SHOWN = 8 * 1024;

/** A run as replies show it, without its steps. */
export function runView(run: RunDoc): Static<typeof RunSummary> {
  const { run_id, agent, definition, accepted, user, state, input, output, error_code, message, session_id, job_id } =
    run;
  const { started_at, ended_at, usage, source, result } = run;
  const evidence = hasEnded(run) ? run.evidence : undefined;
  const optional = { agent, output, evidence, error_code, message, session_id, job_id, ended_at, source, result };
  const always = { run_id, definition: shownDefinition(definition, accepted), user, state, input, started_at, usage };
  return withoutUndefined({ ...always, ...optional }) as Static<typeof RunSummary>;
}

/** A run with its steps, in order. */
export function runWithSteps(run: RunDoc, history: RunHistory) {
  const job_id = jobOf(history);
  const summarized = job_id === undefined ? run : { ...run, job_id };
  const decisions = new Map(history.decisions.map((decision) => [roundOf(decision), decision]));
  // A run that was cancelled because a call expired.
  const expiry = history.decisions.find(({ decision, decided_by }) => decision === 'cancel' && decided_by === EXPIRY);
  const steps = history.steps.map((step) => stepView(decided(step, decisions.get(roundOf(step)) ?? expiry)));
  return {
    ...runView(summarized),
    ...(hasEnded(run) && run.evidence && run.entities ? { evidence: { ...run.evidence, entities: run.entities } } : {}),
    steps,
  };
}

/** A step that waits names who has decided about it, before the decision is carried out. */
function decided(step: StepDoc, decision: DecisionDoc | undefined): StepDoc {
  if (!isAsked(step)) return step;
  const { decided_by: _earlier, ...undecided } = step;
  return decision && !decision.changed ? { ...undecided, decided_by: decision.decided_by } : undecided;
}

export function stepView(step: StepDoc) {
  const {
    index,
    kind,
    name,
    state,
    started_at,
    ended_at,
    input,
    output,
    usage,
    error_code,
    unavailable,
    decided_by,
    sid,
  } = step;
  const isWhole = isAsked(step);
  return {
    ...{ index, kind, state, started_at },
    ...(name === undefined ? {} : { name }),
    ...(ended_at === undefined ? {} : { duration_ms: Math.max(0, Math.round(1000 * (ended_at - started_at))) }),
    ...(input === undefined ? {} : { input: isWhole ? input : shortened(input) }),
    ...(output === undefined ? {} : { output: cut(output) }),
    ...(usage === undefined ? {} : { usage }),
    ...(error_code === undefined ? {} : { error_code }),
    ...(unavailable === undefined ? {} : { unavailable }),
    ...(decided_by === undefined ? {} : { decided_by }),
    ...(sid === undefined ? {} : { sid }),
  };
}

/** An object that is too long is shown as text. */
function shortened(input: string | Json): string | Json {
  if (typeof input === 'string') return cut(input);
  const text = stringifyExact(input);
  return Buffer.byteLength(text) <= SHOWN ? input : cut(text);
}

const cut = (text: string): string => cutText(text, SHOWN);
