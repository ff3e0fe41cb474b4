import type {
  ChatAnswer,
  ChatMessage,
  ChatPart,
  ChatRequest,
  ChatTool,
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
  clampTemperature,
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
  unsupportedOf,
  warnOfParallelCalls,
} from './turns.ts';

const NO_TOOLS = 'Do not call any tool.';

/** The input of Converse but for the model. */
export function toConverse(request: ChatRequest): Translation {
  const warnings: string[] = [];
  const { system, rest } = splitSystem(request, true);
  const unsupported = [
    ...unsupportedOf(request, 'seed', 'frequencyPenalty', 'presencePenalty'),
    ...unsupportedImages(request),
  ];
  warnOfParallelCalls(request, warnings);
  const { topP, stop, maxTokens, toolChoice } = request;
  const temperature = clampTemperature(request.temperature, warnings);
  const inference = defined({ maxTokens, temperature, topP, stopSequences: stop });
  const texts = toolChoice === 'none' ? [...system, NO_TOOLS] : system;
  const body = defined({
    messages: toMessages(rest),
    system: texts.length > 0 ? texts.map((text) => ({ text })) : undefined,
    inferenceConfig: Object.keys(inference).length > 0 ? inference : undefined,
    toolConfig: toToolConfig(request),
    outputConfig: toOutputConfig(request),
  });
  return { body, unsupported, warnings };
}

function toToolConfig(request: ChatRequest): Json | undefined {
  const tools = request.tools ?? calledTools(request.messages);
  if (tools.length === 0) return undefined;
  const { toolChoice } = request;
  const choice = {
    ...(toolChoice === 'auto' ? { auto: {} } : {}),
    ...(toolChoice === 'required' ? { any: {} } : {}),
    ...(typeof toolChoice === 'object' ? { tool: { name: toolChoice.name } } : {}),
  };
  return {
    tools: tools.map(({ name, description, parameters }) => ({
      // An empty description is refused.
      toolSpec: defined({ name, description: description || undefined, inputSchema: { json: parameters } }),
    })),
    ...(Object.keys(choice).length > 0 ? { toolChoice: choice } : {}),
  };
}

/** Converse demands the tools of earlier calls even when none may be called any more. */
function calledTools(messages: readonly ChatMessage[]): ChatTool[] {
  return [...new Set(toolNames(messages).values())].map((name) => ({ name, parameters: { type: 'object' } }));
}

function toOutputConfig({ reasoningEffort: effort, responseFormat }: ChatRequest): Json | undefined {
  const textFormat =
    responseFormat?.type === 'json_schema'
      ? {
          type: 'json_schema',
          structure: { jsonSchema: { name: responseFormat.name, schema: JSON.stringify(responseFormat.schema) } },
        }
      : undefined;
  return effort === undefined && textFormat === undefined ? undefined : defined({ effort, textFormat });
}

function toMessages(messages: readonly Turn[]): Json[] {
  const turns = mergeTurns(messages.map(toTurn));
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', blocks: [{ text: 'Continue.' }] });
  return turns.map(({ role, blocks }) => ({
    role,
    content: [...blocks.filter((block) => block.toolResult), ...blocks.filter((block) => !block.toolResult)],
  }));
}

const textBlocks = (text: string): Json[] => (text.trim() === '' ? [] : [{ text }]);

function toTurn(message: Turn): { role: 'user' | 'assistant'; blocks: Json[] } {
  if (message.role === 'tool') {
    const status = message.isError ? 'error' : 'success';
    const toolResult = { toolUseId: message.toolCallId, content: [{ text: message.content }], status };
    return { role: 'user', blocks: [{ toolResult }] };
  }
  if (message.role === 'user') {
    const { content } = message;
    return { role: 'user', blocks: typeof content === 'string' ? textBlocks(content) : content.flatMap(toBlocks) };
  }
  const { content, toolCalls = [] } = message;
  const uses = toolCalls.map((call) => ({
    toolUse: { toolUseId: call.id, name: call.name, input: parseArguments(call) },
  }));
  return { role: 'assistant', blocks: [...textBlocks(content), ...uses] };
}

function toBlocks(part: ChatPart): Json[] {
  if (part.type === 'text') return textBlocks(part.text);
  if (part.type !== 'image') return [];
  const format = part.mediaType.replace(/^image\//, '').replace('jpg', 'jpeg');
  return [{ image: { format, source: { bytes: Buffer.from(part.data, 'base64') } } }];
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
};

export function fromConverse(output: Json): ChatAnswer | undefined {
  const message = asObject(output.output).message;
  if (message === undefined) return undefined;
  const reason = asText(output.stopReason);
  if (reason.startsWith('malformed_')) throw malformed(reason);
  const blocks = asList(asObject(message).content).map(asObject);
  const toolCalls = blocks
    .filter(({ toolUse }) => toolUse !== undefined)
    .map(({ toolUse }, index): ToolCall => {
      const { toolUseId, name, input } = asObject(toolUse);
      return { id: callId(toolUseId, index), name: asText(name), arguments: JSON.stringify(input ?? {}) };
    });
  const usage = asObject(output.usage);
  return {
    message: { role: 'assistant', content: blocks.map(({ text }) => asText(text)).join('') },
    toolCalls,
    finishReason: finishReason(reason, FINISH, toolCalls),
    usage: {
      input: {
        total: sum(usage.inputTokens, usage.cacheReadInputTokens, usage.cacheWriteInputTokens),
        cached: count(usage.cacheReadInputTokens),
      },
      output: { total: count(usage.outputTokens), reasoning: undefined },
    },
  };
}

const isCohere = (model: string) => /(^|[./])cohere\./.test(model);

/** How many texts one call takes. */
export const bedrockEmbedBatch = (model: string): number => (isCohere(model) ? 96 : 1);

/** The body of InvokeModel for an embedding model. */
export function toBedrockEmbed(model: string, { inputs, dimensions, inputType }: EmbedRequest): Json {
  if (!isCohere(model)) return defined({ inputText: inputs[0] ?? '', dimensions, normalize: true });
  return defined({
    texts: inputs,
    input_type: inputType === 'query' ? 'search_query' : 'search_document',
    truncate: 'NONE',
    embedding_types: ['float'],
    output_dimension: dimensions,
  });
}

export function fromBedrockEmbed(body: Json): EmbedAnswer | undefined {
  const { embedding, embeddings } = body;
  const many = Array.isArray(embeddings) ? embeddings : asObject(embeddings).float;
  const vectors = Array.isArray(embedding) ? [embedding] : many;
  if (!Array.isArray(vectors)) return undefined;
  return {
    vectors: vectors as number[][],
    usage: embedUsage(count(body.inputTextTokenCount)),
  };
}
