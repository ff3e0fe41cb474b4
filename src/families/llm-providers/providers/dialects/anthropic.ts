import { fromAnthropicChat } from '../../chat/anthropic/answer.ts';
import { toAnthropicChat } from '../../chat/anthropic/request.ts';
import { joinAnthropicEvents } from '../../chat/anthropic/stream.ts';
import { ANTHROPIC_PARAMETER } from '../../chat/toolAliases.ts';
import { asList, asObject, asText, type Dialect, formsOf, type Json } from '../dialect.ts';

/** Newer versions refuse sampling parameters. */
const VERSION = '2023-06-01';

/** Anthropic's Messages API. */
export const anthropicDialect: Dialect = {
  headers: ({ settings: { access_token } }): Record<string, string> => ({
    'anthropic-version': VERSION,
    ...(access_token === undefined ? {} : { 'x-api-key': access_token }),
  }),
  chat: (_, model, request) => formsOf('/v1/messages', toAnthropicChat(model, request)),
  continuesAnswers: true,
  carrier: 'anthropic',
  parameterName: ANTHROPIC_PARAMETER,
  readChat: fromAnthropicChat,
  joinStream: joinAnthropicEvents,
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
};
