import { OutboundError } from '../../../contract/codes/outbound.ts';
import { stringifyExact } from '../../../contract/exactJson.ts';
import { codeOfRefusal } from '../../../domain/net/modelRefusals.ts';
import { codeForStatus, peerReason, retryAfterOf } from '../../../domain/net/upstreamErrors.ts';
import { failureIn, isFailure } from '../chat/bodies.ts';
import { asList, asObject, type Dialect, type Json, type Refusal, reasonText } from './dialect.ts';

export const PEER = 'The provider';

export const isSuccess = (status: number): boolean => status >= 200 && status <= 299;

/** A provider's answer that is not what the request asked for. */
export function refusalIn(answer: Omit<Refusal, 'status'>): Refusal {
  const { httpStatus, body } = answer;
  const failure = failureIn(body) ?? body;
  const status = isSuccess(httpStatus) ? (namedStatus(failure) ?? httpStatus) : httpStatus;
  return { ...answer, status, body: failure };
}

/** An HTTP status that is named in an error. */
function namedStatus(body: Json): number | undefined {
  const errors = [asObject(body.error), asObject(asList(body.errors)[0]), body];
  const named = errors.flatMap((item) => [item.code, item.status, item.status_code, item.http_status, item.error_code]);
  return named.map(Number).find((status) => Number.isInteger(status) && status >= 400 && status <= 599);
}

/** The error of an answer that is not what was asked for. */
export function refusalOf(dialect: Dialect, refusal: Refusal, secrets: readonly string[]): OutboundError {
  const { asked, status, httpStatus, headers, body, text } = refusal;
  const message = messageIn(body);
  const isNoModel = dialect.lacksModelWith404 === true && status === 404 && asked !== 'list';
  const code =
    dialect.code?.(refusal) ??
    codeOfRefusal({
      asked,
      status,
      codes: codesIn(body),
      message: message === '' ? reasonText(text) : message,
      text,
    }) ??
    (isNoModel ? 'model_not_found' : codeForStatus(status));
  return new OutboundError(code, `${PEER} answered ${whatOf(refusal, secrets)}${hintFor(code, httpStatus)}`, {
    httpStatus: status,
    retryAfter: dialect.retryAfter?.(refusal) ?? retryAfterOf(headers),
    filterResult: code === 'content_filtered' ? dialect.filterResult?.(refusal) : undefined,
  });
}

function whatOf({ status, httpStatus, body, text }: Refusal, secrets: readonly string[]): string {
  const isEmpty = Object.keys(body).length === 0;
  if (isSuccess(httpStatus) && !isFailure(body.error) && messageIn(body) === '') {
    return `${httpStatus}, but not in the form that its API uses`;
  }
  const reason = peerReason(isEmpty ? text : stringifyExact(body), secrets);
  const error = status === httpStatus ? 'an error' : `the error ${status}`;
  return `${httpStatus}${isSuccess(httpStatus) ? ` with ${error}` : ''}${reason === '' ? '' : `: ${reason}`}`;
}

const hintFor = (code: string, httpStatus: number): string =>
  code === 'upstream_error' && (httpStatus === 404 || httpStatus === 405)
    ? ' — is servicesettings.endpoint.value the base address of this provider?'
    : '';

/** Codes, types and reasons of an error, wherever dialects and gateways have them. */
function codesIn(body: Json): string[] {
  const error = asObject(body.error);
  const details = asList(error.details).map((detail) => asObject(detail).reason);
  const own = [error.code, error.type, error.status, error.error_type, asObject(error.innererror).code];
  return [...own, ...details, body.code, body.type, body.error_type].map(reasonText).filter((code) => code !== '');
}

function messageIn({ error, message, msg, detail, errors }: Json): string {
  const [first] = [...asList(detail), ...asList(errors)];
  const texts = [
    asObject(error).message,
    error,
    message,
    msg,
    detail,
    asObject(first).msg,
    asObject(first).message,
    first,
  ];
  return texts.map(reasonText).find((text) => text !== '') ?? '';
}
