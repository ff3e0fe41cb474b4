import type { Static } from 'typebox';
import type { ChatApi } from '../chatApi.ts';
import { parseResponse } from './parse.ts';
import { type ResponseObject, responseObject } from './reply.ts';
import type { ResponsesBody } from './schemas.ts';
import { eventStream } from './stream.ts';

/** OpenAI's Responses. */
export const responses: ChatApi<Static<typeof ResponsesBody>, ResponseObject> = {
  row: 'createResponse',
  parse(body) {
    const { tools, ...parsed } = parseResponse(body);
    return {
      ...parsed,
      schemaField: 'text.format.schema',
      reply: (result, reference, times) => responseObject(result, reference, times, { body, tools }),
    };
  },
  stream: eventStream,
};
