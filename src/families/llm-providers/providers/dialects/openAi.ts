import type { OutboundCode } from '../../../../contract/codes/outbound.ts';
import type { EmbedRequest } from '../../chat/chat.ts';
import { fromOpenAiChat } from '../../chat/openai/answer.ts';
import { fromOpenAiEmbed, toOpenAiEmbed } from '../../chat/openai/embeddings.ts';
import { toOpenAiChat } from '../../chat/openai/request.ts';
import { embedWarnings } from '../../chat/support.ts';
import {
  asObject,
  asText,
  type Dialect,
  type EmbedForms,
  formsOf,
  type Json,
  type Refusal,
  reasonText,
} from '../dialect.ts';
import type { Target } from '../provider.ts';
import { bearer, saysUnknownModel } from './refusals.ts';

/** The dialect of `POST /chat/completions` and `GET /models`, spoken by several providers. */
export const openAiDialect: Dialect = {
  headers: bearer,
  chat: (target, model, request) =>
    formsOf('/chat/completions', toOpenAiChat(model, request, { takesOthers: !isOpenAi(target) })),
  readChat: fromOpenAiChat,
  embed: (target, model, request) => embedForms('/embeddings', model, request, !isOpenAi(target)),
  readEmbeddings: fromOpenAiEmbed,
  embedsTokens: true,
  list: () => [{ method: 'GET', path: '/models' }],
  tryNext: () => false,
  page: openAiPage,
  code: openAiCode,
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

const QUOTA = /^(insufficient_quota|billing_hard_limit_reached|billing_not_active|insufficient_balance)$/;
const UNKNOWN_MODEL = /^(model_not_found|model_decommissioned|unknown_model|invalid_model)$/;
const FILTERED = /^(content_filter|content_policy_violation|content_filtered|ResponsibleAIPolicyViolation)$/;
/** LiteLLM's proxy names the class of an error in the message alone. */
const FILTERED_MESSAGE = /^litellm\.(?:BadRequestError: litellm\.)?ContentPolicyViolationError\b/;
/** The last one is LiteLLM's proxy: without a database it knows no other key than its own. */
const BAD_KEY = /^(invalid_api_key|incorrect_api_key|invalid_authentication|no_db_connection)$/;

export function openAiCode({ asked, status, body, text }: Refusal): OutboundCode | undefined {
  const error = asObject(body.error);
  const codes = [reasonText(error.code), reasonText(error.type), reasonText(body.code)];
  const message = reasonText(error.message) || reasonText(body.error) || reasonText(body.message) || reasonText(text);
  const any = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (any(QUOTA)) return 'quota_exceeded';
  if (any(FILTERED) || FILTERED_MESSAGE.test(message)) return 'content_filtered';
  if (any(BAD_KEY)) return 'auth_failed';
  // A project without access to a model gets 403 with a good key.
  if (status === 403) return 'permission_denied';
  if (any(UNKNOWN_MODEL)) return 'model_not_found';
  if (status === 402) return 'quota_exceeded';
  if (status === 498) return 'rate_limited';
  if (asked === 'list') return undefined;
  if (/not a chat model|does not support chat|only supported in v1\/responses/i.test(message))
    return 'model_not_invokable';
  return saysUnknownModel(status, message) ? 'model_not_found' : undefined;
}
