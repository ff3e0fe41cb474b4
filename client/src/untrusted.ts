const UNKNOWN_AUTHORITY = 'its certificate is signed by an authority that is not trusted here';

/** Why a server's certificate is not trusted, by Node's error code. A retry would fail, too. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is self-signed',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host name',
  SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
};

/** Undefined for a code of another failure. */
export function untrustedReason(code: string): string | undefined {
  return Object.hasOwn(REASONS, code) ? REASONS[code] : undefined;
}

/** Node's error code, empty without a cause; browsers have none. Errors may come from another realm, so `instanceof` does not help. */
export function codeOf(error: unknown): string {
  return String((error as { cause?: { code?: unknown } } | undefined)?.cause?.code ?? '');
}
