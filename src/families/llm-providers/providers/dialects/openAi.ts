import type { EmbedRequest } from '../../chat/chat.ts';
import { cutAnswer, fromOpenAiChat } from '../../chat/openai/answer.ts';
import { fromOpenAiEmbed, toOpenAiEmbed } from '../../chat/openai/embeddings.ts';
import { toOpenAiChat } from '../../chat/openai/request.ts';
import { joinOpenAiChunks } from '../../chat/openai/stream.ts';
import { embedWarnings } from '../../chat/support.ts';
import { asObject, asText, type Dialect, type EmbedForms, formsOf, type Json } from '../dialect.ts';
import type { Target } from '../provider.ts';

export function bearer({ settings: { access_token } }: Target): Record<string, string> {
  return access_token === undefined ? {} : { authorization: `Bearer ${access_token}` };
}

/** The dialect of `POST /chat/completions` and `GET /models`, spoken by several providers. */
export const openAiDialect: Dialect = {
  headers: bearer,
  chat: (target, model, request) =>
    formsOf('/chat/completions', toOpenAiChat(model, request, { takesOthers: !isOpenAi(target) })),
  readChat: fromOpenAiChat,
  readRefusal: cutAnswer,
  joinStream: joinOpenAiChunks,
  embed: (target, model, request) => embedForms('/embeddings', model, request, !isOpenAi(target)),
  readEmbeddings: fromOpenAiEmbed,
  embedsTokens: true,
  list: () => [{ method: 'GET', path: '/models' }],
  tryNext: () => false,
  page: openAiPage,
};

/** OpenAI itself refuses unknown fields. */
const isOpenAi = ({ settings: { endpoint = '' } }: Target) => /^https:\/\/api\.openai\.com(?:[:/]|$)/i.test(endpoint);

/** @param takesOthers whether it is sent fields that OpenAI does not know */
export function embedForms(path: string, model: string, request: EmbedRequest, takesOthers: boolean): EmbedForms {
  const sent = takesOthers ? request : { ...request, others: undefined };
  return {
    requests: [{ method: 'POST', path, body: toOpenAiEmbed(model, sent) }],
    batch: 2048,
    warnings: takesOthers ? [] : embedWarnings(request, ['user']),
  };
}

export function openAiPage(body: Json): { ids: string[] } | undefined {
  if (!Array.isArray(body.data)) return undefined;
  return { ids: body.data.map((model) => asText(asObject(model).id)).filter((id) => id !== '') };
}
