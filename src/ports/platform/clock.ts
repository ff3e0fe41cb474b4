/** Time as a port, so that expiry and leases can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the epoch, as this machine has them: the clocks of two machines may differ by minutes. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/**
 * A clock whose readings can be compared with those of other processes: nobody sets it, and whoever shares its domain
 * shares it. What was read in another domain says nothing here.
 */
export interface HostClock extends Clock {
  /** Milliseconds since some moment that all processes of the domain share. */
  monotonic(): number;
  /** Names the machine, and its life since the last boot. Letters, digits, `.` and `-`. */
  readonly domain: string;
}

/** One bound over an action with all its retries: a signal to abort with and the time that is left. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds left, never negative. */
  remaining(): number;
}
