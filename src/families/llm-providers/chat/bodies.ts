import { createParser } from 'eventsource-parser';
import { parseExact } from '../../../contract/exactJson.ts';
import { malformed } from './finish.ts';
import { asList, asObject, asText, isObject, type Json } from './json.ts';

/** The values that a provider answered in one body. */
interface Values {
  values: Json[];
  /** Whether the body is a stream, whose values make up one answer. */
  isStream: boolean;
  /** Whether a stream says that it is complete. */
  hasEnd: boolean;
}

/** Makes one answer of the values of a stream; undefined if its end is missing. */
export type StreamJoiner = (values: readonly Json[], hasEnd: boolean) => Json | undefined;

/** The JSON object of a body, empty if there is none; of a list or stream its first error, else its first entry. */
export function readBody(text: string): Json {
  const { values } = valuesIn(text, JSON.parse);
  return values.find(failureIn) ?? values[0] ?? {};
}

/** The same of a list: one without an object around it counts as `data`. */
export function readList(text: string): Json {
  const body = readBody(text);
  const list = failureIn(body) ? undefined : parsed(text.trim(), JSON.parse);
  return Array.isArray(list) ? { data: list } : body;
}

/** The body with its error where a body has it; undefined for one without. Servers also answer 200 with an error. */
export function failureIn(body: Json): Json | undefined {
  if (isFailure(body.error)) return body;
  const { error } = asObject(asList(body.choices)[0]);
  return isFailure(error) ? { error } : undefined;
}

/** Some servers send an empty error, or that there is none, beside an answer. */
export function isFailure(error: unknown): boolean {
  if (!isObject(error)) return error === true || asText(error).trim() !== '';
  if (NO_ERROR.includes(error.code)) return false;
  return Object.values(error).some((value) => value !== undefined && value !== null && value !== '' && value !== false);
}

const NO_ERROR: readonly unknown[] = [0, '0', 200, '200'];

/**
 * The JSON object of an answer, in which integers beyond 2^53 are bigints. An event stream, JSON lines and a list are read as the
 * answer that they make up, or as the error that they end with.
 * @throws OutboundError `upstream_error` for a stream that is cut off, or that nothing joins
 */
export function readAnswer(text: string, join: StreamJoiner = () => undefined): Json {
  const { values, isStream, hasEnd } = valuesIn(text, parseExact);
  const [first = {}] = values;
  if (!isStream) return first;
  const failure = values.find(failureIn);
  if (failure) return failure;
  const answer = join(values, hasEnd);
  if (!answer) throw malformed('an event stream without its end');
  return answer;
}

const END = '[DONE]';
const IS_EVENTS = /^(?:data|event|id|retry)?:/;

type Parser = (text: string) => unknown;

function valuesIn(text: string, parse: Parser): Values {
  // A byte order mark counts as white space.
  const trimmed = text.trim();
  if (IS_EVENTS.test(trimmed)) return eventsIn(trimmed, parse);
  const value = parsed(trimmed, parse);
  if (Array.isArray(value)) return { values: value.map(asObject), isStream: value.length > 1, hasEnd: true };
  if (value !== undefined) return { values: [asObject(value)], isStream: false, hasEnd: true };
  const lines = trimmed.split('\n').filter((line) => line.trim() !== '');
  const values = lines.length > 1 && lines[0]?.startsWith('{') ? lines.map((line) => parsed(line, parse)) : [];
  // The last line of a body that was cut off is no JSON.
  if (values[0] === undefined) return { values: [], isStream: false, hasEnd: false };
  return { values: values.filter((entry) => entry !== undefined).map(asObject), isStream: true, hasEnd: false };
}

function eventsIn(text: string, parse: Parser): Values {
  const values: Json[] = [];
  let hasEnd = false;
  const parser = createParser({
    onEvent({ data }) {
      if (data.trim() === END) hasEnd = true;
      const value = parsed(data, parse);
      if (value === undefined && data.trimStart().startsWith('{')) throw malformed('an event that is no JSON');
      values.push(asObject(value));
    },
  });
  parser.feed(text);
  // A server that closes the connection after its last event may leave out the empty line behind it.
  parser.feed('\n\n');
  return { values, isStream: true, hasEnd };
}

function parsed(text: string, parse: Parser): unknown {
  try {
    return parse(text);
  } catch {
    return undefined;
  }
}
