import { expect } from 'chai';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { chatOf, DIALECTED, DIALECTS, failureOf, listOf, vectorsOf } from './asked.ts';

const events = (...values: (object | string)[]) =>
  values.map((one) => `data: ${typeof one === 'string' ? one : JSON.stringify(one)}\n\n`).join('');
const chunk = (delta: object, finish_reason: string | null = null, more: object = {}) => ({
  model: 'm-1',
  choices: [{ index: 0, delta, finish_reason }],
  ...more,
});
const called = (index: number, more: object) => ({ tool_calls: [{ index, ...more }] });
const named = (...list: object[]) =>
  list.map((data) => `event: ${(data as { type: string }).type}\ndata: ${JSON.stringify(data)}\n\n`).join('');

const OPENAI = [
  chunk({ role: 'assistant', content: '', reasoning_content: 'let me ' }),
  chunk({ reasoning_content: 'see' }),
  chunk({ content: 'so' }),
  chunk({ content: ' it is' }),
  chunk(called(0, { id: 'c1', type: 'function', function: { name: 'get', arguments: '' } })),
  chunk(called(0, { function: { arguments: '{"id":90071' } })),
  chunk(called(1, { id: 'c2', function: { name: 'put', arguments: '{}' } })),
  chunk(called(0, { function: { arguments: '99254740993}' } })),
  chunk({}, 'tool_calls'),
  { choices: [], usage: { prompt_tokens: 5, completion_tokens: 7 } },
];
const ANTHROPIC = [
  { type: 'message_start', message: { model: 'm-1', content: [], usage: { input_tokens: 5, output_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'let me' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'sig' } },
  { type: 'ping' },
  { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: 'so' } },
  { type: 'content_block_delta', index: 1, delta: { type: 'text_delta', text: ' it is' } },
  { type: 'content_block_start', index: 2, content_block: { type: 'tool_use', id: 'c1', name: 'get', input: {} } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '{"id":90071' } },
  { type: 'content_block_delta', index: 2, delta: { type: 'input_json_delta', partial_json: '99254740993}' } },
  { type: 'content_block_start', index: 3, content_block: { type: 'tool_use', id: 'c2', name: 'put', input: {} } },
  { type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 7 } },
  { type: 'message_stop' },
];
const gemini = (parts: object[], more: object = {}) => ({
  modelVersion: 'm-1',
  candidates: [{ content: { parts }, ...more }],
});
const GEMINI = [
  JSON.stringify(gemini([{ text: 'so' }])),
  JSON.stringify(gemini([{ text: ' it is' }])),
  '{"modelVersion":"m-1","candidates":[{"content":{"parts":[{"functionCall":{"id":"c1","name":"get","args":{"id":9007199254740993}}}]}}]}',
  JSON.stringify({
    ...gemini([{ functionCall: { id: 'c2', name: 'put', args: {} } }], { finishReason: 'STOP' }),
    usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7 },
  }),
];
const OLLAMA = [
  '{"model":"m-1","message":{"content":"so","thinking":"let me "},"done":false}',
  '{"model":"m-1","message":{"content":" it is","thinking":"see"},"done":false}',
  '{"model":"m-1","message":{"tool_calls":[{"id":"c1","function":{"name":"get","arguments":{"id":9007199254740993}}}]},"done":false}',
  '{"model":"m-1","message":{"tool_calls":[{"id":"c2","function":{"name":"put","arguments":{}}}]},"done":false}',
  '{"model":"m-1","done":true,"done_reason":"stop","prompt_eval_count":5,"eval_count":7}',
];

const STREAMS: [Provider, string, string][] = [
  ['General_Chat', 'events', events(...OPENAI, '[DONE]')],
  ['General_Chat', 'events without a mark of the end', events(...OPENAI)],
  [
    'Fast_Inference',
    'events with comments, carriage returns and a byte order mark',
    `\uFEFF: hi\r\n\r\n${events(...OPENAI).replaceAll('\n', '\r\n')}`,
  ],
  ['Assistant_Family', 'events', named(...ANTHROPIC)],
  ['Search_Vendor_Models', 'events', events(...GEMINI)],
  ['Search_Vendor_Models', 'a list of chunks', `[${GEMINI.join(',\n')}]`],
  ['Local_Runtime', 'lines', `${OLLAMA.join('\n')}\n`],
  ['Local_Runtime', 'events', events(...OLLAMA)],
];

describe('an event stream where JSON was expected', () => {
  for (const [service, what, body] of STREAMS) {
    it(`${service}: ${what}, to the end`, async () => {
      const { message, toolCalls, finishReason, usage, model } = await chatOf(service, { body });
      expect(message.content).to.equal('so it is');
      if (['General_Chat', 'Local_Runtime'].includes(service)) expect(message.reasoning).to.equal('let me see');
      expect(toolCalls.map(({ id, name, arguments: text }) => [id, name, text])).to.deep.equal([
        ['c1', 'get', '{"id":9007199254740993}'],
        ['c2', 'put', '{}'],
      ]);
      expect([finishReason, usage.input.total, usage.output.total, model]).to.deep.equal(['tool_calls', 5, 7, 'm-1']);
    });
  }

  it('keeps the blocks of thinking for the next turn', async () => {
    const { message } = await chatOf('Assistant_Family', { body: named(...ANTHROPIC) });
    expect(message.carrier).to.deep.equal({
      anthropic: { thinking_blocks: [{ type: 'thinking', thinking: 'let me', signature: 'sig' }] },
    });
  });

  it('that is cut off is no answer', async () => {
    const cut: [Provider, string][] = [
      ['General_Chat', events(...OPENAI.slice(0, 4))],
      ['General_Chat', `${events(...OPENAI.slice(0, 3))}data: {"choices":[{"delta":{"cont`],
      ['Assistant_Family', named(...ANTHROPIC.slice(0, 8))],
      ['Search_Vendor_Models', events(...GEMINI.slice(0, 2))],
      ['Local_Runtime', OLLAMA.slice(0, 3).join('\n')],
      ['Local_Runtime', `${OLLAMA.slice(0, 3).join('\n')}\n{"model":"m-1","mess`],
    ];
    for (const [service, body] of cut) {
      expect((await failureOf(chatOf(service, { body }))).code, body).to.equal('upstream_error');
    }
  });

  it('that ends with an error is an error', async () => {
    const failed: [Provider, string, string][] = [
      ['General_Chat', events(...OPENAI.slice(0, 4), { error: { code: 429, message: 'x' } }), 'rate_limited'],
      ['General_Chat', events({ choices: [{ delta: {}, error: { code: 402 } }] }), 'quota_exceeded'],
      [
        'Assistant_Family',
        named(...ANTHROPIC.slice(0, 4), { type: 'error', error: { type: 'overloaded_error' } }),
        'rate_limited',
      ],
      ['Local_Runtime', `${OLLAMA[0]}\n{"error":"model \\"x\\" not found"}`, 'model_not_found'],
    ];
    for (const [service, body, code] of failed) {
      expect((await failureOf(chatOf(service, { body }))).code, body).to.equal(code);
    }
  });

  it('may be one event with a complete answer', async () => {
    const body = events({ ...DIALECTS.General_Chat('ok', 'stop') }, '[DONE]');
    expect((await chatOf('General_Chat', { body })).message.content).to.equal('ok');
  });
});

describe('a very deep value', () => {
  const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
  const CASES: [Provider, number, string][] = [
    ['General_Chat', 200, `{"choices":[{"message":{"content":"x"},"logprobs":${deep}}]}`],
    ['General_Chat', 200, `{"choices":[{"message":{"tool_calls":[{"function":{"name":"a","arguments":${deep}}}]}}]}`],
    ['Assistant_Family', 200, `{"content":[{"type":"tool_use","id":"t","name":"a","input":${deep}}]}`],
    ['General_Chat', 200, `{"error":${deep}}`],
    ['General_Chat', 400, `{"error":${deep}}`],
    ['Local_Runtime', 200, deep],
  ];
  for (const [service, status, body] of CASES) {
    it(`${service}: ${body.slice(0, 60)} is refused`, async () => {
      const { code } = await failureOf(chatOf(service, { status, body }));
      expect(code).to.equal(status === 400 ? 'bad_request' : 'upstream_error');
    });
  }
});

describe('a byte order mark before JSON', () => {
  for (const service of DIALECTED.filter((one) => one !== 'Cloud_Model_Hub')) {
    it(`${service}: is no part of it`, async () => {
      const body = `\uFEFF${JSON.stringify(DIALECTS[service]('ok', undefined))}`;
      expect((await chatOf(service, { body })).message.content).to.equal('ok');
    });
  }

  it('nor in lists and embeddings', async () => {
    const list = await listOf('General_Chat', { body: '\uFEFF{"data":[{"id":"a"}]}' });
    expect(list.ids).to.deep.equal(['a']);
    expect((await vectorsOf('General_Chat', '\uFEFF{"data":[{"embedding":[1]}]}')).vectors).to.deep.equal([[1]]);
  });
});

describe('a content that is no text', () => {
  for (const [content, text] of [
    [5, '5'],
    [false, 'false'],
    [{ n: 1 }, '{"n":1}'],
    [{ type: 'text', text: 'so' }, 'so'],
    [null, ''],
  ] as const) {
    it(`${JSON.stringify(content)} is ${JSON.stringify(text)}`, async () => {
      const { message } = await chatOf('General_Chat', { body: { choices: [{ message: { content } }] } });
      expect(message.content).to.equal(text);
    });
  }
});

describe('reasoning', () => {
  const openAi = async (message: object, finish_reason?: string) => {
    const reply = await chatOf('General_Chat', { body: { choices: [{ message, finish_reason }] } });
    const { content, reasoning } = reply.message;
    return { content, reasoning, warnings: reply.warnings };
  };
  const ALONE = ['reasoning_without_answer'];

  const SAID: [string, string, string | undefined][] = [
    ['<think>hm</think>so', 'so', 'hm'],
    ['<think>\nhm\n\nwell\n</think>\n\nso', 'so', 'hm\n\nwell'],
    [' \n<think>a</think> <think>b</think>\nso', 'so', 'a\n\nb'],
    ['<think></think>\n\nso', 'so', undefined],
    ['hm, the template opened it\n</think>\n\nso', 'so', 'hm, the template opened it'],
    ['hm</think>\nso', 'so', 'hm'],
    ['so <think>is</think> no block at the beginning', 'so <think>is</think> no block at the beginning', undefined],
    ['the tag </think> ends it', 'the tag </think> ends it', undefined],
    ['write <think>\n</think>\nso', 'write <think>\n</think>\nso', undefined],
    ['  so', '  so', undefined],
  ];
  for (const [text, content, reasoning] of SAID) {
    it(`of ${JSON.stringify(text)} is ${JSON.stringify(reasoning ?? 'none')}`, async () => {
      for (const service of DIALECTED) {
        const { message } = await chatOf(service, { body: DIALECTS[service](text, undefined) });
        expect([message.content, message.reasoning], service).to.deep.equal([content, reasoning]);
      }
    });
  }

  it('has several names', async () => {
    expect(await openAi({ content: 'so', reasoning_content: 'hm' })).to.include({ content: 'so', reasoning: 'hm' });
    expect(await openAi({ content: 'so', reasoning: 'hm' })).to.include({ content: 'so', reasoning: 'hm' });
    expect(await openAi({ content: 'so', reasoning_text: 'hm' })).to.include({ content: 'so', reasoning: 'hm' });
    expect(await openAi({ content: 'so', reasoning_content: 'hm', reasoning: 'hm' })).to.include({ reasoning: 'hm' });
    expect(await openAi({ content: 'so', reasoning: null, reasoning_content: '' })).to.include({
      reasoning: undefined,
    });
    const parts = [
      {
        type: 'thinking',
        thinking: [
          { type: 'text', text: 'h' },
          { type: 'text', text: 'm' },
        ],
      },
      { type: 'text', text: 'so' },
    ];
    expect(await openAi({ content: parts })).to.include({ content: 'so', reasoning: 'hm' });
    const body = { message: { content: 'so', thinking: 'hm' }, done: true };
    expect((await chatOf('Local_Runtime', { body })).message).to.include({ content: 'so', reasoning: 'hm' });
  });

  it('alone has a warning', async () => {
    expect(await openAi({ content: '', reasoning_content: 'hm' }, 'stop')).to.deep.include({ warnings: ALONE });
    expect(await openAi({ content: '<think>hm' }, 'stop')).to.deep.equal({
      content: '',
      reasoning: 'hm',
      warnings: ALONE,
    });
    const cut = await openAi({ content: '<think>hm' }, 'length');
    expect(cut).to.deep.equal({ content: '', reasoning: 'hm', warnings: ['token_limit_spent_on_reasoning'] });
    const silent: [Provider, object][] = [
      ['Assistant_Family', { content: [{ type: 'thinking', thinking: 'hm' }], stop_reason: 'end_turn' }],
      ['Assistant_Family', { content: [{ type: 'redacted_thinking', data: 'x' }], stop_reason: 'end_turn' }],
      [
        'Search_Vendor_Models',
        { candidates: [{ content: { parts: [{ text: 'hm', thought: true }] }, finishReason: 'STOP' }] },
      ],
      [
        'Cloud_Model_Hub',
        { output: { message: { content: [{ reasoningContent: { reasoningText: { text: 'hm' } } }] } } },
      ],
      ['Local_Runtime', { message: { content: '', thinking: 'hm' }, done: true }],
    ];
    for (const [service, body] of silent) {
      expect((await chatOf(service, { body })).warnings, service).to.deep.equal(ALONE);
    }
    const calls = [{ function: { name: 'get', arguments: '{}' } }];
    expect(await openAi({ reasoning_content: 'hm', tool_calls: calls })).to.deep.include({ warnings: [] });
    expect(await openAi({ content: 'so', reasoning_content: 'hm' })).to.deep.include({ warnings: [] });
    expect(await openAi({ content: '' }, 'stop')).to.deep.include({ warnings: [] });
  });
});

describe("the provider's name of the model", () => {
  it('is read in each dialect', async () => {
    const model = 'm-2026-01-01';
    const answers: [Provider, object][] = [
      ['General_Chat', { ...DIALECTS.General_Chat('x'), model }],
      ['Fast_Inference', { ...DIALECTS.General_Chat('x'), model }],
      ['Enterprise_Cloud_Chat', { ...DIALECTS.General_Chat('x'), model }],
      ['Platform_Hosted_Models', { ...DIALECTS.General_Chat('x'), model }],
      ['Assistant_Family', { ...DIALECTS.Assistant_Family('x'), model }],
      ['Local_Runtime', { ...DIALECTS.Local_Runtime('x'), model }],
      ['Search_Vendor_Models', { ...DIALECTS.Search_Vendor_Models('x'), modelVersion: model }],
      ['Cloud_Model_Hub', { ...DIALECTS.Cloud_Model_Hub('x'), trace: { promptRouter: { invokedModelId: model } } }],
    ];
    for (const [service, body] of answers) expect((await chatOf(service, { body })).model, service).to.equal(model);
    const data = { data: [{ embedding: [1] }], model };
    expect((await vectorsOf('General_Chat', data)).model).to.equal(model);
    for (const none of [undefined, null, '', ' ', 5, {}]) {
      const body = { ...DIALECTS.General_Chat('x'), model: none };
      expect(await chatOf('General_Chat', { body })).to.not.have.property('model');
    }
  });
});
