/** Failures of calls to external servers, used in `error_code`, `last_test` and `docs/errors.md`. */
export const OUTBOUND_CODES = [
  'auth_failed',
  'permission_denied',
  'model_not_found',
  'model_not_invokable',
  'rate_limited',
  'quota_exceeded',
  'bad_request',
  'upstream_error',
  'timeout',
  'dns_failed',
  'connection_refused',
  'connection_reset',
  'tls_untrusted',
  'tls_hostname_mismatch',
  'tls_expired',
  'tls_protocol',
  'blocked_by_policy',
  'configuration_invalid',
  'not_supported',
] as const;

export type OutboundCode = (typeof OUTBOUND_CODES)[number];

/** A failed outbound call. `message` is redacted and truncated, never a raw body of the server. */
export class OutboundError extends Error {
  readonly code: OutboundCode;
  /** HTTP status of the response, if there was one. */
  readonly httpStatus: number | undefined;
  /** Seconds from `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(
    code: OutboundCode,
    message: string,
    more: { httpStatus?: number | undefined; retryAfter?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: more.cause });
    this.name = 'OutboundError';
    this.code = code;
    this.httpStatus = more.httpStatus;
    this.retryAfter = more.retryAfter;
  }
}
