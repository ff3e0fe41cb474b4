import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Json } from '../../../../src/contract/basics.ts';
import type { RawReply } from '../../../../src/contract/rows/rawReply.ts';
import type { ChatReply } from '../../../../src/families/llm-providers/public.ts';
import type { ChatResult } from '../../../../src/gateway/apis/chatApi.ts';
import type { ResponseObject } from '../../../../src/gateway/apis/responses/reply.ts';
import { responses } from '../../../../src/gateway/apis/responses/responses.ts';

type Body = Parameters<typeof responses.parse>[0];

const FIXTURES = join(import.meta.dirname, '../../../fixtures/clients');
export const fixture = (name: string): string => readFileSync(join(FIXTURES, name), 'utf8');

export const parsed = (body: Json) => responses.parse({ model: 'fast', input: 'x', ...body } as Body);
export const messagesOf = (input: unknown, more: Json = {}) => parsed({ input, ...more }).request.messages;

export const MODEL = { service: 'Google_Gemini', connection_name: 'main', model: 'flash' };

type Answer = Partial<ChatReply['message']> & Partial<Pick<ChatReply, 'toolCalls' | 'finishReason' | 'logprobs'>>;

/** An answer in the normal form. */
function resultOf({ toolCalls = [], finishReason = 'stop', logprobs, ...message }: Answer): ChatResult {
  const usage = { input: { total: 21, cached: 4, cacheWritten: 2 }, output: { total: 9, reasoning: 3 } };
  return {
    answer: {
      message: { role: 'assistant', content: '', ...message },
      ...{ toolCalls, finishReason, logprobs, usage, status: 200, warnings: [] },
    },
    model: MODEL,
    attempts: 1,
    tokens: { input: 21, cached: 4, cacheWritten: 2, output: 9, reasoning: 3, estimated: false },
    warnings: [],
    masked: undefined,
  };
}

const TIMES = { upstreamMs: 5, overheadMs: 1 };

export function replyTo(body: Json, answer: Answer): ResponseObject {
  const asked = parsed(body);
  const result = resultOf(answer);
  return asked.reply({ ...result, warnings: [...asked.warnings, ...result.warnings] }, 'fast', TIMES);
}

export interface StreamEvent extends Json {
  type: string;
  sequence_number: number;
}

/** The data of the events of a stream, each of which names its type twice. */
export function eventsIn(payload: string): StreamEvent[] {
  if (!payload.endsWith('\n\n')) throw new Error('the last event has no end');
  return payload
    .trimEnd()
    .split('\n\n')
    .map((block) => {
      const [, type, json = ''] = /^event: (.*)\ndata: (.*)$/.exec(block) ?? [];
      const data = JSON.parse(json) as StreamEvent;
      if (data.type !== type) throw new Error(`${type} is not ${data.type}`);
      return data;
    });
}

export const streamOf = (reply: ResponseObject): RawReply => responses.stream(reply, {} as Body);
