import { expect } from 'chai';
import type { MemoryApp } from '../support/memory/app.ts';
import { ask, completionOf, configure, gatewayApp, hello, lastText, sent } from './gatewayApp.ts';

describe('gateway chat', () => {
  let app: MemoryApp;
  beforeEach(async () => {
    app = await gatewayApp();
  });

  it("answers OpenAI's object with facts about the use, without an envelope", async () => {
    const { status, json, headers } = await ask(app, {});
    expect(status).to.equal(200);
    expect(json.id).to.match(/^chatcmpl-[0-9a-f]{32}$/);
    expect(json).to.include({ object: 'chat.completion', model: 'up/m1' });
    expect(json.choices).to.deep.equal([
      {
        index: 0,
        message: { role: 'assistant', content: 'echo hello', refusal: null },
        finish_reason: 'stop',
        logprobs: null,
      },
    ]);
    expect(json.usage).to.deep.equal({ prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 });
    expect(json.ml).to.include({ service: 'General_Chat', connection_name: 'up', model: 'm1', attempts: 1 });
    expect(json).not.to.have.any.keys('status', 'message');
    expect(headers['x-request-id']).to.match(/^request-/);
    expect(Number(headers['x-ml-upstream-ms'])).to.be.at.least(0);
    expect(Number(headers['x-ml-overhead-ms'])).to.be.at.least(0);
  });

  it('sends the settings of the configuration, and cuts max_tokens to its maximum with a warning', async () => {
    await ask(app, {});
    expect(sent(app)[0]).to.include({ model: 'm1', temperature: 0.25, max_completion_tokens: 100 });
    const { json } = await ask(app, { max_tokens: 500, temperature: 1.5 });
    expect(sent(app)[1]).to.include({ temperature: 1.5, max_tokens: 100 });
    expect(json.ml.warnings).to.deep.equal(['max_tokens was reduced to 100, the maximum of the configuration']);
    await ask(app, { max_completion_tokens: 20 });
    expect(sent(app)[2]).to.include({ max_completion_tokens: 20 });
  });

  it('counts cached and reasoning tokens where the provider does, and estimates what it does not count', async () => {
    app.llm.answer = () => ({
      json: completionOf('x', {
        prompt_tokens: 30,
        prompt_tokens_details: { cached_tokens: 20 },
        completion_tokens: 9,
        completion_tokens_details: { reasoning_tokens: 4 },
        total_tokens: 1,
      }),
    });
    expect((await ask(app, {})).json.usage).to.deep.equal({
      prompt_tokens: 30,
      completion_tokens: 9,
      total_tokens: 39,
      prompt_tokens_details: { cached_tokens: 20 },
      completion_tokens_details: { reasoning_tokens: 4 },
    });
    app.llm.answer = () => ({ json: completionOf('1234567', {}) });
    expect((await ask(app, {})).json.usage).to.include({ prompt_tokens: 2, completion_tokens: 2, total_tokens: 4 });
  });

  it('answers a stream as a complete event stream, with usage where it is asked for', async () => {
    const { status, json, headers } = await ask(app, { stream: true, stream_options: { include_usage: true } });
    expect([status, headers['Content-Type']]).to.deep.equal([200, 'text/event-stream; charset=utf-8']);
    const events = String(json)
      .trimEnd()
      .split('\n\n')
      .map((event) => event.replace(/^data: /, ''));
    expect(events.at(-1)).to.equal('[DONE]');
    const chunks = events.slice(0, -1).map((event) => JSON.parse(event));
    expect(chunks.map(({ choices }) => choices[0]?.delta)).to.deep.equal([
      { role: 'assistant', content: '' },
      { content: 'echo hello' },
      {},
      undefined,
    ]);
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).to.deep.equal([null, null, 'stop', undefined]);
    expect(chunks.map(({ usage }) => usage)).to.deep.equal([
      null,
      null,
      null,
      { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    ]);
    expect(new Set(chunks.map(({ id, object }) => `${id} ${object}`)).size).to.equal(1);
    const failed = await ask(app, { stream: true, model: 'nothing' });
    expect([failed.status, failed.json.error_code]).to.deep.equal([404, 'not_found']);
  });

  it('hands on tool calls, their extra content, and their results', async () => {
    const call = { id: 'call_1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } };
    app.llm.answer = () => ({
      json: {
        choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
        usage: {},
      },
    });
    const tools = [{ type: 'function', function: { name: 'f', parameters: { type: 'object' } } }];
    const earlier = { ...call, id: 'call_0' };
    const messages = [
      ...hello,
      { role: 'assistant', content: null, tool_calls: [earlier] },
      { role: 'tool', tool_call_id: 'call_0', content: 'done' },
    ];
    const { json } = await ask(app, { tools, messages, tool_choice: { type: 'function', function: { name: 'f' } } });
    expect(json.choices[0]).to.deep.include({ finish_reason: 'tool_calls' });
    expect(json.choices[0].message).to.deep.equal({
      role: 'assistant',
      content: null,
      refusal: null,
      tool_calls: [call],
    });
    expect(sent(app)[0]).to.deep.include({ tool_choice: { type: 'function', function: { name: 'f' } } });
    expect((sent(app)[0] as { messages: unknown[] }).messages.slice(1)).to.deep.equal(messages.slice(1));
  });

  it('names the field of what it does not support or understand', async () => {
    for (const [body, param] of [
      [{ functions: [] }, 'functions'],
      [{ n: 2 }, 'n'],
      [{ modalities: ['text', 'audio'] }, 'modalities'],
      [{ audio: {} }, 'audio'],
    ] as const) {
      const { status, json } = await ask(app, body);
      expect([status, json.error_code, json.error.param, json.error.type]).to.deep.equal([
        400,
        'not_supported',
        param,
        'invalid_request_error',
      ]);
    }
    for (const [body, field] of [
      [{ messages: [] }, 'messages'],
      [{ messages: [{ role: 'robot', content: 'x' }] }, 'messages.0.role'],
      [{ messages: [{ role: 'user', content: 3 }] }, 'messages.0.content'],
      [
        { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'file:///etc/passwd' } }] }] },
        'messages.0.content.0.image_url.url',
      ],
      [{ messages: [{ role: 'tool', content: 'x' }] }, 'messages.0.tool_call_id'],
      [{ messages: [{ role: 'tool', content: 'x', tool_call_id: 'c' }] }, 'messages.0.tool_call_id'],
      [{ temperature: 3 }, 'temperature'],
      [{ response_format: { type: 'yaml' } }, 'response_format'],
      [{ tool_choice: 'maybe' }, 'tool_choice'],
    ] as const) {
      const { status, json } = await ask(app, body);
      expect([status, json.error_code, json.errors?.[0]?.field, json.error.param], JSON.stringify(body)).to.deep.equal([
        400,
        'validation_failed',
        field,
        field,
      ]);
    }
    expect(app.llm.calls).to.have.length(0);
  });

  it('gives failures of providers their statuses in both shapes, and says whether to try again', async () => {
    for (const [answer, status, code, type, retry] of [
      [{ status: 401, json: { error: { message: 'no' } } }, 502, 'auth_failed', 'api_error', 'false'],
      [{ status: 403, json: { error: { message: 'no' } } }, 502, 'permission_denied', 'api_error', 'false'],
      [
        { status: 404, json: { error: { code: 'model_not_found' } } },
        404,
        'model_not_found',
        'invalid_request_error',
        'false',
      ],
      [{ status: 429, headers: { 'retry-after': '90' }, json: {} }, 429, 'rate_limited', 'rate_limit_error', 'true'],
      [
        { status: 429, json: { error: { code: 'insufficient_quota' } } },
        429,
        'quota_exceeded',
        'insufficient_quota',
        'false',
      ],
      [{ status: 500, json: {} }, 502, 'upstream_error', 'api_error', 'true'],
      [{ status: 200, text: '<html>' }, 502, 'upstream_error', 'api_error', 'true'],
      [{ status: 200, json: { error: { message: 'inside' } } }, 502, 'upstream_error', 'api_error', 'true'],
    ] as const) {
      app.llm.answer = () => answer;
      const reply = await ask(app, {});
      const { json, headers } = reply;
      expect([
        reply.status,
        json.status,
        json.error_code,
        json.error.type,
        json.error.code,
        headers['x-should-retry'],
      ]).to.deep.equal([status, 'fail', code, type, code, retry]);
      expect(json.error.message).to.equal(json.message);
    }
    app.llm.answer = () => ({ status: 429, headers: { 'retry-after': '90' }, json: {} });
    expect((await ask(app, {})).headers['Retry-After']).to.equal('60');
  });

  it('repeats a call once after a short 429, 503 and 529, and tells the attempts', async () => {
    for (const [status, headers] of [
      [503, {}],
      [529, {}],
      [429, { 'retry-after': '0' }],
    ] as const) {
      app.llm.calls.length = 0;
      app.llm.answer = (call) =>
        app.llm.calls.length === 1 ? { status, headers, json: {} } : { json: completionOf(lastText(call)) };
      expect((await ask(app, {})).json.ml.attempts, String(status)).to.equal(2);
    }
    for (const answer of [
      { status: 429, headers: { 'retry-after': '30' }, json: {} },
      { status: 500, json: {} },
    ]) {
      app.llm.calls.length = 0;
      app.llm.answer = () => answer;
      await ask(app, {});
      expect(app.llm.calls).to.have.length(1);
    }
  });

  it('does not tell configurations that may not be read from those that are absent', async () => {
    const hidden = await ask(app, {}, 'aliases only');
    const absent = await ask(app, { model: 'absent' }, 'asker');
    expect([hidden.status, hidden.json.error_code]).to.deep.equal([404, 'not_found']);
    expect(hidden.json.message.replace('up/m1', 'absent')).to.equal(absent.json.message);
    await configure(app, 'draft', 'm3', {}, { is_saved: false });
    expect((await ask(app, { model: 'draft/m3' })).status).to.equal(404);
  });

  it('says what a configuration lacks in the words of its test', async () => {
    await configure(app, 'keyless', 'm', {}, { servicesettings: {} });
    const identity = { service: 'General_Chat', connection_name: 'keyless', model: 'm' };
    const used = await ask(app, { model: 'keyless/m' });
    const tested = await app.call('llm', 'POST', '/aicommander_metadata', identity);
    expect([used.status, used.json.error_code, tested.json.error_code]).to.deep.equal([
      400,
      'configuration_invalid',
      'configuration_invalid',
    ]);
    const lacks = 'The configuration keyless lacks servicesettings.access_token.value, which General_Chat needs';
    expect([used.json.message, tested.json.message]).to.deep.equal([lacks, lacks]);
    expect(app.llm.calls).to.have.length(0);
  });

  it('releases the slot at the end, refuses beyond half of the slots at once, and serves others', async () => {
    app.slots.max = 4;
    const waiting: (() => void)[] = [];
    app.llm.answer = (call) =>
      new Promise((resolve) => waiting.push(() => resolve({ json: completionOf(lastText(call)) })));
    const slow = [ask(app, {}), ask(app, {})];
    while (waiting.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    const refused = await ask(app, {});
    expect([
      refused.status,
      refused.json.error_code,
      refused.headers['Retry-After'],
      refused.headers['x-should-retry'],
    ]).to.deep.equal([429, 'too_many_requests', '1', 'true']);
    const other = ask(app, {}, 'llm');
    while (waiting.length < 3) await new Promise((resolve) => setTimeout(resolve, 5));
    for (const end of waiting) end();
    expect((await Promise.all([...slow, other])).map(({ status }) => status)).to.deep.equal([200, 200, 200]);
    expect([...app.slots.held.values()]).to.deep.equal([0, 0]);
  });

  it('ends a call at the deadline of the request', async () => {
    app.slots.deadline = 50;
    app.llm.answer = ({ deadline }) =>
      new Promise((_, reject) => deadline.signal.addEventListener('abort', () => reject(deadline.signal.reason)));
    const { status, json } = await ask(app, {});
    expect([status, json.error_code]).to.deep.equal([504, 'timeout']);
  });

  it('never shows the key of the provider', async () => {
    app.llm.answer = ({ headers }) => ({
      status: 400,
      json: { error: { message: `You sent ${headers.authorization}` } },
    });
    const { json } = await ask(app, {});
    expect(JSON.stringify(json)).not.to.include('sk-canary');
    expect(JSON.stringify(app.site.log)).not.to.include('sk-canary');
  });
});
