import { type OutboundCode, OutboundError } from '../../contract/codes/outbound.ts';
import { redact } from '../../domain/net/redact.ts';
import { codeForStatus, looksLikeHtml, retryAfterSeconds } from '../../domain/net/upstreamErrors.ts';
import { classify } from '../outbound/classify.ts';

export interface AwsErrorContext {
  peer: string;
  secrets: readonly (string | undefined)[];
  signal: AbortSignal;
}

/** Error names of AWS services; others are classified by HTTP status. */
const NAMES: Readonly<Record<string, OutboundCode>> = {
  UnrecognizedClientException: 'auth_failed',
  InvalidClientTokenId: 'auth_failed',
  InvalidAccessKeyId: 'auth_failed',
  InvalidSignatureException: 'auth_failed',
  SignatureDoesNotMatch: 'auth_failed',
  IncompleteSignature: 'auth_failed',
  IncompleteSignatureException: 'auth_failed',
  MissingAuthenticationToken: 'auth_failed',
  MissingAuthenticationTokenException: 'auth_failed',
  ExpiredToken: 'auth_failed',
  ExpiredTokenException: 'auth_failed',
  InvalidToken: 'auth_failed',
  InvalidIdentityToken: 'auth_failed',
  RequestExpired: 'auth_failed',
  RequestTimeTooSkewed: 'auth_failed',
  AuthFailure: 'auth_failed',
  UnauthorizedException: 'auth_failed',
  AccessDenied: 'permission_denied',
  AccessDeniedException: 'permission_denied',
  UnauthorizedOperation: 'permission_denied',
  OptInRequired: 'permission_denied',
  RegionDisabledException: 'permission_denied',
  BandwidthLimitExceeded: 'rate_limited',
  LimitExceededException: 'rate_limited',
  PriorRequestNotComplete: 'rate_limited',
  ProvisionedThroughputExceededException: 'rate_limited',
  RequestLimitExceeded: 'rate_limited',
  RequestThrottled: 'rate_limited',
  RequestThrottledException: 'rate_limited',
  SlowDown: 'rate_limited',
  ThrottledException: 'rate_limited',
  Throttling: 'rate_limited',
  RetryableConflictException: 'rate_limited',
  ThrottlingException: 'rate_limited',
  TooManyRequestsException: 'rate_limited',
  ServiceQuotaExceededException: 'quota_exceeded',
  ModelTimeoutException: 'timeout',
  RequestTimeout: 'timeout',
  RequestTimeoutException: 'timeout',
};

/** A paused database behind a knowledge base is reported as a mistake of the request, and answers a little later. */
const RESUMING = /\bis resuming\b/i;

/** Errors of the client itself, before anything is sent. */
const CLIENT_NAMES = /^(CredentialsProviderError|ProviderError|TokenProviderError|EndpointError)$/;

const SDK_HINT = /\n[^\S\n]*Deserialization error: /;

interface SdkError extends Error {
  $metadata?: { httpStatusCode?: number; clockSkewCorrected?: boolean };
  $response?: { statusCode?: number; headers?: Record<string, string> };
  $fault?: unknown;
}

/** Maps an error of the SDK to an OutboundError with the service's redacted message. */
export function awsError(error: unknown, context: AwsErrorContext): OutboundError {
  const { peer, secrets, signal } = context;
  if (!isSdkError(error)) return classify(error, { peer, secrets, signal });
  if (error instanceof OutboundError) return classify(withoutHint(error), { secrets });
  if (CLIENT_NAMES.test(error.name)) return clientError(error, context);
  const status = error.$metadata?.httpStatusCode ?? error.$response?.statusCode;
  // No status: the reply could not be parsed.
  if (status === undefined) return classify(error, { peer, secrets, signal });
  // A truncated reply has a status as well as the socket's error code.
  const broken = error.$fault === undefined && status < 400 ? classify(error, { peer, secrets, signal }) : undefined;
  if (broken && broken.code !== 'upstream_error') return broken;
  const mapped = NAMES[error.name];
  const more = {
    httpStatus: status,
    retryAfter: retryAfterSeconds(error.$response?.headers?.['retry-after']),
    cause: error,
  };
  if (mapped === undefined && (error.$fault === undefined || status < 400 || looksLikeHtml(error.message))) {
    return new OutboundError(
      'upstream_error',
      `${peer} answered ${status} with something that is not an AWS reply`,
      more,
    );
  }
  const detail = /^Unknown(Error)?$/.test(error.message) ? '' : redact(error.message, secrets);
  const name = /^(Unknown|UnknownError|Error)$/.test(error.name) ? '' : ` ${error.name}`;
  const code = mapped ?? (RESUMING.test(error.message) ? 'upstream_error' : codeForStatus(status));
  return new OutboundError(code, `${peer} answered ${status}${name}${colon(detail)}`, more);
}

function clientError(error: Error, { peer, secrets, signal }: AwsErrorContext): OutboundError {
  if (signal.aborted) return classify(error, { peer, signal });
  const detail = redact(error.message, secrets);
  if (error.name === 'EndpointError') {
    return new OutboundError('configuration_invalid', `${peer} has no address for these settings${colon(detail)}`);
  }
  return new OutboundError(
    'configuration_invalid',
    `No AWS credentials: give both keys, or run the app on an instance that has a role${colon(detail)}`,
  );
}

/** The SDK appends a hint for developers to errors of our HTTP handler. */
function withoutHint(error: OutboundError): OutboundError {
  const [message = '', ...hint] = error.message.split(SDK_HINT);
  if (hint.length === 0) return error;
  const { code, httpStatus, retryAfter } = error;
  return new OutboundError(code, message, { httpStatus, retryAfter, cause: error.cause });
}

const colon = (text: string) => (text === '' ? '' : `: ${text}`);

function isSdkError(error: unknown): error is SdkError {
  return error instanceof Error;
}

export function isNotFound(error: unknown): boolean {
  return causeOf(error)?.name === 'ResourceNotFoundException';
}

const VALIDATION = ['ValidationError', 'ValidationException'];
const NO_ENDPOINT = /\bendpoint\b.{0,200}\bnot found\b|could not find endpoint/i;

/** SageMaker reports a missing endpoint as a mistake of the request. Other errors may quote such words. */
export function isMissingEndpoint(error: unknown): boolean {
  const { name = '', message = '' } = causeOf(error) ?? {};
  return isNotFound(error) || (VALIDATION.includes(name) && NO_ENDPOINT.test(message));
}

export function causeOf(error: unknown): Error | undefined {
  return error instanceof OutboundError && error.cause instanceof Error ? error.cause : undefined;
}

/** The SDK has measured this machine's clock skew from the reply, so a retry is signed with the correct time. */
export function isClockCorrected(error: unknown): boolean {
  return (error as SdkError | undefined)?.$metadata?.clockSkewCorrected === true;
}
