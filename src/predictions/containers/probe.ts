import { OutboundError } from '../../contract/codes/outbound.ts';
import type { Applications, ApplicationTarget } from '../../ports/engines/applications.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import type { Answer } from './protocol.ts';
import { PROTOCOL_NAMES, PROTOCOLS, type ProtocolName } from './registry.ts';
import { PLAIN_HTTP, TOKEN_REJECTED, WRONG_APPLICATION } from './status.ts';

export interface ProbeResult {
  /** '' = success; else `token_rejected`, `wrong_application`, `http_<n>`, `timeout`, … */
  error: string;
  /** The protocol that answered. */
  protocol?: ProtocolName;
  /** SHA-256 of the certificate, where the first one is trusted. */
  fingerprint?: string | undefined;
}

/** Replies to a probe have a few hundred bytes; a larger one comes from another application. */
const MAX_PROBE_BYTES = 64 * 1024;

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'timeout',
  dns_failed: 'dns',
  connection_refused: 'refused',
  connection_reset: 'refused',
  tls_untrusted: 'tls_error',
  tls_hostname_mismatch: 'tls_error',
  tls_expired: 'tls_error',
  tls_protocol: PLAIN_HTTP,
};

export interface ProbeTerms {
  /** Undefined: each is tried, in order, until one answers. */
  protocol: ProtocolName | undefined;
  /** Names that the banner of a data-science application may hold. */
  names: readonly string[];
  deadline: Deadline;
}

/** Looks whether an application answers in its protocol. Never rejects. */
export async function probeApplication(
  applications: Applications,
  target: ApplicationTarget,
  { protocol, names, deadline }: ProbeTerms,
): Promise<ProbeResult> {
  let fingerprint: string | undefined;
  const read = async (path: string): Promise<Answer> => {
    const call = { method: 'GET', path, deadline, maxBytes: MAX_PROBE_BYTES } as const;
    const answer = await applications.request(target, call);
    fingerprint = answer.fingerprint || fingerprint;
    return answer;
  };
  const failures: string[] = [];
  for (const name of protocol ? [protocol] : PROTOCOL_NAMES) {
    try {
      const failure = await PROTOCOLS[name].probe(read, names);
      if (failure === '') return { error: '', protocol: name, fingerprint };
      failures.push(failure);
    } catch (error) {
      if (!isAnswered(error) || deadline.signal.aborted) return { error: errorOf(error, deadline) };
      failures.push(errorOf(error, deadline));
    }
    if (failures.includes(PLAIN_HTTP)) return { error: PLAIN_HTTP };
  }
  return { error: mostUseful(failures), fingerprint };
}

/** Another path may answer in another form, but not if nothing answers. */
const isAnswered = (error: unknown): boolean =>
  error instanceof OutboundError && (error.isAnswered || error.httpStatus !== undefined);

/** A rejected token says more than a missing path; the first look says more than the guesses after it. */
function mostUseful(failures: readonly string[]): string {
  return failures.includes(TOKEN_REJECTED) ? TOKEN_REJECTED : (failures[0] ?? WRONG_APPLICATION);
}

function errorOf(error: unknown, deadline: Deadline): string {
  if (deadline.signal.aborted) return 'timeout';
  if (!(error instanceof OutboundError)) return 'upstream_error';
  // A redirect comes from a proxy, such as a login page.
  if (error.httpStatus !== undefined) return `http_${error.httpStatus}`;
  return ERRORS[error.code] ?? error.code;
}
