import { isObject } from '../../contract/basics.ts';
import { OutboundError } from '../../contract/codes/outbound.ts';
import type { PredictedRow } from '../rows/prediction.ts';
import { ReplySize } from '../rows/replySize.ts';
import { isTooDeep, MAX_LEVELS, parseAnswer, predictionValue } from '../rows/values.ts';
import { csvAnswer, listAnswer } from './csvAnswer.ts';
import type { StringMap } from './openapi.ts';
import { unusable, wrongLength } from './predicted.ts';
import { EACH, tokensOf } from './schemaPaths.ts';

/** The field of a prediction that has no name. */
const PREDICTION = 'prediction';

/**
 * The predictions in what a model answered, one for each row.
 * @param map place in the answer -> field
 * @throws OutboundError `upstream_error`, `configuration_invalid`
 */
export function predictionsIn(
  { contentType, body }: { contentType: string; body: string },
  map: StringMap,
  count: number,
): PredictedRow[] {
  if (!/\bcsv\b/i.test(contentType)) return inJson(jsonIn(contentType, body, count), map, count);
  const json = jsonInCsv(body, count);
  if (json === undefined) return csvAnswer(body, map, count);
  const isList = Array.isArray(json) && json.length === count && !json.some(isObject);
  return isList ? listAnswer(shallow(json), map) : inJson(json, map, count);
}

function inJson(answer: unknown, map: StringMap, count: number): PredictedRow[] {
  shallow(answer);
  const outputs = Object.entries(map).map(([path, field]) => ({ path, field, tokens: tokensIn(path) }));
  if (outputs.length === 0) return predictionsOf(answer, count).map(namedAsTheyAre);
  const columns = outputs.map(({ path, field, tokens }) => {
    const values = columnAt(answer, tokens, count);
    if (!values) throw unusable(`has nothing at ${path.slice(0, 200)}`);
    return { path, field, values };
  });
  if (columns.every(({ values }) => values.every((value) => value === undefined))) {
    throw unusable(`has nothing at ${columns[0]?.path.slice(0, 200)}`);
  }
  // Many entries may have one large value.
  const size = new ReplySize();
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(({ field, values }) => [field, size.counted(field, predictionValue(values[row]))])),
  );
}

/** @returns the answer. @throws OutboundError `upstream_error` if it is nested too deep */
function shallow<T>(answer: T): T {
  if (isTooDeep(answer)) throw unusable(`is nested deeper than ${MAX_LEVELS} levels`);
  return answer;
}

/** JSON, or one JSON text a line, whatever it is called. */
function jsonIn(contentType: string, body: string, count: number): unknown {
  const [lines, whole] = [() => linesOf(body, count), () => jsonOf(body)];
  const fits = (answer: unknown) => isObject(answer) || (Array.isArray(answer) && answer.length === count);
  const answer = LINES.test(contentType) ? firstOf([lines, whole], fits) : firstOf([whole, lines]);
  if (answer === undefined) throw unusable('is neither JSON nor CSV');
  return answer;
}

const LINES = /jsonl|ndjson/i;

/** JSON that is called CSV: a list with an entry for each row, such entries without the brackets around them, or a line each. */
function jsonInCsv(body: string, count: number): unknown {
  if (!/^\s*[[{]/.test(body)) return undefined;
  const readings = [() => jsonOf(body), () => jsonOf(`[${body}]`), () => linesOf(body, count)];
  return firstOf(readings, (reading) => Array.isArray(reading) && reading.length === count);
}

/** The first reading that fits, else the first that there is. */
function firstOf(readings: readonly (() => unknown)[], fits: (value: unknown) => boolean = () => true): unknown {
  let first: unknown;
  for (const read of readings) {
    const value = read();
    if (value !== undefined && fits(value)) return value;
    first ??= value;
  }
  return first;
}

/** Undefined for what is no JSON. */
function jsonOf(text: string): unknown {
  try {
    return parseAnswer(text);
  } catch {
    return undefined;
  }
}

/** A value of each line, at most one more than there are rows. Undefined if a line is no JSON, or there is none. */
function linesOf(body: string, count: number): unknown[] | undefined {
  const values: unknown[] = [];
  for (const [line] of body.matchAll(/[^\n]+/g)) {
    if (line.trim() === '') continue;
    const value = jsonOf(line);
    if (value === undefined) return undefined;
    values.push(value);
    if (values.length > count) break;
  }
  return values.length > 0 ? values : undefined;
}

function tokensIn(path: string): string[] {
  const tokens = tokensOf(path);
  if (tokens) return tokens;
  throw new OutboundError(
    'configuration_invalid',
    `output_prediction_map: ${path.slice(0, 200)} is not a path such as predictions[*].score`,
  );
}

/** The values at a path, one for each row; undefined where there is nothing. */
function columnAt(answer: unknown, tokens: readonly string[], count: number): unknown[] | undefined {
  const each = tokens.indexOf(EACH);
  if (each >= 0) {
    const list = valueAt(answer, tokens.slice(0, each));
    if (!Array.isArray(list)) return undefined;
    if (list.length !== count) throw wrongLength(list.length, count);
    return list.map((item) => valueAt(item, tokens.slice(each + 1)));
  }
  const value = valueAt(answer, tokens);
  if (Array.isArray(value) && (value.length === count || tokens.length !== 1)) {
    if (value.length !== count) throw wrongLength(value.length, count);
    return value;
  }
  if (value !== undefined && !Array.isArray(value) && count === 1) return [value];
  // A name alone is a property of each prediction.
  return tokens.length === 1
    ? predictionsOf(answer, count).map((prediction) => valueAt(prediction, tokens))
    : undefined;
}

function valueAt(value: unknown, tokens: readonly string[]): unknown {
  const [token, ...others] = tokens;
  if (token === undefined) return value;
  if (token === EACH) return Array.isArray(value) ? value.map((item) => valueAt(item, others)) : undefined;
  if (token.startsWith('[')) {
    return Array.isArray(value) ? valueAt(value[Number(token.slice(1, -1))], others) : undefined;
  }
  return isObject(value) && Object.hasOwn(value, token) ? valueAt(value[token], others) : undefined;
}

/** The list of predictions: the answer itself, its `predictions`, or its only list; of one row also the answer itself. */
function predictionsOf(answer: unknown, count: number): unknown[] {
  const list = listIn(answer);
  if (list) {
    if (list.length !== count) throw wrongLength(list.length, count);
    return list;
  }
  if (isObject(answer) && count === 1) return [answer];
  throw unusable('has no list of predictions');
}

function listIn(answer: unknown): unknown[] | undefined {
  if (Array.isArray(answer)) return answer;
  if (!isObject(answer)) return undefined;
  if (Array.isArray(answer.predictions)) return answer.predictions;
  const lists = Object.values(answer).filter(Array.isArray);
  return lists.length === 1 ? lists[0] : undefined;
}

function namedAsTheyAre(prediction: unknown): PredictedRow {
  if (!isObject(prediction)) return { [PREDICTION]: predictionValue(prediction) };
  return Object.fromEntries(Object.entries(prediction).map(([name, value]) => [name, predictionValue(value)]));
}
