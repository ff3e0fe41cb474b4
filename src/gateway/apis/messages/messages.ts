import type { ChatApi } from '../chatApi.ts';
import { type Body, parseMessages } from './parse.ts';
import { messagesObject } from './reply.ts';
import { messagesStream } from './stream.ts';
import { isTextOmitted, isThinking } from './thinking.ts';

export { betaWarnings } from './betas.ts';
export { countTokens } from './count.ts';

/** Anthropic's Messages. */
export const messages: ChatApi<Body, ReturnType<typeof messagesObject>> = {
  row: 'createMessage',
  parse: (body) => ({
    ...parseMessages(body),
    reply: (result, reference, times) =>
      messagesObject(result, reference, times, { isThinking: isThinking(body), isTextOmitted: isTextOmitted(body) }),
  }),
  stream: messagesStream,
};
