import { expect } from 'chai';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { type Answered, chatOf, DIALECTED, DIALECTS, failureOf } from './asked.ts';

const openAi = (choice: unknown): Answered => ({ body: { choices: [choice] } });
const said = (content: unknown, finish_reason?: string, more: object = {}) =>
  openAi({ index: 0, message: { role: 'assistant', content }, finish_reason, ...more });

/** Words of servers for each end. */
const WORDS: Record<string, (string | undefined)[]> = {
  stop: [...'stop STOP end_turn stop_sequence eos COMPLETE end-turn None'.split(' '), undefined, ''],
  length: [
    ...'length MAX_TOKENS max-tokens maxTokens model_length length_exceeded'.split(' '),
    ...'model_context_window_exceeded pause_turn insufficient_system_resource'.split(' '),
  ],
  content_filter: [
    ...'content_filter content-filter content_filtered SAFETY IMAGE_SAFETY IMAGE_OTHER RECITATION LANGUAGE'.split(' '),
    ...'BLOCKLIST PROHIBITED_CONTENT SPII sensitive refusal prompt_blocked guardrail_intervened'.split(' '),
  ],
};
const BROKEN = [
  ...'error ERROR abort network_error internal_error engine_overloaded TimedOut load'.split(' '),
  ...'malformed_model_output malformed_tool_use MALFORMED_FUNCTION_CALL UNEXPECTED_TOOL_CALL'.split(' '),
];

describe('the end of an answer', () => {
  for (const service of DIALECTED) {
    const ended = async (text: string, word?: string) =>
      (await chatOf(service, { body: DIALECTS[service](text, word) })).finishReason;
    const broken = async (text: string, word: string) =>
      (await failureOf(chatOf(service, { body: DIALECTS[service](text, word) }))).code;

    it(`${service}: is one of four, whatever word a server has for it`, async () => {
      for (const [reason, words] of Object.entries(WORDS)) {
        for (const word of words) expect(await ended('half', word), word).to.equal(reason);
      }
    });

    it(`${service}: an answer that broke off is none, with or without a text`, async () => {
      for (const word of BROKEN)
        for (const text of ['half', '']) expect(await broken(text, word), word).to.equal('upstream_error');
    });

    it(`${service}: an unknown word ends a text, and is a failure without one`, async () => {
      expect(await ended('half', 'OTHER')).to.equal('stop');
      for (const word of ['OTHER', 'NO_IMAGE', 'quantum', 'tool_calls'])
        expect(await broken('', word), word).to.equal('upstream_error');
    });

    it(`${service}: the limit or a filter may leave nothing, and a model may say nothing`, async () => {
      expect(await ended('', 'max_tokens')).to.equal('length');
      expect(await ended('', 'safety')).to.equal('content_filter');
      expect(await ended('', 'stop')).to.equal('stop');
    });
  }

  it('is that of calls where there are calls, and of a text where a server announces calls and has none', async () => {
    const tool_calls = [{ id: 'c', function: { name: 'get', arguments: '{}' } }];
    for (const word of ['stop', 'tool_calls', 'OTHER', undefined]) {
      const { finishReason } = await chatOf('General_Chat', openAi({ message: { tool_calls }, finish_reason: word }));
      expect(finishReason, word).to.equal('tool_calls');
    }
    expect((await chatOf('General_Chat', said('text', 'tool_calls'))).finishReason).to.equal('stop');
    expect((await chatOf('General_Chat', said('text', 'function_call'))).finishReason).to.equal('stop');
  });

  it('an error in the choice has the code of an error', async () => {
    const failed = (error: unknown) => failureOf(chatOf('General_Chat', said('', 'error', { error })));
    const overloaded = await failed({ code: 502, message: 'overloaded' });
    expect([overloaded.code, overloaded.httpStatus, overloaded.message]).to.deep.equal([
      'upstream_error',
      502,
      'The provider answered 200 with the error 502: overloaded',
    ]);
    expect((await failed({ code: 429, message: 'slow down' })).code).to.equal('rate_limited');
    expect((await failed({ code: 'context_length_exceeded' })).code).to.equal('context_length_exceeded');
    const half = said('half a text', 'error', { error: { message: 'lost the upstream' } });
    expect((await failureOf(chatOf('General_Chat', half))).message).to.contain('lost the upstream');
  });

  const NOTHING: [Provider, unknown][] = [
    ['General_Chat', { choices: [null] }],
    ['General_Chat', { choices: [{}] }],
    ['General_Chat', { choices: [{ index: 0, message: null, finish_reason: 'stop' }] }],
    ['General_Chat', { choices: [{ index: 0, message: 'text' }] }],
    ['General_Chat', { choices: [{ index: 0, delta: { content: 'lost' }, finish_reason: 'stop' }] }],
    ['Fast_Inference', { choices: [{ finish_reason: 'stop' }] }],
    ['Enterprise_Cloud_Chat', { choices: ['text'] }],
    ['Local_Runtime', { message: null, done: true }],
    ['Local_Runtime', { message: { content: 'half' }, done: false }],
    ['Local_Runtime', { message: 'text', done: true, done_reason: 'stop' }],
    ['Search_Vendor_Models', { candidates: [null] }],
    ['Search_Vendor_Models', { candidates: [{}] }],
    ['Search_Vendor_Models', { candidates: [], promptFeedback: {} }],
    ['Cloud_Model_Hub', { output: { message: null }, stopReason: 'end_turn' }],
    ['Assistant_Family', { content: null, stop_reason: 'end_turn' }],
  ];
  for (const [service, body] of NOTHING) {
    it(`${service}: ${JSON.stringify(body)} is no answer`, async () => {
      expect((await failureOf(chatOf(service, { body }))).code).to.equal('upstream_error');
    });
  }

  it('no message is an answer where the limit or a filter left none', async () => {
    const empty: [Provider, object, string][] = [
      ['General_Chat', { choices: [{ finish_reason: 'length' }] }, 'length'],
      ['Enterprise_Cloud_Chat', { choices: [{ finish_reason: 'content_filter' }] }, 'content_filter'],
      ['Local_Runtime', { message: null, done: true, done_reason: 'length' }, 'length'],
      ['Search_Vendor_Models', { candidates: [{ finishReason: 'MAX_TOKENS' }] }, 'length'],
      ['Search_Vendor_Models', { promptFeedback: { blockReason: 'OTHER' } }, 'content_filter'],
    ];
    for (const [service, body, reason] of empty) {
      const { finishReason, message } = await chatOf(service, { body });
      expect([finishReason, message.content], service).to.deep.equal([reason, '']);
    }
  });
});
