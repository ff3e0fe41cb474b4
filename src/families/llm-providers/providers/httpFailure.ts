import { OutboundError } from '../../../contract/codes/outbound.ts';
import { saysPromptTooLong } from '../../../domain/net/modelRefusals.ts';
import { codeForStatus, refusalError, retryAfterSeconds } from '../../../domain/net/upstreamErrors.ts';
import { asList, type Dialect, type Refusal, reasonText } from './dialect.ts';

export const PEER = 'The provider';

/** The error of an answer that is not what was asked for. */
export function refusalOf(dialect: Dialect, refusal: Refusal, secrets: readonly string[]): OutboundError {
  const { status, text, headers } = refusal;
  if (status >= 200 && status <= 299) {
    const errorText = Object.hasOwn(refusal.body, 'error') ? text : '';
    const error = refusalError({ status, text: errorText, secrets, peer: PEER }, 'upstream_error');
    const message =
      errorText === '' ? `${PEER} answered ${status}, but not in the form that its API uses` : error.message;
    return new OutboundError('upstream_error', message, { httpStatus: status });
  }
  const retryAfter =
    dialect.retryAfter?.(refusal) ?? retryAfterSeconds(headers['retry-after']) ?? milliseconds(headers);
  const code = refusesLength(refusal) ? 'context_length_exceeded' : (dialect.code(refusal) ?? codeForStatus(status));
  const { message } = refusalError({ status, text: reason(refusal), secrets, peer: PEER }, code);
  const filterResult = code === 'content_filtered' ? dialect.filterResult?.(refusal) : undefined;
  const hint =
    code === 'upstream_error' && (status === 404 || status === 405)
      ? ' — is servicesettings.endpoint.value the base address of this provider?'
      : '';
  return new OutboundError(code, `${message}${hint}`, { httpStatus: status, retryAfter, filterResult });
}

/** Ollama answers 500 too. */
const refusesLength = ({ asked, status, text }: Refusal): boolean =>
  asked !== 'list' && [400, 413, 422, 500].includes(status) && saysPromptTooLong(reasonText(text));

/** Some gateways answer with a list of one error, some with `detail` or `errors`. */
function reason({ body, text }: Refusal): string {
  if (Object.keys(body).length > 0) return text;
  try {
    const list = asList(JSON.parse(text));
    return list.length > 0 ? JSON.stringify(list[0]) : text;
  } catch {
    return text;
  }
}

function milliseconds(headers: Readonly<Record<string, string>>): number | undefined {
  const ms = Number(headers['retry-after-ms'] ?? Number.NaN);
  return Number.isFinite(ms) && ms >= 0 ? Math.min(Math.ceil(ms / 1000), 86_400) : undefined;
}
