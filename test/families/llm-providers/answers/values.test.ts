import { expect } from 'chai';
import { stringifyExact } from '../../../../src/contract/exactJson.ts';
import type { Provider } from '../../../../src/contract/families/llmProviders.ts';
import { toAnthropicChat } from '../../../../src/families/llm-providers/chat/anthropic/request.ts';
import { chatOf, failureOf, vectorsOf } from './asked.ts';

/** An answer with one call, in each dialect. */
const CALLS: Record<string, (args: string) => string> = {
  General_Chat: (args) => `{"choices":[{"message":{"tool_calls":[{"function":{"name":"get","arguments":${args}}}]}}]}`,
  Local_Runtime: (args) => `{"message":{"tool_calls":[{"function":{"name":"get","arguments":${args}}}]},"done":true}`,
  Assistant_Family: (args) => `{"content":[{"type":"tool_use","id":"t","name":"get","input":${args}}]}`,
  Search_Vendor_Models: (args) =>
    `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"get","args":${args}}}]}}]}`,
};
const argumentsFrom = async (service: string, args: string) =>
  (await chatOf(service as Provider, { body: CALLS[service]?.(args) })).toolCalls[0]?.arguments;

describe('arguments of a call', () => {
  for (const service of Object.keys(CALLS)) {
    it(`${service}: are the JSON text of an object, in whatever form they come`, async () => {
      for (const none of ['""', '" "', 'null', '"null"', '{}', '"{}"', '"\\"\\""', '"\\"{}\\""'])
        expect(await argumentsFrom(service, none), none).to.equal('{}');
      for (const some of ['{"a":1}', String.raw`"{\"a\":1}"`, String.raw`"\"{\\\"a\\\":1}\""`])
        expect(await argumentsFrom(service, some), some).to.equal('{"a":1}');
    });

    it(`${service}: keep the digits of large integers`, async () => {
      for (const digits of ['9007199254740993', '725653563933458432', '-18446744073709551615'])
        for (const args of [`{"id":${digits}}`, `"{\\"id\\":${digits}}"`])
          expect(await argumentsFrom(service, args)).to.equal(`{"id":${digits}}`);
    });

    it(`${service}: that are a number or a list are a malformed answer; what the model wrote itself stays`, async () => {
      for (const args of ['5', '[1]', 'true']) {
        const error = await failureOf(argumentsFrom(service, args));
        expect([error.code, error.message]).to.deep.equal([
          'upstream_error',
          'The model broke off, or gave a malformed answer or tool call (arguments that are no object)',
        ]);
      }
      expect(await argumentsFrom(service, '"{a: 1"')).to.equal('{a: 1');
    });
  }

  it('Cloud_Model_Hub: likewise, also with the large integers of the SDK', async () => {
    const called = async (input: unknown) => {
      const toolUse = { toolUseId: 't', name: 'get', input };
      const body = { output: { message: { content: [{ toolUse }] } }, stopReason: 'tool_use' };
      return (await chatOf('Cloud_Model_Hub', { body: { toJSON: () => '', ...body } })).toolCalls[0]?.arguments;
    };
    for (const none of ['', undefined, null, {}]) expect(await called(none)).to.equal('{}');
    expect(await called({ id: 9007199254740993n })).to.equal('{"id":9007199254740993}');
  });

  it('General_Chat: may have the name that Llama models give them', async () => {
    const tool_calls = [{ function: { name: 'get', parameters: { a: 1 } } }];
    const { toolCalls } = await chatOf('General_Chat', { body: { choices: [{ message: { tool_calls } }] } });
    expect(toolCalls[0]?.arguments).to.equal('{"a":1}');
  });

  it('go back to a provider of objects with the same digits; none of them is an empty object', () => {
    const sent = (text: string) => {
      const toolCalls = [{ id: 'c', name: 'get', arguments: text }];
      const { body } = toAnthropicChat('m', { messages: [{ role: 'assistant', content: '', toolCalls }] });
      return stringifyExact(body);
    };
    expect(sent('{"id":9007199254740993}')).to.contain('"input":{"id":9007199254740993}');
    for (const none of ['', ' ', 'null', '""', '"\\"\\""']) expect(sent(none), none).to.contain('"input":{}');
  });
});

describe('counts of tokens', () => {
  const openAi = (usage: unknown) => ({ choices: [{ message: { content: 'x' } }], usage });
  const usageOf = async (usage: unknown) => (await chatOf('General_Chat', { body: openAi(usage) })).usage;

  it('are whole numbers, rounded up', async () => {
    const { input, output } = await usageOf({ prompt_tokens: 11, completion_tokens: 5.5, total_tokens: 16.5 });
    expect([input.total, output.total]).to.deep.equal([11, 6]);
  });

  for (const value of [
    '18446744073709551615',
    '1e15',
    '10000001',
    '-1',
    '-0.5',
    '"11"',
    'null',
    'true',
    '[5]',
    '1e999',
  ]) {
    it(`${value} is none`, async () => {
      const body = `{"choices":[{"message":{"content":"x"}}],"usage":{"prompt_tokens":${value},"completion_tokens":${value}}}`;
      const { usage } = await chatOf('General_Chat', { body });
      expect([usage.input.total, usage.output.total]).to.deep.equal([undefined, undefined]);
    });
  }

  it('are none in any dialect, nor is a sum with such a part', async () => {
    const large = 1e15;
    const answers: [Provider, object][] = [
      [
        'Assistant_Family',
        { content: [], usage: { input_tokens: 5, cache_read_input_tokens: large, output_tokens: large } },
      ],
      ['Cloud_Model_Hub', { output: { message: {} }, usage: { inputTokens: large, outputTokens: large } }],
      [
        'Search_Vendor_Models',
        {
          candidates: [{ finishReason: 'STOP' }],
          usageMetadata: { promptTokenCount: large, candidatesTokenCount: 1, thoughtsTokenCount: large },
        },
      ],
      ['Local_Runtime', { message: { content: 'x' }, prompt_eval_count: large, eval_count: large }],
    ];
    for (const [service, body] of answers) {
      const { usage } = await chatOf(service, { body });
      expect([usage.input.total, usage.output.total], service).to.deep.equal([undefined, undefined]);
    }
    const sum = { content: [], usage: { input_tokens: 9e6, cache_read_input_tokens: 9e6, output_tokens: 1e7 } };
    const { usage } = await chatOf('Assistant_Family', { body: sum });
    expect([usage.input.total, usage.output.total]).to.deep.equal([undefined, 1e7]);
  });

  it('may have the names of the Responses API', async () => {
    const { input, output } = await usageOf({ input_tokens: 11, output_tokens: 5 });
    expect([input.total, output.total]).to.deep.equal([11, 5]);
  });

  it('of a cache have several names', async () => {
    const cached = async (more: object) => (await usageOf({ prompt_tokens: 10, completion_tokens: 1, ...more })).input;
    expect(await cached({ prompt_cache_hit_tokens: 9, prompt_cache_miss_tokens: 1 })).to.include({ cached: 9 });
    expect(await cached({ cache_read_input_tokens: 8, cache_creation_input_tokens: 1 })).to.include({
      cached: 8,
      cacheWritten: 1,
    });
    expect(await cached({ cached_tokens: 7 })).to.include({ cached: 7 });
    expect(await cached({ num_cached_tokens: 5 })).to.include({ cached: 5 });
    expect(await cached({ input_tokens_details: { cached_tokens: 4 } })).to.include({ cached: 4 });
    expect(await cached({ prompt_tokens_details: { cached_tokens: 0 }, prompt_cache_hit_tokens: 6 })).to.include({
      cached: 6,
    });
    expect(await cached({ prompt_tokens_details: null, prompt_cache_hit_tokens: 0 })).to.include({ cached: 0 });
  });
});

describe('vectors', () => {
  const data = (...embeddings: unknown[]) => ({ data: embeddings.map((embedding, index) => ({ index, embedding })) });
  const BAD: [Provider, string, unknown, number?][] = [
    ...[[null, 0.5], null, [], [[0.1, 0.2]], ['0.1'], {}, '', 5, [true]].map((one): [Provider, string, unknown] => [
      'General_Chat',
      'm',
      data(one),
    ]),
    ['General_Chat', 'm', { data: [null] }],
    ['General_Chat', 'm', '{"data":[{"embedding":[1e999]}]}'],
    ['Enterprise_Cloud_Chat', 'm', data([1, 2], [1]), 2],
    ['General_Chat', 'm', { data: [1, 1, 0].map((index) => ({ index, embedding: [1] })) }, 3],
    ['General_Chat', 'm', { data: [0, 2].map((index) => ({ index, embedding: [1] })) }, 2],
    ['General_Chat', 'm', { data: [{ index: 0, embedding: [1] }, { embedding: [1] }] }, 2],
    ['Local_Runtime', 'm', { embeddings: [[]] }],
    ['Local_Runtime', 'm', { embeddings: [null] }],
    ['Local_Runtime', 'm', { embeddings: [[1], [1, 2]] }, 2],
    ['Search_Vendor_Models', 'm', { embeddings: [{ values: [] }] }],
    ['Search_Vendor_Models', 'm', { embeddings: [{}] }],
    ['Cloud_Model_Hub', 'amazon.titan-embed-text-v2:0', { embedding: [null] }],
    ['Cloud_Model_Hub', 'cohere.embed-v4:0', { embeddings: { float: [[]] } }],
  ];
  for (const [service, model, body, count = 1] of BAD) {
    it(`${service}: ${JSON.stringify(body)} is none`, async () => {
      const inputs = Array.from({ length: count }, () => 'a');
      expect((await failureOf(vectorsOf(service, body, inputs, model))).code).to.equal('upstream_error');
    });
  }

  it('have one length over all calls', async () => {
    let calls = 0;
    const body = {
      toJSON: undefined,
      get embedding() {
        calls += 1;
        return Array.from({ length: calls }, () => 1);
      },
    };
    const error = await failureOf(vectorsOf('Cloud_Model_Hub', body, ['a', 'b'], 'amazon.titan-embed-text-v2:0'));
    expect(error.message).to.contain('embeddings of several lengths');
  });

  it('are in the order of their indices, or as they came without any; the total is the prompt', async () => {
    const by = (...indices: (number | null | undefined)[]) => ({
      data: indices.map((index, position) => ({ index, embedding: [position] })),
      usage: { total_tokens: 70 },
    });
    const found = await vectorsOf('General_Chat', by(2, 0, 1), ['a', 'b', 'c']);
    expect([found.vectors, found.usage.input.total]).to.deep.equal([[[1], [2], [0]], 70]);
    expect((await vectorsOf('General_Chat', by(undefined, null), ['a', 'b'])).vectors).to.deep.equal([[0], [1]]);
    const both = { ...by(0), usage: { prompt_tokens: 3, total_tokens: 70 } };
    expect((await vectorsOf('General_Chat', both)).usage.input.total).to.equal(3);
  });
});
