import { createHash } from 'node:crypto';
import type { ChatAnswer, ChatPart, ChatRequest, FinishReason, ToolCall, Translation } from './chat.ts';
import {
  asList,
  asObject,
  asText,
  callId,
  clampTemperature,
  count,
  defined,
  finishReason,
  type Json,
  mergeTurns,
  parseArguments,
  splitSystem,
  sum,
  type Turn,
  unsupportedOf,
} from './turns.ts';

/** The field is mandatory. */
const DEFAULT_MAX_TOKENS = 4096;

export function toAnthropicChat(model: string, request: ChatRequest): Translation {
  const warnings: string[] = [];
  const { system, rest } = splitSystem(request, true);
  const { topP, temperature, stop, tools, hints: { user } = {} } = request;
  const unsupported = unsupportedOf(request, 'seed', 'frequencyPenalty', 'presencePenalty');
  // One of the two only.
  if (topP !== undefined && temperature !== undefined) unsupported.push('top_p');
  const body = defined({
    model,
    max_tokens: request.maxTokens ?? DEFAULT_MAX_TOKENS,
    system: system.length > 0 ? system.map((text) => ({ type: 'text', text })) : undefined,
    messages: toMessages(rest),
    temperature: clampTemperature(temperature, warnings),
    top_p: temperature === undefined ? topP : undefined,
    stop_sequences: stop?.filter((text) => text.trim() !== ''),
    tools: tools?.map(({ name, description, parameters }) => defined({ name, description, input_schema: parameters })),
    tool_choice: toToolChoice(request),
    output_config: toOutputConfig(request),
    metadata: user === undefined ? undefined : { user_id: createHash('sha256').update(user).digest('hex') },
  });
  return { body, unsupported, warnings };
}

function toToolChoice({ toolChoice, parallelToolCalls, tools }: ChatRequest): Json | undefined {
  const single = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice === 'none') return { type: 'none' };
  if (toolChoice === 'required') return { type: 'any', ...single };
  if (typeof toolChoice === 'object') return { type: 'tool', name: toolChoice.name, ...single };
  if (toolChoice === 'auto' || (tools !== undefined && parallelToolCalls === false)) return { type: 'auto', ...single };
  return undefined;
}

function toOutputConfig({ reasoningEffort, responseFormat }: ChatRequest): Json | undefined {
  const effort = reasoningEffort === 'minimal' ? 'low' : reasoningEffort;
  const format =
    responseFormat?.type === 'json_schema' ? { type: 'json_schema', schema: responseFormat.schema } : undefined;
  if (effort === undefined && format === undefined) return undefined;
  return defined({ effort, format });
}

function toMessages(messages: readonly Turn[]): Json[] {
  const turns = mergeTurns(messages.map(toTurn));
  if (turns[0]?.role === 'assistant') turns.unshift({ role: 'user', blocks: [{ type: 'text', text: 'Continue.' }] });
  return turns.map(({ role, blocks }) => {
    // Results come first in their turn.
    const ordered = [...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))];
    const [only] = ordered;
    const isPlain = ordered.length === 1 && only?.type === 'text';
    return { role, content: isPlain ? only.text : ordered };
  });
}

const isResult = (block: Json): boolean => block.type === 'tool_result';
const textBlocks = (text: string): Json[] => (text.trim() === '' ? [] : [{ type: 'text', text }]);

function toTurn(message: Turn): { role: 'user' | 'assistant'; blocks: Json[] } {
  if (message.role === 'tool') {
    const { toolCallId, content, isError } = message;
    return {
      role: 'user',
      blocks: [defined({ type: 'tool_result', tool_use_id: toolCallId, content, is_error: isError })],
    };
  }
  if (message.role === 'user') {
    const { content } = message;
    return { role: 'user', blocks: typeof content === 'string' ? textBlocks(content) : content.flatMap(toBlocks) };
  }
  const { content, toolCalls = [] } = message;
  const thinking = toolCalls.flatMap(({ extra }) => asList(asObject(extra?.anthropic).thinking_blocks)).map(asObject);
  const uses = toolCalls.map((call) => ({
    type: 'tool_use',
    id: call.id,
    name: call.name,
    input: parseArguments(call),
  }));
  return { role: 'assistant', blocks: [...thinking, ...textBlocks(content), ...uses] };
}

function toBlocks(part: ChatPart): Json[] {
  if (part.type === 'text') return textBlocks(part.text);
  if (part.type === 'file' || part.type === 'file_id') return [];
  const source =
    part.type === 'image'
      ? { type: 'base64', media_type: part.mediaType, data: part.data }
      : { type: 'url', url: part.url };
  return [{ type: 'image', source }];
}

const FINISH: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  pause_turn: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

export function fromAnthropicChat(body: Json): ChatAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  const blocks = body.content.map(asObject);
  const thinking = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  const toolCalls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map((block, index): ToolCall => {
      // The blocks of a turn are asked for once, so the first call carries them.
      const extra = index === 0 && thinking.length > 0 ? { extra: { anthropic: { thinking_blocks: thinking } } } : {};
      const input = JSON.stringify(block.input ?? {});
      return { id: callId(block.id, index), name: asText(block.name), arguments: input, ...extra };
    });
  const usage = asObject(body.usage);
  return {
    message: { role: 'assistant', content: blocks.map(({ text }) => asText(text)).join('') },
    toolCalls,
    finishReason: finishReason(asText(body.stop_reason), FINISH, toolCalls),
    usage: {
      input: {
        total: sum(usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens),
        cached: count(usage.cache_read_input_tokens),
      },
      output: { total: count(usage.output_tokens), reasoning: undefined },
    },
  };
}
