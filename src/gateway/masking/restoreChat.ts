import type { Json } from '../../contract/basics.ts';
import { parseExact, stringifyExact } from '../../contract/exactJson.ts';
import { argumentsOf } from '../../domain/values/json.ts';
import type { ChatReply, ChatRequest, ToolCall } from '../../families/llm-providers/public.ts';
import type { MaskedContent } from '../../masking/outgoing.ts';
import type { Placeholder } from '../../masking/placeholders/placeholders.ts';
import { keepStrings } from './strings.ts';

type Restorer = MaskedContent<ChatRequest>['restorer'];

/** In `ml.warnings`, for words of the answer that look like placeholders and stand for nothing. */
export const PLACEHOLDER_UNKNOWN = 'placeholder_unknown';

/**
 * Puts the values back in an answer. Signed reasoning is untouched, and the text beside it as well, since it is sent back with it.
 * @param json where the text should be JSON: its schema, if there is one
 */
export function restoredReply(
  reply: ChatReply,
  { restorer }: MaskedContent<ChatRequest>,
  json: { schema?: Json | undefined } | undefined,
  restoreCall: (call: ToolCall) => ToolCall,
): ChatReply {
  const { message, toolCalls, finishReason, stopSequence } = reply;
  const { content, refusal, reasoning, echoed } = message;
  const options = { isCut: finishReason === 'length' };
  return {
    ...reply,
    message: {
      ...message,
      content: (json ? restoredJson(content, restorer, json.schema) : undefined) ?? restorer.text(content, options),
      ...(refusal === undefined ? {} : { refusal: restorer.text(refusal, options) }),
      ...(reasoning === undefined || echoed ? {} : { reasoning: restorer.text(reasoning, options) }),
    },
    toolCalls: toolCalls.map(restoreCall),
    ...(stopSequence === undefined ? {} : { stopSequence: restorer.text(stopSequence) }),
  };
}

/** Values that are a whole string have the spelling of the schema where it names one. Undefined for a text that is no JSON. */
function restoredJson(text: string, restorer: Restorer, schema: Json | undefined): string | undefined {
  let value: unknown;
  try {
    value = parseExact(text);
  } catch {
    return undefined;
  }
  const demanded = new Set<string>();
  keepStrings(schema, (string) => demanded.add(string));
  const whole = (placeholder: Placeholder) =>
    [...restorer.spellingsOf(placeholder)].find((spelling) => demanded.has(spelling)) ?? withoutEscapes(placeholder);
  const write = (placeholder: Placeholder, _place: number, isWhole: boolean) =>
    isWhole ? whole(placeholder) : placeholder.spelling;
  const restored = stringifyExact(restorer.json(value, { hasKeys: true, write }));
  return restored === stringifyExact(value) ? text : restored;
}

/** The spelling of the request; the plain value where they differ by the escapes of JSON alone, since they are written anew. */
function withoutEscapes({ plain, spelling }: Placeholder): string {
  if (!spelling.includes('\\')) return spelling;
  return JSON.stringify(plain).slice(1, -1) === spelling ? plain : spelling;
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
