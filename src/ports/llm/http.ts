import type { Deadline } from '../platform/clock.ts';

export interface HttpCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  deadline: Deadline;
  verifyTls: boolean;
  /** PEM certificates that replace the default authorities. */
  caCertificate?: string | undefined;
  /** Redacted from error messages. */
  secrets: readonly string[];
}

export interface HttpAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** Calls under the outbound policy; every status except a redirect is returned. Throws OutboundError. */
export interface Http {
  request(call: HttpCall): Promise<HttpAnswer>;
}
