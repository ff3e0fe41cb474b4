import type { ChatAnswer, ChatMessage, ChatRequest, EmbedAnswer, EmbedRequest, ToolCall, Translation } from './chat.ts';
import {
  asList,
  asObject,
  asText,
  callId,
  count,
  defined,
  embedUsage,
  finishReason,
  functionTools,
  type Json,
  malformed,
  parseArguments,
  toolNames,
  unsupportedImages,
  unsupportedOf,
  warnOfParallelCalls,
} from './turns.ts';

/** Ollama's own API, since its OpenAI-compatible one silently truncates long prompts. */
export function toOllamaChat(model: string, request: ChatRequest): Translation {
  const { messages, tools, toolChoice, responseFormat, reasoningEffort: effort, isProbe } = request;
  const warnings: string[] = [];
  const canChoose = toolChoice === 'auto' || toolChoice === 'none';
  const unsupported = [...(canChoose ? [] : unsupportedOf(request, 'toolChoice')), ...unsupportedImages(request)];
  warnOfParallelCalls(request, warnings);
  const names = toolNames(messages);
  const options = defined({
    num_predict: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop: request.stop,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
  });
  const body = defined({
    model,
    messages: messages.map((message) => toMessage(message, names)),
    stream: false,
    options: Object.keys(options).length > 0 ? options : undefined,
    tools: toolChoice === 'none' ? undefined : functionTools(tools),
    format: toFormat(responseFormat),
    think: effort === undefined ? undefined : effort === 'none' ? false : effort,
    ...(isProbe ? {} : { truncate: false, shift: false }),
  });
  return { body, unsupported, warnings };
}

function toFormat(format: ChatRequest['responseFormat']): unknown {
  if (format?.type === 'json_schema') return format.schema;
  return format?.type === 'json_object' ? 'json' : undefined;
}

function toMessage(message: ChatMessage, names: ReadonlyMap<string, string>): Json {
  if (message.role === 'tool') {
    return { role: 'tool', tool_name: names.get(message.toolCallId) ?? message.toolCallId, content: message.content };
  }
  if (message.role === 'assistant') {
    const { content, toolCalls = [] } = message;
    const calls = toolCalls.map((call) => ({ function: { name: call.name, arguments: parseArguments(call) } }));
    return { role: 'assistant', content, ...(calls.length > 0 ? { tool_calls: calls } : {}) };
  }
  if (typeof message.content === 'string') return { role: message.role, content: message.content };
  const texts = message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
  const images = message.content.flatMap((part) => (part.type === 'image' ? [part.data] : []));
  return { role: 'user', content: texts.join('\n'), ...(images.length > 0 ? { images } : {}) };
}

export function fromOllamaChat(body: Json): ChatAnswer | undefined {
  if (!Object.hasOwn(body, 'message')) return undefined;
  const { content, tool_calls: calls } = asObject(body.message);
  const reason = asText(body.done_reason);
  if (reason === 'load') throw malformed(reason);
  const toolCalls = asList(calls).map((one, index): ToolCall => {
    const { name, arguments: args } = asObject(asObject(one).function);
    return { id: callId(asObject(one).id, index), name: asText(name), arguments: JSON.stringify(args ?? {}) };
  });
  return {
    message: { role: 'assistant', content: asText(content) },
    toolCalls,
    finishReason: finishReason(reason, { length: 'length' }, toolCalls),
    usage: {
      input: { total: count(body.prompt_eval_count), cached: undefined },
      output: { total: count(body.eval_count), reasoning: undefined },
    },
  };
}

export const toOllamaEmbed = (model: string, { inputs, dimensions }: EmbedRequest): Json =>
  defined({ model, input: inputs, truncate: false, dimensions });

export function fromOllamaEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.embeddings)) return undefined;
  return {
    vectors: body.embeddings as number[][],
    usage: embedUsage(count(body.prompt_eval_count)),
  };
}
