import type { Json } from '../../contract/basics.ts';
import { CODES, type FaultCode, gatewayStatusOf, isRetryable } from '../../contract/codes/codes.ts';
import { withoutUndefined } from '../../domain/values/json.ts';
import { roundTenths } from '../../domain/values/numbers.ts';
import type { Times } from '../../metering/meter.ts';
import type { RestReply, RestRequest } from '../../rest/request.ts';

/** Upstreams that ask for longer waits would stop clients that obey. Usage limits say the real time. */
const MAX_RETRY_AFTER_S = 60;

/** Adds what replies below `/ai_gateway` have besides those of `/ml`: headers, statuses, and OpenAI's `error`. */
export function gatewayReply(
  reply: RestReply,
  { path }: Pick<RestRequest, 'path'>,
  requestId: string,
  times: Times | undefined,
): RestReply {
  const headers: Record<string, string> = { ...reply.headers, 'x-request-id': requestId };
  if (times) {
    headers['x-ml-upstream-ms'] = String(roundTenths(times.upstreamMs));
    headers['x-ml-overhead-ms'] = String(roundTenths(times.overheadMs));
  }
  const code = codeOf(reply);
  if (code === undefined) return { ...reply, headers };
  const status = gatewayStatusOf(code);
  headers['x-should-retry'] = String(isRetryable(code, reply.payload as Json));
  const seconds = Number(headers['Retry-After'] ?? Number.NaN);
  if (seconds > MAX_RETRY_AFTER_S && code !== 'limit_exceeded') headers['Retry-After'] = String(MAX_RETRY_AFTER_S);
  const payload = reply.payload as Json;
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
