import type { Json } from '../../../contract/basics.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { eventStreamReply, type RawReply } from '../../../contract/rows/rawReply.ts';
import type { messagesObject } from './reply.ts';

type Message = ReturnType<typeof messagesObject>;

/** The complete answer as an event stream, since the platform hands over a reply when it is complete. */
export function messagesStream(message: Message): RawReply {
  const { content, stop_reason, stop_sequence, usage, ml, ...named } = message;
  const begun = {
    ...named,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 },
  };
  const events: Json[] = [
    { type: 'message_start', message: begun },
    ...content.flatMap(blockEvents),
    { type: 'message_delta', delta: { stop_reason, stop_sequence }, usage, ml },
    { type: 'message_stop' },
  ];
  return eventStreamReply(events.map((event) => `event: ${event.type}\ndata: ${stringifyWellFormed(event)}\n\n`));
}

/** A block opens empty and is filled by its deltas. */
function blockEvents(block: Json, index: number): Json[] {
  const { content_block, deltas } = piecesOf(block);
  return [
    { type: 'content_block_start', index, content_block },
    ...(index === 0 ? [{ type: 'ping' }] : []),
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ];
}

function piecesOf(block: Json): { content_block: Json; deltas: Json[] } {
  const { type, thinking, signature, text, input } = block;
  switch (type) {
    case 'thinking':
      return {
        content_block: { type, thinking: '', signature: '' },
        deltas: [
          ...(thinking === '' ? [] : [{ type: 'thinking_delta', thinking }]),
          { type: 'signature_delta', signature },
        ],
      };
    case 'tool_use':
      return {
        content_block: { ...block, input: {} },
        deltas: [{ type: 'input_json_delta', partial_json: stringifyWellFormed(input) }],
      };
    default:
      return { content_block: { type, text: '' }, deltas: [{ type: 'text_delta', text }] };
  }
}
