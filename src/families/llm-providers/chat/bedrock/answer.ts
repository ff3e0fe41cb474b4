import { withNumbers } from '../../../../contract/exactJson.ts';
import { chatAnswer, type ProviderCall } from '../answers.ts';
import type { ChatAnswer } from '../chat.ts';
import { asList, asObject, asText, count, isObject, type Json, sum } from '../json.ts';
import { joinedReasoning } from '../reasoning.ts';

export function fromConverse(output: Json): ChatAnswer | undefined {
  const message = asObject(output.output).message;
  if (message === undefined) return undefined;
  const blocks = asList(asObject(message).content).map(asObject);
  const reasoning = blocks.flatMap(({ reasoningContent }) =>
    reasoningContent === undefined ? [] : [fromReasoning(asObject(reasoningContent))],
  );
  const calls = blocks
    .filter(({ toolUse }) => toolUse !== undefined)
    .map(({ toolUse }): ProviderCall => {
      const { toolUseId, name, input } = asObject(toolUse);
      return { id: toolUseId, name, arguments: input };
    });
  const usage = asObject(output.usage);
  return chatAnswer({
    hasMessage: isObject(message),
    text: blocks.map(({ text }) => asText(text)).join(''),
    reasoning: joinedReasoning(reasoning.map(({ reasoningText }) => asText(asObject(reasoningText).text))),
    carrier: reasoning.length > 0 ? { bedrock: { reasoning_content: withNumbers(reasoning) } } : undefined,
    calls,
    reason: output.stopReason,
    stopSequence: asObject(output.additionalModelResponseFields).stop_sequence,
    usage: {
      input: {
        total: sum(usage.inputTokens, usage.cacheReadInputTokens, usage.cacheWriteInputTokens),
        cached: count(usage.cacheReadInputTokens),
        cacheWritten: count(usage.cacheWriteInputTokens),
      },
      output: { total: count(usage.outputTokens), reasoning: undefined },
    },
    // Said of prompt routers alone.
    model: asObject(asObject(output.trace).promptRouter).invokedModelId,
  });
}

function fromReasoning(content: Json): Json {
  const { redactedContent } = content;
  if (!(redactedContent instanceof Uint8Array)) return content;
  return { redactedContent: Buffer.from(redactedContent).toString('base64') };
}
