import { OUTBOUND_CODES, type OutboundCode, type OutboundError } from './outbound.ts';

/**
 * Every `error_code` that is not an outbound one: its HTTP status and when it is answered.
 * `docs/errors.md` and the OpenAPI document are made from this table.
 */
export const FAULTS = {
  kb_not_found: {
    status: 200,
    when: 'Only in the answer of a test: no such knowledge base in this region and account.',
  },
  kb_not_active: { status: 200, when: 'Only in the answer of a test: the knowledge base is there but not ACTIVE.' },
  malformed_json: { status: 400, when: 'The body is no JSON object.' },
  validation_failed: {
    status: 400,
    when: 'A field, parameter or header is wrong; `errors` lists every problem found.',
  },
  masked_value_without_stored_secret: { status: 400, when: 'The mask was sent where no secret is stored.' },
  secret_required_for_new_host: {
    status: 400,
    when: 'An address to which secrets go has changed: send every stored secret anew, or delete it.',
  },
  unknown_reference: {
    status: 400,
    when: 'A named connection, tool, store or model does not exist or cannot be read.',
  },
  endpoint_not_found: { status: 400, when: 'The cloud knows no endpoint of this name in this region and account.' },
  endpoint_not_in_service: {
    status: 400,
    when: 'The endpoint is there but does not serve; `endpoint_status` tells its state.',
  },
  missing_capability: { status: 403, when: 'The caller lacks a capability; `required` names those of this call.' },
  acl_denied: { status: 403, when: 'The record can be read but not changed by the caller.' },
  feature_disabled: { status: 403, when: 'The feature flag of this family is off.' },
  not_found: { status: 404, when: 'No such record, or one that the caller may not read.' },
  unknown_endpoint: { status: 404, when: 'No endpoint has this path.' },
  method_not_allowed: {
    status: 405,
    when: 'The path exists, not for this method; the `Allow` header lists those it has.',
  },
  duplicate_name: { status: 409, when: 'The name is taken (names are compared without regard to case).' },
  version_conflict: { status: 409, when: 'The record has changed; `current_version` tells its version now.' },
  in_use: { status: 409, when: 'Something else uses this record; `used_by` lists it.' },
  invalid_state: { status: 409, when: 'The record is in a state that does not allow this.' },
  already_running: { status: 409, when: 'The model is already running.' },
  already_exists: { status: 409, when: 'The object exists already.' },
  payload_too_large: { status: 413, when: 'The body is larger than this endpoint takes.' },
  internal_error: { status: 500, when: 'A bug; the log has the cause under `request_id`.' },
  verification_failed: { status: 500, when: 'A connection could not be verified; the message lists every problem.' },
  store_unavailable: { status: 503, when: 'The record store or the password storage is not ready.' },
  upstream_timeout: { status: 504, when: 'A server outside did not answer in time.' },
} as const satisfies Record<string, { status: number; when: string }>;

/** Outbound codes as the answer of a whole request (not of a test): never an upstream's own 401, 403 or 404. */
const OUTBOUND_WHEN: Record<OutboundCode, string> = {
  auth_failed: 'The server refused the credentials.',
  permission_denied: 'The credentials are good but not allowed to do this.',
  model_not_found: 'The provider does not know the model.',
  model_not_invokable: 'The model cannot be called this way (it needs an inference profile, for example).',
  rate_limited: 'The server asked to slow down; `retry_after` in seconds where it said so.',
  quota_exceeded: 'The quota or the credit is used up.',
  bad_request: 'The server did not accept the request; its own reason is in the message.',
  upstream_error: 'The server answered badly; its own reason, redacted, is in the message.',
  timeout: 'The server did not answer in time.',
  dns_failed: 'The host name cannot be resolved.',
  connection_refused: 'Nothing listens at this address.',
  connection_reset: 'The connection was cut.',
  tls_untrusted: 'The certificate is not signed by a trusted authority.',
  tls_hostname_mismatch: 'The certificate is for another host name.',
  tls_expired: 'The certificate has expired.',
  tls_protocol: 'The port does not speak TLS, or no version in common.',
  blocked_by_policy: 'The address is closed by the outbound policy.',
  configuration_invalid: 'The record lacks something that this call needs.',
  not_supported: 'The server does not offer this.',
};

/** What a write or an inline test of a record with secrets can answer about them. */
export const SECRET_FAULTS = ['masked_value_without_stored_secret', 'secret_required_for_new_host'] as const;

export type FaultCode = keyof typeof FAULTS | OutboundCode;

function outboundStatus(code: OutboundCode): number {
  if (code === 'timeout') return 504;
  return code === 'rate_limited' ? 429 : 502;
}

export function faultStatus(code: FaultCode): number {
  return code in FAULTS ? FAULTS[code as keyof typeof FAULTS].status : outboundStatus(code as OutboundCode);
}

/** All codes with status and occasion, for the documents. */
export function allFaults(): { code: FaultCode; status: number; when: string }[] {
  const own = Object.entries(FAULTS).map(([code, row]) => ({ code: code as FaultCode, ...row }));
  const outbound = OUTBOUND_CODES.map((code) => ({ code, status: outboundStatus(code), when: OUTBOUND_WHEN[code] }));
  return [...own, ...outbound].sort((a, b) => a.status - b.status || a.code.localeCompare(b.code));
}

export interface Problem {
  /** Dotted path of the field, `$header.If-Match` style names for headers. */
  field: string;
  message: string;
}

/**
 * A failure that the caller should see. `message` is for a person and never holds a secret or a part of the body.
 * Anything thrown that is not a Fault (or an OutboundError) is a bug and answered as `internal_error`.
 */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly status: number;
  /** Further keys of the reply: `errors`, `required`, `used_by`, `current_version` … */
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: FaultCode,
    message: string,
    extra: Record<string, unknown> = {},
    options: { headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.status = faultStatus(code);
    this.extra = extra;
    this.headers = options.headers ?? {};
  }

  /** An outbound failure as the answer of a whole request. */
  static of(error: OutboundError, extra: Record<string, unknown> = {}): Fault {
    const retry = error.retryAfter === undefined ? {} : { retry_after: error.retryAfter };
    return new Fault(error.code, error.message, { ...retry, ...extra }, { cause: error });
  }
}

/** 400 with every problem; the message names the fields so that a client that prints only the message still helps. */
export function invalid(problems: Problem[], extra: Record<string, unknown> = {}): Fault {
  const text = problems.map((problem) => `${problem.field}: ${problem.message}`).join('; ');
  return new Fault('validation_failed', text, { errors: problems, ...extra });
}
