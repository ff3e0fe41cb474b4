import { counted } from '../../../contract/basics.ts';
import { someNames } from '../../../domain/values/texts.ts';
import { textToAskAgain } from '../../models/structured.ts';
import type { StepDoc } from '../documents/stored.ts';

/** Why an answer without calls is not the end of a run that succeeds. The model is asked again, once for each kind. */
export interface AnswerFault {
  kind: 'schema' | 'evidence';
  /** The code of a run that ends with the answer. */
  code: string;
  /** The reason, in words. */
  problem: string;
  /** Words for the model. */
  request: string;
}

/** The fault of an answer, as its step was stored with it. */
export function faultOf({ problems = [], unverified = [] }: StepDoc): AnswerFault | undefined {
  if (unverified.length > 0) return evidenceFault(unverified);
  if (problems.length === 0) return undefined;
  return {
    ...{ kind: 'schema', code: 'invalid_structured_output' },
    problem: `The answer does not fit output_schema: ${problems.join('; ')}`,
    request: textToAskAgain(problems),
  };
}

/** Values that a model is told of. */
const MAX_TOLD = 50;

/** The fault of an answer with values that do not stand in the data of its run. @param texts as the answer has them */
export function evidenceFault(texts: readonly string[]): AnswerFault {
  const named = someNames(texts);
  const list = texts.slice(0, MAX_TOLD).map((text) => JSON.stringify(text));
  return {
    ...{ kind: 'evidence', code: 'unverified_claims' },
    problem: `The answer has ${counted(texts.length, 'value')} not found in the data of the run: ${named}`,
    request: `These values of the answer stand neither in the question nor in the results of the tools: ${list.join(', ')}. Look them up with the tools, correct them, or leave them out. Then give the whole answer again.`,
  };
}

/** Whether the model was asked again for this reason before. @param models steps, in order */
export const wasAskedAgain = (models: readonly StepDoc[], kind: AnswerFault['kind']): boolean =>
  models.slice(0, -1).some((step) => faultOf(step)?.kind === kind);
