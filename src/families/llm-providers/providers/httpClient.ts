import { MAX_JSON_LEVELS } from '../../../contract/basics.ts';
import { OutboundError } from '../../../contract/codes/outbound.ts';
import { jsonNestsDeeperThan } from '../../../contract/depth.ts';
import { stringifyWellFormed } from '../../../contract/exactJson.ts';
import { unmetered } from '../../../domain/async/unmetered.ts';
import { withMasks } from '../../../domain/net/redact.ts';
import { withFurtherHeaders } from '../../../domain/secrets/secretHeaders.ts';
import type { Http, HttpAnswer } from '../../../ports/llm/http.ts';
import type { Deadline } from '../../../ports/platform/clock.ts';
import type { Upstream } from '../../../ports/platform/upstream.ts';
import { assertMasked } from '../chat/assertMasked.ts';
import { failureIn, readAnswer, readBody, readList } from '../chat/bodies.ts';
import { joinEmbeddings } from '../chat/vectors.ts';
import { LIMITS } from '../names.ts';
import { askChat } from './askChat.ts';
import { type ChatForm, type Dialect, type DialectRequest, type Json, type Refusal, reasonText } from './dialect.ts';
import { isSuccess, PEER, refusalIn, refusalOf } from './httpFailure.ts';
import { assertTexts, type LlmClient, MAX_MODELS, type Target } from './provider.ts';

const MAX_PAGES = 20;
/** Longer ids cannot be configured, and a cursor becomes part of a URL. */
const LONGEST_ID = LIMITS.name_length;
const LONGEST_CURSOR = 4096;

/** A client that calls the provider's endpoint over HTTP. Its dialect is loaded with the first call. */
export const clientOf =
  (load: () => Promise<Dialect>) =>
  (target: Target, { http }: { http: Http }): LlmClient => {
    const client = async () => httpClient(await load(), target, http);
    return {
      chat: async (...asked) => (await client()).chat(...asked),
      embed: async (...asked) => (await client()).embed(...asked),
      list: async (...asked) => (await client()).list(...asked),
    };
  };

function httpClient(dialect: Dialect, target: Target, http: Http): LlmClient {
  const { hidden: secrets } = target;
  const { endpoint = '', verify_tls: verifyTls, ca_certificate: caCertificate } = target.settings;

  async function send({ method, path, body }: DialectRequest, deadline: Deadline): Promise<HttpAnswer> {
    const own = {
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...dialect.headers(target),
      ...(target.bearer === undefined ? {} : { authorization: `Bearer ${target.bearer}` }),
    };
    const headers = withFurtherHeaders(own, target.settings.headers);
    const text = body === undefined ? {} : { body: stringifyWellFormed(body) };
    const answer = await http.request({
      method,
      url: `${endpoint}${path}`,
      headers,
      ...text,
      deadline,
      verifyTls,
      caCertificate,
      secrets,
    });
    // It would take seconds to read, and be no answer.
    return jsonNestsDeeperThan(answer.text, MAX_JSON_LEVELS) ? { ...answer, text: '' } : answer;
  }

  const readers = { chat: (text: string) => readAnswer(text, dialect.joinStream), list: readList, embed: readBody };

  /** @param onRefusal called with a refusal before its error is thrown */
  async function ask<T>(
    asked: Refusal['asked'],
    call: DialectRequest,
    deadline: Deadline,
    read: (body: Json) => T | undefined,
    onRefusal: (refusal: Refusal) => void = () => {},
  ): Promise<{ status: number; value: T }> {
    const { status, headers, text } = await send(call, deadline);
    const isAnswer = isSuccess(status);
    const body = isAnswer ? readers[asked](text) : readBody(text);
    const value = isAnswer && !failureIn(body) ? read(body) : undefined;
    if (value !== undefined) return { status, value };
    const refusal = refusalIn({ asked, httpStatus: status, headers, body, text });
    onRefusal(refusal);
    throw refusalOf(dialect, refusal, secrets);
  }

  /** Asks for the same in other ways, as long as the dialect says after a refusal that the next one may succeed. */
  async function askInTurn<T>(
    asked: Refusal['asked'],
    calls: readonly DialectRequest[],
    upstream: Upstream,
    read: (body: Json) => T | undefined,
  ): Promise<{ status: number; value: T }> {
    for (const [index, call] of calls.entries()) {
      let mayGoOn = false;
      const send = () =>
        ask(asked, call, upstream, read, (refusal) => {
          mayGoOn = index + 1 < calls.length && dialect.tryNext(refusal);
        });
      try {
        return await upstream.request(send, { mayRepeat: index === 0 });
      } catch (error) {
        if (!mayGoOn || upstream.hasRepeated) throw error;
      }
    }
    throw new Error('a dialect has at least one request for what it offers');
  }

  async function embedSlice(calls: readonly DialectRequest[], count: number, upstream: Upstream) {
    const { readEmbeddings } = dialect;
    if (!readEmbeddings) throw lacksEmbeddings();
    const answer = await askInTurn('embed', calls, upstream, readEmbeddings);
    const { vectors } = answer.value;
    if (vectors.length !== count) {
      const counts = `${vectors.length} vectors for ${count} inputs`;
      throw new OutboundError('upstream_error', `${PEER} answered ${counts}`, { httpStatus: answer.status });
    }
    return answer;
  }

  return {
    chat(model, request, upstream) {
      let refusal: Refusal | undefined;
      return askChat(request, upstream, {
        secrets,
        toolName: dialect.toolName,
        parameterName: dialect.parameterName,
        continuesAnswers: dialect.continuesAnswers,
        carrier: dialect.carrier,
        forms: (named) => dialect.chat(target, model, named),
        async send(form) {
          refusal = undefined;
          const read = (body: Json) => dialect.readChat(body);
          try {
            const { status, value } = await ask('chat', form, upstream, read, (latest) => {
              refusal = latest;
            });
            return { status, answer: value };
          } catch (error) {
            const answer = refusal && dialect.readRefusal?.(refusal, request.maxTokens);
            if (!answer) throw error;
            return { status: 200, answer };
          }
        },
        mayFollow: (form) => refusal !== undefined && mayFollow(dialect, form, refusal),
      });
    },
    async embed(model, request, upstream) {
      if (!dialect.embed) throw lacksEmbeddings();
      if (!dialect.embedsTokens) assertTexts(request);
      const { batch, warnings } = dialect.embed(target, model, { ...request, inputs: [] });
      const answers = [];
      for (let start = 0; start < request.inputs.length; start += batch) {
        const inputs = request.inputs.slice(start, start + batch);
        const { requests } = dialect.embed(target, model, { ...request, inputs });
        for (const { body } of requests) assertMasked(request, body);
        answers.push(await embedSlice(requests, inputs.length, upstream));
      }
      const joined = joinEmbeddings(answers.map(({ value }) => value));
      return { status: answers.at(-1)?.status ?? 200, warnings: [...warnings], ...joined };
    },
    async list(deadline) {
      const ids = new Set<string>();
      const cursors = new Set<string>();
      let cursor: string | undefined;
      let status = 200;
      for (let page = 0; page < MAX_PAGES && ids.size < MAX_MODELS; page++) {
        const answer = await listPage(cursor, deadline);
        status = answer.status;
        for (const id of answer.value.ids) if (ids.size < MAX_MODELS && id.length <= LONGEST_ID) ids.add(id);
        cursor = answer.value.next;
        if (!cursor || cursor.length > LONGEST_CURSOR || cursors.has(cursor)) break;
        cursors.add(cursor);
      }
      return { status, ids: withMasks([...ids], secrets) };
    },
  };

  function listPage(cursor: string | undefined, deadline: Deadline) {
    return askInTurn('list', dialect.list(target, cursor), unmetered(deadline), (body) => dialect.page(body));
  }
}

const lacksEmbeddings = () => new OutboundError('not_supported', `${PEER} has no embeddings`, { param: 'model' });

function mayFollow(dialect: Dialect, { answers }: ChatForm, refusal: Refusal): boolean {
  if (answers === undefined) return dialect.tryNext(refusal);
  return (refusal.status === 400 || refusal.status === 422) && answers(reasonText(refusal.text));
}
