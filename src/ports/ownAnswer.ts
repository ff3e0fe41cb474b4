/** What this app's own endpoints answer to a search command, which has the session of its user and nothing else. */
export interface OwnAnswer {
  status: number;
  body: Readonly<Record<string, unknown>>;
}
