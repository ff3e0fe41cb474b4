import { withNumbers } from '../../../../contract/exactJson.ts';
import { chatAnswer, type ProviderCall } from '../answers.ts';
import type { ChatAnswer } from '../chat.ts';
import { asObject, asText, count, type Json, sum } from '../json.ts';
import { joinedReasoning } from '../reasoning.ts';

export function fromAnthropicChat(body: Json): ChatAnswer | undefined {
  if (!Array.isArray(body.content)) return undefined;
  const blocks = body.content.map(asObject);
  const thinking = blocks.filter(({ type }) => type === 'thinking' || type === 'redacted_thinking');
  const calls = blocks
    .filter(({ type }) => type === 'tool_use')
    .map(({ id, name, input }): ProviderCall => ({ id, name, arguments: input }));
  const usage = asObject(body.usage);
  return chatAnswer({
    hasMessage: true,
    text: blocks.map(({ type, text }) => (type === 'text' ? asText(text) : '')).join(''),
    reasoning: joinedReasoning(thinking.map(({ thinking: text }) => asText(text))),
    carrier: thinking.length > 0 ? { anthropic: { thinking_blocks: withNumbers(thinking) } } : undefined,
    calls,
    reason: body.stop_reason,
    stopSequence: body.stop_sequence,
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
    model: body.model,
  });
}
