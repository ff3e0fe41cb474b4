export interface PlatformReply {
  status: number;
  /** Reason phrase, where a driver gives one. */
  reason?: string;
  headers?: [string, string][];
  body?: string | Buffer;
  /** In place of a body: sent as it comes. It is ended, by its `return`, when the client goes away. */
  stream?: AsyncIterable<string>;
}

/** Messages in the platform's form; the server writes them as JSON or XML as the caller asked. */
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

/** In place of an answer: the connection is broken off, as the fault switch was told. */
export class ConnectionReset extends Error {}
