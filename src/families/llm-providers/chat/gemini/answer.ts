import { finishReason, malformed, withUniqueIds } from '../answers.ts';
import type { ChatAnswer, FinishReason, ToolCall, Usage } from '../chat.ts';
import { asList, asObject, asText, count, type Json, sum } from '../json.ts';

const FILTERED = ['SAFETY', 'RECITATION', 'LANGUAGE', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII'];
const FINISH: Readonly<Record<string, FinishReason>> = {
  MAX_TOKENS: 'length',
  ...Object.fromEntries(FILTERED.map((word) => [word, 'content_filter' as const])),
};
const MALFORMED = new Set(['MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'TOO_MANY_TOOL_CALLS']);

/** A blocked or truncated answer has no text and is still an answer. */
export function fromGeminiChat(body: Json): ChatAnswer | undefined {
  const candidate = asList(body.candidates)[0];
  if (candidate === undefined && !Object.hasOwn(body, 'promptFeedback')) return undefined;
  const { content, finishReason: found } = asObject(candidate);
  const word = asText(found);
  if (MALFORMED.has(word)) throw malformed(word);
  const parts = asList(asObject(content).parts).map(asObject);
  const toolCalls = withUniqueIds(parts.filter(({ functionCall }) => functionCall !== undefined).map(toToolCall));
  const isBlocked = candidate === undefined || word.startsWith('IMAGE_');
  const texts = parts.filter(({ thought }) => thought !== true).map(({ text }) => asText(text));
  return {
    message: { role: 'assistant', content: texts.join('') },
    toolCalls,
    finishReason: isBlocked ? 'content_filter' : finishReason(word, FINISH, toolCalls),
    usage: toUsage(asObject(body.usageMetadata)),
  };
}

function toToolCall({ functionCall, thoughtSignature }: Json): ToolCall {
  const { id, name, args } = asObject(functionCall);
  const signed = asText(thoughtSignature);
  const extra = signed === '' ? {} : { extra: { google: { thought_signature: signed } } };
  return { id: asText(id), name: asText(name), arguments: JSON.stringify(args ?? {}), ...extra };
}

function toUsage(usage: Json): Usage {
  const { candidatesTokenCount: answered, thoughtsTokenCount: thoughts } = usage;
  return {
    input: {
      total: sum(usage.promptTokenCount, usage.toolUsePromptTokenCount),
      cached: count(usage.cachedContentTokenCount),
    },
    output: {
      // An answer without text has no count of its own.
      total:
        answered === undefined && usage.promptTokenCount === undefined ? count(thoughts) : sum(answered ?? 0, thoughts),
      reasoning: count(thoughts),
    },
  };
}
