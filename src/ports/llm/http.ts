import type { Deadline } from '../platform/clock.ts';

export interface HttpCall {
  method: 'GET' | 'POST';
  url: string;
  headers: Readonly<Record<string, string>>;
  body?: string | undefined;
  deadline: Deadline;
  verifyTls: boolean;
  /** PEM certificates that replace the default trust anchors. */
  caCertificate?: string | undefined;
  /** What must not appear in an error's message. */
  secrets: readonly string[];
}

export interface HttpAnswer {
  status: number;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  text: string;
}

/** One call to a server outside under the outbound policy: every status but a redirect is an answer. Throws OutboundError. */
export interface Http {
  request(call: HttpCall): Promise<HttpAnswer>;
}
