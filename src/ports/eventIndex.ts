/** The platform's own indexes, as far as the app adds to them. */
export interface EventIndex {
  /** @throws Fault when the platform does not take it */
  send(index: string, sourcetype: string, event: object): Promise<void>;
}
