import type { Static } from 'typebox';
import { append, isObject, type Json } from '../../contract/basics.ts';
import { Fault, invalid, type Problem } from '../../contract/codes/faults.ts';
import { withNumbers } from '../../contract/exactJson.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import type { ChatMessage, ChatPart, ChatRequest, ChatTool, ToolCall } from '../../families/llm-providers/public.ts';
import type { ChatBody } from '../schemas.ts';
import {
  argumentsIn,
  cacheOf,
  innerOf,
  othersOf,
  schemaFormat,
  schemaSizeProblems,
  text,
  textParts,
  toPart,
} from './chatParts.ts';
import { NAMING_FIELDS, type Naming, namingOf } from './naming.ts';

type Body = Static<typeof ChatBody>;

/** A parsed body of Chat Completions. */
interface ChatCall {
  /** Undefined: the alias `default`. */
  reference: string | undefined;
  request: ChatRequest;
  naming: Naming;
}

const HINTS = ['user', 'safety_identifier', 'metadata', 'store', 'prompt_cache_key', 'service_tier'] as const;
/** Everything that `parseChat` reads. Other fields go through to providers of OpenAI's dialect. */
const KNOWN = new Set<string>([
  ...['model', 'messages', 'tools', 'tool_choice', 'parallel_tool_calls', 'max_tokens', 'max_completion_tokens'],
  ...['temperature', 'top_p', 'top_k', 'stop', 'seed', 'n', 'frequency_penalty', 'presence_penalty', 'logprobs'],
  ...['top_logprobs', 'logit_bias', 'reasoning_effort', 'verbosity', 'response_format', 'stream', 'stream_options'],
  ...['drop_unsupported', 'modalities', 'functions', 'function_call', 'audio', 'web_search_options', 'prediction'],
  ...HINTS,
  ...NAMING_FIELDS,
]);
/** Fields of Chat Completions that are supported for no provider. */
const REFUSED = ['functions', 'function_call', 'audio', 'web_search_options', 'prediction'] as const;

/** @throws Fault `validation_failed`, `not_supported` */
export function parseChat(unread: Body): ChatCall {
  const body = withRoundedLimits(unread);
  refuseUnsupported(body);
  const problems: Problem[] = sizeProblems(body);
  if (problems.length > 0) throw invalid(problems);
  const messages = body.messages.map((message, index) => toMessage(message, `messages.${index}`, problems));
  append(problems, unansweredProblems(body.messages));
  const tools = body.tools?.length
    ? body.tools.map((tool, index) => toTool(tool, `tools.${index}`, problems))
    : undefined;
  const toolChoice = toToolChoice(body.tool_choice, problems);
  const responseFormat = toResponseFormat(body.response_format, problems);
  if (problems.length > 0) throw invalid(problems);
  const hinted = { ...body, metadata: withoutNulls(body.metadata) };
  const hints = Object.fromEntries(
    HINTS.map((name) => [name, hinted[name] ?? undefined]).filter(([, value]) => value !== undefined),
  );
  const extra = Object.entries(body).filter(([name, value]) => !KNOWN.has(name) && value !== null);
  const { stop } = body;
  return {
    reference: body.model ?? undefined,
    naming: namingOf(body),
    request: {
      messages: messages as ChatMessage[],
      tools,
      toolChoice,
      parallelToolCalls: body.parallel_tool_calls ?? undefined,
      maxTokens: body.max_completion_tokens ?? body.max_tokens ?? undefined,
      tokenLimitField: limitFieldOf(body),
      temperature: body.temperature ?? undefined,
      topP: body.top_p ?? undefined,
      topK: body.top_k ?? undefined,
      stop: typeof stop === 'string' ? [stop] : stop?.length ? stop : undefined,
      seed: body.seed ?? undefined,
      frequencyPenalty: body.frequency_penalty ?? undefined,
      presencePenalty: body.presence_penalty ?? undefined,
      reasoningEffort: body.reasoning_effort ?? undefined,
      verbosity: body.verbosity ?? undefined,
      logprobs: body.logprobs ?? undefined,
      topLogprobs: body.top_logprobs ?? undefined,
      logitBias: withoutNulls(body.logit_bias),
      responseFormat,
      hints: Object.keys(hints).length > 0 ? hints : undefined,
      extra: extra.length > 0 ? Object.fromEntries(extra) : undefined,
      dropUnsupported: body.drop_unsupported ?? undefined,
    },
  };
}

/** The schema of `response_format` is checked by its use. */
const sizeProblems = ({ tools }: Body): Problem[] =>
  (tools ?? []).flatMap(({ function: { parameters } }, index) =>
    schemaSizeProblems(parameters, `tools.${index}.function.parameters`),
  );

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
    (Array.isArray(modalities) && modalities.some((modality) => modality !== 'text') ? 'modalities' : undefined);
  if (param !== undefined) throw new Fault('not_supported', `The gateway does not support ${param}`, { param });
}

function withoutNulls<T>(
  entries: Readonly<Record<string, T | null>> | null | undefined,
): Record<string, T> | undefined {
  if (!entries) return undefined;
  return Object.fromEntries(Object.entries(entries).filter((entry): entry is [string, T] => entry[1] !== null));
}

/** Providers refuse results without a call before them. */
function unansweredProblems(messages: Body['messages']): Problem[] {
  const called = new Set<unknown>();
  const problems: Problem[] = [];
  for (const [index, { role, tool_calls: calls, tool_call_id: id }] of messages.entries()) {
    for (const call of role === 'assistant' ? (calls ?? []) : []) called.add((call as Json | null)?.id);
    if (role !== 'tool' || id === undefined || id === null || called.has(id)) continue;
    problems.push({
      field: `messages.${index}.tool_call_id`,
      message: 'must be the id of a call in an earlier message',
    });
  }
  return problems;
}

function toMessage(message: Body['messages'][number], field: string, problems: Problem[]): ChatMessage | undefined {
  const { role } = message;
  const name = message.name ?? undefined;
  const add = (member: string, what: string): undefined =>
    void problems.push({ field: `${field}.${member}`, message: what });
  const cache = cacheOf(message, field, problems);
  const more = (...names: string[]) => ({
    ...cache,
    ...othersOf(message, 'role', 'content', 'cache_control', ...names),
  });
  if (role === 'user') {
    const { content } = message;
    if (typeof content === 'string') return { role, content, name, ...more('name') };
    if (!Array.isArray(content)) return add('content', 'must be a text or a list of parts');
    return { role, content: toParts(content, field, problems), name, ...more('name') };
  }
  if (role === 'tool') {
    const toolCallId = message.tool_call_id ?? undefined;
    if (toolCallId === undefined) return add('tool_call_id', 'is required');
    const result = toResult(message.content, field, problems);
    if (!result) return add('content', 'must be a text or a list of parts');
    return { role, toolCallId, ...result, ...more('tool_call_id') };
  }
  const content = joinedText(message.content);
  if (content === undefined) return add('content', 'must be a text or a list of text parts');
  const parts = textParts(message.content, field, problems);
  if (role !== 'assistant') return { role, content, name, ...parts, ...more('name') };
  const calls = message.tool_calls ?? [];
  const toolCalls = calls.map((call, index) => toToolCall(call, `${field}.tool_calls.${index}`, problems));
  return {
    role,
    content,
    name,
    refusal: message.refusal ?? undefined,
    reasoning: text(message.reasoning_content) || undefined,
    toolCalls: toolCalls.length > 0 ? (toolCalls as ToolCall[]) : undefined,
    ...parts,
    ...more('name', 'refusal', 'reasoning_content', 'tool_calls'),
  };
}

/** A position that has a problem holds nothing. */
const toParts = (content: readonly unknown[], field: string, problems: Problem[]): ChatPart[] =>
  content.map((part, index) => toPart(part, `${field}.content.${index}`, problems)) as ChatPart[];

/** The result of a tool. Its parts are kept where they are more than texts. */
function toResult(
  content: unknown,
  field: string,
  problems: Problem[],
): { content: string; parts?: ChatPart[] } | undefined {
  const joined = joinedText(content);
  if (joined !== undefined) return { content: joined, ...textParts(content, field, problems) };
  if (!Array.isArray(content)) return undefined;
  const parts = toParts(content, field, problems);
  return { content: parts.flatMap((part) => (part?.type === 'text' ? [part.text] : [])).join(''), parts };
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

function toToolCall(call: unknown, field: string, problems: Problem[]): ToolCall | undefined {
  const made = isObject(call) && isObject(call.function) ? call.function : undefined;
  const [id, name, args] = [text((call as Json | undefined)?.id), text(made?.name), argumentsIn(made?.arguments)];
  if (id === undefined || name === undefined || args === undefined) {
    problems.push({
      field,
      message: 'must be {id, type: function, function: {name, arguments}} with arguments as JSON text',
    });
    return undefined;
  }
  const extra = (call as Json).extra_content;
  // The position of a call in a stream says nothing that the list does not.
  const others = othersOf(call as Json, 'id', 'type', 'function', 'extra_content', 'index');
  return { id, name, arguments: args, ...(isObject(extra) ? { extra } : {}), ...others };
}

function toTool(tool: NonNullable<Body['tools']>[number], field: string, problems: Problem[]): ChatTool {
  const { name, description, parameters, strict } = tool.function;
  return {
    name,
    description: description ?? undefined,
    parameters: parameters ?? { type: 'object', properties: {} },
    strict: strict ?? undefined,
    // Clients write the mark in both places.
    ...cacheOf(tool.function, `${field}.function`, problems),
    ...cacheOf(tool, field, problems),
    ...othersOf(tool, 'type', 'function', 'cache_control'),
    ...innerOf(tool.function, 'name', 'description', 'parameters', 'strict', 'cache_control'),
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
  const others = isObject(format) ? othersOf(format, 'type', 'json_schema') : {};
  if (type === 'text' || type === 'json_object') return { type, ...others };
  const read = type === 'json_schema' && isObject(described) ? schemaFormat(described) : undefined;
  if (read) return { ...read, ...others, ...innerOf(described as Json, 'name', 'schema', 'description', 'strict') };
  const message = 'must be {type: text}, {type: json_object} or {type: json_schema, json_schema: {name, schema}}';
  problems.push({ field: 'response_format', message });
  return undefined;
}
