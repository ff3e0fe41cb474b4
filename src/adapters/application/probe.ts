import { OutboundError } from '../../contract/codes/outbound.ts';
import type { ApplicationProbe, ProbeResult, ProbeTarget } from '../../ports/engines/applicationProbe.ts';
import type { Deadline } from '../../ports/platform/clock.ts';
import { createOutbound, type OutboundPolicy } from '../outbound/outbound.ts';

/** A banner is a few hundred bytes; a larger reply comes from another application. */
const MAX_BANNER_BYTES = 64 * 1024;

const ERRORS: Readonly<Record<string, string>> = {
  timeout: 'timeout',
  dns_failed: 'dns',
  connection_refused: 'refused',
  connection_reset: 'refused',
  tls_untrusted: 'tls_error',
  tls_hostname_mismatch: 'tls_error',
  tls_expired: 'tls_error',
  tls_protocol: 'plain_http_on_https',
};

/** Looks at the banner of a container application. */
export function applicationProbe(policy: OutboundPolicy): ApplicationProbe {
  const outbound = createOutbound(policy);
  return {
    async probe(target, applications, deadline) {
      let fingerprint = '';
      try {
        const { status, text } = await outbound.request({
          method: 'GET',
          url: target.url,
          headers: target.token === undefined ? {} : { Authorization: `Bearer ${target.token}` },
          deadline,
          maxBytes: MAX_BANNER_BYTES,
          ...trustOf(target, (seen) => {
            fingerprint = seen;
          }),
        });
        return { error: judge(status, text, applications), ...(fingerprint ? { fingerprint } : {}) };
      } catch (error) {
        return { error: errorOf(error, deadline) };
      }
    },
  };
}

/**
 * The images' default certificate is self-signed for a name that no host has. Without certificates in the connection, the
 * first certificate is pinned and any other is refused.
 */
function trustOf(target: ProbeTarget, seen: (fingerprint: string) => void) {
  if (target.certificates !== undefined) {
    return { verifyTls: true, caCertificate: target.certificates, checkHostname: target.checkHostname };
  }
  return {
    verifyTls: target.checkHostname,
    pinned: (fingerprint: string) => {
      if (target.fingerprint !== undefined && target.fingerprint !== '' && target.fingerprint !== fingerprint)
        return false;
      seen(fingerprint);
      return true;
    },
  };
}

function judge(status: number, text: string, applications: readonly string[]): string {
  if (status === 401) return 'token_rejected';
  if (status === 400 && /plain HTTP|HTTP request was sent to HTTPS/i.test(text)) return 'plain_http_on_https';
  if (status !== 200) return `http_${status}`;
  const app = bannerApp(text)?.toLowerCase();
  return app !== undefined && applications.some((name) => app.includes(name.toLowerCase())) ? '' : 'wrong_application';
}

/** The server serialises the banner twice, so it may be a JSON string that holds JSON. */
export function bannerApp(text: string): string | undefined {
  try {
    let value: unknown = JSON.parse(text);
    if (typeof value === 'string') value = JSON.parse(value);
    const app = typeof value === 'object' && value !== null ? (value as { app?: unknown }).app : undefined;
    return typeof app === 'string' ? app : undefined;
  } catch {
    return undefined;
  }
}

function errorOf(error: unknown, deadline: Deadline): ProbeResult['error'] {
  if (deadline.signal.aborted) return 'timeout';
  if (!(error instanceof OutboundError)) return 'upstream_error';
  // A redirect comes from a proxy, such as a login page.
  if (error.httpStatus !== undefined) return `http_${error.httpStatus}`;
  return ERRORS[error.code] ?? error.code;
}
