import { fromOllamaChat, fromOllamaEmbed, toOllamaChat, toOllamaEmbed } from '../chat/ollamaChat.ts';
import { asList, asObject, asText, type Dialect, reasonText } from './dialect.ts';
import { clientOf } from './httpClient.ts';
import { listedFirst } from './listedFirst.ts';
import { bearer } from './openAiDialect.ts';
import { KEYED, type LlmProvider } from './provider.ts';

/** Ollama needs no key, but a proxy in front of it may. */
const ollamaDialect: Dialect = {
  headers: bearer,
  chat(_, model, request) {
    const { body, ...rest } = toOllamaChat(model, request);
    return { requests: [{ method: 'POST', path: '/api/chat', body }], ...rest };
  },
  readChat: fromOllamaChat,
  embed: (_, model, request) => ({
    method: 'POST',
    path: '/api/embed',
    body: toOllamaEmbed(model, request),
    batch: 2048,
  }),
  readEmbeddings: fromOllamaEmbed,
  list: () => [{ method: 'GET', path: '/api/tags' }],
  tryNext: () => false,
  page(body) {
    if (!Array.isArray(body.models)) return undefined;
    const names = asList(body.models).map((model) => asText(asObject(model).name) || asText(asObject(model).model));
    return { ids: names.filter((name) => name !== '') };
  },
  code({ asked, status, body }) {
    const reason = reasonText(body.error);
    if (asked === 'chat' && status === 404) return 'model_not_found';
    return /does not support (chat|generate)/i.test(reason) ? 'model_not_invokable' : undefined;
  },
};

/** A regular expression would backtrack on long runs of colons. */
const hasTag = (model: string) => model.lastIndexOf(':') > model.lastIndexOf('/');
const tagged = (model: string) => (hasTag(model) ? model : `${model}:latest`).toLowerCase();

export const ollama: LlmProvider = {
  ...KEYED,
  displayName: 'Local Runtime (Ollama)',
  defaultEndpoint: 'http://localhost:11434',
  beyondBase: /\/(?:api|v1)(?:\/.*|$)/s,
  fields: { ...KEYED.fields, access_token: 'optional' },
  client: clientOf(ollamaDialect),
  // Distinguishes a model that was never pulled from a wrong address.
  testChat: listedFirst({ isListed: (model, ids) => ids.some((id) => tagged(id) === tagged(model)), mayLack: false }),
};
