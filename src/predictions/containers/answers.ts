import { isObject, type Json } from '../../contract/basics.ts';
import type { PredictionValue } from '../rows/prediction.ts';
import { isTooDeep, parseAnswer, predictionValue } from '../rows/values.ts';

/** The object that a text holds as JSON; empty if it holds none. */
export function objectIn(text: string): Json {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}

/** The JSON of an answer; undefined if it is none, or nested too deep. */
export function bodyOf(text: string): unknown {
  try {
    const value = parseAnswer(text);
    return isTooDeep(value) ? undefined : value;
  } catch {
    return undefined;
  }
}

/** A list of one value, as models with one output answer it, is that value. */
export const fieldValue = (value: unknown): PredictionValue =>
  predictionValue(Array.isArray(value) && value.length === 1 ? value[0] : value);
