import { finishReason, malformed, withUniqueIds } from '../answers.ts';
import type { ChatAnswer, FinishReason, ToolCall } from '../chat.ts';
import { asList, asObject, asText, count, type Json, sum } from '../json.ts';

const FINISH: Readonly<Record<string, FinishReason>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  guardrail_intervened: 'content_filter',
  content_filtered: 'content_filter',
};

export function fromConverse(output: Json): ChatAnswer | undefined {
  const reason = asText(output.stopReason);
  if (reason.startsWith('malformed_')) throw malformed(reason);
  const message = asObject(output.output).message;
  if (message === undefined) return undefined;
  const blocks = asList(asObject(message).content).map(asObject);
  const reasoning = blocks.flatMap(({ reasoningContent }) =>
    reasoningContent === undefined ? [] : [fromReasoning(asObject(reasoningContent))],
  );
  const calls = blocks
    .filter(({ toolUse }) => toolUse !== undefined)
    .map(({ toolUse }, index): ToolCall => {
      const { toolUseId, name, input } = asObject(toolUse);
      const extra = index === 0 && reasoning.length > 0 ? { extra: { bedrock: { reasoning_content: reasoning } } } : {};
      return { id: asText(toolUseId), name: asText(name), arguments: JSON.stringify(input ?? {}), ...extra };
    });
  const toolCalls = withUniqueIds(calls);
  const usage = asObject(output.usage);
  return {
    message: { role: 'assistant', content: blocks.map(({ text }) => asText(text)).join('') },
    toolCalls,
    finishReason: finishReason(reason, FINISH, toolCalls),
    usage: {
      input: {
        total: sum(usage.inputTokens, usage.cacheReadInputTokens, usage.cacheWriteInputTokens),
        cached: count(usage.cacheReadInputTokens),
        cacheWritten: count(usage.cacheWriteInputTokens),
      },
      output: { total: count(usage.outputTokens), reasoning: undefined },
    },
  };
}

function fromReasoning(content: Json): Json {
  const { redactedContent } = content;
  if (!(redactedContent instanceof Uint8Array)) return content;
  return { redactedContent: Buffer.from(redactedContent).toString('base64') };
}
