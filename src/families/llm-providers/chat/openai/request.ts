import { argumentsText } from '../../../../domain/values/json.ts';
import type { ChatHints, ChatMessage, ChatPart, ChatRequest, ChatTool, Translation, Variant } from '../chat.ts';
import { ECHOED } from '../echoed.ts';
import { defined, type Json } from '../json.ts';
import { withAnswerTool } from '../structuredOutput.ts';
import { askedOf, chosenTool, isDefaulted, knownHints, warnOfOthers, withoutEffort } from '../support.ts';
import { withNotes } from '../toolResults.ts';
import { cacheControl, systemFirst } from '../turns.ts';

export interface OpenAiTraits {
  refused?: Parameters<typeof askedOf>[1][];
  hints?: (keyof ChatHints)[];
  /** Whether it is sent fields inside of messages and tools that OpenAI does not know, and refuses: `extra_content` and the like. */
  takesOthers?: boolean;
  /** Whether instructions are known at the beginning alone. */
  isSystemFirst?: boolean;
}

const ALL_HINTS: (keyof ChatHints)[] = [
  'user',
  'safety_identifier',
  'metadata',
  'store',
  'prompt_cache_key',
  'service_tier',
];

/** Chat Completions. */
export function toOpenAiChat(model: string, given: ChatRequest, traits: OpenAiTraits = {}): Translation {
  const warnings: string[] = [];
  const noted = withNotes(given, () => false, warnings);
  const request = traits.isSystemFirst ? { ...noted, messages: systemFirst(noted.messages) } : noted;
  const plain = traits.takesOthers ? request : withoutOthers(request, warnings);
  const { tools } = plain;
  const toolChoice = chosenTool(plain, warnings);
  const unsupported = askedOf(request, ...(traits.refused ?? []), ...(traits.takesOthers ? [] : (['top_k'] as const)));
  const has = (field: string) => !unsupported.includes(field);
  const hasNames = has('messages[].name');
  const body = defined({
    ...request.extra,
    model,
    messages: plain.messages.map((message) => toMessage(message, hasNames)),
    tools: tools?.map(toTool),
    tool_choice: tools && toToolChoice(toolChoice),
    parallel_tool_calls: tools && request.parallelToolCalls,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: traits.takesOthers ? request.topK : undefined,
    stop: request.stop,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    reasoning_effort: request.reasoningEffort,
    verbosity: request.verbosity,
    logprobs: unlessRefused(request.logprobs, traits, 'logprobs'),
    top_logprobs: unlessRefused(request.topLogprobs, traits, 'top_logprobs'),
    logit_bias: unlessRefused(request.logitBias, traits, 'logit_bias'),
    response_format: toResponseFormat(plain.responseFormat),
    ...knownHints(request, traits.hints ?? ALL_HINTS, warnings),
  });
  const limited = withLimit(body, request);
  const { reasoning_effort: _, ...effortless } = limited.body;
  return {
    body: limited.body,
    variants: [
      ...withoutEffort(request, effortless),
      ...limited.variants,
      ...withoutDefaults(limited.body, request),
      ...byAnswerTool(model, request, traits),
      ...withoutEchoes(limited.body, plain, hasNames),
    ],
    unsupported,
    warnings,
  };
}

/** Also a value that asks for nothing is refused where the field is. */
const unlessRefused = <T>(value: T, { refused = [] }: OpenAiTraits, field: (typeof refused)[number]): T | undefined =>
  refused.includes(field) ? undefined : value;

/** Without the fields that OpenAI refuses since it does not know them. */
function withoutOthers(request: ChatRequest, warnings: string[]): ChatRequest {
  warnOfOthers(request, warnings);
  const { responseFormat: format } = request;
  return {
    ...request,
    messages: request.messages.map(withoutOthersOf),
    tools: request.tools?.map((tool) => ({ ...tool, others: undefined, inner: undefined, cache: undefined })),
    responseFormat:
      format &&
      (format.type === 'json_schema' ? { ...format, others: undefined, inner: undefined } : { type: format.type }),
  };
}

function withoutOthersOf(message: ChatMessage): ChatMessage {
  const plain = { ...message, others: undefined, cache: undefined };
  if (plain.role === 'user') {
    const { content } = plain;
    return typeof content === 'string' ? plain : { ...plain, content: content.map(withoutOthersOfPart) };
  }
  if (plain.role === 'tool') return { ...plain, parts: plain.parts?.map(withoutOthersOfPart) };
  const texts = plain.parts?.map(withoutOthersOfPart);
  if (plain.role !== 'assistant') return { ...plain, parts: texts };
  const toolCalls = plain.toolCalls?.map((call) => ({ ...call, others: undefined, extra: undefined }));
  return { ...plain, parts: texts, reasoning: undefined, toolCalls };
}

const withoutOthersOfPart = <P extends ChatPart>(part: P): P => ({
  ...part,
  others: undefined,
  inner: undefined,
  cache: undefined,
});

/** The token limit has two names, and a model or an older server may know only one of them, or neither. */
function withLimit(body: Json, request: ChatRequest): { body: Json; variants: Variant[] } {
  const { maxTokens, isProbe, tokenLimitField = 'max_completion_tokens' } = request;
  if (maxTokens === undefined) return { body, variants: [] };
  const other = tokenLimitField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const mayOmit = isProbe || isDefaulted(request, 'maxTokens');
  // A model that demands the newer name refuses a temperature next.
  const base = other === 'max_completion_tokens' ? withoutTemperature(body, request) : body;
  const others: Json[] = [{ ...base, [other]: maxTokens }, ...(mayOmit ? [body] : [])];
  return {
    body: { ...body, [tokenLimitField]: maxTokens },
    variants: others.map((variant) => ({ body: variant, answers: refusesTokenCap })),
  };
}

function withoutTemperature(body: Json, request: ChatRequest): Json {
  if (!isDefaulted(request, 'temperature')) return body;
  const { temperature: _, ...plain } = body;
  return plain;
}

/** A code of OpenAI without a name of a field, or the name in whatever words. */
const refusesTokenCap = (reason: string): boolean =>
  /max_(completion_)?tokens/.test(reason) ||
  (/\bun(supported|known)_parameter\b/.test(reason) && !/"param"\s*:\s*"/.test(reason));

/** Also the newer name of the token limit where the words are those of OpenAI, whose models demand it then. */
function withoutDefaults(body: Json, request: ChatRequest): Variant[] {
  if (!isDefaulted(request, 'temperature')) return [];
  const plain = withoutTemperature(body, request);
  const isRefused = (reason: string) => reason.includes('temperature');
  const { max_tokens, ...unlimited } = plain;
  return [
    ...(max_tokens === undefined
      ? []
      : [
          {
            body: { ...unlimited, max_completion_tokens: max_tokens },
            answers: (reason: string) => isRefused(reason) && /unsupported[_ ]value/i.test(reason),
          },
        ]),
    { body: plain, answers: isRefused },
  ];
}

/** Servers that have no schemas of their own have tools. A schema or an answer that is refused is another matter. */
function byAnswerTool(model: string, request: ChatRequest, traits: OpenAiTraits): Variant[] {
  const forced = withAnswerTool(request);
  if (!forced) return [];
  const answers = (reason: string) =>
    /response.?format|json.?schema|json.?mode|structured.?output|guided.?decoding/i.test(reason) &&
    !/invalid (?:json )?schema|json_validate_failed/i.test(reason);
  return [{ body: toOpenAiChat(model, forced, traits).body, answers }];
}

/** Some servers show reasoning, and refuse to be sent it again. Others refuse its absence. */
function withoutEchoes(body: Json, { messages }: ChatRequest, hasNames: boolean): Variant[] {
  const plain = messages.map(withoutEchoesOf);
  if (plain.every((message, index) => message === messages[index])) return [];
  return [
    {
      body: { ...body, messages: plain.map((message) => toMessage(message, hasNames)) },
      answers: (reason) =>
        ['reasoning_content', 'extra_content', ...ECHOED].some((name) => reason.includes(name)) &&
        !/\b(?:missing|required|must be (?:passed|sent|provided|included))\b/i.test(reason),
      warning: 'reasoning of earlier answers was left out: the provider refuses it',
    },
  ];
}

function withoutEchoesOf(message: ChatMessage): ChatMessage {
  if (message.role !== 'assistant') return message;
  const { reasoning, others, toolCalls } = message;
  const left = Object.entries(others ?? {}).filter(([name]) => !ECHOED.includes(name));
  const hasEchoes = left.length < Object.keys(others ?? {}).length || toolCalls?.some(({ extra }) => extra);
  if (!reasoning && !hasEchoes) return message;
  return {
    ...message,
    reasoning: undefined,
    others: Object.fromEntries(left),
    toolCalls: toolCalls?.map((call) => ({ ...call, extra: undefined })),
  };
}

function toTool({ name, description, parameters, strict, others, inner, cache }: ChatTool): Json {
  const described = defined({ ...inner, name, description, parameters, strict });
  return { ...others, type: 'function', function: described, ...cacheControl(cache) };
}

const toToolChoice = (choice: ChatRequest['toolChoice']): unknown =>
  typeof choice === 'object' ? { type: 'function', function: { name: choice.name } } : choice;

function toResponseFormat(format: ChatRequest['responseFormat']): unknown {
  if (format?.type !== 'json_schema') return format && { ...format.others, type: format.type };
  const { name, description, schema, strict, others, inner } = format;
  return { ...others, type: 'json_schema', json_schema: defined({ ...inner, name, description, schema, strict }) };
}

function toMessage(message: ChatMessage, hasNames: boolean): Json {
  const others = { ...message.others, ...cacheControl(message.cache) };
  if (message.role === 'tool') {
    return { ...others, role: 'tool', tool_call_id: message.toolCallId, content: contentOf(message) };
  }
  const name = hasNames && message.name !== undefined ? { name: message.name } : {};
  switch (message.role) {
    case 'assistant': {
      const { content, refusal, reasoning, toolCalls = [] } = message;
      const more = {
        ...(refusal === undefined ? {} : { refusal }),
        ...(reasoning ? { reasoning_content: reasoning } : {}),
      };
      if (toolCalls.length === 0)
        return { ...others, role: 'assistant', content: contentOf(message), ...more, ...name };
      const calls = toolCalls.map(({ id, name, arguments: text, extra, others }) => ({
        ...others,
        id,
        type: 'function',
        // Templates of prompts read them as JSON.
        function: { name, arguments: argumentsText(text) ?? text },
        ...(extra ? { extra_content: extra } : {}),
      }));
      const said = content === '' ? null : contentOf(message);
      return { ...others, role: 'assistant', content: said, tool_calls: calls, ...more, ...name };
    }
    case 'user':
      return {
        ...others,
        role: 'user',
        content: typeof message.content === 'string' ? message.content : message.content.map(toPart),
        ...name,
      };
    default:
      return { ...others, role: message.role, content: contentOf(message), ...name };
  }
}

const contentOf = ({ content, parts }: Exclude<ChatMessage, { role: 'user' }>): unknown =>
  parts ? parts.map(toPart) : content;

function toPart(part: ChatPart): Json {
  const others = { ...part.others, ...cacheControl(part.cache) };
  switch (part.type) {
    case 'text':
      return { ...others, type: 'text', text: part.text };
    case 'file_id':
      return { ...others, type: 'file', file: { ...part.inner, file_id: part.id } };
    case 'file': {
      const file = defined({ ...part.inner, filename: part.name, file_data: dataUrl(part) });
      return { ...others, type: 'file', file };
    }
    default: {
      const url = part.type === 'image' ? dataUrl(part) : part.url;
      const image = defined({ ...part.inner, url, detail: part.detail });
      return { ...others, type: 'image_url', image_url: image };
    }
  }
}

const dataUrl = ({ mediaType, data }: { mediaType: string; data: string }) => `data:${mediaType};base64,${data}`;
