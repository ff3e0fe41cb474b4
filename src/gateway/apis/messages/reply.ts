import type { Json } from '../../../contract/basics.ts';
import { parseExact } from '../../../contract/exactJson.ts';
import { argumentsText } from '../../../domain/values/json.ts';
import type { ChatReply } from '../../../families/llm-providers/public.ts';
import type { Times } from '../../../metering/meter.ts';
import type { Tokens } from '../../../metering/tokens.ts';
import { hexId, useFacts } from '../../models/chatReply.ts';
import type { ChatResult } from '../chatApi.ts';
import { type SealedReasoning, sealReasoning } from '../envelope.ts';

/** How the thoughts of the model are shown. */
export interface ThinkingView {
  isThinking: boolean;
  isTextOmitted: boolean;
}

/** Anthropic's object for an answer. @param reference the model that was asked for */
export function messagesObject(result: ChatResult, reference: string, times: Times, view: ThinkingView) {
  const answer = withPlainIds(result.answer);
  const { envelope, warnings: sealed } = view.isThinking ? sealedThinking(result, answer) : NOTHING;
  const { content: said, refusal = '', reasoning = '' } = answer.message;
  const calls = answer.toolCalls.map(({ id, name, arguments: text }) => ({ id, name, input: inputOf(text) }));
  const isCut = calls.some(({ input }) => input === undefined);
  const content: Json[] = [
    ...(envelope === undefined
      ? []
      : [{ type: 'thinking', thinking: view.isTextOmitted ? '' : reasoning, signature: envelope }]),
    ...[said, refusal].filter((text) => text !== '').map((text) => ({ type: 'text', text })),
    ...calls.map(({ id, name, input = {} }) => ({ type: 'tool_use', id, name, input })),
  ];
  const reason = stopReason(answer, isCut);
  const warnings = [...result.warnings, ...sealed, ...(isCut ? [NO_OBJECT] : [])];
  return {
    id: `msg_${hexId()}`,
    type: 'message' as const,
    role: 'assistant' as const,
    model: reference,
    content,
    stop_reason: reason,
    stop_sequence: reason === 'stop_sequence' ? (answer.stopSequence ?? null) : null,
    usage: usageOf(result.tokens),
    ml: useFacts({ ...result, warnings }, times),
  };
}

const NOTHING: SealedReasoning = { envelope: undefined, warnings: [] };
const NO_OBJECT = 'the arguments of a call are no JSON object, so its input is empty';

/** A state that is too large to be carried leaves the text, which is shown all the same. */
function sealedThinking({ model }: ChatResult, answer: ChatReply): SealedReasoning {
  const whole = sealReasoning(answer, model);
  const { reasoning } = answer.message;
  if (whole.envelope !== undefined || reasoning === undefined) return whole;
  const shown = { ...answer, message: { role: 'assistant' as const, content: '', reasoning }, toolCalls: [] };
  return { ...whole, envelope: sealReasoning(shown, model).envelope };
}

/** Clients take no other characters in ids of calls. */
function withPlainIds(answer: ChatReply): ChatReply {
  const usedIds = new Set<string>();
  const toolCalls = answer.toolCalls.map((call, index) => {
    const plain = call.id.replace(/[^A-Za-z0-9_-]/g, '_');
    const id = plain === '' || usedIds.has(plain) ? `${plain}_call_${index}` : plain;
    usedIds.add(id);
    return { ...call, id };
  });
  return { ...answer, toolCalls };
}

/** Integers beyond 2^53 are bigints. Undefined for what is no object, such as arguments that a limit has cut. */
function inputOf(text: string): unknown {
  const object = argumentsText(text);
  return object === undefined ? undefined : parseExact(object);
}

function stopReason({ message, toolCalls, finishReason, stopSequence }: ChatReply, isCut: boolean): string {
  const hasCalls = toolCalls.length > 0;
  if (finishReason === 'content_filter' || (message.refusal && !hasCalls)) return 'refusal';
  if (hasCalls && !(finishReason === 'length' && isCut)) return 'tool_use';
  if (finishReason === 'length') return 'max_tokens';
  return stopSequence === undefined ? 'end_turn' : 'stop_sequence';
}

/** Anthropic counts what was read from and written to a cache beside the rest of the input. */
const usageOf = ({ input, cached = 0, cacheWritten = 0, output }: Tokens) => ({
  input_tokens: Math.max(0, input - cached - cacheWritten),
  cache_creation_input_tokens: cacheWritten,
  cache_read_input_tokens: cached,
  output_tokens: output,
});
