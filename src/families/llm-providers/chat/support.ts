import type { ChatHints, ChatMessage, ChatPart, ChatRequest, EmbedRequest, UnknownFields, Variant } from './chat.ts';
import type { Json } from './json.ts';

type RequestTest = (request: ChatRequest) => boolean;

/** The parts of a content that came in parts. */
export const partsOf = (message: ChatMessage): readonly ChatPart[] =>
  message.role === 'user' ? (typeof message.content === 'string' ? [] : message.content) : (message.parts ?? []);
const parts = ({ messages }: ChatRequest): ChatPart[] => messages.flatMap((message) => [...partsOf(message)]);
const hasPart =
  (...types: ChatPart['type'][]): RequestTest =>
  (request) =>
    parts(request).some(({ type }) => types.includes(type));

/** Wire names of fields that some providers lack, and whether a request asks for more than OpenAI's default. */
const FIELDS = {
  seed: ({ seed }) => seed !== undefined,
  top_k: (request) => topKOf(request) !== undefined,
  top_p: ({ topP = 1 }) => topP !== 1,
  frequency_penalty: ({ frequencyPenalty = 0 }) => frequencyPenalty !== 0,
  presence_penalty: ({ presencePenalty = 0 }) => presencePenalty !== 0,
  verbosity: ({ verbosity = 'medium' }) => verbosity !== 'medium',
  logprobs: ({ logprobs }) => logprobs === true,
  top_logprobs: ({ topLogprobs = 0 }) => topLogprobs > 0,
  logit_bias: ({ logitBias = {} }) => Object.keys(logitBias).length > 0,
  tool_choice: ({ toolChoice = 'auto' }) => toolChoice !== 'auto' && toolChoice !== 'none',
  'tools[].function.strict': ({ tools = [] }) => tools.some(({ strict }) => strict === true),
  'messages[].name': ({ messages }) => messages.some((message) => 'name' in message && message.name !== undefined),
  image_url: hasPart('image_url'),
  'image_url.detail': (request) =>
    parts(request).some((part) => 'detail' in part && (part.detail ?? 'auto') !== 'auto'),
  file: hasPart('file', 'file_id'),
  'file.file_id': hasPart('file_id'),
} as const satisfies Record<string, RequestTest>;

/** Undefined where it asks for nothing. */
export const topKOf = ({ topK = 0 }: ChatRequest): number | undefined => (topK > 0 ? topK : undefined);

type Field = keyof typeof FIELDS;

/** Fields that the request asks for, among those that are named. */
export const askedOf = (request: ChatRequest, ...fields: Field[]): string[] =>
  fields.filter((field) => FIELDS[field](request));

/** Fields of the request that only OpenAI's dialect has. */
export const openAiOnly = (request: ChatRequest): string[] => [
  ...askedOf(request, 'verbosity', 'logprobs', 'top_logprobs', 'logit_bias', 'messages[].name', 'image_url.detail'),
  ...Object.keys(request.extra ?? {}),
];

/** The hints that the provider knows. The others are named in the warnings, unless they have OpenAI's default. */
export function knownHints(
  { hints = {} }: ChatRequest,
  supported: readonly (keyof ChatHints)[],
  warnings: string[],
): ChatHints {
  const entries = Object.entries(hints).filter(([, value]) => value !== undefined);
  const isKnown = (name: string) => (supported as readonly string[]).includes(name);
  for (const [name, value] of entries) {
    const isDefault = (name === 'store' && value === false) || (name === 'service_tier' && value === 'auto');
    if (!isKnown(name) && !isDefault) warnings.push(leftOut(name));
  }
  return Object.fromEntries(entries.filter(([name]) => isKnown(name)));
}

const leftOut = (name: string) => `${name} was left out: the provider does not know it`;

export function warnOfParallelCalls({ parallelToolCalls }: ChatRequest, warnings: string[]): void {
  if (parallelToolCalls === false) warnings.push(leftOut('parallel_tool_calls'));
}

/** Without tools there is nothing to choose, and a provider refuses a choice. `none` stays: a history may have calls. */
export function chosenTool({ toolChoice, tools }: ChatRequest, warnings: string[]): ChatRequest['toolChoice'] {
  if (tools !== undefined || toolChoice === 'none') return toolChoice;
  if (toolChoice !== undefined && toolChoice !== 'auto') {
    warnings.push('tool_choice was left out: the request has no tools');
  }
  return undefined;
}

/** Names the fields inside of messages, tools and response_format that are not sent. @param sent names of those that are */
export function warnOfOthers(request: ChatRequest, warnings: string[], sent: readonly string[] = []): void {
  for (const name of namesOfOthers(request)) if (!sent.includes(name)) warnings.push(leftOut(name));
}

/** Names the fields of a request for embeddings that are not sent. @param sent names of those that are */
export function embedWarnings({ user, others }: EmbedRequest, sent: readonly string[] = []): string[] {
  const names = [...(user === undefined ? [] : ['user']), ...Object.keys(others ?? {})];
  return names.filter((name) => !sent.includes(name)).map(leftOut);
}

function namesOfOthers({ messages, tools = [], responseFormat: format }: ChatRequest): Set<string> {
  const names = new Set<string>();
  const add = (others: UnknownFields | undefined, path: string) => {
    for (const name of Object.keys(others ?? {})) names.add(`${path}.${name}`);
  };
  for (const message of messages) {
    add(message.others, 'messages[]');
    for (const part of partsOf(message)) {
      add(part.others, 'messages[].content[]');
      if (part.type !== 'text')
        add(part.inner, `messages[].content[].${/^file/.test(part.type) ? 'file' : 'image_url'}`);
    }
    if (message.role !== 'assistant') continue;
    if (message.reasoning) names.add('messages[].reasoning_content');
    for (const { others } of message.toolCalls ?? []) add(others, 'messages[].tool_calls[]');
  }
  for (const { others, inner } of tools) {
    add(others, 'tools[]');
    add(inner, 'tools[].function');
  }
  add(format?.others, 'response_format');
  if (format?.type === 'json_schema') add(format.inner, 'response_format.json_schema');
  return names;
}

export function clampTemperature(temperature: number | undefined, warnings: string[]): number | undefined {
  if (temperature === undefined || temperature <= 1) return temperature;
  warnings.push('temperature was reduced to 1, the most that the provider takes');
  return 1;
}

/** The provider's word for a reasoning effort. Values that are not in the table go through. */
export function effortOf(
  { reasoningEffort: effort }: ChatRequest,
  words: Readonly<Record<string, string>>,
  warnings: string[],
): string | undefined {
  const word = effort === undefined || !Object.hasOwn(words, effort) ? effort : words[effort];
  if (word !== effort)
    warnings.push(`reasoning_effort ${effort} was sent as ${word}, the nearest that the provider has`);
  return word;
}

const REFUSES_EFFORT =
  /reasoning.?effort|\beffort\b|\breasoning\b|\bthink(?:ing)?\b|thinking.?(?:level|budget|config)/i;

/** Another try where the request only hints at an effort: not every model reasons. @param body the same without it */
export function withoutEffort({ effortIsHint, reasoningEffort }: ChatRequest, body: Json): Variant[] {
  if (!effortIsHint || reasoningEffort === undefined) return [];
  const answers = (reason: string) => REFUSES_EFFORT.test(reason) && !/signature/i.test(reason);
  return [{ body, answers, warning: `reasoning_effort ${reasoningEffort} was left out: the model refuses it` }];
}

export const isDefaulted = ({ defaulted = [] }: ChatRequest, parameter: 'temperature' | 'maxTokens'): boolean =>
  defaulted.includes(parameter);
