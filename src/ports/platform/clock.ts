/** Time as a port, so that expiry and leases can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the epoch; clocks of two machines may differ by minutes. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A clock that can be compared between processes of the same domain, but not across domains. */
export interface HostClock extends Clock {
  /** Milliseconds since a fixed time in the domain. */
  monotonic(): number;
  /** Identifies the machine and its boot. Letters, digits, `.` and `-`. */
  readonly domain: string;
  /** Identifies the member of the cluster, also after a boot. Letters, digits and `-`. */
  readonly member: string;
}

/** Time limit of an action including its retries. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** Milliseconds left, never negative. */
  remaining(): number;
}
