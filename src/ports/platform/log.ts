/** One line per event. Fields must never contain a secret. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

export interface EventIndex {
  /** @throws Fault when the platform rejects it */
  send(index: string, sourcetype: string, event: object): Promise<void>;
}
