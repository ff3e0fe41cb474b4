import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import type { ChatReply, ChatRequest } from '../../../../src/families/llm-providers/public.ts';
import { openEnvelope } from '../../../../src/gateway/apis/envelope.ts';
import { betaWarnings, countTokens, messages } from '../../../../src/gateway/apis/messages/messages.ts';
import { differencesFrom } from '../../../support/clients/matches.ts';
import { answerOf, type Body, bodyOf, eventsOf, replyTo, streamOf } from './asked.ts';

const FIXTURES = join(import.meta.dirname, '../../../fixtures/clients');

interface GivenReply {
  text: string;
  finish: ChatReply['finishReason'];
  usage: ChatReply['usage'];
  reasoning?: string;
  calls?: ChatReply['toolCalls'];
  signature?: { call: string; value: string };
}

interface Case {
  id: string;
  why: string;
  request: { path: string; headers?: Record<string, string>; body: Body };
  reply: GivenReply | { error: object } | null;
  expect: {
    status: number;
    normal?: object;
    body?: { error?: { message: string }; error_code?: string };
    events?: string[];
    stream_file?: string;
    variant?: { body: Record<string, unknown> };
  };
}

const cases: Case[] = JSON.parse(readFileSync(join(FIXTURES, 'messages.json'), 'utf8'));
const caseOf = (id: string) => cases.find((each) => each.id === id) as Case;
const golden = (name: string) => readFileSync(join(FIXTURES, name), 'utf8');

const isAnswer = (reply: Case['reply']): reply is GivenReply => reply !== null && 'finish' in reply;

function answerTo({ text, calls = [], finish, usage, reasoning, signature }: GivenReply): ChatReply {
  const toolCalls = calls.map((call) =>
    call.id === signature?.call ? { ...call, extra: { google: { thought_signature: signature.value } } } : call,
  );
  const message = { role: 'assistant' as const, content: text, ...(reasoning ? { reasoning } : {}) };
  return answerOf({ message, toolCalls, finishReason: finish, usage });
}

/** Cases name the parts of a result as its content. */
const withPartsAsContent = (request: ChatRequest) => ({
  ...request,
  messages: request.messages.map((message) =>
    message.role === 'tool' && message.parts ? { ...message, content: message.parts } : message,
  ),
});

function faultOf(body: Body): Fault {
  try {
    messages.parse(body);
  } catch (error) {
    if (error instanceof Fault) return error;
    throw error;
  }
  throw new Error('no failure');
}

/** Events but for what differs between two answers: ids, the model's name, counts, and what is ours. */
const comparable = (text: string) =>
  eventsOf(text).map(({ name, data: { usage: _, ml: __, ...data } }) => {
    const { message, delta } = data as { message?: object; delta?: { type?: string } };
    return {
      name,
      ...data,
      ...(message ? { message: { ...message, id: 'msg', model: 'm', usage: {} } } : {}),
      ...(delta?.type === 'signature_delta' ? { delta: { ...delta, signature: 'mlx1.' } } : {}),
    };
  });

describe('cases of clients of Messages', () => {
  const chats = cases.filter(({ request }) => request.path.endsWith('/messages'));

  for (const { id, why, request, reply, expect: expected } of chats) {
    it(`${id}: ${why}`, () => {
      const { body } = request;
      if (expected.status !== 200 && reply === null && id !== 'M17') {
        const { code, message } = faultOf(body);
        expect(code).to.equal(expected.body?.error_code);
        expect(differencesFrom(expected.body?.error?.message, message)).to.deep.equal([]);
        return;
      }
      const parsed = withPartsAsContent(messages.parse(body).request);
      expect(differencesFrom(expected.normal ?? {}, parsed)).to.deep.equal([]);
      if (expected.variant) messages.parse({ ...body, ...expected.variant.body } as Body);
      if (!isAnswer(reply)) return;
      const object = replyTo(body, answerTo(reply));
      expect(differencesFrom(expected.body ?? {}, object)).to.deep.equal([]);
      const stream = streamOf(object);
      if (expected.events) expect(eventsOf(stream).map(({ name }) => name)).to.deep.equal(expected.events);
      if (expected.stream_file) expect(comparable(stream)).to.deep.equal(comparable(golden(expected.stream_file)));
    });
  }

  it('M02: names each event, also in its data, and has no line of another API', () => {
    const { request, reply } = caseOf('M02');
    const stream = streamOf(replyTo(request.body, answerTo(reply as GivenReply)));
    for (const { name, data } of eventsOf(stream)) expect(data.type).to.equal(name);
    expect(stream).to.not.contain('[DONE]');
    expect(golden('streams/messages-text.sse')).to.match(/^event: /);
  });

  it('a refusal is streamed as its text', () => {
    const message = { role: 'assistant' as const, content: '', refusal: 'I cannot help with that.' };
    const object = replyTo(bodyOf(), answerOf({ message }));
    expect(comparable(streamOf(object))).to.deep.equal(comparable(golden('streams/messages-refusal.sse')));
  });

  it('M06: warns of the beta of tomorrow alone', () => {
    const warnings = betaWarnings(caseOf('M06').request.headers?.['anthropic-beta']);
    expect(warnings).to.have.length(1);
    expect(warnings[0]).to.contain('some-beta-of-tomorrow');
    expect(messages.parse(caseOf('M06').request.body).warnings).to.deep.equal([]);
  });

  it('M07: keeps the blocks of Anthropic for Anthropic, unchanged', () => {
    const { body } = caseOf('M07').request;
    const [, answer] = messages.parse(body).request.messages;
    const content = body.messages[1]?.content as object[];
    expect(answer).to.have.deep.property('carrier', { anthropic: { thinking_blocks: content.slice(0, 2) } });
  });

  it('M08: takes the signature back', () => {
    const { request, reply } = caseOf('M08');
    const { content } = replyTo(request.body, answerTo(reply as GivenReply));
    const result = [{ type: 'tool_result', tool_use_id: content[1]?.id, content: '1' }];
    const turns = [...request.body.messages, { role: 'assistant', content }, { role: 'user', content: result }];
    const [, answer] = messages.parse({ ...request.body, messages: turns } as Body).request.messages;
    expect(answer).to.have.deep.property('returned', [openEnvelope(String(content[0]?.signature))]);
    expect(answer).to.have.nested.property('returned[0].calls.c1.google.thought_signature', 'c2ln');
  });

  it('M17: names the place of the answer that a client has begun', () => {
    expect(messages.parse(caseOf('M17').request.body).request.continues).to.equal('messages.1');
  });

  it('M19: counts system and tools', () => {
    const { system, tools, ...body } = caseOf('M19').request.body;
    const whole = countTokens({ ...body, system, tools } as Body);
    expect(whole)
      .to.be.above(countTokens(body as Body))
      .and.satisfy(Number.isInteger);
  });
});
