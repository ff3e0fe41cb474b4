import { asList, asObject, asText, isObject, type Json } from '../json.ts';
import { shownReasoning, textOf, thinkingOf } from './answer.ts';

/** The answer that the chunks of an event stream make up; undefined if its end is missing. */
export function joinOpenAiChunks(chunks: readonly Json[], hasEnd: boolean): Json | undefined {
  const calls = new Map<unknown, Json>();
  const [texts, reasonings, refusals, logprobs]: [string[], string[], string[], unknown[]] = [[], [], [], []];
  let [reason, stopReason, usage, model]: unknown[] = [];
  let hasMessage = false;
  for (const chunk of chunks) {
    usage = chunk.usage ?? usage;
    model = chunk.model || model;
    const choice = asObject(asList(chunk.choices).find((entry) => (asObject(entry).index ?? 0) === 0));
    const delta = choice.delta ?? choice.message;
    reason = choice.finish_reason ?? reason;
    stopReason = choice.stop_reason ?? stopReason;
    logprobs.push(...asList(asObject(choice.logprobs).content));
    if (!isObject(delta)) continue;
    hasMessage = true;
    texts.push(textOf(delta.content));
    reasonings.push(shownReasoning(delta) || thinkingOf(delta.content));
    refusals.push(asText(delta.refusal));
    for (const [position, call] of asList(delta.tool_calls).map(asObject).entries())
      calls.set(call.index ?? position, joinedCall(calls.get(call.index ?? position), call));
  }
  if (!hasEnd && !reason) return undefined;
  const message = {
    content: texts.join(''),
    reasoning_content: reasonings.join(''),
    refusal: refusals.join(''),
    tool_calls: [...calls.values()],
  };
  return {
    model,
    usage,
    choices: [
      {
        ...(hasMessage ? { message } : {}),
        finish_reason: reason,
        stop_reason: stopReason,
        ...(logprobs.length > 0 ? { logprobs: { content: logprobs } } : {}),
      },
    ],
  };
}

/** Names and ids come once, or again in each chunk; arguments come in pieces. */
function joinedCall(before: Json | undefined, { id, function: called, extra_content: extra }: Json): Json {
  const { name, arguments: args } = asObject(called);
  const earlier = asObject(before?.function);
  const isPiece = typeof args === 'string' && typeof earlier.arguments === 'string';
  return {
    id: asText(before?.id) || id,
    extra_content: before?.extra_content ?? extra,
    function: {
      name: asText(earlier.name) || name,
      arguments: isPiece ? `${earlier.arguments}${args}` : (args ?? earlier.arguments),
    },
  };
}
