import type { Json } from '../../contract/basics.ts';
import { CODES, type FaultCode, gatewayStatusOf, isRetryable, OVERLOADED_STATUS } from '../../contract/codes/codes.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import { roundTenths } from '../../domain/values/numbers.ts';
import type { Times } from '../../metering/meter.ts';
import type { RestReply, RestRequest } from '../../rest/request.ts';
import { tooLongMessage } from './tooLong.ts';

/** Upstreams that ask for longer waits would stop clients that obey. Usage limits say the real time. */
const MAX_RETRY_AFTER_S = 60;

const MESSAGES = '/ai_gateway/v1/messages';

/** Adds what replies below `/ai_gateway` have besides those of `/ml`: headers, statuses, and the `error` of each API. */
export function gatewayReply(
  reply: RestReply,
  { path }: Pick<RestRequest, 'path'>,
  requestId: string,
  times: Times | undefined,
): RestReply {
  const isMessages = path.startsWith(MESSAGES);
  const ids = { 'x-request-id': requestId, ...(isMessages ? { 'request-id': requestId } : {}) };
  const headers: Record<string, string> = { ...reply.headers, ...ids };
  if (times) {
    headers['x-ml-upstream-ms'] = String(roundTenths(times.upstreamMs));
    headers['x-ml-overhead-ms'] = String(roundTenths(times.overheadMs));
  }
  const code = codeOf(reply);
  if (code === undefined) return { ...reply, headers };
  const payload = reply.payload as Json;
  const isOverloaded = reply.status === OVERLOADED_STATUS;
  const status = isOverloaded ? OVERLOADED_STATUS : gatewayStatusOf(code);
  headers['x-should-retry'] = String(isOverloaded || isRetryable(code, payload));
  const seconds = Number(headers['Retry-After'] ?? Number.NaN);
  if (seconds > MAX_RETRY_AFTER_S && code !== 'limit_exceeded') headers['Retry-After'] = String(MAX_RETRY_AFTER_S);
  if (isMessages) {
    const error = anthropicError(status, code, payload);
    return { status, headers, payload: { type: 'error', ...payload, error } };
  }
  const isOpenAi = path.startsWith('/ai_gateway/v1');
  return { status, headers, payload: isOpenAi ? { ...payload, error: openAiError(status, code, payload) } : payload };
}

/** Undefined for a success and for the platform's 401. */
function codeOf({ status, payload }: RestReply): FaultCode | undefined {
  const code = (payload as Json | null)?.error_code;
  return status >= 400 && typeof code === 'string' && Object.hasOwn(CODES, code) ? (code as FaultCode) : undefined;
}

/** Its clients know a filtered answer by this code. */
const OPENAI_FILTERED = 'content_filter';

function openAiError(status: number, code: FaultCode, { message, param, errors, innererror, kinds }: Json) {
  const first = Array.isArray(errors) ? (errors[0] as { field?: unknown }).field : undefined;
  const filter = withoutUndefined({ innererror, kinds });
  const name = code === 'content_filtered' ? OPENAI_FILTERED : code;
  return { message, type: typeOf(status, code), code: name, param: param ?? first ?? null, ...filter };
}

function typeOf(status: number, code: FaultCode): string {
  if (code === 'quota_exceeded' || code === 'limit_exceeded') return 'insufficient_quota';
  if (status === 429) return 'rate_limit_error';
  if (status === 403) return 'permission_error';
  return status >= 500 ? 'api_error' : 'invalid_request_error';
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
  [OVERLOADED_STATUS]: 'overloaded_error',
};

function anthropicError(status: number, code: FaultCode, { message }: Json) {
  const type = ANTHROPIC_TYPES[status] ?? (status >= 500 ? 'api_error' : 'invalid_request_error');
  return { type, message: code === 'context_length_exceeded' ? tooLongMessage(String(message)) : message };
}
