import type { Deadline } from '../platform/clock.ts';

export interface ProbeTarget {
  url: string;
  token: string | undefined;
  /** PEM certificates accepted from the application. */
  certificates: string | undefined;
  checkHostname: boolean;
  /** SHA-256 of the first certificate (trust on first use), only without `certificates`. */
  fingerprint: string | undefined;
}

export interface ProbeResult {
  /** '' = success; else `token_rejected`, `wrong_application`, `http_<n>`, `timeout`, … */
  error: string;
  fingerprint?: string;
}

/** Reads the application's banner. Never rejects. */
export interface ApplicationProbe {
  probe(target: ProbeTarget, applications: readonly string[], deadline: Deadline): Promise<ProbeResult>;
}
