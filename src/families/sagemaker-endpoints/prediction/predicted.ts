import { OutboundError } from '../../../contract/codes/outbound.ts';

/** A failure of all rows of an answer: it came, so nothing is asked again. */
export function unusable(why: string): OutboundError {
  const error = new OutboundError('upstream_error', `The answer of the model ${why}`);
  error.isAnswered = true;
  return error;
}

export const wrongLength = (found: number, count: number): OutboundError =>
  unusable(`has ${found} predictions for ${count} rows`);
