import type { Json } from '../../../contract/basics.ts';
import { parseExact } from '../../../contract/exactJson.ts';
import type { AgentDefinition } from '../../../families/agents/public.ts';
import type { RunDoc, StepDoc } from '../documents/stored.ts';
import { limitOf } from '../steps/limits.ts';
import { failed, type NextAction } from '../steps/nextAction.ts';
import { type AnswerFault, evidenceFault, faultOf, wasAskedAgain } from './answerFaults.ts';

const EMPTY_ANSWER =
  'The model answered with an empty text. If it is a reasoning model, raise llm.max_tokens, which its reasoning may have used up.';

/** Undefined where the model is asked for its answer once more. */
export function endOfAnswer(
  run: RunDoc,
  steps: readonly StepDoc[],
  answer: StepDoc,
  now: number,
): NextAction | undefined {
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

export const isAnswer = ({ calls = [] }: StepDoc): boolean => calls.length === 0;

/** Whether the values of an answer are looked up: where it is not said, for an agent that can look at something. */
function isChecked(definition: AgentDefinition): boolean {
  const { runtime_type, check_evidence, mcps = [], knowledge_bases = [], search_tools = [] } = definition;
  if (runtime_type !== 'BUILT_IN') return false;
  return check_evidence ?? mcps.length + knowledge_bases.length + search_tools.length > 0;
}
