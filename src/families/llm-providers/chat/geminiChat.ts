import type {
  ChatAnswer,
  ChatPart,
  ChatRequest,
  EmbedAnswer,
  EmbedRequest,
  FinishReason,
  ToolCall,
  Translation,
} from './chat.ts';
import {
  asList,
  asObject,
  asText,
  callId,
  count,
  defined,
  embedUsage,
  finishReason,
  type Json,
  malformed,
  mergeTurns,
  parseArguments,
  splitSystem,
  sum,
  type Turn,
  toolNames,
  unsupportedImages,
  warnOfParallelCalls,
} from './turns.ts';

/** Documented placeholder for a missing signature: newer models refuse a call without one. */
const NO_SIGNATURE = 'skip_thought_signature_validator';

export function toGeminiChat(request: ChatRequest): Translation {
  const warnings: string[] = [];
  const { system, rest } = splitSystem(request, false);
  const { tools, maxTokens, temperature, topP, stop, seed, reasoningEffort, responseFormat } = request;
  warnOfParallelCalls(request, warnings);
  const isJson = responseFormat !== undefined && responseFormat.type !== 'text';
  const generationConfig = defined({
    maxOutputTokens: maxTokens,
    temperature,
    topP,
    stopSequences: stop,
    seed,
    frequencyPenalty: request.frequencyPenalty,
    presencePenalty: request.presencePenalty,
    thinkingConfig: reasoningEffort === undefined ? undefined : { thinkingLevel: reasoningEffort },
    responseMimeType: isJson ? 'application/json' : undefined,
    responseJsonSchema: responseFormat?.type === 'json_schema' ? responseFormat.schema : undefined,
  });
  const body = defined({
    contents: toContents(rest),
    systemInstruction: system.length > 0 ? { parts: system.map((text) => ({ text })) } : undefined,
    generationConfig: Object.keys(generationConfig).length > 0 ? generationConfig : undefined,
    tools: tools && [
      {
        functionDeclarations: tools.map(({ name, description, parameters }) =>
          defined({ name, description, parametersJsonSchema: parameters }),
        ),
      },
    ],
    toolConfig: toToolConfig(request),
  });
  return { body, unsupported: unsupportedImages(request), warnings };
}

function toToolConfig({ toolChoice }: ChatRequest): Json | undefined {
  if (toolChoice === undefined) return undefined;
  if (typeof toolChoice === 'object') {
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [toolChoice.name] } };
  }
  const mode = { auto: 'AUTO', required: 'ANY', none: 'NONE' }[toolChoice];
  return { functionCallingConfig: { mode } };
}

function toContents(messages: readonly Turn[]): Json[] {
  const names = toolNames(messages);
  const turns = mergeTurns(messages.map((message) => toTurn(message, names)));
  if (turns[0]?.role === 'model') turns.unshift({ role: 'user', blocks: [{ text: 'Continue.' }] });
  return turns.map(({ role, blocks }) => ({ role, parts: blocks }));
}

function toTurn(message: Turn, names: ReadonlyMap<string, string>): { role: 'user' | 'model'; blocks: Json[] } {
  if (message.role === 'tool') {
    const { toolCallId, content, isError } = message;
    const response = isError ? { error: content } : { output: content };
    return {
      role: 'user',
      blocks: [{ functionResponse: { id: toolCallId, name: names.get(toolCallId) ?? toolCallId, response } }],
    };
  }
  if (message.role === 'user') {
    const { content } = message;
    return { role: 'user', blocks: typeof content === 'string' ? [{ text: content }] : content.flatMap(toParts) };
  }
  const { content, toolCalls = [] } = message;
  const calls = toolCalls.map((call, index) => ({
    functionCall: { id: call.id, name: call.name, args: parseArguments(call) },
    ...signature(call, index),
  }));
  return { role: 'model', blocks: [...(content === '' ? [] : [{ text: content }]), ...calls] };
}

/** Of parallel calls only the first is signed. */
function signature({ extra }: ToolCall, index: number): Json {
  const signed = asText(asObject(extra?.google).thought_signature);
  if (signed !== '') return { thoughtSignature: signed };
  return index === 0 ? { thoughtSignature: NO_SIGNATURE } : {};
}

function toParts(part: ChatPart): Json[] {
  if (part.type === 'text') return [{ text: part.text }];
  return part.type === 'image' ? [{ inlineData: { mimeType: part.mediaType, data: part.data } }] : [];
}

const FILTERED = ['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'];
const FINISH: Readonly<Record<string, FinishReason>> = {
  MAX_TOKENS: 'length',
  ...Object.fromEntries(FILTERED.map((word) => [word, 'content_filter' as const])),
};
const MALFORMED = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL']);

/** A blocked or truncated answer has no text and is still an answer. */
export function fromGeminiChat(body: Json): ChatAnswer | undefined {
  const candidate = asList(body.candidates)[0];
  if (candidate === undefined && !Object.hasOwn(body, 'promptFeedback')) return undefined;
  const { content, finishReason: found } = asObject(candidate);
  const word = asText(found);
  if (MALFORMED.has(word)) throw malformed(word);
  const parts = asList(asObject(content).parts).map(asObject);
  const toolCalls = parts
    .filter((part) => part.functionCall !== undefined)
    .map(({ functionCall, thoughtSignature }, index): ToolCall => {
      const { id, name, args } = asObject(functionCall);
      const signed = asText(thoughtSignature);
      const extra = signed === '' ? {} : { extra: { google: { thought_signature: signed } } };
      return { id: callId(id, index), name: asText(name), arguments: JSON.stringify(args ?? {}), ...extra };
    });
  const usage = asObject(body.usageMetadata);
  const isBlocked = candidate === undefined || word.startsWith('IMAGE_');
  return {
    message: {
      role: 'assistant',
      content: parts
        .filter(({ thought }) => thought !== true)
        .map(({ text }) => asText(text))
        .join(''),
    },
    toolCalls,
    finishReason: isBlocked ? 'content_filter' : finishReason(word, FINISH, toolCalls),
    usage: {
      input: {
        total: sum(usage.promptTokenCount, usage.toolUsePromptTokenCount),
        cached: count(usage.cachedContentTokenCount),
      },
      output: {
        total:
          usage.candidatesTokenCount === undefined
            ? count(usage.thoughtsTokenCount)
            : sum(usage.candidatesTokenCount, usage.thoughtsTokenCount),
        reasoning: count(usage.thoughtsTokenCount),
      },
    },
  };
}

/** @param resource `models/<name>` */
export function toGeminiEmbed(resource: string, { inputs, dimensions, inputType }: EmbedRequest): Json {
  const taskType = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' }[inputType ?? 'document'];
  return {
    requests: inputs.map((text) =>
      defined({ model: resource, content: { parts: [{ text }] }, taskType, outputDimensionality: dimensions }),
    ),
  };
}

export function fromGeminiEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.embeddings)) return undefined;
  return {
    vectors: body.embeddings.map((one) => asList(asObject(one).values) as number[]),
    usage: embedUsage(undefined),
  };
}
