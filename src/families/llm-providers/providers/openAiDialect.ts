import type { OutboundCode } from '../../../contract/codes/outbound.ts';
import type { ChatRequest, EmbedRequest } from '../chat/chat.ts';
import { fromOpenAiChat, fromOpenAiEmbed, toOpenAiChat, toOpenAiEmbed } from '../chat/openAiChat.ts';
import {
  asObject,
  asText,
  type ChatForms,
  type Dialect,
  type DialectRequest,
  type Json,
  type Refusal,
  reasonText,
} from './dialect.ts';
import type { Target } from './provider.ts';

/** The part of a full URL that follows the base. */
export const BEYOND_OPENAI_BASE = /\/(chat\/completions|completions|responses|embeddings)$|(?<=\/v1)\/models$/;

/** The dialect of `POST /chat/completions` and `GET /models`, spoken by several providers. */
export const openAiDialect: Dialect = {
  headers: bearer,
  chat: (_, model, request) => chatForms('/chat/completions', model, request),
  readChat: fromOpenAiChat,
  embed: (_, model, request) => embedForm('/embeddings', model, request),
  readEmbeddings: fromOpenAiEmbed,
  list: () => [{ method: 'GET', path: '/models' }],
  tryNext: refusesTokenCap,
  page: openAiPage,
  code: openAiCode,
};

export function bearer({ settings: { access_token } }: Target): Record<string, string> {
  return access_token === undefined ? {} : { authorization: `Bearer ${access_token}` };
}

/** The token limit has two names, and a model or an older server may know only one of them, or neither. */
export function chatForms(path: string, model: string, request: ChatRequest): ChatForms {
  const { body, ...rest } = toOpenAiChat(model, request);
  const { maxTokens, isProbe } = request;
  const limits: Json[] = [{ max_completion_tokens: maxTokens }, { max_tokens: maxTokens }, ...(isProbe ? [{}] : [])];
  const bodies = maxTokens === undefined ? [body] : limits.map((limit) => ({ ...body, ...limit }));
  return { requests: bodies.map((one): DialectRequest => ({ method: 'POST', path, body: one })), ...rest };
}

export const embedForm = (path: string, model: string, request: EmbedRequest) =>
  ({ method: 'POST', path, body: toOpenAiEmbed(model, request), batch: 2048 }) as const;

export function refusesTokenCap({ asked, status, body, text }: Refusal): boolean {
  if (asked !== 'chat' || (status !== 400 && status !== 422)) return false;
  const code = reasonText(asObject(body.error).code);
  return code === 'unsupported_parameter' || code === 'unknown_parameter' || /max_(completion_)?tokens/.test(text);
}

export function openAiPage(body: Json): { ids: string[] } | undefined {
  if (!Array.isArray(body.data)) return undefined;
  return { ids: body.data.map((model) => asText(asObject(model).id)).filter((id) => id !== '') };
}

const QUOTA = /^(insufficient_quota|billing_hard_limit_reached|billing_not_active|insufficient_balance)$/;
const UNKNOWN_MODEL = /^(model_not_found|model_decommissioned|unknown_model|invalid_model)$/;
const UNKNOWN = /\bmodel\b.{0,200}\b(not exist|not found|unknown)\b|\b(unknown|invalid) model\b/is;
const BAD_KEY = /^(invalid_api_key|incorrect_api_key|invalid_authentication)$/;

export function openAiCode({ asked, status, body, text }: Refusal): OutboundCode | undefined {
  const error = asObject(body.error);
  const codes = [reasonText(error.code), reasonText(error.type), reasonText(body.code)];
  const message = reasonText(error.message) || reasonText(body.error) || reasonText(body.message) || reasonText(text);
  const any = (pattern: RegExp) => codes.some((code) => pattern.test(code));
  if (any(QUOTA)) return 'quota_exceeded';
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

/** vLLM, Ollama and LiteLLM word their errors in their own ways. */
export function saysUnknownModel(status: number, message: string): boolean {
  return (status === 404 || status === 400) && UNKNOWN.test(reasonText(message));
}
