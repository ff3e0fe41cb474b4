import type { Static } from 'typebox';
import { parseChat } from '../models/chatBody.ts';
import { chatCompletion, eventStream } from '../models/chatReply.ts';
import type { ChatBody } from '../schemas.ts';
import type { ChatApi } from './chatApi.ts';

/** OpenAI's Chat Completions. */
export const chatCompletions: ChatApi<Static<typeof ChatBody>, ReturnType<typeof chatCompletion>> = {
  row: 'createChatCompletion',
  parse: (body) => ({
    ...parseChat(body),
    schemaField: 'response_format.json_schema.schema',
    warnings: [],
    reply: chatCompletion,
  }),
  stream: (reply, body) => eventStream(reply, body.stream_options?.include_usage === true),
};
