import { type OutboundCode, OutboundError } from '../../contract/codes/outbound.ts';
import { containsSecret, redact } from '../../domain/net/redact.ts';

export interface FailureContext {
  /** `host:port` for the message. */
  peer?: string | undefined;
  secrets?: readonly (string | undefined)[] | undefined;
  /** Whether the call had a client certificate. */
  hasClientCertificate?: boolean | undefined;
  /** The deadline's signal; once aborted, every error is a timeout. */
  signal?: AbortSignal | undefined;
}

/** Codes of Node, axios, undici and OpenSSL, as measured against real sockets. */
const CODES: Readonly<Record<string, OutboundCode>> = {
  ENOTFOUND: 'dns_failed',
  EAI_AGAIN: 'dns_failed',
  EAI_FAIL: 'dns_failed',
  EAI_NODATA: 'dns_failed',
  EAI_NONAME: 'dns_failed',
  ENODATA: 'dns_failed',
  ESERVFAIL: 'dns_failed',
  ECONNREFUSED: 'connection_refused',
  // The contract has no code for a host without a route.
  EHOSTUNREACH: 'connection_refused',
  ENETUNREACH: 'connection_refused',
  EHOSTDOWN: 'connection_refused',
  ENETDOWN: 'connection_refused',
  EADDRNOTAVAIL: 'connection_refused',
  ECONNRESET: 'connection_reset',
  EPIPE: 'connection_reset',
  ERR_STREAM_PREMATURE_CLOSE: 'connection_reset',
  ERR_STREAM_DESTROYED: 'connection_reset',
  // axios: the session was closed during the call.
  ERR_CANCELED: 'connection_reset',
  HPE_INVALID_EOF_STATE: 'connection_reset',
  UND_ERR_SOCKET: 'connection_reset',
  ETIMEDOUT: 'timeout',
  ESOCKETTIMEDOUT: 'timeout',
  ECONNABORTED: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
  UND_ERR_HEADERS_TIMEOUT: 'timeout',
  UND_ERR_BODY_TIMEOUT: 'timeout',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_untrusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_untrusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_untrusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_untrusted',
  CERT_UNTRUSTED: 'tls_untrusted',
  CERT_REJECTED: 'tls_untrusted',
  CERT_REVOKED: 'tls_untrusted',
  CERT_SIGNATURE_FAILURE: 'tls_untrusted',
  CERT_CHAIN_TOO_LONG: 'tls_untrusted',
  INVALID_CA: 'tls_untrusted',
  INVALID_PURPOSE: 'tls_untrusted',
  PATH_LENGTH_EXCEEDED: 'tls_untrusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_hostname_mismatch',
  HOSTNAME_MISMATCH: 'tls_hostname_mismatch',
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_expired',
  EPROTO: 'tls_protocol',
  ERR_TLS_HANDSHAKE_TIMEOUT: 'timeout',
  ERR_INVALID_URL: 'configuration_invalid',
  ERR_INVALID_CHAR: 'configuration_invalid',
  ERR_UNESCAPED_CHARACTERS: 'configuration_invalid',
  ERR_TLS_INVALID_PROTOCOL_VERSION: 'configuration_invalid',
};

const FAMILIES: readonly (readonly [RegExp, OutboundCode])[] = [
  // A configured certificate that OpenSSL cannot read.
  [/^ERR_(OSSL_PEM|OSSL_ASN1|OSSL_X509|CRYPTO)_?/, 'configuration_invalid'],
  [/^ERR_SSL_.*CERTIFICATE/, 'tls_untrusted'],
  [/^ERR_(SSL|TLS|OSSL)_/, 'tls_protocol'],
  [/^EAI_/, 'dns_failed'],
  [/^(HPE_|Z_|ERR_BROTLI|ERR_ZSTD|ERR__?ERROR_FORMAT|ERR_CONTENT_DECODING)/, 'upstream_error'],
];

/** Alerts with which a server refuses a client certificate, in codes of Node and in OpenSSL's messages. */
const REFUSED_CERTIFICATE =
  /\balert (bad certificate|unsupported certificate|certificate (?:revoked|expired|unknown|required)|unknown ca|no certificate|access denied)/i;

const MESSAGES: Readonly<Partial<Record<OutboundCode, string>>> = {
  dns_failed: 'The host name of {peer} could not be resolved',
  connection_refused: '{peer} refused the connection or cannot be reached',
  connection_reset: '{peer} closed the connection before the answer was complete',
  timeout: '{peer} did not answer in time',
  tls_untrusted: 'The certificate of {peer} is not signed by a trusted authority',
  tls_hostname_mismatch: 'The certificate of {peer} is for another host name',
  tls_expired: 'The certificate of {peer} has expired or is not valid yet',
  tls_protocol: 'The TLS handshake with {peer} failed: does the port speak plain http, or an old version of TLS?',
  configuration_invalid: 'The address, a header or the CA certificate cannot be used as configured',
};

/** Maps an error to an OutboundError. Its message never contains a secret. */
export function classify(error: unknown, context: FailureContext = {}): OutboundError {
  const chain = causes(error);
  const ours = chain.find((cause) => cause instanceof OutboundError);
  if (ours instanceof OutboundError) return withRedactedMessage(ours, context.secrets);
  const peer = context.peer ?? 'The server';
  const errorWith = (code: OutboundCode, fallback: string): OutboundError =>
    new OutboundError(code, sentence((MESSAGES[code] ?? fallback).replace('{peer}', peer)), { cause: error });
  if (context.signal?.aborted || chain.some((cause) => nameOf(cause) === 'TimeoutError'))
    return errorWith('timeout', '');
  for (const link of chain) {
    const code = codeOf(link);
    const alert = refusedCertificate(link, code);
    if (alert !== undefined) {
      const why = context.hasClientCertificate ? `it sent the alert "${alert}"` : 'it requires one, and none was sent';
      const message = sentence(`${peer} refused the client certificate: ${why}`);
      return new OutboundError('auth_failed', message, { cause: error });
    }
    const mapped = code === undefined ? undefined : (CODES[code] ?? FAMILIES.find(([test]) => test.test(code))?.[1]);
    if (mapped !== undefined && code !== undefined) {
      return errorWith(mapped, `${peer} sent an answer that is not valid HTTP (${redact(code)})`);
    }
  }
  const detail = redact(String(chain.at(0) instanceof Error ? (chain[0] as Error).message : ''), context.secrets);
  return errorWith('upstream_error', `The call to ${peer} failed${detail === '' ? '' : `: ${detail}`}`);
}

/** The server's alert. Before TLS 1.3 Node has it only in the message of an EPROTO. */
function refusedCertificate(error: unknown, code = ''): string | undefined {
  if (code !== 'EPROTO' && !code.startsWith('ERR_SSL_')) return undefined;
  const text = `${code.replaceAll('_', ' ')} ${error instanceof Error ? error.message : ''}`;
  return REFUSED_CERTIFICATE.exec(text)?.[1]?.toLowerCase();
}

const sentence = (text: string): string => text.replace(/^the /, 'The ');

/** A message may contain text from the server, such as a redirect whose host repeats the token. */
function withRedactedMessage(error: OutboundError, secrets: FailureContext['secrets']): OutboundError {
  if (!containsSecret(error.message, secrets)) return error;
  return error.saying(redact(error.message, secrets), { cause: error.cause });
}

/** The error with its causes and the parts of an AggregateError, outermost first. */
function causes(error: unknown): unknown[] {
  const chain: unknown[] = [];
  const queue: unknown[] = [error];
  while (queue.length > 0 && chain.length < 20) {
    const link = queue.shift();
    if (link === undefined || link === null || chain.includes(link)) continue;
    chain.push(link);
    if (link instanceof AggregateError) queue.push(...link.errors);
    if (typeof link === 'object' && 'cause' in link) queue.push(link.cause);
  }
  return chain;
}

function codeOf(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

function nameOf(error: unknown): string | undefined {
  const name = typeof error === 'object' && error !== null && 'name' in error ? error.name : undefined;
  return typeof name === 'string' ? name : undefined;
}
