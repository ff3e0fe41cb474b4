import type { ChatRequest, Translation, Variant } from '../chat.ts';
import { asObject, defined, definedOrNothing, type Json } from '../json.ts';
import { withAnswerTool } from '../structuredOutput.ts';
import {
  askedOf,
  chosenTool,
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
import { objectSchema, splitSystem } from '../turns.ts';
import { isInResults, toContents, withoutSignatures } from './contents.ts';

const MAX_STOPS = 5;
const LEVELS = { xhigh: 'high', max: 'high' };
/** Models before the third count thinking tokens. */
const BUDGETS: Readonly<Record<string, number>> = { none: 0, minimal: 1024, low: 1024, medium: 8192, high: 24_576 };

export function toGeminiChat(model: string, given: ChatRequest): Translation {
  const warnings: string[] = [];
  const isOlder = /gemini-[12]\b/.test(model);
  const request = withNotes(given, (part) => !isOlder && isInResults(part), warnings);
  const messages = pairCalls(request.messages);
  const { system, turns } = splitSystem({ ...request, messages }, false);
  const { tools, responseFormat, stop = [] } = request;
  warnOfParallelCalls(request, warnings);
  // The text of its thoughts is only shown: their signatures go back with the calls.
  warnOfOthers(request, warnings, ['messages[].reasoning_content']);
  knownHints(request, [], warnings);
  const effort = effortOf(request, LEVELS, warnings);
  const isJson = responseFormat !== undefined && responseFormat.type !== 'text';
  const generationConfig = definedOrNothing({
    maxOutputTokens: request.maxTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: topKOf(request),
    stopSequences: stop.length > 0 ? stop.slice(0, MAX_STOPS) : undefined,
    seed: request.seed,
    frequencyPenalty: request.frequencyPenalty,
    presencePenalty: request.presencePenalty,
    thinkingConfig: toThinking(effort, isOlder),
    responseMimeType: isJson ? 'application/json' : undefined,
    responseJsonSchema: responseFormat?.type === 'json_schema' ? responseFormat.schema : undefined,
  });
  const body = defined({
    contents: toContents(turns),
    systemInstruction: system.length > 0 ? { parts: system.map(({ text }) => ({ text })) } : undefined,
    generationConfig,
    tools: tools && [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) =>
          defined({ name, description, parametersJsonSchema: objectSchema(parameters) }),
        ),
      },
    ],
    toolConfig: toToolConfig({ ...request, toolChoice: chosenTool(request, warnings) }),
  });
  const unsupported = [
    ...askedOf(request, 'image_url', 'file.file_id', 'tools[].function.strict'),
    ...openAiOnly(request),
    ...(stop.length > MAX_STOPS ? ['stop'] : []),
  ];
  return { body, variants: variantsOf(model, given, body, effort), unsupported, warnings };
}

/** `none` has no level of its own. */
function toThinking(effort: string | undefined, byBudget: boolean): Json | undefined {
  if (effort === undefined) return undefined;
  const thinkingBudget = BUDGETS[effort];
  const extent =
    thinkingBudget !== undefined && (byBudget || effort === 'none') ? { thinkingBudget } : { thinkingLevel: effort };
  return effort === 'none' ? extent : { ...extent, includeThoughts: true };
}

function toToolConfig({ toolChoice, tools }: ChatRequest): Json | undefined {
  if (toolChoice === undefined || tools === undefined) return undefined;
  if (typeof toolChoice === 'object') {
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [toolChoice.name] } };
  }
  return { functionCallingConfig: { mode: { auto: 'AUTO', required: 'ANY', none: 'NONE' }[toolChoice] } };
}

function variantsOf(model: string, request: ChatRequest, body: Json, effort: string | undefined): Variant[] {
  const variants: Variant[] = [];
  const config = asObject(body.generationConfig);
  if (isDefaulted(request, 'temperature')) {
    const { temperature: _, ...plainConfig } = config;
    const plain = defined({ ...body, generationConfig: definedOrNothing(plainConfig) });
    variants.push({ body: plain, answers: (reason) => reason.includes('temperature') });
  }
  const { thinkingConfig: _, ...thoughtless } = config;
  variants.push(...withoutEffort(request, defined({ ...body, generationConfig: definedOrNothing(thoughtless) })));
  const thinkingConfig = toThinking(effort, true);
  if (asObject(config.thinkingConfig).thinkingLevel !== undefined && thinkingConfig?.thinkingBudget !== undefined) {
    const budget = { ...body, generationConfig: { ...config, thinkingConfig } };
    variants.push({ body: budget, answers: (reason) => /thinking.?level/i.test(reason) });
  }
  // Older models have no schemas, or none beside tools.
  const forced = withAnswerTool(request);
  if (forced) {
    const answers = (reason: string) => /response.?(mime.?type|json.?schema|schema)/i.test(reason);
    variants.push({ body: toGeminiChat(model, forced).body, answers });
  }
  // A signature of another key or model.
  const unsigned = withoutSignatures(body);
  if (unsigned) variants.push({ body: unsigned, answers: (reason) => /signature/i.test(reason) });
  return variants;
}
