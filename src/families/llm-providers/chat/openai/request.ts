import type { ChatHints, ChatMessage, ChatPart, ChatRequest, Translation, Variant } from '../chat.ts';
import { defined, type Json } from '../json.ts';
import { askedOf, isDefaulted, knownHints } from '../support.ts';
import { functionTools } from '../turns.ts';

export interface OpenAiTraits {
  refused?: Parameters<typeof askedOf>[1][];
  hints?: (keyof ChatHints)[];
  /** Whether calls carry `extra_content`: OpenAI itself refuses unknown fields. */
  echoesExtra?: boolean;
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
export function toOpenAiChat(model: string, request: ChatRequest, traits: OpenAiTraits = {}): Translation {
  const { toolChoice, tools } = request;
  const warnings: string[] = [];
  const unsupported = askedOf(request, ...(traits.refused ?? []));
  const has = (field: string) => !unsupported.includes(field);
  const hasNames = has('messages[].name');
  const body = defined({
    ...request.extra,
    model,
    messages: request.messages.map((message) => toMessage(message, hasNames, traits.echoesExtra ?? false)),
    tools: functionTools(tools),
    tool_choice:
      typeof toolChoice === 'object' ? { type: 'function', function: { name: toolChoice.name } } : toolChoice,
    parallel_tool_calls: request.parallelToolCalls,
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    reasoning_effort: request.reasoningEffort,
    verbosity: request.verbosity,
    logprobs: known(request.logprobs, traits, 'logprobs'),
    top_logprobs: known(request.topLogprobs, traits, 'top_logprobs'),
    logit_bias: known(request.logitBias, traits, 'logit_bias'),
    response_format: toResponseFormat(request.responseFormat),
    ...knownHints(request, traits.hints ?? ALL_HINTS, warnings),
  });
  const limited = withLimit(body, request);
  return {
    body: limited.body,
    variants: [...limited.variants, ...withoutDefaults(limited.body, request)],
    unsupported,
    warnings,
  };
}

/** Also a value that asks for nothing is refused where the field is. */
const known = <T>(value: T, { refused = [] }: OpenAiTraits, field: (typeof refused)[number]): T | undefined =>
  refused.includes(field) ? undefined : value;

/** The token limit has two names, and a model or an older server may know only one of them, or neither. */
function withLimit(body: Json, request: ChatRequest): { body: Json; variants: Variant[] } {
  const { maxTokens, isProbe, tokenLimitField = 'max_completion_tokens' } = request;
  if (maxTokens === undefined) return { body, variants: [] };
  const other = tokenLimitField === 'max_tokens' ? 'max_completion_tokens' : 'max_tokens';
  const mayOmit = isProbe || isDefaulted(request, 'maxTokens');
  const others: Json[] = [{ ...body, [other]: maxTokens }, ...(mayOmit ? [body] : [])];
  return {
    body: { ...body, [tokenLimitField]: maxTokens },
    variants: others.map((one) => ({ body: one, answers: refusesTokenCap })),
  };
}

/** A code of OpenAI without a name of a field, or the name in whatever words. */
const refusesTokenCap = (reason: string): boolean =>
  /max_(completion_)?tokens/.test(reason) ||
  (/\bun(supported|known)_parameter\b/.test(reason) && !/"param"\s*:\s*"/.test(reason));

function withoutDefaults(body: Json, request: ChatRequest): Variant[] {
  if (!isDefaulted(request, 'temperature')) return [];
  const { temperature: _, ...rest } = body;
  return [{ body: rest, answers: (reason) => reason.includes('temperature') }];
}

function toResponseFormat(format: ChatRequest['responseFormat']): unknown {
  if (format?.type !== 'json_schema') return format;
  const { name, description, schema, strict } = format;
  return { type: 'json_schema', json_schema: defined({ name, description, schema, strict }) };
}

function toMessage(message: ChatMessage, hasNames: boolean, echoesExtra: boolean): Json {
  if (message.role === 'tool') return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  const name = hasNames && message.name !== undefined ? { name: message.name } : {};
  switch (message.role) {
    case 'assistant': {
      const { content, refusal, toolCalls = [] } = message;
      const refused = refusal === undefined ? {} : { refusal };
      if (toolCalls.length === 0) return { role: 'assistant', content, ...refused, ...name };
      const calls = toolCalls.map(({ id, name, arguments: text, extra }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
        ...(echoesExtra && extra ? { extra_content: extra } : {}),
      }));
      return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls, ...refused, ...name };
    }
    case 'user':
      return {
        role: 'user',
        content: typeof message.content === 'string' ? message.content : message.content.map(toPart),
        ...name,
      };
    default:
      return { role: message.role, content: message.content, ...name };
  }
}

function toPart(part: ChatPart): Json {
  switch (part.type) {
    case 'text':
      return { type: 'text', text: part.text };
    case 'file_id':
      return { type: 'file', file: { file_id: part.id } };
    case 'file':
      return { type: 'file', file: defined({ filename: part.name, file_data: dataUrl(part) }) };
    default: {
      const url = part.type === 'image' ? dataUrl(part) : part.url;
      return { type: 'image_url', image_url: defined({ url, detail: part.detail }) };
    }
  }
}

const dataUrl = ({ mediaType, data }: { mediaType: string; data: string }) => `data:${mediaType};base64,${data}`;
