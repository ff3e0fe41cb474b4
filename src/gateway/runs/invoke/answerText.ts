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
  const isStream = /^\s*text\/event-stream\b/i.test(contentType) || (!PLAIN.test(contentType) && isStreamOfData(text));
  return (isStream ? textOfStream(text) : textOfJson(text)).toWellFormed();
}

const PLAIN = /^\s*text\/plain\b/i;

/** An event stream under another content type. */
const isStreamOfData = (text: string): boolean =>
  /^(?:data|event):/.test(text) && /^data:/m.test(text) && isStreamAlone(text);

/** Some agents send a plain text under this type. */
function textOfStream(text: string): string {
  const parts: string[] = [];
  let hasData = false;
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'error') throw failed(reasonOf(data));
      hasData = true;
      if (data !== END) parts.push(textOfJson(data));
    },
  });
  parser.feed(text);
  // A server that closes the connection after its last event may leave out the empty line behind it.
  parser.feed('\n\n');
  if (hasData) return parts.join('');
  if (isStreamAlone(text)) throw failed('it sent no data');
  return textOfJson(text);
}

/** An empty line, a comment or a field of an event stream. */
const LINE_OF_STREAM = /^\s*$|^:|^(?:data|event|id|retry)(?::|$)/;
const isStreamAlone = (text: string): boolean => text.split(/\r\n|\r|\n/).every((line) => LINE_OF_STREAM.test(line));

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The reason in an event of the kind `error`. */
function reasonOf(data: string): string {
  const value = parsed(data);
  return (isObject(value) ? (reasonIn(value) ?? wordsIn(value)) : undefined) ?? data;
}

function textOfJson(text: string): string {
  const value = parsed(text);
  const reason = isObject(value) ? reasonIn(value) : undefined;
  if (reason !== undefined) throw failed(reason);
  return textIn(value) ?? text;
}

/** Fields in which errors say what happened. */
const REASON_FIELDS = [
  'message',
  'Message',
  'detail',
  'error_description',
  'description',
  'reason',
  'error',
  'text',
] as const;

/** The error that an answer reports; undefined if it reports none. Functions of AWS Lambda have `errorMessage`. */
function reasonIn({ error, errors, errorMessage, message }: Json): string | undefined {
  const first = [error, errors, errorMessage]
    .map((value) => (Array.isArray(value) ? value[0] : value))
    .find(isReported);
  if (first === undefined) return undefined;
  if (typeof first === 'string') return first;
  if (isObject(first)) return wordsIn(first) ?? JSON.stringify(first);
  if (typeof message === 'string' && message !== '') return message;
  return first === true ? 'it did not say which' : JSON.stringify(first);
}

/** Not `null`, `false`, 0, an empty text or an empty object. */
const isReported = (error: unknown): boolean => Boolean(error) && !(isObject(error) && Object.keys(error).length === 0);

function wordsIn(error: Json, depth = 0): string | undefined {
  for (const field of REASON_FIELDS) {
    const value = error[field];
    if (typeof value === 'string' && value !== '') return value;
    const inner = isObject(value) && depth < MAX_DEPTH ? wordsIn(value, depth + 1) : undefined;
    if (inner !== undefined) return inner;
  }
  return undefined;
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
  new OutboundError('upstream_error', `The agent reported an error: ${redact(reason)}`, { isAnswered: true });
