import { fromGeminiChat } from '../../chat/gemini/answer.ts';
import { fromGeminiEmbed, toGeminiEmbed } from '../../chat/gemini/embeddings.ts';
import { toGeminiChat } from '../../chat/gemini/request.ts';
import { joinGeminiChunks } from '../../chat/gemini/stream.ts';
import { embedWarnings } from '../../chat/support.ts';
import {
  asList,
  asObject,
  asText,
  type ChatForm,
  type Dialect,
  type DialectRequest,
  formsOf,
  type Json,
  reasonText,
} from '../dialect.ts';

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
/** `gemini-x`, `models/gemini-x` and `tunedModels/y` are all in use. */
const resource = (model: string) => encodePath(model.includes('/') ? model : `models/${model}`);

/** Gemini's own API. The key is sent in a header, since URLs end up in logs. */
export const geminiDialect: Dialect = {
  headers: ({ settings: { access_token } }): Record<string, string> =>
    access_token === undefined ? {} : { 'x-goog-api-key': access_token },
  // v1 lacks system instructions, tools and schemas; a connection test needs none of them.
  chat(_, model, request) {
    const path = (version: string) => `/${version}/${resource(model)}:generateContent`;
    const [first, other] = request.isProbe ? ['v1', 'v1beta'] : ['v1beta', 'v1'];
    const { requests, ...notices } = formsOf(path(first), toGeminiChat(model, request));
    const [best, ...variants] = requests as [ChatForm, ...ChatForm[]];
    return { requests: [best, { ...best, path: path(other) }, ...variants], ...notices };
  },
  toolName: /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/,
  readChat: fromGeminiChat,
  joinStream: joinGeminiChunks,
  embed: (_, model, request) => ({
    requests: ['v1beta', 'v1'].map((version) => ({
      method: 'POST',
      path: `/${version}/${resource(model)}:batchEmbedContents`,
      body: toGeminiEmbed(model.includes('/') ? model : `models/${model}`, request),
    })),
    batch: 100,
    warnings: embedWarnings(request),
  }),
  readEmbeddings: fromGeminiEmbed,
  // v1beta first: it lists all models of v1 and the aliases.
  list: (_, cursor) =>
    ['v1beta', 'v1'].map(
      (version): DialectRequest => ({
        method: 'GET',
        path: `/${version}/models?pageSize=1000${cursor === undefined ? '' : `&pageToken=${encodeURIComponent(cursor)}`}`,
      }),
    ),
  // 405: a gateway (LiteLLM) that supports only one of the versions.
  tryNext: ({ status }) => status === 404 || status === 405,
  page(body) {
    if (!Array.isArray(body.models)) return undefined;
    const names = asList(body.models).map((model) => asText(asObject(model).name).replace(/^models\//, ''));
    return { ids: names.filter((name) => name !== ''), next: asText(body.nextPageToken) || undefined };
  },
  lacksModelWith404: true,
  code: ({ body }) =>
    asObject(body.error).status === 'RESOURCE_EXHAUSTED' && isSpent(details(body)) ? 'quota_exceeded' : undefined,
  retryAfter: ({ body }) => retryDelay(details(body)),
};

const details = (body: Json) => asList(asObject(body.error).details).map(asObject);

/** A daily quota, or one of zero, does not come back after a short wait. */
function isSpent(errorDetails: readonly Json[]): boolean {
  const violations = errorDetails.flatMap((detail) => asList(detail.violations)).map(asObject);
  return violations.some(({ quotaId, quotaValue }) => /PerDay/.test(reasonText(quotaId)) || quotaValue === '0');
}

/** google.rpc.RetryInfo: `"retryDelay": "34s"`. */
function retryDelay(errorDetails: readonly Json[]): number | undefined {
  const seconds = errorDetails
    .map((detail) => /^(\d+(?:\.\d+)?)s$/.exec(reasonText(detail.retryDelay))?.[1])
    .find(Boolean);
  return seconds === undefined ? undefined : Math.min(Math.ceil(Number(seconds)), 86_400);
}
