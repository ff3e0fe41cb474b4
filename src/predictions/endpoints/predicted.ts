import { OutboundError } from '../../contract/codes/outbound.ts';

/** A failure of all rows of an answer: it came, so nothing is asked again. */
export const unusable = (why: string): OutboundError =>
  new OutboundError('upstream_error', `The answer of the model ${why}`, { isAnswered: true });

export const wrongLength = (predictions: number, count: number): OutboundError =>
  unusable(`has ${predictions} predictions for ${count} rows`);
