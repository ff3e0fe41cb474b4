import type { Deadline } from '../platform/clock.ts';

export interface ApplicationTarget {
  url: string;
  token: string | undefined;
  /** PEM certificates accepted from the application. */
  certificates: string | undefined;
  checkHostname: boolean;
  /** SHA-256 of the first certificate (trust on first use), only without `certificates`. */
  fingerprint: string | undefined;
}

export interface ApplicationCall {
  method: 'GET' | 'POST';
  /** With a slash at its beginning; '' = the address itself. */
  path: string;
  /** JSON. */
  body?: string | undefined;
  /** Beside those of the call itself. */
  headers?: Readonly<Record<string, string>> | undefined;
  deadline: Deadline;
  /** Default 8 MiB. */
  maxBytes?: number | undefined;
}

export interface ApplicationAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  text: string;
  /** SHA-256 of the certificate, where the first one is trusted. */
  fingerprint?: string | undefined;
}

/** Calls applications in containers, with their token. */
export interface Applications {
  /** Returns every status except a redirect. @throws OutboundError */
  request(target: ApplicationTarget, call: ApplicationCall): Promise<ApplicationAnswer>;
}
