import { isObject, type Json, MAX_JSON_LEVELS } from '../../../contract/basics.ts';
import { Fault } from '../../../contract/codes/faults.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { jsonNestsDeeperThan } from '../../../contract/depth.ts';
import { parseExact, stringifyWellFormed } from '../../../contract/exactJson.ts';
import { codeForStatus, peerReason, retryAfterOf } from '../../../domain/net/upstreamErrors.ts';
import { withoutTrailingSlashes } from '../../../domain/net/url.ts';
import type { Http, HttpAnswer } from '../../../ports/llm/http.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Target } from '../../../resources/target.ts';
import type { StoreStored } from '../definition.ts';

type Store = Extract<StoreStored, { type: 'OPENSEARCH' }>;
export type IndexDetails = Store['details'];

/** OpenSearch and Elasticsearch, as far as both speak alike. */
export interface SearchServer {
  /** Asks below the index. @throws Fault `kb_not_found`; OutboundError */
  ask(path: string, deadline: Deadline, body?: Json | string): Promise<Json>;
}

export function searchServer({ record: { details }, secrets, hidden }: Target<Store>, http: Http): SearchServer {
  const { url, index, verify_tls: verifyTls = true, ca_certificate: caCertificate } = details;
  const base = `${withoutTrailingSlashes(url)}/${encodeURIComponent(index)}`;
  const login = authorization(details, secrets['details/password'], secrets['details/api_key']);
  const concealed = [...hidden, ...(login ? [login.slice(login.indexOf(' ') + 1)] : [])];
  return {
    async ask(path, deadline, body) {
      const text = typeof body === 'string' ? body : body && stringifyWellFormed(body);
      const answer = await http.request({
        method: body === undefined ? 'GET' : 'POST',
        url: `${base}/${path}`,
        headers: {
          accept: 'application/json',
          ...(body === undefined
            ? {}
            : { 'content-type': `application/${typeof body === 'string' ? 'x-ndjson' : 'json'}` }),
          ...(login && { authorization: login }),
        },
        ...(text === undefined ? {} : { body: text }),
        deadline,
        verifyTls,
        caCertificate,
        secrets: concealed,
      });
      return readAnswer(answer, index, concealed);
    },
  };
}

function authorization(
  { username }: IndexDetails,
  password: string | undefined,
  key: string | undefined,
): string | undefined {
  if (key !== undefined) return `ApiKey ${key}`;
  if (username === undefined) return undefined;
  return `Basic ${Buffer.from(`${username}:${password ?? ''}`).toString('base64')}`;
}

function readAnswer({ status, headers, text }: HttpAnswer, index: string, hidden: readonly string[]): Json {
  const body = jsonOf(text);
  if (status >= 200 && status <= 299) {
    if (body) return body;
    throw new OutboundError('upstream_error', notOurs(status), { httpStatus: status });
  }
  const error = isObject(body?.error) ? body.error : {};
  if (status === 404 && error.type === 'index_not_found_exception') throw lacksIndex(index);
  const code = codeForStatus(status);
  const reason = peerReason(reasonOf(error) ?? text, hidden);
  const message = body ? `The server answered ${status}${reason === '' ? '' : `: ${reason}`}` : notOurs(status);
  throw new OutboundError(code === 'model_not_found' ? 'upstream_error' : code, message, {
    httpStatus: status,
    retryAfter: retryAfterOf(headers),
  });
}

function jsonOf(text: string): Json | undefined {
  if (jsonNestsDeeperThan(text, MAX_JSON_LEVELS)) return undefined;
  try {
    const value = parseExact(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The reason that the server gives: the first cause says more than the summary. */
function reasonOf(error: Json): string | undefined {
  const causes = Array.isArray(error.root_cause) ? error.root_cause : [];
  const deepest = isObject(error.caused_by) ? error.caused_by : undefined;
  const reasons = [deepest, causes[0], error].map((cause) => (isObject(cause) ? cause.reason : undefined));
  return reasons.find((reason): reason is string => typeof reason === 'string');
}

const notOurs = (status: number): string =>
  `The server answered ${status}, but not as OpenSearch or Elasticsearch: is details.url its address?`;

export const lacksIndex = (index: string): Fault => new Fault('kb_not_found', `There is no index ${index}`);
