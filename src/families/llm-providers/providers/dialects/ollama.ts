import { fromOllamaChat, fromOllamaEmbed, toOllamaEmbed } from '../../chat/ollama/answer.ts';
import { toOllamaChat } from '../../chat/ollama/request.ts';
import { joinOllamaLines } from '../../chat/ollama/stream.ts';
import { asList, asObject, asText, type Dialect, formsOf } from '../dialect.ts';
import { bearer } from './openAi.ts';

/** Ollama needs no key, but a proxy in front of it may. */
export const ollamaDialect: Dialect = {
  headers: bearer,
  chat: (_, model, request) => formsOf('/api/chat', toOllamaChat(model, request)),
  // Any name will do.
  toolName: /^/,
  readChat: fromOllamaChat,
  joinStream: joinOllamaLines,
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
  lacksModelWith404: true,
};
