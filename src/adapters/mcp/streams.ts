import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { Json } from '../../contract/basics.ts';
import { stringifyExact } from '../../contract/exactJson.ts';
import { type Incoming, messagesIn, readJson } from './messages.ts';

/** Kind of a body by its beginning, whatever its content type says. */
export type BodyKind = 'json' | 'events' | 'other' | 'nothing';

export interface BodyStart {
  kind: BodyKind;
  /** The complete body. */
  body: ReadableStream<Uint8Array>;
}

/** The longest name of a field of an event stream, and its colon. */
const DECISIVE_CHARS = 6;
const EVENT_FIELD = /^(?::|(?:data|event|id|retry)(?::|\s))/;
const BOM = '\u00EF\u00BB\u00BF';

/** Reads the beginning of a body. @param isEventStream by its content type */
export async function peek(source: ReadableStream<Uint8Array> | null, isEventStream: boolean): Promise<BodyStart> {
  if (source === null) return { kind: 'nothing', body: new Blob().stream() };
  const reader = source.getReader();
  const read: Uint8Array[] = [];
  let kind: BodyKind | undefined;
  let head = '';
  while (kind === undefined) {
    const next = await reader.read();
    if (!next.done) read.push(next.value);
    head += next.done ? '' : Buffer.from(next.value).toString('latin1');
    kind = kindOf(head.replace(BOM, '').trimStart(), isEventStream, next.done === true);
  }
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const first = read.shift();
        const next = first ? { done: false, value: first } : await reader.read();
        if (next.done) controller.close();
        else controller.enqueue(next.value as Uint8Array);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // No read-ahead.
    { highWaterMark: 0 },
  );
  return { kind, body };
}

function kindOf(head: string, isEventStream: boolean, isComplete: boolean): BodyKind | undefined {
  if (/^[{[]/.test(head)) return 'json';
  if (EVENT_FIELD.test(head)) return 'events';
  if (head.length < DECISIVE_CHARS && !isComplete) return undefined;
  if (isEventStream) return 'events';
  return head === '' ? 'nothing' : 'other';
}

export interface EventReading {
  /** A message for the client library. */
  take(message: Incoming): Json;
  /** `take` has thrown. */
  failed(error: unknown): void;
  /** The stream has ended. @param isResumable whether it had event ids @param unread data that is no message */
  ended(isResumable: boolean, unread: string | undefined): void;
  /** Without ids the client library does not resume the stream. */
  keepsIds: boolean;
}

/** An event stream with one regular message in an event. Batches of revision 2025-03-26 become several events. */
export function readEvents(body: ReadableStream<Uint8Array>, reading: EventReading): ReadableStream<Uint8Array> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let hasIds = false;
  let unread: string | undefined;
  const parser = createParser({
    onEvent: (event) => {
      hasIds ||= event.id !== undefined && event.id !== '';
      try {
        append(event);
      } catch (error) {
        reading.failed(error);
      }
    },
    onRetry: (ms) => lines.push(`retry: ${ms}`),
  });

  function append({ event, id, data }: EventSourceMessage): void {
    const idLine = reading.keepsIds && id !== undefined ? [`id: ${id}`] : [];
    const parsed = parse(data);
    if (event === 'endpoint') lines.push(`event: endpoint`, `data: ${data}`, '');
    else if (parsed === undefined) {
      unread ??= data === '' ? undefined : data;
      lines.push(...idLine, 'data: ', '');
    } else {
      const messages = parsed.map((message) => `data: ${stringifyExact(reading.take(message))}`);
      lines.push(...idLine, ...messages.flatMap((line) => [line, '']));
      if (messages.length === 0) lines.push('data: ', '');
    }
  }

  function feed(text: string, controller: TransformStreamDefaultController<Uint8Array>): void {
    parser.feed(text);
    if (lines.length > 0) controller.enqueue(Buffer.from(`${lines.splice(0).join('\n')}\n`));
  }

  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => feed(decoder.decode(chunk, { stream: true }), controller),
      flush(controller) {
        // The last event may lack its empty line.
        feed(`${decoder.decode()}\n\n`, controller);
        reading.ended(hasIds, unread);
      },
    }),
  );
}

/** @returns undefined for what is no message */
function parse(data: string): Incoming[] | undefined {
  try {
    const messages = messagesIn(readJson(data));
    return messages.length === 0 ? undefined : messages;
  } catch {
    return undefined;
  }
}
