/** One bound over an action with all its retries: a signal to abort with and the time that is left. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds left, never negative. */
  remaining(): number;
}
