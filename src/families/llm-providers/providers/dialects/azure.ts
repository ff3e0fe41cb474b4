import { withNumbers } from '../../../../contract/exactJson.ts';
import { defined } from '../../chat/json.ts';
import { cutAnswer, fromOpenAiChat } from '../../chat/openai/answer.ts';
import { fromOpenAiEmbed } from '../../chat/openai/embeddings.ts';
import { toOpenAiChat } from '../../chat/openai/request.ts';
import { joinOpenAiChunks } from '../../chat/openai/stream.ts';
import { asObject, type Dialect, formsOf, type Json, type Refusal, reasonText } from '../dialect.ts';
import type { Target } from '../provider.ts';
import { bearer, embedForms, openAiPage } from './openAi.ts';

/** A Microsoft Entra token is a JWT; the key of a resource never looks like one. */
const ENTRA_TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/;
const isV1 = ({ settings }: Target) => settings.enterprise_api_version?.toLowerCase() === 'v1';
const query = ({ settings }: Target) => `?api-version=${encodeURIComponent(settings.enterprise_api_version ?? '')}`;

const pathOf = (target: Target, model: string, operation: string) =>
  isV1(target)
    ? `/openai/v1/${operation}`
    : `/openai/deployments/${encodeURIComponent(model)}/${operation}${query(target)}`;

/**
 * Azure OpenAI. With a dated version the model is a deployment in the path; with `v1` it is a field of the body and there
 * is no version in the query. The list has the resource's base models and never its
 * deployments, which a key cannot list, so a model may be missing from it.
 */
export const azureDialect: Dialect = {
  headers: (target): Record<string, string> => {
    const { access_token } = target.settings;
    if (access_token === undefined) return {};
    return ENTRA_TOKEN.test(access_token) ? bearer(target) : { 'api-key': access_token };
  },
  chat: (target, model, request) => formsOf(pathOf(target, model, 'chat/completions'), toOpenAiChat(model, request)),
  readChat: fromOpenAiChat,
  readRefusal: cutAnswer,
  joinStream: joinOpenAiChunks,
  embed: (target, model, request) => embedForms(pathOf(target, model, 'embeddings'), model, request, false),
  readEmbeddings: fromOpenAiEmbed,
  embedsTokens: true,
  list: (target) => [{ method: 'GET', path: isV1(target) ? '/openai/v1/models' : `/openai/models${query(target)}` }],
  tryNext: () => false,
  page: openAiPage,
  filterResult,
};

/** Which categories the filter has found, and how severe. Nothing of the prompt. */
function filterResult({ body }: Refusal): Json | undefined {
  const { code, content_filter_result: results } = asObject(asObject(body.error).innererror);
  const categories = Object.entries(asObject(results)).map(([category, result]) => {
    const { filtered, severity, detected } = asObject(result);
    return [category, withNumbers(defined({ filtered, severity, detected }))];
  });
  if (categories.length === 0) return undefined;
  return { code: reasonText(code), content_filter_result: Object.fromEntries(categories) };
}
