/** Messages of the platform to its users, which Splunk Web shows in its bar. */
export interface Messages {
  /**
   * Posts a message; one of the same name replaces it.
   * @throws Fault `store_unavailable` when the platform rejects it
   */
  post(message: {
    name: string;
    text: string;
    severity: 'info' | 'warn' | 'error';
    /** Required to see it. */
    capability: string;
  }): Promise<void>;
}
