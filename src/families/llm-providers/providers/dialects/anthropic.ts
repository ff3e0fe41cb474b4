import type { OutboundCode } from '../../../../contract/codes/outbound.ts';
import { fromAnthropicChat } from '../../chat/anthropic/answer.ts';
import { toAnthropicChat } from '../../chat/anthropic/request.ts';
import { asList, asObject, asText, type Dialect, formsOf, type Json, type Refusal, reasonText } from '../dialect.ts';
import { saysUnknownModel } from './refusals.ts';

/** Newer versions refuse sampling parameters. */
const VERSION = '2023-06-01';

/** Anthropic's Messages API. */
export const anthropicDialect: Dialect = {
  headers: ({ settings: { access_token } }): Record<string, string> => ({
    'anthropic-version': VERSION,
    ...(access_token === undefined ? {} : { 'x-api-key': access_token }),
  }),
  chat: (_, model, request) => formsOf('/v1/messages', toAnthropicChat(model, request)),
  readChat: fromAnthropicChat,
  list: (_, cursor) => [
    {
      method: 'GET',
      path: `/v1/models?limit=1000${cursor === undefined ? '' : `&after_id=${encodeURIComponent(cursor)}`}`,
    },
  ],
  tryNext: () => false,
  page(body: Json) {
    if (!Array.isArray(body.data)) return undefined;
    const ids = asList(body.data).map((model) => asText(asObject(model).id));
    const next = body.has_more === true ? asText(body.last_id) || undefined : undefined;
    return { ids: ids.filter((id) => id !== ''), next };
  },
  code: anthropicCode,
};

const CODES: Readonly<Record<string, OutboundCode>> = {
  authentication_error: 'auth_failed',
  permission_error: 'permission_denied',
  rate_limit_error: 'rate_limited',
  overloaded_error: 'rate_limited',
  billing_error: 'quota_exceeded',
};

function anthropicCode({ asked, status, body }: Refusal): OutboundCode | undefined {
  const error = asObject(body.error);
  const [type, message] = [reasonText(error.type), reasonText(error.message)];
  if (/credit balance is too low/i.test(message)) return 'quota_exceeded';
  if (/blocked by content filtering/i.test(message)) return 'content_filtered';
  if (asked === 'chat' && saysUnknownModel(status, message)) return 'model_not_found';
  if (type === 'not_found_error') return asked === 'chat' ? 'model_not_found' : undefined;
  if (status === 529) return 'rate_limited';
  return CODES[type] ?? (status === 402 ? 'quota_exceeded' : undefined);
}
