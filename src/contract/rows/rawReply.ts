/** A reply that is sent as it is, such as an event stream. */
export class RawReply {
  readonly payload: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly status: number;

  constructor(payload: string, headers: Readonly<Record<string, string>>, status = 200) {
    this.payload = payload;
    this.headers = headers;
    this.status = status;
  }
}

/** A reply of server-sent events. @param events complete, each with its empty line */
export const eventStreamReply = (events: readonly string[]): RawReply =>
  new RawReply(events.join(''), { 'Content-Type': 'text/event-stream; charset=utf-8', 'Cache-Control': 'no-cache' });
