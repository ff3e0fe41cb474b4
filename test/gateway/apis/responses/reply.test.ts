import { expect } from 'chai';
import fc from 'fast-check';
import { bodyAjv, plain } from '../../../../src/codegen/bundle/compile.ts';
import type { Json } from '../../../../src/contract/basics.ts';
import type { FinishReason } from '../../../../src/families/llm-providers/chat/chat.ts';
import { openEnvelope } from '../../../../src/gateway/apis/envelope.ts';
import { ResponsesReply } from '../../../../src/gateway/apis/responses/schemas.ts';
import { holds } from '../../../support/property.ts';
import { eventsIn, MODEL, replyTo, streamOf } from './answers.ts';
import { replayed } from './replay.ts';

const call = (id: string, name: string, text = '{}') => ({ id, name, arguments: text });
const TOOLS = [
  { type: 'function', name: 'f' },
  { type: 'custom', name: 'sh' },
  { type: 'namespace', name: 'ops', tools: [{ type: 'function', name: 'df' }] },
];

describe('the object of Responses', () => {
  it('has reasoning, the message and the calls, in this order', () => {
    const toolCalls = [call('a', 'f'), call('b', 'sh', '{"input":"ls"}'), call('c', 'ops__df')];
    const { output } = replyTo(
      { tools: TOOLS },
      { reasoning: 'Hm', content: 'I look.', refusal: 'Not all.', toolCalls },
    );
    expect(output.map(({ type, status }) => [type, status])).to.deep.equal([
      ['reasoning', 'completed'],
      ['message', 'completed'],
      ['function_call', 'completed'],
      ['custom_tool_call', 'completed'],
      ['function_call', 'completed'],
    ]);
    expect(output[1]?.content).to.deep.equal([
      { type: 'output_text', text: 'I look.', annotations: [], logprobs: [] },
      { type: 'refusal', refusal: 'Not all.' },
    ]);
    const ids = output.map(({ id }) => String(id));
    expect(new Set(ids).size).to.equal(5);
    expect(ids.map((id) => id.replace(/_[0-9a-f]{24,}$/, ''))).to.deep.equal(['rs', 'msg', 'fc', 'ctc', 'fc']);
  });

  it('carries what a provider wants back, asked or not', () => {
    const carrier = { anthropic: { thinking_blocks: [1] } };
    const [item] = replyTo({}, { content: 'x', carrier }).output;
    const { id: _, encrypted_content: state, ...members } = item as Json;
    expect(members).to.deep.equal({ type: 'reasoning', status: 'completed', summary: [] });
    const { service, connection_name } = MODEL;
    expect(openEnvelope(String(state))).to.deep.equal({ service, connection_name, carrier });
    expect(replyTo({}, { content: 'x' }).output).to.have.length(1);
  });

  it('goes on without a state that is too large, with a warning', () => {
    const carrier = { anthropic: 'x'.repeat(70_000) };
    const silent = replyTo({}, { content: 'x', carrier });
    expect(silent.output).to.have.length(1);
    expect(silent.ml.warnings).to.have.length(1);
    const shown = replyTo({}, { content: 'x', carrier, reasoning: 'Hm' });
    expect(shown.output[0]).to.have.deep.property('summary', [{ type: 'summary_text', text: 'Hm' }]);
    expect(shown.output[0]).not.to.have.property('encrypted_content');
  });

  it('says why it is incomplete, and which item has no end', () => {
    const ends: [FinishReason, string, Json | null][] = [
      ['stop', 'completed', null],
      ['tool_calls', 'completed', null],
      ['length', 'incomplete', { reason: 'max_output_tokens' }],
      ['content_filter', 'incomplete', { reason: 'content_filter' }],
    ];
    for (const [finishReason, status, incomplete_details] of ends) {
      const object = replyTo({}, { reasoning: 'Hm', content: 'x', finishReason });
      expect(object).to.deep.include({ status, incomplete_details });
      expect(object.output.map((item) => item.status)).to.deep.equal(['completed', status]);
      expect(object.completed_at === null).to.equal(status === 'incomplete');
      expect(eventsIn(streamOf(object).payload).at(-1)?.type).to.equal(`response.${status}`);
    }
    const refusal = replyTo({}, { refusal: 'No.', finishReason: 'content_filter' });
    expect(refusal).to.deep.include({ status: 'completed', incomplete_details: null });
    expect(replyTo({}, { finishReason: 'content_filter' })).to.deep.include({ status: 'incomplete', output: [] });
  });

  it('gives back what was asked for, as it was written', () => {
    const asked = {
      ...{ instructions: 'Be brief.', max_output_tokens: 9, max_tool_calls: 2, metadata: { a: 'b' }, user: 'u' },
      ...{
        parallel_tool_calls: false,
        temperature: 0,
        top_p: 0.5,
        top_logprobs: 1,
        tools: TOOLS,
        tool_choice: 'required',
      },
      reasoning: { effort: 'low', summary: 'auto' },
      text: { format: { type: 'json_object' }, verbosity: 'low' },
    };
    expect(replyTo({ ...asked, store: true, service_tier: 'flex' }, { content: '{}' })).to.deep.include({
      ...asked,
      ...{
        store: false,
        background: false,
        truncation: 'disabled',
        previous_response_id: null,
        service_tier: 'default',
      },
    });
  });

  it('counts tokens that are unknown as none', () => {
    expect(replyTo({}, { content: 'x' }).usage).to.deep.equal({
      input_tokens: 21,
      input_tokens_details: { cached_tokens: 4, cache_write_tokens: 2 },
      output_tokens: 9,
      output_tokens_details: { reasoning_tokens: 3 },
      total_tokens: 30,
    });
  });

  it('has ml with all warnings, in a stream in the last event alone', () => {
    const object = replyTo({ store: true, unheard_of: 1 }, { content: 'x' });
    expect(object.ml).to.include({ ...MODEL, attempts: 1, upstream_ms: 5 });
    expect(object.ml.warnings).to.have.length(2);
    const events = eventsIn(streamOf(object).payload);
    const withMl = events.filter(({ response }) => response && 'ml' in (response as Json));
    expect(withMl.map(({ type }) => type)).to.deep.equal(['response.completed']);
  });

  it('has log probabilities where the provider gives them', () => {
    const token = { token: 'x', logprob: -0.1, bytes: [120], top_logprobs: [] };
    const { output } = replyTo({ top_logprobs: 1 }, { content: 'x', logprobs: { content: [token], refusal: null } });
    const content = output[0]?.content as Json[] | undefined;
    expect(content?.[0]?.logprobs).to.deep.equal([token]);
  });
});

describe('the event stream of Responses', () => {
  const text = fc.oneof(fc.constant(''), fc.string({ unit: 'binary', maxLength: 20 }));
  const answers = fc.record({
    content: text,
    refusal: fc.option(text, { nil: undefined }),
    reasoning: fc.option(text, { nil: undefined }),
    carrier: fc.option(fc.constant({ anthropic: 'signed' }), { nil: undefined }),
    finishReason: fc.constantFrom<FinishReason>('stop', 'tool_calls', 'length', 'content_filter'),
    toolCalls: fc.uniqueArray(
      fc.record({
        id: fc.string({ minLength: 1, maxLength: 6 }),
        name: fc.constantFrom('f', 'sh', 'ops__df', 'gone'),
        arguments: fc.oneof(text, fc.constant('{"input":""}'), fc.constant('{"input":"a"}')),
      }),
      { selector: ({ id }) => id, maxLength: 4 },
    ),
  });
  const check = bodyAjv().compile(plain(ResponsesReply));

  it('whatever the answer: is in a legal order, grows to the object and ends with it', () => {
    holds(
      fc.property(answers, (answer) => {
        const object = replyTo({ tools: TOOLS, metadata: { a: 'b' } }, answer);
        expect(check(object), JSON.stringify(check.errors)).to.equal(true);
        const { headers, payload } = streamOf(object);
        expect(headers['Content-Type']).to.match(/^text\/event-stream/);
        const { last, output } = replayed(eventsIn(payload));
        expect(last).to.deep.equal(JSON.parse(JSON.stringify(object)));
        expect(output).to.deep.equal(last.output);
      }),
    );
  });

  it('has no half of a surrogate pair, which many readers refuse', () => {
    expect(streamOf(replyTo({}, { content: 'a\ud83d' })).payload)
      .to.include('a\ufffd')
      .and.not.include('\\ud83d');
  });
});
