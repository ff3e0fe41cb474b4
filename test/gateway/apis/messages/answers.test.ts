import { expect } from 'chai';
import fc from 'fast-check';
import { stringifyExact } from '../../../../src/contract/exactJson.ts';
import type { ChatReply } from '../../../../src/families/llm-providers/public.ts';
import { openEnvelope } from '../../../../src/gateway/apis/envelope.ts';
import { betaWarnings, countTokens } from '../../../../src/gateway/apis/messages/messages.ts';
import { holds } from '../../../support/property.ts';
import { answerOf, type Body, bodyOf, eventsOf, replyTo, streamOf } from './asked.ts';

type Json = Record<string, unknown>;

const THINKING = bodyOf({ thinking: { type: 'adaptive' } });
const said = (more: Partial<ChatReply['message']> = {}) => ({ role: 'assistant' as const, content: '', ...more });
const call = (id: string, text = '{}') => ({ id, name: 'df', arguments: text });

describe('answers of Messages', () => {
  it('show thinking only where it is on, and its text unless it is omitted', () => {
    const answer = answerOf({ message: said({ content: 'a', reasoning: 'r', carrier: { anthropic: {} } }) });
    expect(replyTo(bodyOf(), answer).content).to.deep.equal([{ type: 'text', text: 'a' }]);
    expect(replyTo(bodyOf({ thinking: { type: 'disabled' } }), answer).content).to.have.length(1);
    const [shown] = replyTo(THINKING, answer).content;
    expect(shown).to.include({ type: 'thinking', thinking: 'r' });
    expect(openEnvelope(String(shown?.signature))).to.have.deep.property('carrier', { anthropic: {} });
    const omitted = bodyOf({ thinking: { type: 'adaptive', display: 'omitted' } });
    expect(replyTo(omitted, answer).content[0]).to.include({ type: 'thinking', thinking: '' });
    expect(replyTo(THINKING, answerOf()).content).to.have.length(1);
  });

  it('give a text whose state is too large all the same, with a warning', () => {
    const carrier = { anthropic: { data: 'x'.repeat(70_000) } };
    const { content, ml } = replyTo(THINKING, answerOf({ message: said({ content: 'a', reasoning: 'r', carrier }) }));
    expect(content[0]).to.include({ type: 'thinking', thinking: 'r' });
    expect(openEnvelope(String(content[0]?.signature))).to.not.have.property('carrier');
    expect(ml.warnings).to.have.length(1);
    const mute = replyTo(THINKING, answerOf({ message: said({ content: 'a', carrier }) }));
    expect([mute.content.length, mute.ml.warnings.length]).to.deep.equal([1, 1]);
  });

  it('say why they stopped', () => {
    const reason = (more: Partial<ChatReply>) => {
      const { stop_reason, stop_sequence } = replyTo(bodyOf(), answerOf(more));
      return [stop_reason, stop_sequence];
    };
    expect(reason({})).to.deep.equal(['end_turn', null]);
    expect(reason({ stopSequence: 'END' })).to.deep.equal(['stop_sequence', 'END']);
    expect(reason({ finishReason: 'length' })).to.deep.equal(['max_tokens', null]);
    expect(reason({ finishReason: 'tool_calls', toolCalls: [call('a')], stopSequence: 'END' })).to.deep.equal([
      'tool_use',
      null,
    ]);
    expect(reason({ finishReason: 'length', toolCalls: [call('a')] })).to.deep.equal(['tool_use', null]);
    expect(reason({ finishReason: 'length', toolCalls: [call('a', '{"b":')] })).to.deep.equal(['max_tokens', null]);
    expect(reason({ finishReason: 'content_filter' })).to.deep.equal(['refusal', null]);
    expect(reason({ message: said({ refusal: 'No.' }) })).to.deep.equal(['refusal', null]);
  });

  it('keep the digits of arguments, in the object and in the stream', () => {
    const toolCalls = [call('a', '{"id":12345678901234567890}')];
    const reply = replyTo(bodyOf(), answerOf({ message: said(), toolCalls, finishReason: 'tool_calls' }));
    expect(stringifyExact(reply.content)).to.contain('{"id":12345678901234567890}');
    expect(streamOf(reply)).to.contain('{\\"id\\":12345678901234567890}');
  });

  it('have an empty input and a warning where the arguments are no object', () => {
    const reply = replyTo(bodyOf(), answerOf({ message: said(), toolCalls: [call('a', 'df /')] }));
    expect(reply.content).to.deep.equal([{ type: 'tool_use', id: 'a', name: 'df', input: {} }]);
    expect(reply.ml.warnings).to.have.length(1);
  });

  it('have ids of calls that clients take, and find the state of a call by them', () => {
    const signed = { ...call('a.b'), extra: { google: { thought_signature: 's' } } };
    const { content } = replyTo(THINKING, answerOf({ message: said(), toolCalls: [call('a_b'), signed, call('')] }));
    const [thinking, ...calls] = content;
    const ids = calls.map(({ id }) => String(id));
    expect(new Set(ids).size).to.equal(3);
    for (const id of ids) expect(id).to.match(/^[A-Za-z0-9_-]+$/);
    expect(Object.keys(openEnvelope(String(thinking?.signature))?.calls ?? {})).to.deep.equal([ids[1]]);
  });

  it('count what a cache had apart, never below nothing', () => {
    const usage = (total: number | undefined, cached?: number) => ({
      input: { total, cached },
      output: { total: 1, reasoning: undefined },
    });
    const tokens = (total: number | undefined, cached?: number) =>
      replyTo(bodyOf(), answerOf({ usage: usage(total, cached) })).usage;
    expect(tokens(21, 4)).to.deep.include({ input_tokens: 17, cache_read_input_tokens: 4 });
    expect(tokens(4, 4)).to.deep.include({ input_tokens: 0, cache_creation_input_tokens: 0 });
  });

  it('have ml, in a stream in its message_delta alone', () => {
    const reply = replyTo(bodyOf(), answerOf());
    expect(reply.ml).to.include({ service: 'General_Chat', attempts: 1 });
    const events = eventsOf(streamOf(reply));
    expect(events.filter(({ data }) => JSON.stringify(data).includes('"ml"')).map(({ name }) => name)).to.deep.equal([
      'message_delta',
    ]);
    expect(events.find(({ name }) => name === 'message_delta')?.data.ml).to.deep.equal(reply.ml);
  });
});

const FIELDS: Readonly<Record<string, [string, string]>> = {
  text_delta: ['text', 'text'],
  thinking_delta: ['thinking', 'thinking'],
  signature_delta: ['thinking', 'signature'],
  input_json_delta: ['tool_use', 'partial_json'],
};

/** Reads a stream as an SDK does. @throws Error for an event that may not stand where it stands */
function readStream(text: string): { content: Json[]; message: Json } {
  const content: Json[] = [];
  let message: Json | undefined;
  let open: Json | undefined;
  let json = '';
  let isOver = false;
  for (const { name, data } of eventsOf(text)) {
    expect([data.type, isOver]).to.deep.equal([name, false]);
    if (name === 'message_start') {
      expect(message).to.equal(undefined);
      message = data.message as Json;
      continue;
    }
    expect(message).to.not.equal(undefined);
    if (name === 'content_block_start') {
      expect([open, data.index]).to.deep.equal([undefined, content.length]);
      open = { ...(data.content_block as Json) };
      json = '';
    } else if (name === 'content_block_delta') {
      const delta = data.delta as Json;
      const [type, field = ''] = FIELDS[String(delta.type)] ?? [];
      expect([open?.type, data.index]).to.deep.equal([type, content.length]);
      if (type === 'tool_use') json += String(delta.partial_json);
      else open = { ...open, [field]: `${open?.[field]}${delta[field]}` };
    } else if (name === 'content_block_stop') {
      expect([open === undefined, data.index]).to.deep.equal([false, content.length]);
      content.push(open?.type === 'tool_use' ? { ...open, input: JSON.parse(json) } : (open as Json));
      open = undefined;
    } else if (name === 'message_delta') {
      expect(open).to.equal(undefined);
      message = { ...message, ...(data.delta as Json), usage: data.usage, ml: data.ml };
    } else if (name === 'message_stop') isOver = true;
    else expect(name).to.equal('ping');
  }
  expect(isOver).to.equal(true);
  return { content, message: message as Json };
}

describe('streams of Messages', () => {
  const word = fc.string({ maxLength: 12, unit: 'grapheme' });
  const answers = fc.record({
    message: fc
      .record({ content: word, refusal: word, reasoning: fc.option(word), signed: fc.boolean() })
      .map(({ content, refusal, reasoning, signed }) =>
        said({
          ...{ content, refusal },
          ...(reasoning ? { reasoning } : {}),
          ...(signed ? { carrier: { anthropic: { thinking_blocks: [] } } } : {}),
        }),
      ),
    toolCalls: fc.array(
      fc.record({
        id: fc.string({ maxLength: 4 }),
        name: fc.constantFrom('df', 'x'),
        arguments: fc.oneof(
          fc.constantFrom('', '{', 'x', '{"a":1.5}'),
          fc.dictionary(word, word).map((value) => JSON.stringify(value)),
        ),
      }),
      { maxLength: 3 },
    ),
    finishReason: fc.constantFrom('stop' as const, 'length' as const, 'tool_calls' as const, 'content_filter' as const),
  });

  it('are legal whatever the answer is, and say the same as the object', () => {
    holds(
      fc.property(answers, fc.constantFrom(THINKING, bodyOf()), (answer, body: Body) => {
        const { content, ...reply } = replyTo(body, answerOf(answer));
        const streamed = readStream(streamOf({ content, ...reply }));
        expect(streamed.content).to.deep.equal(JSON.parse(JSON.stringify(content)));
        expect(streamed.message).to.deep.equal({ ...JSON.parse(JSON.stringify(reply)), content: [] });
      }),
    );
  });
});

describe('counts of tokens', () => {
  const count = (content: unknown, more: object = {}) =>
    countTokens(bodyOf({ messages: [{ role: 'user', content }], ...more }));
  const block = (type: string, more: object) => [{ type, ...more }];

  it('are rather too high', () => {
    expect(count('x'.repeat(3500))).to.be.within(1000, 1500);
    expect(count('日本語'.repeat(100))).to.be.above(300);
  });

  it('hold images, documents, calls, results, thinking, system and tools', () => {
    const empty = count([]);
    const source = { type: 'base64', media_type: 'image/png', data: 'x'.repeat(1_000_000) };
    expect(count(block('image', { source }))).to.be.within(empty + 1500, empty + 2500);
    expect(count(block('tool_result', { content: block('image', { source }) }))).to.be.above(empty + 1500);
    const long = 'x'.repeat(7000);
    for (const content of [
      block('text', { text: long }),
      block('document', { source: { type: 'text', data: long } }),
      block('document', { source: { type: 'content', content: long } }),
      block('document', { source: { type: 'base64', data: long } }),
      block('tool_use', { input: { long } }),
      block('tool_result', { content: long }),
      block('search_result', { title: 't', source: 's', content: block('text', { text: long }) }),
      block('thinking', { thinking: long }),
      block('of tomorrow', { long }),
    ])
      expect(count(content), JSON.stringify(content).slice(0, 60)).to.be.above(empty + 1900);
    expect(count([], { system: block('text', { text: long }) })).to.be.above(empty + 1900);
    expect(count([], { tools: [{ name: 't', description: long }] })).to.be.above(empty + 1900);
  });

  it('fail for nothing', () => {
    for (const content of [null, 7, [null, 7, [], {}], block('document', {}), block('text', { text: 7 })])
      expect(count(content)).to.be.a('number');
  });
});

describe('betas of Messages', () => {
  it('warn of none that a field belongs to', () => {
    const sent =
      'claude-code-20250219, interleaved-thinking-2025-05-14,context-management-2025-06-27,,effort-2025-11-24';
    expect(betaWarnings(sent)).to.deep.equal([]);
    expect(betaWarnings('pdfs-2024-09-25,prompt-caching-scope-2026-01-05,Structured-Outputs-2025-11-13')).to.deep.equal(
      [],
    );
    expect(betaWarnings(undefined)).to.deep.equal([]);
  });

  it('name each of the others once', () => {
    expect(betaWarnings('telepathy-2027-01-01,telepathy-2027-01-01, constructor')).to.have.length(2);
  });
});
