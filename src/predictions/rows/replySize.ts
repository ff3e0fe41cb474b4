import { OutboundError } from '../../contract/codes/outbound.ts';
import type { PredictedRow, PredictionValue } from './prediction.ts';

/** Characters of the predictions of a call, names of fields included. */
export const MAX_REPLY_CHARACTERS = 32_000_000;
/** Length of a number, roughly. */
const NUMBER_CHARACTERS = 10;

/** Length of a value in a reply with the name of its field, roughly. */
export const charactersOf = (field: string, value: unknown): number =>
  field.length + (typeof value === 'string' ? value.length : NUMBER_CHARACTERS);

/** Counts what predictions take in a reply: few values of an answer can become many, and each row repeats its names. */
export class ReplySize {
  #left = MAX_REPLY_CHARACTERS;

  /** @throws OutboundError `upstream_error` once a reply cannot hold them */
  add(row: PredictedRow): void {
    for (const [field, value] of Object.entries(row)) this.counted(field, value);
  }

  /** @returns the value. @throws OutboundError `upstream_error` once a reply cannot hold it */
  counted(field: string, value: PredictionValue): PredictionValue {
    this.#left -= charactersOf(field, value);
    if (this.#left >= 0) return value;
    const text = `The model answers more than ${MAX_REPLY_CHARACTERS} characters: send fewer rows`;
    throw new OutboundError('upstream_error', text, { isAnswered: true });
  }
}
