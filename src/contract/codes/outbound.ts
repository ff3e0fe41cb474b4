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

/** Failures that only the use of a language model has. */
type ModelCode = 'context_length_exceeded' | 'content_filtered' | 'invalid_structured_output';

export type OutboundCode = (typeof OUTBOUND_CODES)[number] | ModelCode;

/** Codes of calls that never reached the server: another call would fail alike. */
export const NEVER_SENT: ReadonlySet<string> = new Set<OutboundCode>([
  'dns_failed',
  'connection_refused',
  'tls_untrusted',
  'tls_hostname_mismatch',
  'tls_expired',
  'tls_protocol',
  'blocked_by_policy',
  'configuration_invalid',
]);

export interface OutboundDetails {
  httpStatus?: number | undefined;
  retryAfter?: number | undefined;
  cause?: unknown;
  param?: string | undefined;
  filterResult?: Record<string, unknown> | undefined;
  isAnswered?: boolean;
  mayBeDone?: boolean;
}

/** A failed outbound call. `message` is redacted and truncated, never a raw body of the server. */
export class OutboundError extends Error {
  readonly code: OutboundCode;
  /** HTTP status of the response, if there was one. */
  readonly httpStatus: number | undefined;
  /** Seconds from `Retry-After`. */
  readonly retryAfter: number | undefined;
  /** Request field that the server cannot serve, with `not_supported`. */
  readonly param: string | undefined;
  /** Azure's `innererror` of a `content_filtered`. */
  readonly filterResult: Record<string, unknown> | undefined;
  /** Whether a part of an answer came, so that the request must not be repeated. */
  readonly isAnswered: boolean;
  /** Whether the request may have had effects, so that nobody may repeat it. */
  readonly mayBeDone: boolean;

  constructor(code: OutboundCode, message: string, more: OutboundDetails = {}) {
    super(message, { cause: more.cause });
    this.name = 'OutboundError';
    this.code = code;
    this.httpStatus = more.httpStatus;
    this.retryAfter = more.retryAfter;
    this.param = more.param;
    this.filterResult = more.filterResult;
    this.isAnswered = more.isAnswered ?? false;
    this.mayBeDone = more.mayBeDone ?? false;
  }

  /** The same failure in other words. */
  saying(message: string, more: OutboundDetails = {}): OutboundError {
    return new OutboundError(this.code, message, { ...this, cause: this, ...more });
  }
}
