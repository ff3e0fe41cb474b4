/** One line per event. Fields must never hold a secret: callers pass codes, names and ids. */
export interface Log {
  info(event: string, fields?: Record<string, unknown>): void;
  warn(event: string, fields?: Record<string, unknown>): void;
  error(event: string, fields?: Record<string, unknown>): void;
}

/** The platform's own indexes, as far as the app adds to them. */
export interface EventIndex {
  /** @throws Fault when the platform does not take it */
  send(index: string, sourcetype: string, event: object): Promise<void>;
}
