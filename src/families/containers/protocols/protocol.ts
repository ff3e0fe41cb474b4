export interface Answer {
  status: number;
  text: string;
}

/** Reads a path of the application. @throws OutboundError */
export type Read = (path: string) => Promise<Answer>;

/** How an application in a container speaks. */
export interface ContainerProtocol {
  /**
   * Whether an application speaks it and is ready. Only the protocol's own shape counts: many servers answer 200 to everything.
   * @returns '' if so, else the reason as `probe_error` names it
   * @throws OutboundError
   */
  probe(read: Read, applications: readonly string[]): Promise<string>;
}
