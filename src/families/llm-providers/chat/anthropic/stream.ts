import { parseExact } from '../../../../contract/exactJson.ts';
import { asList, asObject, asText, type Json } from '../json.ts';

/** The answer that the events of a stream make up; undefined if its end is missing. */
export function joinAnthropicEvents(events: readonly Json[]): Json | undefined {
  let message: Json | undefined;
  let isOver = false;
  const blocks = new Map<unknown, Json>();
  const pieces = new Map<unknown, string>();
  for (const event of events) {
    if (event.type === 'message_start') message = asObject(event.message);
    else if (event.type === 'content_block_start') blocks.set(event.index, asObject(event.content_block));
    else if (event.type === 'content_block_delta') {
      const delta = asObject(event.delta);
      const json = asText(delta.partial_json);
      pieces.set(event.index, (pieces.get(event.index) ?? '') + json);
      blocks.set(event.index, extended(blocks.get(event.index) ?? {}, delta));
    } else if (event.type === 'message_delta') {
      const { stop_reason = message?.stop_reason, stop_sequence = message?.stop_sequence } = asObject(event.delta);
      message = {
        ...message,
        stop_reason,
        stop_sequence,
        usage: { ...asObject(message?.usage), ...asObject(event.usage) },
      };
      isOver ||= asText(stop_reason) !== '';
    } else if (event.type === 'message_stop') isOver = true;
  }
  if (!message || !isOver) return undefined;
  const content = [...blocks].map(([index, block]) => {
    const json = pieces.get(index) ?? '';
    return block.type === 'tool_use' && json !== '' ? { ...block, input: inputOf(json) } : block;
  });
  return { ...message, content: [...asList(message.content), ...content] };
}

const TEXTS: Readonly<Record<string, string>> = {
  text_delta: 'text',
  thinking_delta: 'thinking',
  signature_delta: 'signature',
};

function extended(block: Json, delta: Json): Json {
  const field = TEXTS[asText(delta.type)];
  return field === undefined ? block : { ...block, [field]: asText(block[field]) + asText(delta[field]) };
}

/** Text that is no JSON stays text. */
function inputOf(json: string): unknown {
  try {
    return parseExact(json);
  } catch {
    return json;
  }
}
