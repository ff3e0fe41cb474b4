/** Searches with the caller's session and rights. */
export interface SearchJobs {
  /** Starts a search and returns its id. Throws Fault `store_unavailable`. */
  dispatch(user: string, search: string): Promise<string>;
  /** Whether a search is running; false if the caller may not see it. */
  isActive(user: string, sid: string): Promise<boolean>;
  /** Whether there is such a search, running or ended, that the caller may see. */
  isKnown(user: string, sid: string): Promise<boolean>;
}
