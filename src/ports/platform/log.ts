/** One line per event. Fields must never contain a secret. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export interface EventIndex {
  /** Sends events of one sourcetype in one request. @throws Fault when the platform rejects them */
  send(index: string, sourcetype: string, events: readonly object[]): Promise<void>;
}
