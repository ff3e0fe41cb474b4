import { OutboundError } from '../../../contract/codes/outbound.ts';
import { codeForStatus, refusalError, retryAfterSeconds } from '../../../domain/net/upstreamErrors.ts';
import type { Http, HttpAnswer } from '../../../ports/llm/http.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import { joinEmbeddings } from '../chat/turns.ts';
import { LIMITS } from '../names.ts';
import { asList, asObject, type Dialect, type DialectRequest, type Json, type Refusal } from './dialect.ts';
import { assertSupported, type LlmClient, MAX_MODELS, type Target } from './provider.ts';

const PEER = 'The provider';
const MAX_PAGES = 20;
/** Longer ids cannot be configured, and a cursor becomes part of a URL. */
const LONGEST_ID = LIMITS.name_length;
const LONGEST_CURSOR = 4096;

/** A client that calls the provider's endpoint over HTTP. */
export const clientOf =
  (dialect: Dialect) =>
  (target: Target, { http }: { http: Http }): LlmClient =>
    httpClient(dialect, target, http);

function httpClient(dialect: Dialect, target: Target, http: Http): LlmClient {
  const { hidden: secrets } = target;
  const { endpoint = '', verify_tls: verifyTls, ca_certificate: caCertificate } = target.settings;

  function send({ method, path, body }: DialectRequest, deadline: Deadline): Promise<HttpAnswer> {
    const headers = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...dialect.headers(target),
    };
    const text = body === undefined ? {} : { body: JSON.stringify(body) };
    return http.request({
      method,
      url: `${endpoint}${path}`,
      headers,
      ...text,
      deadline,
      verifyTls,
      caCertificate,
      secrets,
    });
  }

  async function ask<T>(
    asked: Refusal['asked'],
    calls: readonly DialectRequest[],
    deadline: Deadline,
    read: (body: Json) => T | undefined,
  ): Promise<{ status: number; value: T }> {
    for (const [index, call] of calls.entries()) {
      const answer = await send(call, deadline);
      const body = parsed(answer.text);
      const value = answer.status >= 200 && answer.status <= 299 ? read(body) : undefined;
      if (value !== undefined) return { status: answer.status, value };
      const refusal: Refusal = { asked, status: answer.status, headers: answer.headers, body, text: answer.text };
      if (index + 1 < calls.length && dialect.tryNext(refusal)) continue;
      throw failure(dialect, refusal, secrets);
    }
    throw new Error('a dialect has at least one request for each question');
  }

  return {
    async chat(model, request, deadline) {
      const { requests, ...translated } = dialect.chat(target, model, request);
      const warnings = assertSupported(request, translated);
      const { status, value } = await ask('chat', requests, deadline, (body) => dialect.readChat(body));
      return { status, attempts: 1, warnings, ...value };
    },
    async embed(model, request, deadline) {
      const { embed, readEmbeddings } = dialect;
      if (!embed || !readEmbeddings) throw new OutboundError('not_supported', `${PEER} has no embeddings.`);
      const { batch } = embed(target, model, request);
      const slices = Array.from({ length: Math.ceil(request.inputs.length / batch) }, (_, index) =>
        request.inputs.slice(index * batch, (index + 1) * batch),
      );
      const answers = [];
      for (const inputs of slices) {
        const call = embed(target, model, { ...request, inputs });
        answers.push(await ask('embed', [call], deadline, readEmbeddings));
      }
      return {
        status: answers.at(-1)?.status ?? 200,
        attempts: answers.length,
        warnings: [],
        ...joinEmbeddings(answers.map(({ value }) => value)),
      };
    },
    async list(deadline) {
      const ids = new Set<string>();
      const seen = new Set<string>();
      let cursor: string | undefined;
      let status = 200;
      for (let page = 0; page < MAX_PAGES && ids.size < MAX_MODELS; page++) {
        const answer = await ask('list', dialect.list(target, cursor), deadline, (body) => dialect.page(body));
        status = answer.status;
        for (const id of answer.value.ids) if (ids.size < MAX_MODELS && id.length <= LONGEST_ID) ids.add(id);
        cursor = answer.value.next;
        if (!cursor || cursor.length > LONGEST_CURSOR || seen.has(cursor)) break;
        seen.add(cursor);
      }
      return { status, ids: [...ids] };
    },
  };
}

function parsed(text: string): Json {
  try {
    return asObject(JSON.parse(text));
  } catch {
    return {};
  }
}

function failure(dialect: Dialect, refusal: Refusal, secrets: readonly string[]): OutboundError {
  const { status, text, headers } = refusal;
  if (status >= 200 && status <= 299) {
    const reasonText = Object.hasOwn(refusal.body, 'error') ? text : '';
    const error = refusalError({ status, text: reasonText, secrets, peer: PEER }, 'upstream_error');
    const message =
      reasonText === '' ? `${PEER} answered ${status}, but not in the form that its API uses` : error.message;
    return new OutboundError('upstream_error', message, { httpStatus: status });
  }
  const retryAfter =
    dialect.retryAfter?.(refusal) ?? retryAfterSeconds(headers['retry-after']) ?? milliseconds(headers);
  const code = dialect.code(refusal) ?? codeForStatus(status);
  const error = refusalError({ status, text: reason(refusal), retryAfter, secrets, peer: PEER }, code);
  if (code !== 'upstream_error' || (status !== 404 && status !== 405)) return error;
  const hint = 'is servicesettings.endpoint.value the base address of this provider?';
  return new OutboundError(code, `${error.message} — ${hint}`, { httpStatus: status, retryAfter });
}

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
