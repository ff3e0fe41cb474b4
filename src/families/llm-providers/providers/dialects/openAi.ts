import type { EmbedRequest } from '../../chat/chat.ts';
import { fromOpenAiChat } from '../../chat/openai/answer.ts';
import { fromOpenAiEmbed, toOpenAiEmbed } from '../../chat/openai/embeddings.ts';
import { toOpenAiChat } from '../../chat/openai/request.ts';
import { joinOpenAiChunks } from '../../chat/openai/stream.ts';
import { asObject, asText, type Dialect, formsOf, type Json } from '../dialect.ts';
import type { Target } from '../provider.ts';

export function bearer({ settings: { access_token } }: Target): Record<string, string> {
  return access_token === undefined ? {} : { authorization: `Bearer ${access_token}` };
}

/** The dialect of `POST /chat/completions` and `GET /models`, spoken by several providers. */
export const openAiDialect: Dialect = {
  headers: bearer,
  chat: (target, model, request) =>
    formsOf('/chat/completions', toOpenAiChat(model, request, { echoesExtra: !isOpenAi(target) })),
  readChat: fromOpenAiChat,
  joinStream: joinOpenAiChunks,
  embed: (_, model, request) => embedForm('/embeddings', model, request),
  readEmbeddings: fromOpenAiEmbed,
  embedsTokens: true,
  list: () => [{ method: 'GET', path: '/models' }],
  tryNext: () => false,
  page: openAiPage,
};

/** OpenAI itself refuses unknown fields. */
const isOpenAi = ({ settings: { endpoint = '' } }: Target) => /^https:\/\/api\.openai\.com(?:[:/]|$)/i.test(endpoint);

export const embedForm = (path: string, model: string, request: EmbedRequest) =>
  ({ method: 'POST', path, body: toOpenAiEmbed(model, request), batch: 2048 }) as const;

export function openAiPage(body: Json): { ids: string[] } | undefined {
  if (!Array.isArray(body.data)) return undefined;
  return { ids: body.data.map((model) => asText(asObject(model).id)).filter((id) => id !== '') };
}
