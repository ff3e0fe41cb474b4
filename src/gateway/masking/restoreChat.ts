import { parseExact, stringifyExact } from '../../contract/exactJson.ts';
import { argumentsOf } from '../../domain/values/json.ts';
import type { ChatReply, ChatRequest, ToolCall } from '../../families/llm-providers/public.ts';
import type { MaskedContent } from '../../masking/outgoing.ts';

type Restorer = MaskedContent<ChatRequest>['restorer'];

/** In `ml.warnings`, for words of the answer that look like placeholders and stand for nothing. */
export const PLACEHOLDER_UNKNOWN = 'placeholder_unknown';

/**
 * Puts the values back in an answer. Signed reasoning is untouched, and the text beside it as well, since it is sent back with it.
 * @param isJson whether the text should be JSON
 */
export function restoredReply(
  reply: ChatReply,
  { restorer }: MaskedContent<ChatRequest>,
  isJson: boolean,
  restoreCall: (call: ToolCall) => ToolCall,
): ChatReply {
  const { message, toolCalls, finishReason } = reply;
  const { content, refusal, reasoning, echoed } = message;
  const options = { isCut: finishReason === 'length' };
  return {
    ...reply,
    message: {
      ...message,
      content: (isJson ? restoredJson(content, restorer) : undefined) ?? restorer.text(content, options),
      ...(refusal === undefined ? {} : { refusal: restorer.text(refusal, options) }),
      ...(reasoning === undefined || echoed ? {} : { reasoning: restorer.text(reasoning, options) }),
    },
    toolCalls: toolCalls.map(restoreCall),
  };
}

/** Undefined for a text that is no JSON. */
function restoredJson(text: string, restorer: Restorer): string | undefined {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return undefined;
  }
  const restored = stringifyExact(restorer.json(value, { hasKeys: true }));
  return restored === stringifyExact(value) ? text : restored;
}

/** The call with its values, as whoever makes it needs them. */
export function restoredCall(call: ToolCall, { restorer }: Pick<MaskedContent<ChatRequest>, 'restorer'>): ToolCall {
  const object = argumentsOf(call.arguments);
  if (object === undefined) {
    return { ...call, arguments: restorer.text(call.arguments, { isStrict: true, write: ({ plain }) => plain }) };
  }
  const restored = stringifyExact(restorer.arguments(object));
  return restored === stringifyExact(object) ? call : { ...call, arguments: restored };
}
