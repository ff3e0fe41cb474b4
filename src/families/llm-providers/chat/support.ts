import type { ChatHints, ChatPart, ChatRequest } from './chat.ts';

type Asked = (request: ChatRequest) => boolean;

const parts = ({ messages }: ChatRequest): ChatPart[] =>
  messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
const hasPart =
  (...types: ChatPart['type'][]): Asked =>
  (request) =>
    parts(request).some(({ type }) => types.includes(type));

/** Wire names of fields that some providers lack, and whether a request asks for more than OpenAI's default. */
const FIELDS = {
  seed: ({ seed }) => seed !== undefined,
  top_p: ({ topP = 1 }) => topP !== 1,
  frequency_penalty: ({ frequencyPenalty = 0 }) => frequencyPenalty !== 0,
  presence_penalty: ({ presencePenalty = 0 }) => presencePenalty !== 0,
  verbosity: ({ verbosity = 'medium' }) => verbosity !== 'medium',
  logprobs: ({ logprobs }) => logprobs === true,
  top_logprobs: ({ topLogprobs = 0 }) => topLogprobs > 0,
  logit_bias: ({ logitBias = {} }) => Object.keys(logitBias).length > 0,
  tool_choice: ({ toolChoice = 'auto' }) => toolChoice !== 'auto' && toolChoice !== 'none',
  'tools[].function.strict': ({ tools = [] }) => tools.some(({ strict }) => strict === true),
  'messages[].name': ({ messages }) => messages.some((one) => 'name' in one && one.name !== undefined),
  image_url: hasPart('image_url'),
  'image_url.detail': (request) => parts(request).some((one) => 'detail' in one && (one.detail ?? 'auto') !== 'auto'),
  file: hasPart('file', 'file_id'),
  'file.file_id': hasPart('file_id'),
} as const satisfies Record<string, Asked>;

type Field = keyof typeof FIELDS;

/** Those of the fields that the request asks for. */
export const askedOf = (request: ChatRequest, ...fields: Field[]): string[] =>
  fields.filter((field) => FIELDS[field](request));

/** What only OpenAI's dialect has. */
export const openAiOnly = (request: ChatRequest): string[] => [
  ...askedOf(request, 'verbosity', 'logprobs', 'top_logprobs', 'logit_bias', 'messages[].name', 'image_url.detail'),
  ...Object.keys(request.extra ?? {}),
];

/** The hints that the provider knows. The others are named in the warnings, unless they have OpenAI's default. */
export function knownHints(
  { hints = {} }: ChatRequest,
  known: readonly (keyof ChatHints)[],
  warnings: string[],
): ChatHints {
  const found = Object.entries(hints).filter(([, value]) => value !== undefined);
  const isKnown = (name: string) => (known as readonly string[]).includes(name);
  for (const [name, value] of found) {
    const isDefault = (name === 'store' && value === false) || (name === 'service_tier' && value === 'auto');
    if (!isKnown(name) && !isDefault) warnings.push(leftOut(name));
  }
  return Object.fromEntries(found.filter(([name]) => isKnown(name)));
}

const leftOut = (name: string) => `${name} was left out: the provider does not know it`;

export function warnOfParallelCalls({ parallelToolCalls }: ChatRequest, warnings: string[]): void {
  if (parallelToolCalls === false) warnings.push(leftOut('parallel_tool_calls'));
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

export const isDefaulted = ({ defaulted = [] }: ChatRequest, parameter: 'temperature' | 'maxTokens'): boolean =>
  defaulted.includes(parameter);
