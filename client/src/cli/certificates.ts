import { untrustedReason } from '../untrusted.ts';

const REMEDIES: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'Renew the certificate of the server, and compare the clock of this machine.',
  CERT_NOT_YET_VALID: 'Compare the clocks of this machine and of the server.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'Use a host name of the certificate in --url.',
};
const TRUST =
  'To trust it, pass its PEM certificate, or that of the authority that signed it, with --ca <file> or in NODE_EXTRA_CA_CERTS.';

/** Remedy for a certificate that is not trusted; undefined for the code of another failure. */
export function certificateRemedy(code: string): string | undefined {
  return untrustedReason(code) === undefined ? undefined : (REMEDIES[code] ?? TRUST);
}
