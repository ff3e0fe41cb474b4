/** Searches in the name of one caller: they run with the caller's own session and rights. */
export interface SearchJobs {
  /** Starts a search and answers its id at once. Throws Fault `store_unavailable` with the platform's reason. */
  dispatch(user: string, search: string): Promise<string>;
  /** Whether a search is still at work; false also for one that the caller may not see. */
  isActive(user: string, sid: string): Promise<boolean>;
}
