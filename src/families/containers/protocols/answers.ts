import type { PredictionValue } from '../../../domain/predictions/prediction.ts';
import { parseAnswer, predictionValue } from '../../../domain/predictions/values.ts';
import { nestsDeeperThan } from '../../../domain/values/json.ts';

/** More would exhaust the stack of what writes it as JSON. */
const MAX_DEPTH = 32;

/** The JSON of an answer; undefined if it is none. */
export function bodyOf(text: string): unknown {
  try {
    const value = parseAnswer(text);
    return nestsDeeperThan(value, MAX_DEPTH) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A list of one value, as models with one output answer it, is that value. */
export const fieldValue = (value: unknown): PredictionValue =>
  predictionValue(Array.isArray(value) && value.length === 1 ? value[0] : value);
