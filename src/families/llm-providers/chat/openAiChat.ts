import type {
  ChatAnswer,
  ChatMessage,
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
  functionTools,
  type Json,
} from './turns.ts';

/** Chat Completions, without the token limit: it has two names. */
export function toOpenAiChat(model: string, request: ChatRequest): Translation {
  const { toolChoice, responseFormat, tools } = request;
  const body = defined({
    model,
    messages: request.messages.map(toMessage),
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
    response_format: toResponseFormat(responseFormat),
    user: request.hints?.user,
  });
  return { body, unsupported: [], warnings: [] };
}

function toResponseFormat(format: ChatRequest['responseFormat']): unknown {
  if (format?.type !== 'json_schema') return format;
  const { name, schema, strict } = format;
  return { type: 'json_schema', json_schema: defined({ name, schema, strict }) };
}

function toMessage(message: ChatMessage): Json {
  switch (message.role) {
    case 'tool':
      return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
    case 'assistant': {
      const { content, toolCalls = [] } = message;
      if (toolCalls.length === 0) return { role: 'assistant', content };
      const calls = toolCalls.map(({ id, name, arguments: text }) => ({
        id,
        type: 'function',
        function: { name, arguments: text },
      }));
      return { role: 'assistant', content: content === '' ? null : content, tool_calls: calls };
    }
    case 'user':
      return {
        role: 'user',
        content: typeof message.content === 'string' ? message.content : message.content.map(toPart),
      };
    default:
      return { role: message.role, content: message.content };
  }
}

function toPart(part: ChatPart): Json {
  if (part.type === 'text') return { type: 'text', text: part.text };
  if (part.type === 'file' || part.type === 'file_id') return {};
  const url = part.type === 'image' ? `data:${part.mediaType};base64,${part.data}` : part.url;
  return { type: 'image_url', image_url: { url } };
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  length: 'length',
  tool_calls: 'tool_calls',
  function_call: 'tool_calls',
  content_filter: 'content_filter',
};

/** A truncated answer may be empty: reasoning models can use up the limit first. */
export function fromOpenAiChat(body: Json): ChatAnswer | undefined {
  const choice = asList(body.choices)[0];
  if (choice === undefined) return undefined;
  const message = asObject(asObject(choice).message);
  const parts = asList(message.content).map((part) => asText(asObject(part).text));
  const toolCalls = asList(message.tool_calls).map((one, index): ToolCall => {
    const { name, arguments: text } = asObject(asObject(one).function);
    return { id: callId(asObject(one).id, index), name: asText(name), arguments: asText(text) };
  });
  const usage = asObject(body.usage);
  return {
    message: { role: 'assistant', content: parts.length > 0 ? parts.join('') : asText(message.content) },
    toolCalls,
    finishReason: finishReason(asText(asObject(choice).finish_reason), FINISH, toolCalls),
    usage: {
      input: { total: count(usage.prompt_tokens), cached: count(asObject(usage.prompt_tokens_details).cached_tokens) },
      output: {
        total: count(usage.completion_tokens),
        reasoning: count(asObject(usage.completion_tokens_details).reasoning_tokens),
      },
    },
  };
}

export const toOpenAiEmbed = (model: string, { inputs, dimensions }: EmbedRequest): Json =>
  defined({ model, input: inputs, dimensions, encoding_format: 'float' });

export function fromOpenAiEmbed(body: Json): EmbedAnswer | undefined {
  if (!Array.isArray(body.data)) return undefined;
  const items = body.data.map(asObject).sort((one, other) => Number(one.index ?? 0) - Number(other.index ?? 0));
  return {
    vectors: items.map(({ embedding }) => asList(embedding) as number[]),
    usage: embedUsage(count(asObject(body.usage).prompt_tokens)),
  };
}
