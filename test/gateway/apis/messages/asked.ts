import { Fault } from '../../../../src/contract/codes/faults.ts';
import type { ChatReply, LlmIdentity } from '../../../../src/families/llm-providers/public.ts';
import type { ChatResult } from '../../../../src/gateway/apis/chatApi.ts';
import { messages } from '../../../../src/gateway/apis/messages/messages.ts';
import { tokensOf } from '../../../../src/gateway/models/chatReply.ts';

export type Body = Parameters<typeof messages.parse>[0];

const QUESTION = [{ role: 'user', content: 'Is the disk full?' }] as const;

/** A body with a question, unless it has other messages. */
export const bodyOf = (more: object = {}): Body =>
  ({ model: 'fast', max_tokens: 200, messages: [...QUESTION], ...more }) as Body;

export const parsed = (more: object = {}) => messages.parse(bodyOf(more));
export const requestOf = (more: object = {}) => parsed(more).request;

const MODEL: LlmIdentity = { service: 'General_Chat', connection_name: 'Home', model: 'm' };

export function answerOf(more: Partial<ChatReply> = {}): ChatReply {
  return {
    message: { role: 'assistant', content: 'Disk sda1 is full.' },
    toolCalls: [],
    finishReason: 'stop',
    usage: { input: { total: 21, cached: 4, cacheWritten: 2 }, output: { total: 9, reasoning: 3 } },
    status: 200,
    warnings: [],
    ...more,
  };
}

function resultOf(answer: ChatReply): ChatResult {
  const tokens = tokensOf(answer.usage, { prompt: () => 'prompt', answer: () => answer.message.content });
  return { answer, model: MODEL, attempts: 1, tokens, warnings: [], masked: undefined };
}

/** The object that a request is answered with. */
export const replyTo = (body: Body, answer: ChatReply) =>
  messages.parse(body).reply(resultOf(answer), body.model ?? 'default', { upstreamMs: 1, overheadMs: 1 });

interface StreamEvent {
  name: string;
  data: Record<string, unknown>;
}

export const streamOf = (reply: ReturnType<typeof replyTo>): string => messages.stream(reply, bodyOf()).payload;

export const eventsOf = (text: string): StreamEvent[] =>
  text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [, name = '', data = ''] = /^event: (\S+)\ndata: (.+)$/s.exec(block) ?? [];
      return { name, data: JSON.parse(data) };
    });

export const TOOL = { name: 'df', input_schema: { type: 'object' } };
export const MARK = { cache_control: { type: 'ephemeral', ttl: '1h' } };
export const LONG = { ttl: '1h' };
export const CALL = { type: 'tool_use', id: 't1', name: 'df', input: {} };
export const user = (...content: object[]) => ({ role: 'user', content });
export const assistant = (...content: object[]) => ({ role: 'assistant', content });
export const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
export const result = (more: object = {}) => ({ type: 'tool_result', tool_use_id: 't1', content: '91%', ...more });
export const chat = (...messages: object[]) => parsed({ messages });
export const messagesOf = (...messages: object[]) => chat(...messages).request.messages;

/** The failure of a body with these fields. */
function faultOf(more: object): Fault {
  try {
    parsed(more);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('no failure');
}

export const pathsOf = (more: object) =>
  (faultOf(more).extra.errors as { field: string }[] | undefined)?.map(({ field }) => field);
export const refusedIn = (more: object) => {
  const { code, extra } = faultOf(more);
  return [code, extra.param];
};
