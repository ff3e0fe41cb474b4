import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { runOperation } from '../../frame.ts';
import { invoke, type OpenRuntime } from '../../operations/invoke.ts';
import type { StepDoc } from '../documents/stored.ts';
import { lateText } from '../steps/limits.ts';
import type { NextAction } from '../steps/nextAction.ts';
import { replaced, type StepOutcome, type StepWork } from '../steps/stepWork.ts';
import { textOfAnswer } from './answerText.ts';
import { questionOf } from './request.ts';

/**
 * The one step of an agent that runs elsewhere: one use, whose step is stored as started once the limits have admitted it. What fails
 * after that is the outcome of the step.
 * @throws Fault before the step began
 */
export async function takeInvokeStep(
  { site, writer, run, history, context }: StepWork,
  next: Extract<NextAction, { do: 'invoke' }>,
  runtime: OpenRuntime,
): Promise<StepOutcome> {
  const { index, step: earlier, decision } = next;
  const name = run.agent ?? runtime.target.model;
  const fresh = earlier ?? writer.fresh(index, 'invoke', { name, input: run.input });
  const decided = decision ? { decided_by: decision.decided_by } : {};
  let step: StepDoc | undefined;
  const begin = async (): Promise<void> => {
    step = await writer.begin({ ...fresh, ...decided }, next);
  };
  const invocation = {
    ...{ runtime, question: questionOf(run), scope: ['run', run.run_id] as const, input: run.input },
    ...{ lateText: lateText(run.definition), textOf: textOfAnswer },
  };
  const outcome = await site
    .record(run, context, (own) => runOperation(invoke, { ...own, beforeCall: begin }, invocation))
    .then(({ response }): Outcome => ({ state: 'done', output: response }))
    .catch((error: unknown): Outcome => {
      if (!step || !(error instanceof Fault || error instanceof OutboundError)) throw error;
      return { state: 'failed', output: error.message, error_code: error.code };
    });
  const stored = await writer.finish({ ...(step as unknown as StepDoc), ...outcome });
  return { history: replaced(history, stored), step: stored };
}

type Outcome = Pick<StepDoc, 'state' | 'output' | 'error_code'>;
