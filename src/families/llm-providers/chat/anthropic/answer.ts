import { finishReason, withUniqueIds } from '../answers.ts';
import type { ChatAnswer, FinishReason, ToolCall } from '../chat.ts';
import { asObject, asText, count, type Json, sum } from '../json.ts';

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
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }, index): ToolCall => {
      // The blocks of a turn are asked for once, so the first call carries them.
      const extra = index === 0 && thinking.length > 0 ? { extra: { anthropic: { thinking_blocks: thinking } } } : {};
      return { id: asText(id), name: asText(name), arguments: JSON.stringify(input ?? {}), ...extra };
    });
  const toolCalls = withUniqueIds(calls);
  const usage = asObject(body.usage);
  return {
    message: {
      role: 'assistant',
      content: blocks.map(({ type, text }) => (type === 'text' ? asText(text) : '')).join(''),
    },
    toolCalls,
    finishReason: finishReason(asText(body.stop_reason), FINISH, toolCalls),
    usage: {
      input: {
        total: sum(usage.input_tokens, usage.cache_creation_input_tokens, usage.cache_read_input_tokens),
        cached: count(usage.cache_read_input_tokens),
        cacheWritten: count(usage.cache_creation_input_tokens),
      },
      output: {
        total: count(usage.output_tokens),
        reasoning: count(asObject(usage.output_tokens_details).thinking_tokens),
      },
    },
  };
}
