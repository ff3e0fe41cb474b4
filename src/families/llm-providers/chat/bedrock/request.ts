import { stringifyExact } from '../../../../contract/exactJson.ts';
import type { ChatHints, ChatRequest, ChatTool, Translation, Variant } from '../chat.ts';
import { asObject, defined, definedOrNothing, type Json } from '../json.ts';
import { OWN_TEXTS } from '../ownTexts.ts';
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
  warnOfParallelCalls,
  withoutEffort,
} from '../support.ts';
import { pairCalls } from '../toolAliases.ts';
import { withNotes } from '../toolResults.ts';
import { calledTools, objectSchema, splitSystem } from '../turns.ts';
import {
  cachePoint,
  hasFormat,
  textBlocks,
  toMessages,
  unknownParts,
  withoutCachePoints,
  withoutReasoning,
  withPoint,
} from './messages.ts';

const EFFORTS = { minimal: 'low' };

/** The input of Converse but for the model. */
export function toConverse(model: string, given: ChatRequest): Translation {
  const forced = withAnswerTool(given);
  if (forced && lacksSchemas(model)) return toConverse(model, forced);
  const warnings: string[] = [];
  const request = withNotes(given, hasFormat, warnings);
  const { topP, stop, maxTokens } = request;
  const topK = topKOf(request);
  const toolChoice = chosenTool(request, warnings);
  const messages = pairCalls(request.messages);
  const { system, turns } = splitSystem({ ...request, messages }, true);
  const unsupported = [
    ...askedOf(request, 'seed', 'frequency_penalty', 'presence_penalty', 'image_url', 'file.file_id'),
    ...openAiOnly(request),
    ...unknownParts(request),
    ...(topK !== undefined && !samplingField(model, topK) ? ['top_k'] : []),
  ];
  warnOfParallelCalls(request, warnings);
  // The text of its reasoning is only shown: the blocks go back in the carrier.
  warnOfOthers(request, warnings, ['messages[].reasoning_content']);
  const temperature = clampTemperature(request.temperature, warnings);
  const effort = effortOf(request, EFFORTS, warnings);
  const tools = request.tools ?? calledTools(messages);
  const isMuted = toolChoice === 'none' && tools.length > 0;
  const texts = [...system, ...(isMuted ? [{ text: OWN_TEXTS.noTools }] : [])];
  const stopSequences = stop !== undefined && stop.length > 0 ? stop : undefined;
  const body = defined({
    messages: toMessages(turns),
    system: texts.length > 0 ? texts.flatMap(textBlocks).flatMap(withPoint) : undefined,
    inferenceConfig: definedOrNothing({ maxTokens, temperature, topP, stopSequences }),
    toolConfig: tools.length > 0 ? toToolConfig(tools, toolChoice) : undefined,
    outputConfig: definedOrNothing({
      effort: effort === 'none' ? undefined : effort,
      textFormat: toTextFormat(request.responseFormat),
    }),
    requestMetadata: toMetadata(request, warnings),
    additionalModelRequestFields: topK === undefined ? undefined : samplingField(model, topK),
    // Converse itself does not say which text it was.
    additionalModelResponseFieldPaths: stopSequences && isClaude(model) ? ['/stop_sequence'] : undefined,
  });
  return { body, variants: variantsOf(model, request, body, forced), unsupported, warnings };
}

const isClaude = (model: string): boolean => /\banthropic\./.test(model);

/** Converse has no field for it, but some models have; undefined for the others. */
function samplingField(model: string, topK: number): Json | undefined {
  if (isClaude(model)) return { top_k: topK };
  return /\bamazon\.nova/.test(model) ? { inferenceConfig: { topK } } : undefined;
}

function toToolConfig(tools: readonly ChatTool[], toolChoice: ChatRequest['toolChoice']): Json {
  const choice = {
    ...(toolChoice === 'auto' ? { auto: {} } : {}),
    ...(toolChoice === 'required' ? { any: {} } : {}),
    ...(typeof toolChoice === 'object' ? { tool: { name: toolChoice.name } } : {}),
  };
  return {
    tools: tools.flatMap(({ name, description, parameters, strict, cache }) =>
      withPoint({
        toolSpec: defined({
          name,
          // An empty description is refused.
          description: description || undefined,
          inputSchema: { json: objectSchema(parameters) },
          strict: strict || undefined,
        }),
        ...cachePoint(cache),
      }),
    ),
    ...(Object.keys(choice).length > 0 ? { toolChoice: choice } : {}),
  };
}

function toTextFormat(format: ChatRequest['responseFormat']): Json | undefined {
  if (format?.type !== 'json_schema') return undefined;
  const { name, description, schema } = format;
  return {
    type: 'json_schema',
    structure: { jsonSchema: defined({ name, description, schema: stringifyExact(schema) }) },
  };
}

/** At most 16 entries of these characters. */
const METADATA = /^[A-Za-z0-9\s:_@$#=/+,.-]{0,256}$/;

function toMetadata(request: ChatRequest, warnings: string[]): Json | undefined {
  const { metadata, ...ids }: ChatHints = knownHints(request, ['user', 'safety_identifier', 'metadata'], warnings);
  const entries = Object.entries({ ...metadata, ...ids });
  const fits = (text: unknown) => METADATA.test(String(text));
  const taken = entries.filter(([key, value], index) => key !== '' && fits(key) && fits(value) && index < 16);
  if (taken.length < entries.length) warnings.push('some metadata was left out: the provider does not take such texts');
  return definedOrNothing(Object.fromEntries(taken));
}

function variantsOf(model: string, request: ChatRequest, body: Json, forced: ChatRequest | undefined): Variant[] {
  const variants: Variant[] = [];
  if (isDefaulted(request, 'temperature')) {
    const { temperature: _, ...inference } = body.inferenceConfig as Json;
    const plain = defined({ ...body, inferenceConfig: definedOrNothing(inference) });
    variants.push({ body: plain, answers: (reason) => reason.includes('temperature') });
  }
  const { effort: _, ...config } = asObject(body.outputConfig);
  variants.push(...withoutEffort(request, defined({ ...body, outputConfig: definedOrNothing(config) })));
  if (forced) {
    const answers = (reason: string) =>
      /output_?config|output_?format|text_?format|json_?schema|structured output/i.test(reason);
    variants.push({ body: toConverse(model, forced).body, answers });
  }
  const unmarked = withoutCachePoints(body);
  if (unmarked) variants.push({ body: unmarked, answers: (reason) => /cach(?:e|ing)/i.test(reason) });
  const plain = withoutReasoning(body);
  if (plain) variants.push({ body: plain, answers: (reason) => /invalid.{0,20}signature/i.test(reason) });
  return variants;
}
