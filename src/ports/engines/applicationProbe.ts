import type { Deadline } from '../platform/clock.ts';

export interface ProbeTarget {
  url: string;
  token: string | undefined;
  /** PEM certificates that the application may show. */
  certificates: string | undefined;
  checkHostname: boolean;
  /** SHA-256 of the certificate seen first; another one is an error. Without certificates only. */
  fingerprint: string | undefined;
}

export interface ProbeResult {
  /** '' = the banner of the application; else `token_rejected`, `wrong_application`, `http_<n>`, `timeout`, … */
  error: string;
  fingerprint?: string;
}

/** One look at the application's banner. Never rejects. */
export interface ApplicationProbe {
  probe(target: ProbeTarget, applications: readonly string[], deadline: Deadline): Promise<ProbeResult>;
}
