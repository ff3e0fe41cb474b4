import { textToAskAgain } from '../../models/structured.ts';
import type { StepDoc } from '../documents/stored.ts';

/** Why an answer without calls is not the end of a run that succeeds. The model is asked again, once for each kind. */
export interface AnswerFault {
  kind: 'schema';
  /** The code of a run that ends with the answer. */
  code: string;
  /** The reason, in words. */
  problem: string;
  /** Words for the model. */
  request: string;
}

/** The fault of an answer, as its step was stored with it. */
export function faultOf({ problems = [] }: StepDoc): AnswerFault | undefined {
  if (problems.length === 0) return undefined;
  return {
    ...{ kind: 'schema', code: 'invalid_structured_output' },
    problem: `The answer does not fit output_schema: ${problems.join('; ')}`,
    request: textToAskAgain(problems),
  };
}

/** Whether the model was asked again for this reason before. @param models steps, in order */
export const wasAskedAgain = (models: readonly StepDoc[], kind: AnswerFault['kind']): boolean =>
  models.slice(0, -1).some((step) => faultOf(step)?.kind === kind);
