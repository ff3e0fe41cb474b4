/** Searches that take the work of a request on. */
export interface SearchJobs {
  /** Starts a search with the caller's session and rights, and returns its id. Throws Fault `store_unavailable`. */
  dispatch(user: string, search: string): Promise<string>;
  /** Whether a search is running, whoever has started it. */
  isActive(sid: string): Promise<boolean>;
}
