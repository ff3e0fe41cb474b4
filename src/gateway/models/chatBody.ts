import type { Static } from 'typebox';
import { append, isObject, type Json, MAX_JSON_LEVELS, MAX_SCHEMA_BYTES } from '../../contract/basics.ts';
import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import { stringifyExact, withNumbers } from '../../contract/exactJson.ts';
import { nestsDeeperThan, withoutUndefined } from '../../domain/values/json.ts';
import type { ChatMessage, ChatPart, ChatRequest, ToolCall } from '../../families/llm-providers/public.ts';
import type { ChatBody } from '../schemas.ts';

type Body = Static<typeof ChatBody>;

/** A parsed body of Chat Completions. */
export interface ChatCall {
  /** Undefined: the alias `default`. */
  reference: string | undefined;
  request: ChatRequest;
  stream: boolean;
  includeUsage: boolean;
}

const HINTS = ['user', 'safety_identifier', 'metadata', 'store', 'prompt_cache_key', 'service_tier'] as const;
/** Everything that `parseChat` reads. Other fields go through to providers of OpenAI's dialect. */
const KNOWN = new Set<string>([
  ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens'],
  ...['temperature', 'top_p', 'stop', 'seed', 'n', 'frequency_penalty', 'presence_penalty', 'logprobs', 'top_logprobs'],
  ...['logit_bias', 'reasoning_effort', 'verbosity', 'response_format', 'stream', 'stream_options', 'drop_unsupported'],
  ...['modalities', 'functions', 'function_call', 'audio', 'web_search_options', 'prediction'],
  ...HINTS,
]);
/** Of Chat Completions, but supported for no provider. */
const REFUSED = ['functions', 'function_call', 'audio', 'web_search_options', 'prediction'] as const;

/** @throws Fault `validation_failed`, `not_supported` */
export function parseChat(given: Body): ChatCall {
  const body = withRoundedLimits(given);
  refuseUnsupported(body);
  const problems: Problem[] = sizeProblems(body);
  if (problems.length > 0) throw invalid(problems);
  const messages = body.messages.map((message, index) => toMessage(message, `messages.${index}`, problems));
  append(problems, unansweredProblems(body.messages));
  const toolChoice = toToolChoice(body.tool_choice, problems);
  const responseFormat = toResponseFormat(body.response_format, problems);
  if (problems.length > 0) throw invalid(problems);
  const hints = Object.fromEntries(
    HINTS.map((name) => [name, body[name] ?? undefined]).filter(([, value]) => value !== undefined),
  );
  const extra = Object.entries(body).filter(([name, value]) => !KNOWN.has(name) && value !== null);
  const { stop } = body;
  return {
    reference: body.model,
    stream: body.stream === true,
    includeUsage: body.stream_options?.include_usage === true,
    request: {
      messages: messages as ChatMessage[],
      tools: body.tools?.length ? body.tools.map(toTool) : undefined,
      toolChoice,
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
      tokenLimitField: limitFieldOf(body),
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      stop: typeof stop === 'string' ? [stop] : stop?.length ? stop : undefined,
      seed: body.seed ?? undefined,
      frequencyPenalty: body.frequency_penalty ?? undefined,
      presencePenalty: body.presence_penalty ?? undefined,
      reasoningEffort: body.reasoning_effort ?? undefined,
      verbosity: body.verbosity ?? undefined,
      logprobs: body.logprobs ?? undefined,
      topLogprobs: body.top_logprobs ?? undefined,
      logitBias: body.logit_bias ?? undefined,
      responseFormat,
      hints: Object.keys(hints).length > 0 ? hints : undefined,
      extra: extra.length > 0 ? Object.fromEntries(extra) : undefined,
      dropUnsupported: body.drop_unsupported,
    },
  };
}

/** What could not be written as JSON, or is larger than providers take. The schema of `response_format` is checked by its use. */
function sizeProblems({ tools, response_format: _, ...body }: Body): Problem[] {
  const parameters = (tools ?? []).map(
    (tool, index) => [`tools.${index}.function.parameters`, tool.function.parameters] as const,
  );
  const deep = [...Object.entries(body), ...parameters].filter(([, value]) => nestsDeeperThan(value, MAX_JSON_LEVELS));
  if (deep.length > 0) {
    return deep.map(([field]) => ({ field, message: `must not have more than ${MAX_JSON_LEVELS} levels` }));
  }
  return parameters
    .filter(([, schema]) => schema && Buffer.byteLength(stringifyExact(schema)) > MAX_SCHEMA_BYTES)
    .map(([field]) => ({ field, message: `must not be longer than ${MAX_SCHEMA_BYTES} bytes of JSON` }));
}

/** Numbers that are compared here; all other integers keep their digits. */
function withRoundedLimits(body: Body): Body {
  const { max_tokens, max_completion_tokens, n, temperature } = body;
  return { ...body, ...withNumbers(withoutUndefined({ max_tokens, max_completion_tokens, n, temperature })) } as Body;
}

/** Servers that know only one of the two names get it at once. */
function limitFieldOf({ max_completion_tokens: newer, max_tokens: older }: Body): ChatRequest['tokenLimitField'] {
  if (newer !== undefined && newer !== null) return 'max_completion_tokens';
  return older === undefined || older === null ? undefined : 'max_tokens';
}

function refuseUnsupported(body: Body): void {
  const modalities = (body as Json).modalities;
  const param =
    REFUSED.find((name) => (body as Json)[name] !== undefined && (body as Json)[name] !== null) ??
    (body.n !== undefined && body.n !== null && body.n > 1 ? 'n' : undefined) ??
    (Array.isArray(modalities) && modalities.some((one) => one !== 'text') ? 'modalities' : undefined);
  if (param !== undefined) throw new Fault('not_supported', `The gateway does not support ${param}.`, { param });
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Providers refuse results without a call before them. */
function unansweredProblems(messages: Body['messages']): Problem[] {
  const called = new Set<unknown>();
  const problems: Problem[] = [];
  for (const [index, { role, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    for (const call of role === 'assistant' ? (calls ?? []) : []) called.add((call as Json | null)?.id);
    if (role !== 'tool' || id === undefined || called.has(id)) continue;
    problems.push({
      field: `messages.${index}.tool_call_id`,
      message: 'must be the id of a call in an earlier message',
    });
  }
  return problems;
}

function toMessage(message: Body['messages'][number], field: string, problems: Problem[]): ChatMessage | undefined {
  const { role, name } = message;
  const add = (at: string, what: string): undefined => void problems.push({ field: `${field}.${at}`, message: what });
  if (role === 'user') {
    const { content } = message;
    if (typeof content === 'string') return { role, content, name };
    if (!Array.isArray(content)) return add('content', 'must be a text or a list of parts');
    const parts = content.map((part, index) => toPart(part, `${field}.content.${index}`, problems));
    return { role, content: parts as ChatPart[], name };
  }
  const content = joinedText(message.content);
  if (content === undefined) return add('content', 'must be a text or a list of text parts');
  if (role === 'tool') {
    const toolCallId = message.tool_call_id;
    return toolCallId === undefined ? add('tool_call_id', 'is required') : { role, toolCallId, content };
  }
  if (role !== 'assistant') return { role, content, name };
  const calls = message.tool_calls ?? [];
  const toolCalls = calls.map((call, index) => toToolCall(call, `${field}.tool_calls.${index}`, problems));
  const refusal = message.refusal ?? undefined;
  return { role, content, name, refusal, toolCalls: toolCalls.length > 0 ? (toolCalls as ToolCall[]) : undefined };
}

/** Null counts as empty, as beside tool calls. */
function joinedText(content: unknown): string | undefined {
  if (content === undefined || content === null) return '';
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return undefined;
  const texts = content.map((part) =>
    isObject(part) && (part.type === 'text' || part.type === 'refusal') ? text(part.text ?? part.refusal) : undefined,
  );
  return texts.includes(undefined) ? undefined : texts.join('');
}

const DATA_URL = /^data:([\w.+-]+\/[\w.+-]+)(?:;[\w.+=-]+)*;base64,([A-Za-z0-9+/=\s]*)$/;

function toPart(part: unknown, field: string, problems: Problem[]): ChatPart | undefined {
  const add = (message: string, at = field): undefined => void problems.push({ field: at, message });
  if (!isObject(part)) return add('must be an object with a type');
  if (part.type === 'text')
    return typeof part.text === 'string' ? { type: 'text', text: part.text } : add('must be a text', `${field}.text`);
  if (part.type === 'image_url') {
    const image = isObject(part.image_url) ? part.image_url : { url: part.image_url };
    return toImage(image, () => add('must be an http(s) or a base64 data: URL', `${field}.image_url.url`));
  }
  if (part.type === 'file' && isObject(part.file)) {
    const { file_id: id, file_data: data, filename } = part.file;
    if (typeof id === 'string') return { type: 'file_id', id };
    const file = typeof data === 'string' ? DATA_URL.exec(data) : null;
    if (!file) return add('must be a base64 data: URL', `${field}.file.file_data`);
    return { type: 'file', mediaType: file[1] as string, data: withoutSpace(file[2] as string), name: text(filename) };
  }
  if (part.type === 'input_audio')
    throw new Fault('not_supported', 'The gateway does not support audio.', { param: field });
  return add('must be text, image_url or file', `${field}.type`);
}

function toImage({ url, detail }: Json, refuse: () => undefined): ChatPart | undefined {
  if (typeof url !== 'string') return refuse();
  if (/^https?:\/\//i.test(url)) return { type: 'image_url', url, detail: text(detail) };
  const data = DATA_URL.exec(url);
  if (!data?.[1]?.startsWith('image/')) return refuse();
  return { type: 'image', mediaType: data[1], data: withoutSpace(data[2] as string), detail: text(detail) };
}

const withoutSpace = (base64: string): string => base64.replace(/\s+/g, '');

function toToolCall(call: unknown, field: string, problems: Problem[]): ToolCall | undefined {
  const made = isObject(call) && isObject(call.function) ? call.function : undefined;
  const [id, name, args] = [text((call as Json | undefined)?.id), text(made?.name), text(made?.arguments ?? '')];
  if (id === undefined || name === undefined || args === undefined) {
    problems.push({
      field,
      message: 'must be {id, type: function, function: {name, arguments}} with arguments as JSON text',
    });
    return undefined;
  }
  const extra = (call as Json).extra_content;
  return { id, name, arguments: args, ...(isObject(extra) ? { extra } : {}) };
}

function toTool({ function: tool }: NonNullable<Body['tools']>[number]) {
  const { name, description, parameters, strict } = tool;
  return {
    name,
    description: description ?? undefined,
    parameters: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? undefined,
  };
}

function toToolChoice(choice: unknown, problems: Problem[]): ChatRequest['toolChoice'] {
  if (choice === undefined || choice === null) return undefined;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return choice;
  const name = isObject(choice) && isObject(choice.function) ? text(choice.function.name) : undefined;
  if (name !== undefined) return { name };
  problems.push({
    field: 'tool_choice',
    message: 'must be auto, none, required or {type: function, function: {name}}',
  });
  return undefined;
}

function toResponseFormat(format: unknown, problems: Problem[]): ChatRequest['responseFormat'] {
  if (format === undefined || format === null) return undefined;
  const { type, json_schema: described } = isObject(format) ? format : {};
  if (type === 'text' || type === 'json_object') return { type };
  if (
    type === 'json_schema' &&
    isObject(described) &&
    typeof described.name === 'string' &&
    isObject(described.schema)
  ) {
    const { name, schema, description, strict } = described;
    return {
      type,
      name,
      schema,
      description: text(description),
      strict: typeof strict === 'boolean' ? strict : undefined,
    };
  }
  const message = 'must be {type: text}, {type: json_object} or {type: json_schema, json_schema: {name, schema}}';
  problems.push({ field: 'response_format', message });
  return undefined;
}
