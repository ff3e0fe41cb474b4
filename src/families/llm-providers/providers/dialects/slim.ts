import { randomBytes } from 'node:crypto';
import type { TenantModel } from '../../../../ports/llm/platformTenant.ts';
import { cutAnswer, fromOpenAiChat } from '../../chat/openai/answer.ts';
import { type OpenAiTraits, toOpenAiChat } from '../../chat/openai/request.ts';
import { joinOpenAiChunks } from '../../chat/openai/stream.ts';
import { asList, asObject, asText, type Dialect, formsOf, isObject, type Json } from '../dialect.ts';
import { bearer } from './openAi.ts';

/** Published clients always send a limit, and this one. */
const USUAL_TOKENS = 4096;
/** The value that published clients send. */
const EXTRA_HEADERS: Json = { additionalProp1: 'string' };
const TRAITS: OpenAiTraits = { hints: [], isSystemFirst: true };

/**
 * The service of models that Splunk hosts: OpenAI's chats and answers, with ids of models that only its list tells. It refuses a request
 * without a `request_id`, and compares the name of that header by case.
 * @param extraHeaders of the model that is asked
 * @param onListed gets the models of a list
 */
export function slimDialect(
  extraHeaders: TenantModel['extraHeaders'],
  onListed: (models: readonly TenantModel[]) => void,
): Dialect {
  const toBody = ({ model, ...body }: Json): Json => ({
    model_id: model,
    ...body,
    stream: false,
    extra_headers: extraHeaders ?? EXTRA_HEADERS,
  });
  return {
    headers: (target) => ({ ...bearer(target), request_id: randomBytes(32).toString('hex') }),
    chat(_, model, request) {
      const limited = {
        ...request,
        maxTokens: request.maxTokens ?? USUAL_TOKENS,
        tokenLimitField: 'max_tokens',
      } as const;
      const { body, variants = [], ...notices } = toOpenAiChat(model, limited, TRAITS);
      const others = variants.map((variant) => ({ ...variant, body: toBody(variant.body) }));
      return formsOf('/chat/completions', { ...notices, body: toBody(body), variants: others });
    },
    readChat: fromOpenAiChat,
    readRefusal: cutAnswer,
    joinStream: joinOpenAiChunks,
    list: () => [{ method: 'GET', path: '/chat/models' }],
    page(body) {
      const models = modelsIn(body);
      if (!models) return undefined;
      onListed(models);
      return { ids: models.map(({ name }) => name) };
    },
    tryNext: () => false,
    code: ({ status, asked }) =>
      status === 404 ? (asked === 'list' ? 'not_supported' : 'model_not_found') : undefined,
  };
}

/** The service answers a list; one client has met an object with `models`. */
function modelsIn({ data, models = data }: Json): TenantModel[] | undefined {
  if (!Array.isArray(models)) return undefined;
  return asList(models)
    .map(asObject)
    .map(({ model_name: name, model_id: id, extra_headers: extra }) => ({
      name: asText(name),
      id: asText(id),
      extraHeaders: isObject(extra) ? extra : undefined,
    }))
    .filter(({ name, id }) => name !== '' && id !== '');
}
