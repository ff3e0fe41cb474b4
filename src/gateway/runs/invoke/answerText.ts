import { createParser } from 'eventsource-parser';
import { isObject, type Json } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { redact } from '../../../domain/net/redact.ts';
import type { AgentAnswer } from '../../../ports/cloud/agentCloud.ts';

/** Fields in which agents answer, the first that an answer has. */
const TEXT_FIELDS = ['output', 'result', 'response', 'message', 'content', 'text', 'data'] as const;
/** A message in a field, with its content in parts. */
const MAX_DEPTH = 6;
const END = '[DONE]';

/**
 * The text of an agent's answer: the text in JSON of the usual forms, else the JSON as it is; all data of an event stream, in order.
 * @throws OutboundError `upstream_error` if the agent reports an error in its answer
 */
export function textOfAnswer({ contentType, text: sent }: AgentAnswer): string {
  const text = sent.replace(/^\uFEFF/, '');
  return /^\s*text\/event-stream\b/i.test(contentType) ? textOfStream(text) : textOfJson(text);
}

/** Some agents send a plain text under this type. */
function textOfStream(text: string): string {
  const parts: string[] = [];
  let hasData = false;
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'error') throw failed(data);
      hasData = true;
      if (data !== END) parts.push(textOfJson(data));
    },
  });
  parser.feed(text);
  // A server that closes the connection after its last event may leave out the empty line behind it.
  parser.feed('\n\n');
  if (hasData) return parts.join('');
  if (text.split(/\r\n|\r|\n/).every((line) => LINE_OF_STREAM.test(line))) throw failed('it sent no data');
  return textOfJson(text);
}

/** An empty line, a comment or a field of an event stream. */
const LINE_OF_STREAM = /^\s*$|^:|^(?:data|event|id|retry)(?::|$)/;

function textOfJson(text: string): string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return text;
  }
  const reason = isObject(value) ? reasonIn(value) : undefined;
  if (reason !== undefined) throw failed(reason);
  return textIn(value) ?? text;
}

/** Fields in which errors say what happened. */
const REASON_FIELDS = ['message', 'Message', 'detail', 'error_description', 'description', 'reason', 'error'] as const;

/** What an answer reports as an error; undefined if it reports none. */
function reasonIn({ error, message }: Json): string | undefined {
  if (error === true) return typeof message === 'string' ? message : 'it did not say which';
  if (typeof error === 'string') return error === '' ? undefined : error;
  const first = Array.isArray(error) ? error[0] : error;
  if (typeof first === 'string' && first !== '') return first;
  if (!isObject(first) || Object.keys(first).length === 0) return undefined;
  const words = REASON_FIELDS.map((field) => first[field]).find((one) => typeof one === 'string' && one !== '');
  return (words as string | undefined) ?? JSON.stringify(first);
}

/** Undefined if the value has another form. */
function textIn(value: unknown, depth = 0): string | undefined {
  if (typeof value === 'string') return value;
  if (depth === MAX_DEPTH) return undefined;
  if (Array.isArray(value)) return textOfParts(value, depth);
  if (!isObject(value)) return undefined;
  const field = TEXT_FIELDS.find((name) => Object.hasOwn(value, name));
  return field === undefined ? undefined : textIn((value as Json)[field], depth + 1);
}

/** Parts of a message: `[{"text": "…"}]`. */
function textOfParts(parts: readonly unknown[], depth: number): string | undefined {
  const texts = parts.map((part) => (isObject(part) ? textIn(part, depth + 1) : undefined));
  return texts.length === 0 || texts.includes(undefined) ? undefined : texts.join('');
}

const failed = (reason: string): OutboundError =>
  Object.assign(new OutboundError('upstream_error', `The agent reported an error: ${redact(reason)}`), {
    isAnswered: true,
  });
