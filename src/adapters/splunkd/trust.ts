import type { X509Certificate } from 'node:crypto';
import type { ConnectionOptions, DetailedPeerCertificate, PeerCertificate } from 'node:tls';
import { caFile } from './serverConf.ts';

const PEM = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;
/** Certificates that splunkd's own CA is followed through. */
const MOST_ISSUERS = 10;

/** Failures to verify the certificate of the port. */
const UNTRUSTED =
  /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_CERT_|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_EXCEEDED$|HOSTNAME_MISMATCH$)/;
/** How a port refuses a client without a certificate. */
const REFUSED = /alert (?:handshake failure|certificate required|bad certificate|unknown ca)/i;

/** Whether a call failed for a reason that certificates resolve. */
export const isCertificateProblem = (cause: unknown): boolean => {
  const { code, message } = cause as { code?: unknown; message?: unknown };
  return UNTRUSTED.test(String(code)) || REFUSED.test(String(message));
};

/**
 * How the management port is verified where it is not on loopback: its certificate is that of a known CA, with the port's name, or of the
 * CA in server.conf, whose certificates have no name of a host. For connections to the address that splunkd gave, and to no other.
 * @param home $SPLUNK_HOME
 */
export function splunkdTrust(home: string | undefined): ConnectionOptions {
  const tls = process.getBuiltinModule('node:tls');
  const own = home === undefined ? [] : ownAuthorities(home);
  return {
    rejectUnauthorized: true,
    allowPartialTrustChain: true,
    ca: [...tls.getCACertificates('default'), ...own.map(String)],
    checkServerIdentity: (host, certificate) => {
      const problem = tls.checkServerIdentity(host, certificate);
      return problem && isIssuedBy(own.filter(isPrivate), certificate) ? undefined : problem;
    },
  };
}

/** A public CA, which a bundle of a site may contain, issues certificates to anybody: what it certifies is the name. */
function isPrivate({ raw }: X509Certificate): boolean {
  const { rootCertificates } = process.getBuiltinModule('node:tls');
  const text = raw.toString('base64');
  return !rootCertificates.some((root) => root.replaceAll(/-----.*-----|\s/g, '') === text);
}

/**
 * Verifies the signatures itself: the chain that Node reports is matched by names alone, and may contain certificates that the server
 * sent and nobody signed.
 */
function isIssuedBy(authorities: readonly X509Certificate[], certificate: PeerCertificate): boolean {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const signed = (child: X509Certificate, issuer: X509Certificate) =>
    child.checkIssued(issuer) && child.verify(issuer.publicKey);
  let next = certificate as DetailedPeerCertificate | undefined;
  let child: X509Certificate | undefined;
  for (let steps = 0; next?.raw && steps < MOST_ISSUERS; steps += 1, next = next.issuerCertificate) {
    const link = new X509Certificate(next.raw);
    if (child && !signed(child, link)) return false;
    if (authorities.some((authority) => authority.raw.equals(link.raw) || signed(link, authority))) return true;
    child = link;
  }
  return false;
}

/** The CA that server.conf names, without certificates that cannot be parsed; none if the file cannot be read. */
function ownAuthorities(home: string): X509Certificate[] {
  const { X509Certificate } = process.getBuiltinModule('node:crypto');
  const { readFileSync } = process.getBuiltinModule('node:fs');
  try {
    const texts = readFileSync(caFile(home) ?? '', 'utf8').match(PEM) ?? [];
    return texts.flatMap((text) => {
      try {
        return [new X509Certificate(text)];
      } catch {
        return [];
      }
    });
  } catch {
    // The certificate is then refused, and the failure says what to set.
    return [];
  }
}
