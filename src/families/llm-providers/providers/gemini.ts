import type { OutboundCode } from '../../../contract/codes/outbound.ts';
import { fromGeminiChat, fromGeminiEmbed, toGeminiChat, toGeminiEmbed } from '../chat/geminiChat.ts';
import {
  asList,
  asObject,
  asText,
  type Dialect,
  type DialectRequest,
  type Json,
  type Refusal,
  reasonText,
} from './dialect.ts';
import { clientOf } from './httpClient.ts';
import { saysUnknownModel } from './openAiDialect.ts';
import { KEYED, type LlmProvider } from './provider.ts';

const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/');
/** `gemini-x`, `models/gemini-x` and `tunedModels/y` are all in use. */
const resource = (model: string) => encodePath(model.includes('/') ? model : `models/${model}`);

/** Gemini's own API. The key is sent in a header, since URLs end up in logs. */
const geminiDialect: Dialect = {
  headers: ({ settings: { access_token } }): Record<string, string> =>
    access_token === undefined ? {} : { 'x-goog-api-key': access_token },
  // The stable version first; preview models and `*-latest` aliases exist only in the other.
  chat(_, model, request) {
    const { body, ...rest } = toGeminiChat(request);
    const requests = ['v1', 'v1beta'].map(
      (version): DialectRequest => ({
        method: 'POST',
        path: `/${version}/${resource(model)}:generateContent`,
        body,
      }),
    );
    return { requests, ...rest };
  },
  readChat: fromGeminiChat,
  embed: (_, model, request) => ({
    method: 'POST',
    path: `/v1beta/${resource(model)}:batchEmbedContents`,
    body: toGeminiEmbed(model.includes('/') ? model : `models/${model}`, request),
    batch: 100,
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
  code: geminiCode,
  retryAfter: ({ body }) => retryDelay(details(body)),
};

const details = (body: Json) => asList(asObject(body.error).details).map(asObject);

function geminiCode({ asked, status, body }: Refusal): OutboundCode | undefined {
  const { status: word, message } = asObject(body.error);
  const reasons = details(body).map((detail) => reasonText(detail.reason));
  // A wrong key gets a 400 here.
  if (reasons.some((reason) => reason.startsWith('API_KEY_') && reason !== 'API_KEY_SERVICE_BLOCKED')) {
    return 'auth_failed';
  }
  if (word === 'UNAUTHENTICATED') return 'auth_failed';
  if (word === 'PERMISSION_DENIED') return 'permission_denied';
  if (word === 'NOT_FOUND' || status === 404) return asked === 'chat' ? 'model_not_found' : undefined;
  if (asked === 'chat' && saysUnknownModel(status, reasonText(message))) return 'model_not_found';
  if (word === 'RESOURCE_EXHAUSTED') return isSpent(details(body)) ? 'quota_exceeded' : 'rate_limited';
  return undefined;
}

/** A daily quota, or one of zero, does not come back after a short wait. */
function isSpent(all: readonly Json[]): boolean {
  const violations = all.flatMap((detail) => asList(detail.violations)).map(asObject);
  return violations.some(({ quotaId, quotaValue }) => /PerDay/.test(reasonText(quotaId)) || quotaValue === '0');
}

/** google.rpc.RetryInfo: `"retryDelay": "34s"`. */
function retryDelay(all: readonly Json[]): number | undefined {
  const seconds = all.map((detail) => /^(\d+(?:\.\d+)?)s$/.exec(reasonText(detail.retryDelay))?.[1]).find(Boolean);
  return seconds === undefined ? undefined : Math.min(Math.ceil(Number(seconds)), 86_400);
}

export const gemini: LlmProvider = {
  ...KEYED,
  displayName: 'Search Vendor Models (Gemini)',
  defaultEndpoint: 'https://generativelanguage.googleapis.com',
  beyondBase: /\/v1(?:alpha|beta\d?)?(?:\/.*|$)/s,
  client: clientOf(geminiDialect),
};
