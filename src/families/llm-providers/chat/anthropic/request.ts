import { createHash } from 'node:crypto';
import type { ChatRequest, Translation, Variant } from '../chat.ts';
import { asList, asObject, defined, definedOrNothing, type Json } from '../json.ts';
import { lacksSchemas, withAnswerTool } from '../structuredOutput.ts';
import {
  askedOf,
  chosenTool,
  clampTemperature,
  effortOf,
  isDefaulted,
  knownHints,
  openAiOnly,
  topKOf,
  warnOfOthers,
  withoutEffort,
} from '../support.ts';
import { pairCalls } from '../toolAliases.ts';
import { withNotes } from '../toolResults.ts';
import { cacheControl, calledTools, objectSchema } from '../turns.ts';
import { isInResults, isReadable, lacksThinking, toMessages, withoutThinking } from './messages.ts';
import { joinedPrompt, promptOf } from './system.ts';

/** The field is mandatory. */
const DEFAULT_MAX_TOKENS = 4096;
const EFFORTS = { minimal: 'low' };
/** For models that know no effort. The smallest is the least that the API takes. */
const BUDGETS: Readonly<Record<string, number>> = { low: 1024, medium: 4096, high: 16_384, xhigh: 32_768, max: 32_768 };

export function toAnthropicChat(model: string, given: ChatRequest): Translation {
  const forced = withAnswerTool(given);
  if (forced && lacksSchemas(model)) return toAnthropicChat(model, forced);
  const warnings: string[] = [];
  const request = withNotes(given, isInResults, warnings);
  const { temperature, topP, isSplit } = sampling(request);
  const stop = request.stop?.filter((text) => text.trim() !== '');
  const unsupported = [
    ...askedOf(request, 'seed', 'frequency_penalty', 'presence_penalty', 'file.file_id'),
    ...openAiOnly(request),
    ...(isSplit ? ['top_p'] : []),
    ...(stop?.length === request.stop?.length ? [] : ['stop']),
    ...unknownFiles(request),
  ];
  const messages = pairCalls(request.messages);
  const prompt = toPrompt(promptOf(model, { ...request, messages }));
  const called = calledTools(messages);
  const tools = request.tools ?? (called.length > 0 ? called : undefined);
  const effort = effortOf(request, EFFORTS, warnings);
  const toolChoice = chosenTool(request, warnings);
  // The text of its thinking is only shown: the blocks go back in the carrier.
  warnOfOthers(request, warnings, ['messages[].reasoning_content']);
  const body = defined({
    model,
    max_tokens: request.maxTokens ?? DEFAULT_MAX_TOKENS,
    ...prompt,
    temperature: clampTemperature(temperature, warnings),
    top_p: topP,
    top_k: topKOf(request),
    stop_sequences: stop !== undefined && stop.length > 0 ? stop : undefined,
    tools: tools?.map(({ name, description, parameters, strict, cache }) =>
      defined({
        name,
        description,
        input_schema: objectSchema(parameters),
        strict: strict || undefined,
        ...cacheControl(cache),
      }),
    ),
    tool_choice: request.tools === undefined && tools ? { type: 'none' } : toToolChoice({ ...request, toolChoice }),
    thinking: effort === 'none' ? { type: 'disabled' } : undefined,
    output_config: definedOrNothing({
      effort: effort === 'none' ? undefined : effort,
      format: toFormat(request.responseFormat),
    }),
    metadata: toMetadata(request, warnings),
  });
  return { body, variants: variantsOf(model, { ...request, messages }, body, forced), unsupported, warnings };
}

const toPrompt = ({ system, turns, placed }: ReturnType<typeof promptOf>): Json => ({
  system:
    system.length > 0 ? system.map(({ text, cache }) => ({ type: 'text', text, ...cacheControl(cache) })) : undefined,
  messages: toMessages(turns, placed),
});

/** One of the two only, and of a default and a value that the caller sent, the value. */
function sampling(request: ChatRequest) {
  const { temperature, topP = 1 } = request;
  if (temperature === undefined || topP === 1)
    return { temperature, topP: topP === 1 ? undefined : topP, isSplit: false };
  if (temperature === 1 || isDefaulted(request, 'temperature')) return { topP, isSplit: false };
  return { temperature, isSplit: true };
}

const unknownFiles = ({ messages }: ChatRequest): string[] =>
  messages.some(
    ({ content }) => typeof content !== 'string' && content.some((part) => part.type === 'file' && !isReadable(part)),
  )
    ? ['file']
    : [];

function toToolChoice({ toolChoice, parallelToolCalls, tools }: ChatRequest): Json | undefined {
  if (tools === undefined) return undefined;
  const single = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === 'none') return { type: 'none' };
  if (toolChoice === 'required') return { type: 'any', ...single };
  if (typeof toolChoice === 'object') return { type: 'tool', name: toolChoice.name, ...single };
  return toolChoice === 'auto' || parallelToolCalls === false ? { type: 'auto', ...single } : undefined;
}

const toFormat = (format: ChatRequest['responseFormat']) =>
  format?.type === 'json_schema' ? { type: 'json_schema', schema: format.schema } : undefined;

/** Hashed, since the API wants nothing in it that identifies a person. */
function toMetadata(request: ChatRequest, warnings: string[]): Json | undefined {
  const { user, safety_identifier } = knownHints(request, ['user', 'safety_identifier'], warnings);
  const id = user ?? safety_identifier;
  return id === undefined ? undefined : { user_id: createHash('sha256').update(id).digest('hex') };
}

function variantsOf(model: string, request: ChatRequest, body: Json, forced: ChatRequest | undefined): Variant[] {
  const variants: Variant[] = [];
  if (isDefaulted(request, 'temperature') && body.temperature !== undefined) {
    const { temperature: _, ...plain } = body;
    variants.push({ body: plain, answers: (reason) => reason.includes('temperature') });
  }
  const thoughtful = withBudget(
    model,
    isDefaulted(request, 'temperature') ? { ...body, temperature: undefined } : body,
  );
  if (thoughtful) variants.push({ body: thoughtful, answers: (reason) => /\beffort\b/i.test(reason) });
  const { effort: _, ...config } = asObject(body.output_config);
  variants.push(
    ...withoutEffort(request, defined({ ...body, thinking: undefined, output_config: definedOrNothing(config) })),
  );
  if (forced) {
    const answers = (reason: string) => /output_config|output.?format|json_schema|structured output/i.test(reason);
    variants.push({ body: toAnthropicChat(model, forced).body, answers });
  }
  if (asList(body.messages).some((message) => asObject(message).role === 'system')) {
    const joined = defined({ ...body, ...toPrompt(joinedPrompt(request)) });
    variants.push({ body: joined, answers: (reason) => /\brole\b|\bsystem\b/i.test(reason) });
  }
  // Blocks of another model, key or history.
  const plain = withoutThinking(body);
  if (plain) variants.push({ body: plain, answers: (reason) => /invalid.{0,20}signature/i.test(reason) });
  return variants;
}

/** Models that know neither an effort nor thinking. */
const THOUGHTLESS = /claude-(?:v?[12]\b|instant|3(?![-.]7))/;

/** Undefined where the model would refuse to think, also since it must call a tool at once. */
function withBudget(model: string, body: Json): Json | undefined {
  const isForced = /^(?:any|tool)$/.test(String(asObject(body.tool_choice).type));
  if (isForced || THOUGHTLESS.test(model) || lacksThinking(asList(body.messages).map(asObject))) return undefined;
  const { effort, ...config } = asObject(body.output_config);
  const budget = Math.min(BUDGETS[String(effort)] ?? 0, Number(body.max_tokens) - 1);
  if (budget < 1024) return undefined;
  const output_config = definedOrNothing(config);
  return defined({ ...body, thinking: { type: 'enabled', budget_tokens: budget }, output_config });
}
