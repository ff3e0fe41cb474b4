export interface PlatformReply {
  status: number;
  /** Reason phrase, if a driver sets one. */
  reason?: string;
  headers?: [string, string][];
  body?: string | Buffer;
  /** A streamed body. Its `return` is called when the client disconnects. */
  stream?: AsyncIterable<string>;
}

/** Messages in the platform's form, written as JSON or XML as the request asks. */
export interface PlatformMessage {
  type: 'INFO' | 'WARN' | 'ERROR' | 'FATAL' | 'DEBUG';
  text: string;
  code?: string;
}

/** Thrown by any endpoint: the server turns it into the JSON or XML body of that status. */
export class PlatformError extends Error {
  readonly status: number;
  readonly messages: PlatformMessage[];
  readonly headers: [string, string][];
  constructor(status: number, text: string, type: PlatformMessage['type'] = 'ERROR', headers: [string, string][] = []) {
    super(text);
    this.status = status;
    this.messages = [{ type, text }];
    this.headers = headers;
  }
}

/** Resets the connection instead of replying, for the fault switch. */
export class ConnectionReset extends Error {}
