import { chatAnswer, type ProviderCall } from '../answers.ts';
import type { ChatAnswer, Usage } from '../chat.ts';
import { asList, asObject, asText, count, isObject, type Json, sum } from '../json.ts';
import { joinedReasoning } from '../reasoning.ts';

/** A blocked or truncated answer has no text and is still an answer. */
export function fromGeminiChat(body: Json): ChatAnswer | undefined {
  const candidate = asList(body.candidates)[0];
  const blockReason = asText(asObject(body.promptFeedback).blockReason);
  if (candidate === undefined && blockReason === '') return undefined;
  const { content, finishReason } = asObject(candidate);
  const parts = asList(asObject(content).parts).map(asObject);
  return chatAnswer({
    // Empty contents are left out, so that the reason alone is an answer.
    hasMessage: isObject(content) || asText(finishReason) !== '',
    text: parts.map(({ thought, text }) => (thought === true ? '' : asText(text))).join(''),
    reasoning: joinedReasoning(parts.map(({ thought, text }) => (thought === true ? asText(text) : ''))),
    calls: parts.filter(({ functionCall }) => functionCall !== undefined).map(toCall),
    reason: candidate === undefined ? 'blocked' : finishReason,
    usage: toUsage(asObject(body.usageMetadata)),
    model: body.modelVersion,
  });
}

function toCall({ functionCall, thoughtSignature }: Json): ProviderCall {
  const { id, name, args } = asObject(functionCall);
  const signed = asText(thoughtSignature);
  return { id, name, arguments: args, extra: signed === '' ? undefined : { google: { thought_signature: signed } } };
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
