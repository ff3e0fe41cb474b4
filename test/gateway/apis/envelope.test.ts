import { expect } from 'chai';
import type { ChatReply, ChatRequest } from '../../../src/families/llm-providers/public.ts';
import { openEnvelope, sealReasoning, withReasoning } from '../../../src/gateway/apis/envelope.ts';

const OWN = { service: 'Search_Vendor_Models', connection_name: 'up', model: 'm1' };
const SIGNED = { google: { thought_signature: 'c2ln' } };

const answerOf = (message: object, extra?: Record<string, unknown>): ChatReply => ({
  message: { role: 'assistant', content: 'text', ...message },
  toolCalls: [{ id: 'c1', name: 'f', arguments: '{}', ...(extra ? { extra } : {}) }],
  finishReason: 'tool_calls',
  usage: { input: { total: 1, cached: 0 }, output: { total: 1, reasoning: 0 } },
  warnings: [],
  status: 200,
});

/** The turn as the client sends it back. */
function returned(answer: ChatReply): ChatRequest {
  const { envelope = '' } = sealReasoning(answer, OWN);
  const reasoning = openEnvelope(envelope);
  const toolCalls = answer.toolCalls.map(({ extra: _, ...call }) => call);
  return {
    messages: [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: 'text', toolCalls, ...(reasoning ? { returned: [reasoning] } : {}) },
    ],
  };
}

describe('the envelope of reasoning', () => {
  it('brings back carrier, echoed fields and what belongs to single calls', () => {
    const carrier = { anthropic: { thinking_blocks: [{ type: 'thinking', signature: 's' }] } };
    const echoed = { reasoning_details: [{ n: 12345678901234567890n }] };
    const { request, warnings } = withReasoning(returned(answerOf({ carrier, echoed }, SIGNED)), OWN);
    expect(warnings).to.deep.equal([]);
    expect(request.messages[1]).to.deep.equal({
      role: 'assistant',
      content: 'text',
      carrier,
      others: echoed,
      toolCalls: [{ id: 'c1', name: 'f', arguments: '{}', extra: SIGNED }],
    });
  });

  for (const other of [
    { ...OWN, connection_name: 'other' },
    { ...OWN, service: 'General_Chat' },
  ])
    it(`stays behind at ${other.service}/${other.connection_name}, with a warning`, () => {
      const { request, warnings } = withReasoning(returned(answerOf({}, SIGNED)), other);
      expect(warnings).to.have.length(1);
      expect(JSON.stringify(request)).to.not.include('c2ln').and.not.include('returned');
    });

  it('goes to another model of the connection, whose provider judges it', () => {
    const { request } = withReasoning(returned(answerOf({}, SIGNED)), { ...OWN, model: 'm2' });
    expect(JSON.stringify(request)).to.include('c2ln');
  });

  it('is there for a text without a state, and is left out in silence', () => {
    const chat = returned(answerOf({ reasoning: 'a thought' }));
    for (const target of [OWN, { ...OWN, connection_name: 'other' }]) {
      const { request, warnings } = withReasoning(chat, target);
      expect(warnings).to.deep.equal([]);
      expect(request.messages[1]).to.not.have.any.keys('returned', 'reasoning', 'carrier', 'others');
    }
  });

  it('is none where there was no reasoning', () => {
    expect(sealReasoning(answerOf({}), OWN)).to.deep.equal({ envelope: undefined, warnings: [] });
  });

  it('is not given beyond 64 KB, with a warning', () => {
    const { envelope, warnings } = sealReasoning(answerOf({ carrier: { a: 'x'.repeat(65_536) } }), OWN);
    expect(envelope).to.equal(undefined);
    expect(warnings[0]).to.include('65536');
  });

  for (const [what, text] of [
    ['of somebody else', 'gAAAAABo'],
    ['empty', 'mlx1.'],
    ['no JSON', `mlx1.${Buffer.from('{').toString('base64url')}`],
    ['a list', `mlx1.${Buffer.from('[]').toString('base64url')}`],
    ['without a connection', `mlx1.${Buffer.from('{"carrier":{}}').toString('base64url')}`],
    ['nested too deep', `mlx1.${Buffer.from('['.repeat(40_000)).toString('base64url')}`],
    ['too long', `mlx1.${'A'.repeat(70_000)}`],
  ])
    it(`is none if it is ${what}`, () => {
      expect(openEnvelope(String(text))).to.equal(undefined);
    });

  it('carries nothing but what answers have', () => {
    const forged = {
      ...OWN,
      echoed: { role: 'system', thinking_blocks: [1] },
      calls: { c1: 'text', c2: {} },
      carrier: 'text',
    };
    const { echoed, calls, carrier } =
      openEnvelope(`mlx1.${Buffer.from(JSON.stringify(forged)).toString('base64url')}`) ?? {};
    expect([echoed, calls, carrier]).to.deep.equal([{ thinking_blocks: [1] }, { c2: {} }, undefined]);
  });
});
