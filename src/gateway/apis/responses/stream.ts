import type { Json } from '../../../contract/basics.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { eventStreamReply, type RawReply } from '../../../contract/rows/rawReply.ts';
import type { ResponseObject } from './reply.ts';

interface StreamEvent {
  type: string;
  data: Json;
}

const event = (type: string, data: Json): StreamEvent => ({ type: `response.${type}`, data });

/** The complete answer as an event stream, since the platform hands over a reply when it is complete. */
export function eventStream(response: ResponseObject): RawReply {
  const { ml: _, completed_at: __, ...object } = response;
  const begun = { ...object, status: 'in_progress', incomplete_details: null, output: [], usage: null };
  const events = [
    event('created', { response: begun }),
    event('in_progress', { response: begun }),
    ...response.output.flatMap(itemEvents),
    event(response.status, { response }),
  ];
  const lines = events.map(({ type, data }, sequence_number) => {
    return `event: ${type}\ndata: ${stringifyWellFormed({ type, sequence_number, ...data })}\n\n`;
  });
  return eventStreamReply(lines);
}

/** An item grows from nothing: clients put it together from the events between the first and the last. */
function itemEvents(item: Json, output_index: number): StreamEvent[] {
  const place = { item_id: item.id, output_index };
  const { empty, events } = growth(item, place);
  return [
    event('output_item.added', { output_index, item: { ...item, status: 'in_progress', ...empty } }),
    ...events,
    event('output_item.done', { output_index, item }),
  ];
}

function growth(item: Json, place: Json): { empty: Json; events: StreamEvent[] } {
  switch (item.type) {
    case 'reasoning':
      return {
        empty: { summary: [] },
        events: partsOf(item.summary).flatMap((part, index) => summary(part, place, index)),
      };
    case 'message':
      return {
        empty: { content: [] },
        events: partsOf(item.content).flatMap((part, index) => content(part, place, index)),
      };
    case 'custom_tool_call': {
      const { input } = item;
      return { empty: { input: '' }, events: textEvents('custom_tool_call_input', place, String(input), { input }) };
    }
    default: {
      const { name, arguments: text } = item;
      const events = textEvents('function_call_arguments', place, String(text), { name, arguments: text });
      return { empty: { arguments: '' }, events };
    }
  }
}

const partsOf = (parts: unknown): Json[] => parts as Json[];

function summary(part: Json, item: Json, summary_index: number): StreamEvent[] {
  const place = { ...item, summary_index };
  return [
    event('reasoning_summary_part.added', { ...place, part: { ...part, text: '' } }),
    ...textEvents('reasoning_summary_text', place, String(part.text), { text: part.text }),
    event('reasoning_summary_part.done', { ...place, part }),
  ];
}

function content(part: Json, item: Json, content_index: number): StreamEvent[] {
  const place = { ...item, content_index };
  const { text, refusal, logprobs } = part;
  const isText = part.type === 'output_text';
  const grown = isText
    ? [
        event('output_text.delta', { ...place, delta: text, logprobs }),
        event('output_text.done', { ...place, text, logprobs }),
      ]
    : textEvents('refusal', place, String(refusal), { refusal });
  const empty = isText ? { ...part, text: '', logprobs: [] } : { ...part, refusal: '' };
  return [
    event('content_part.added', { ...place, part: empty }),
    ...grown,
    event('content_part.done', { ...place, part }),
  ];
}

/** @param whole members of the event that ends the text */
const textEvents = (kind: string, place: Json, delta: string, whole: Json): StreamEvent[] => [
  ...(delta === '' ? [] : [event(`${kind}.delta`, { ...place, delta })]),
  event(`${kind}.done`, { ...place, ...whole }),
];
