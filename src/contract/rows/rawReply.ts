/** The reply of a handler that is not JSON, such as an event stream. */
export class RawReply {
  readonly payload: string;
  readonly headers: Readonly<Record<string, string>>;

  constructor(payload: string, headers: Readonly<Record<string, string>>) {
    this.payload = payload;
    this.headers = headers;
  }
}
