import { expect } from 'chai';
import type { UseRecord } from '../../src/metering/usage/useRecord.ts';
import type { Json, MemoryApp } from '../support/memory/app.ts';
import { ask, completionOf, configure, gatewayApp } from './gatewayApp.ts';

const said = (content: unknown, more: Json = {}, finish_reason = 'stop') => ({
  choices: [{ index: 0, message: { role: 'assistant', content, ...more }, finish_reason }],
  usage: { prompt_tokens: 5, completion_tokens: 7 },
});

describe('what the gateway makes of answers', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });
  const answer = (json: unknown, status = 200, headers: Record<string, string> = {}) => {
    app.llm.answer = () => ({ status, text: typeof json === 'string' ? json : JSON.stringify(json), headers });
  };
  const replyTo = async (json: unknown, body: Json = {}) => {
    answer(json);
    return await ask(app, body);
  };
  const uses = async () => {
    await app.gateway.usage.flush();
    return app.events.splice(0).map(({ event }) => event as UseRecord & Json);
  };

  describe('an error in an answer of 200', () => {
    for (const [error, status, code, retry] of [
      [{ code: 429, message: 'Rate limit exceeded' }, 429, 'rate_limited', 'true'],
      [{ code: 402, message: 'Insufficient credits' }, 429, 'quota_exceeded', 'false'],
      [
        { code: 400, message: "This endpoint's maximum context length is 10 tokens." },
        400,
        'context_length_exceeded',
        'false',
      ],
      [{ code: 502, message: 'overloaded' }, 502, 'upstream_error', 'true'],
    ] as const) {
      it(`${error.code} is ${code}`, async () => {
        const beside = { choices: [{ message: { content: '' }, finish_reason: 'error', error }] };
        for (const body of [{ error }, beside]) {
          const { status: told, json, headers } = await replyTo(body);
          expect([told, json.error_code, headers['x-should-retry']]).to.deep.equal([status, code, retry]);
        }
      });
    }

    it('is a reason for an alias to ask the next target', async () => {
      const acl = { sharing: 'app', perms: { read: ['*'], write: [] } };
      const targets = [
        { service: 'General_Chat', connection_name: 'up', model: 'm1' },
        { service: 'General_Chat', connection_name: 'other', model: 'm2' },
      ];
      await app.call('llm', 'POST', '/model_aliases', { name: 'Fast', targets, acl });
      const budget = { message: 'Budget has been exceeded! Current cost: 2', type: 'budget_exceeded' };
      for (const [status, json] of [
        [200, { error: { code: 429 } }],
        [200, said('half', {}, 'error')],
        [400, { error: budget }],
        [403, { code: 30001, message: 'Sorry, your account balance is insufficient' }],
      ] as const) {
        app.llm.answer = ({ url }) => (url.includes('//up.') ? { status, json } : { json: said('other') });
        const reply = await ask(app, { model: 'fast' });
        expect(reply.json.ml?.connection_name, JSON.stringify(reply.json)).to.equal('other');
      }
    });
  });

  it('what is too large is a fault of the request, whatever its code', async () => {
    const tpm = 'Request too large for model `x` on tokens per minute (TPM): Limit 6000, Requested 14137';
    for (const status of [413, 429]) {
      answer({ error: { message: tpm, type: 'tokens', code: 'rate_limit_exceeded' } }, status, { 'retry-after': '1' });
      const { status: told, json, headers } = await ask(app, {});
      expect([told, json.error_code, headers['x-should-retry']]).to.deep.equal([400, 'bad_request', 'false']);
    }
    answer('`inputs` must have less than 512 tokens. Given: 600', 413);
    const body = { model: 'up/m1', input: 'text' };
    const { status, json } = await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', body);
    expect([status, json.error_code]).to.deep.equal([400, 'context_length_exceeded']);
  });

  it("a filtered prompt has OpenAI's code beside ours", async () => {
    answer({ error: { code: 'content_filter', message: 'no' } }, 400);
    const { status, json } = await ask(app, {});
    expect([status, json.error_code, json.error.code]).to.deep.equal([400, 'content_filtered', 'content_filter']);
  });

  it('a short wait with a fraction is waited for, and told in whole seconds', async () => {
    answer({}, 429, { 'retry-after': '59.2' });
    expect((await ask(app, {})).headers['Retry-After']).to.equal('60');
    answer({}, 429, { 'retry-after': '-1' });
    const { headers } = await ask(app, {});
    expect(headers).to.not.have.property('Retry-After');
    expect(app.llm.calls).to.have.length(2);
  });

  it('reasoning is told beside the content, in the object and in the stream', async () => {
    for (const [content, more] of [
      ['<think>hm</think>\n\nso', {}],
      ['so', { reasoning_content: 'hm' }],
    ] as const) {
      const { json } = await replyTo(said(content, more));
      expect(json.choices[0].message).to.deep.equal({
        role: 'assistant',
        content: 'so',
        refusal: null,
        reasoning_content: 'hm',
      });
      const stream = await ask(app, { stream: true });
      const deltas = [...String(stream.json).matchAll(/"delta":(\{.*?\})/g)].map(([, delta = '']) => JSON.parse(delta));
      expect(deltas).to.deep.equal([
        { role: 'assistant', content: '' },
        { reasoning_content: 'hm' },
        { content: 'so' },
        {},
      ]);
    }
    const alone = await replyTo(said('<think>hm</think>'));
    expect(alone.json.ml.warnings).to.deep.equal(['reasoning_without_answer']);
    expect(alone.json.choices[0].message).to.include({ content: '', reasoning_content: 'hm' });
  });

  it('a refusal has no content', async () => {
    const { json } = await replyTo(said(null, { refusal: 'I cannot.' }));
    expect(json.choices[0].message).to.deep.equal({ role: 'assistant', content: null, refusal: 'I cannot.' });
    expect(json.choices[0].finish_reason).to.equal('stop');
  });

  describe('JSON', () => {
    const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] };
    const formats = [{ type: 'json_object' }, { type: 'json_schema', json_schema: { name: 'x', schema } }];
    for (const content of [
      '{"n":1}',
      '```json\n{"n":1}\n```',
      '```\n{"n":1}\n```\n',
      '```JSON {"n":1}```',
      '```json\n{"n":1}',
      '<think>```json\n{}\n```</think>\n```json\n{"n":1}\n```',
      '<think>a number</think>{"n":1}',
      'Here it is:\n\n```json\n{"n":1}\n```\nI hope that it helps.',
    ]) {
      it(`is read from ${JSON.stringify(content)} where it was asked for`, async () => {
        for (const response_format of formats) {
          const { json } = await replyTo(said(content), { response_format });
          expect([json.choices[0].message.content, json.ml.attempts]).to.deep.equal(['{"n":1}', 1]);
        }
      });
    }

    it('stays as it is where none was asked for, or where it is not the only block', async () => {
      const fenced = '```json\n{"n":1}\n```';
      expect((await replyTo(said(fenced))).json.choices[0].message.content).to.equal(fenced);
      const [response_format] = formats;
      for (const content of [`${fenced}\nor\n${fenced}`, '```json\n{"n":\n```', 'no ``` at all']) {
        const { json } = await replyTo(said(content), { response_format });
        expect(json.choices[0].message.content).to.equal(content);
      }
    });
  });

  describe('counts of tokens', () => {
    beforeEach(() => {
      app.user('keeper', { capabilities: ['edit_usage_limits'] });
      app.prices.stanzas = {
        'General_Chat/m*': { input_per_million: '1', cached_input_per_million: '0.1', output_per_million: '2' },
      };
    });

    for (const [prompt_tokens, completion_tokens] of [
      ['18446744073709551615', '5'],
      ['1000000000000000', '1e15'],
      ['10000001', '9007199254740993'],
      ['-5', 'null'],
      ['0', '0'],
    ]) {
      it(`${prompt_tokens} and ${completion_tokens} are not believed, and use up no limit`, async () => {
        const limit = { name: 'all', tokens: 1_000_000, per: 'all', window: 'hour' };
        expect((await app.call('keeper', 'POST', '/usage_limits', limit)).status).to.equal(200);
        const content = 'x'.repeat(350);
        const [choice] = said(content).choices;
        const text = `{"choices":[${JSON.stringify(choice)}],"usage":{"prompt_tokens":${prompt_tokens},"completion_tokens":${completion_tokens}}}`;
        answer(text);
        const messages = [{ role: 'user', content: 'y'.repeat(35) }];
        const { json } = await ask(app, { messages });
        const output = completion_tokens === '5' ? 5 : 100;
        expect(json.usage).to.deep.equal({ prompt_tokens: 10, completion_tokens: output, total_tokens: 10 + output });
        expect((await uses())[0]).to.deep.include({ input_tokens: 10, output_tokens: output, estimated: true });
        expect((await ask(app, {})).status).to.equal(200);
      });
    }

    it('of nothing are believed for nothing, and whole numbers are not estimated', async () => {
      const empty = { ...said(''), usage: { prompt_tokens: 5, completion_tokens: 0 } };
      expect((await replyTo(empty)).json.usage).to.include({ prompt_tokens: 5, completion_tokens: 0 });
      const fraction = { ...said('x'), usage: { prompt_tokens: 11, completion_tokens: 5.5, total_tokens: 16.5 } };
      expect((await replyTo(fraction)).json.usage).to.deep.equal({
        prompt_tokens: 11,
        completion_tokens: 6,
        total_tokens: 17,
      });
      for (const use of await uses()) expect(use.estimated).to.equal(undefined);
    });

    for (const cached of [
      { prompt_cache_hit_tokens: 900_000, prompt_cache_miss_tokens: 100_000 },
      { cache_read_input_tokens: 900_000 },
      { prompt_tokens_details: { cached_tokens: 900_000 } },
    ]) {
      it(`of a cache are paid for as such: ${JSON.stringify(cached)}`, async () => {
        const usage = { prompt_tokens: 1_000_000, completion_tokens: 0, total_tokens: 1_000_000, ...cached };
        const { json } = await replyTo({ ...said('ok'), usage });
        expect(json.usage.prompt_tokens_details).to.deep.equal({ cached_tokens: 900_000 });
        expect(json.ml.cost).to.equal(0.19);
      });
    }

    it('a part that is larger than all of it is none', async () => {
      const usage = {
        prompt_tokens: 10,
        completion_tokens: 4,
        prompt_tokens_details: { cached_tokens: 11 },
        completion_tokens_details: { reasoning_tokens: 5 },
      };
      const { json } = await replyTo(completionOf('x', usage));
      expect(json.usage).to.deep.equal({ prompt_tokens: 10, completion_tokens: 4, total_tokens: 14 });
    });

    it('of embeddings: the total is the prompt, and nothing is not believed', async () => {
      const embed = async (usage: Json) => {
        answer({ data: [{ index: 0, embedding: [1] }], usage });
        const body = { model: 'up/m1', input: 'x'.repeat(35) };
        return (await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', body)).json.usage;
      };
      expect(await embed({ total_tokens: 70 })).to.deep.equal({ prompt_tokens: 70, total_tokens: 70 });
      for (const usage of [{ prompt_tokens: 0, total_tokens: 0 }, { prompt_tokens: 1e15 }, {}])
        expect(await embed(usage)).to.deep.equal({ prompt_tokens: 10, total_tokens: 10 });
      const estimated = (await uses()).map((use) => use.estimated);
      expect(estimated).to.deep.equal([undefined, true, true, true]);
    });
  });

  it("the event of a use has the provider's name of the model, and ours where it has none", async () => {
    await replyTo({ ...said('x'), model: 'm-2026-01-01' });
    await replyTo(said('x'));
    await replyTo({ error: { code: 429 }, model: 'm-2026-01-01' });
    answer({ data: [{ embedding: [1] }], model: 'e-2026-01-01' });
    await app.call('asker', 'POST', '/ai_gateway/v1/embeddings', { model: 'up/m1', input: 'text' });
    const events = await uses();
    expect(events.map((event) => event['gen_ai.response.model'])).to.deep.equal([
      'm-2026-01-01',
      'm1',
      'm1',
      'e-2026-01-01',
    ]);
    for (const event of events) {
      expect(event).to.include({ model: 'm1', 'gen_ai.request.model': 'm1' });
      expect(event).to.not.have.property('response_model');
    }
  });

  describe('a key that the server repeats', () => {
    const KEY = 'sk-canary-up';
    const repeated = {
      role: 'assistant',
      content: `key ${KEY}, ${Buffer.from(KEY).toString('base64')}`,
      refusal: KEY,
      reasoning_content: `about ${KEY}`,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'get', arguments: `{"key":"${KEY}"}` } }],
    };

    it('is masked in the answer, its stream, and the event with contents', async () => {
      app.settings.stanzas = { gateway: { log_content: '1' } };
      const body = { model: KEY, choices: [{ index: 0, message: repeated, finish_reason: 'tool_calls' }] };
      const { json } = await replyTo(body);
      const { message } = json.choices[0];
      expect(message).to.include({
        content: 'key [redacted], [redacted]',
        refusal: '[redacted]',
        reasoning_content: 'about [redacted]',
      });
      expect(message.tool_calls[0].function.arguments).to.equal('{"key":"[redacted]"}');
      const stream = await ask(app, { stream: true });
      for (const text of [JSON.stringify(json), String(stream.json), JSON.stringify(await uses())])
        expect(text).to.not.contain(KEY);
    });

    it('is masked where the end of an answer that broke off is quoted', async () => {
      for (const finish_reason of [KEY, `malformed_${KEY}`, `${KEY}${'x'.repeat(60)}`, 'y'.repeat(90) + KEY]) {
        const message = { role: 'assistant', content: '' };
        const { status, json } = await replyTo({ choices: [{ index: 0, message, finish_reason }] });
        expect([status, json.error_code]).to.deep.equal([502, 'upstream_error']);
        expect(JSON.stringify(json)).to.not.contain(KEY.slice(0, 8));
      }
    });

    it('is masked in JSON that is asked for, and no shorter one is', async () => {
      const { json } = await replyTo(said(`{"key":"${KEY}"}`), { response_format: { type: 'json_object' } });
      expect(json.choices[0].message.content).to.equal('{"key":"[redacted]"}');
      const servicesettings = { endpoint: { value: 'https://short.example/v1' }, access_token: { value: 'pin-4711' } };
      await configure(app, 'short', 's1', {}, { servicesettings });
      answer(said('your pin is pin-4711'));
      const reply = await ask(app, { model: 'short/s1' });
      expect(reply.json.choices[0].message.content).to.equal('your pin is pin-4711');
    });
  });

  it('arguments of calls keep their digits, from servers that answer objects too', async () => {
    await configure(app, 'local', 'l1', {}, { service: 'Local_Runtime' });
    const calls = '[{"function":{"name":"get","arguments":{"id":725653563933458432}}}]';
    answer(`{"message":{"content":"","tool_calls":${calls}},"done":true}`);
    const { json } = await ask(app, { model: 'local/l1' });
    const [call] = json.choices[0].message.tool_calls;
    expect(call.function.arguments).to.equal('{"id":725653563933458432}');
    const messages = [
      { role: 'user', content: 'x' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: call.id, content: 'done' },
    ];
    await ask(app, { model: 'local/l1', messages });
    expect(app.llm.calls.at(-1)?.body).to.contain('"arguments":{"id":725653563933458432}');
  });
});
