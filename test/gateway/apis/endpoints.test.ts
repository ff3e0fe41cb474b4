import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { completionOf, gatewayApp, sent } from '../gatewayApp.ts';

const RESPONSES = '/ai_gateway/v1/responses';
const MESSAGES = '/ai_gateway/v1/messages';

const respond = (app: MemoryApp, body: Json, headers: Json = {}) =>
  app.call('asker', 'POST', RESPONSES, { model: 'up/m1', input: 'hello', ...body }, headers);
const message = (app: MemoryApp, body: Json = {}, headers: Json = {}, query = '') =>
  app.call(
    'asker',
    'POST',
    MESSAGES + query,
    { model: 'up/m1', max_tokens: 50, messages: [{ role: 'user', content: 'hello' }], ...body },
    headers,
  );

async function gemini(app: MemoryApp, connection_name: string): Promise<void> {
  const saved = await app.call('llm', 'POST', '/aicommander', {
    service: 'Search_Vendor_Models',
    connection_name,
    model: 'gemini-3',
    servicesettings: { access_token: { value: 'key' } },
  });
  expect(saved.status, saved.json.message).to.equal(200);
  app.llm.calls.length = 0;
}
const geminiAnswer = (parts: Json[]) => ({
  json: { candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP' }] },
});
const CALL = { functionCall: { name: 'df', args: {} }, thoughtSignature: 'c2ln' };

describe('POST /ai_gateway/v1/responses', () => {
  it('is one use of a model, in the form of Responses', async () => {
    const app = await gatewayApp();
    const { status, headers, json } = await respond(app, { instructions: 'Be brief.' });
    expect(status, json.message).to.equal(200);
    expect(json).to.include({ object: 'response', status: 'completed', model: 'up/m1', store: false });
    expect(json.output[0].content[0].text).to.equal('echo hello');
    expect(json.ml).to.include({ service: 'General_Chat', connection_name: 'up', model: 'm1', attempts: 1 });
    expect(headers['x-request-id']).to.be.a('string');
    expect(sent(app)[0]?.messages).to.deep.equal([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'hello' },
    ]);
    expect(app.slots.limits).to.deep.equal(['long']);
    await app.gateway.usage.flush();
    const { json: usage } = await app.call('asker', 'GET', '/usage?by=via,operation');
    expect(usage.result[0]).to.include({ via: 'openai', operation: 'chat', requests: 1 });
  });

  it('streams events whose last one has the use', async () => {
    const app = await gatewayApp();
    const { headers, json } = await respond(app, { stream: true });
    expect(headers['Content-Type']).to.match(/^text\/event-stream/);
    const events = String(json).trim().split('\n\n');
    expect(events[0]).to.match(/^event: response.created\ndata: /);
    const last = JSON.parse(events.at(-1)?.replace(/^.*\ndata: /, '') ?? '');
    expect(last).to.include({ type: 'response.completed' });
    expect(last.response.ml.connection_name).to.equal('up');
  });

  it('fails as all of OpenAI fail, before anybody is asked', async () => {
    const app = await gatewayApp();
    const { status, headers, json } = await respond(app, { previous_response_id: 'resp_1' });
    expect([status, json.error_code, headers['x-should-retry']]).to.deep.equal([400, 'not_supported', 'false']);
    expect(json.error).to.include({
      type: 'invalid_request_error',
      code: 'not_supported',
      param: 'previous_response_id',
    });
    expect(app.llm.calls).to.have.length(0);
  });

  it("carries Gemini's signatures to the next turn, and to no other connection", async () => {
    const app = await gatewayApp();
    await gemini(app, 'gem');
    app.llm.answer = () => geminiAnswer([CALL]);
    const tools = [{ type: 'function', name: 'df', parameters: { type: 'object', properties: {} } }];
    const asked = { model: 'gem/gemini-3', tools, input: [{ role: 'user', content: 'disk?' }] as Json[] };
    const { json } = await respond(app, asked);
    expect(json.output.map(({ type }: Json) => type)).to.deep.equal(['reasoning', 'function_call']);
    const output = { type: 'function_call_output', call_id: json.output[1].call_id, output: '91%' };
    const next = { tools, input: [...asked.input, ...json.output, output] };
    app.llm.answer = () => geminiAnswer([{ text: 'full' }]);
    const own = await respond(app, { model: 'gem/gemini-3', ...next });
    expect([own.status, own.json.ml.warnings]).to.deep.equal([200, []]);
    expect(JSON.stringify(sent(app).at(-1)?.contents)).to.include('"thoughtSignature":"c2ln"');
    app.llm.answer = () => ({ json: completionOf('full') });
    const other = await respond(app, { model: 'up/m1', ...next });
    expect(other.json.ml.warnings.join()).to.match(/reasoning/i);
    expect(JSON.stringify(sent(app).at(-1))).to.not.include('c2ln');
  });
});

describe('POST /ai_gateway/v1/messages', () => {
  it('is one use of a model, in the form of Messages', async () => {
    const app = await gatewayApp();
    const { status, headers, json } = await message(app, { system: 'Be brief.' }, {}, '?beta=true');
    expect(status, json.message).to.equal(200);
    expect(json).to.include({ type: 'message', role: 'assistant', model: 'up/m1', stop_reason: 'end_turn' });
    expect(json.content).to.deep.equal([{ type: 'text', text: 'echo hello' }]);
    expect(json.ml).to.include({ connection_name: 'up', attempts: 1 });
    expect(headers['request-id']).to.equal(headers['x-request-id']);
    expect(app.slots.limits).to.deep.equal(['long']);
    await app.gateway.usage.flush();
    const { json: usage } = await app.call('asker', 'GET', '/usage?by=via,operation');
    expect(usage.result[0]).to.include({ via: 'anthropic', operation: 'chat', requests: 1 });
  });

  for (const [what, body, status, type] of [
    ['a missing limit', { max_tokens: undefined }, 400, 'invalid_request_error'],
    ['an unknown model', { model: 'nobody/knows' }, 404, 'not_found_error'],
  ] as const)
    it(`fails as Anthropic does: ${what}`, async () => {
      const app = await gatewayApp();
      const answer = await message(app, body);
      expect(answer.status).to.equal(status);
      expect(answer.json).to.include({ type: 'error', status: 'fail' });
      expect(answer.json.request_id).to.equal(answer.headers['request-id']);
      expect(answer.json.error).to.deep.equal({ type, message: answer.json.message });
      expect(app.llm.calls).to.have.length(0);
    });

  for (const [what, status, headers, expected, retries] of [
    ['an overloaded provider', 529, {}, [529, 'rate_limited', 'overloaded_error'], 'true'],
    ['a provider that is not there', 503, {}, [502, 'upstream_error', 'api_error'], 'true'],
    ['a limit', 429, { 'retry-after': '30' }, [429, 'rate_limited', 'rate_limit_error'], 'true'],
    ['a wrong key', 401, {}, [502, 'auth_failed', 'api_error'], 'false'],
  ] as const)
    it(`fails as Anthropic does: ${what}`, async () => {
      const app = await gatewayApp();
      app.llm.answer = () => ({ status, headers, json: { error: { message: 'no' } } });
      const answer = await message(app);
      expect([answer.status, answer.json.error_code, answer.json.error.type]).to.deep.equal(expected);
      expect(answer.headers['x-should-retry']).to.equal(retries);
      if (status !== 529) return;
      const responses = await respond(app, {});
      expect([responses.status, responses.json.error_code]).to.deep.equal([429, 'rate_limited']);
    });

  it('passes an overloaded alias on as such', async () => {
    const app = await gatewayApp();
    const targets = [{ service: 'General_Chat', connection_name: 'up', model: 'm1' }];
    const acl = { sharing: 'app', perms: { read: ['*'], write: ['ml_admin'] } };
    expect((await app.call('llm', 'POST', '/model_aliases', { name: 'fast', targets, acl })).status).to.equal(200);
    app.llm.answer = () => ({ status: 529, json: { error: { message: 'Overloaded' } } });
    expect((await message(app, { model: 'fast' })).status).to.equal(529);
  });

  it('says that a prompt is too long in words that clients know', async () => {
    const app = await gatewayApp();
    const error = { message: "This model's maximum context length is 10 tokens.", code: 'context_length_exceeded' };
    app.llm.answer = () => ({ status: 400, json: { error } });
    const { status, headers, json } = await message(app);
    expect([status, json.error_code, headers['x-should-retry']]).to.deep.equal([
      400,
      'context_length_exceeded',
      'false',
    ]);
    expect(json.error.message).to.match(/^prompt is too long/);
    for (const words of [
      'prompt is too long: 9000 tokens > 8192 maximum',
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
      "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (8100 in the messages).",
      "This model's maximum prompt length is 8192 but the request contains 9000 tokens.",
      'The input token count (9000) exceeds the maximum number of tokens allowed (8192).',
      'Too many input tokens. Max input tokens: 8192, request input token count: 9000',
    ]) {
      app.llm.answer = () => ({ status: 400, json: { error: { ...error, message: words } } });
      const { json: refused } = await message(app);
      expect(refused.error.message, words).to.match(/^prompt is too long: 9000 tokens > 8192 maximum/);
    }
  });

  it('warns where blocks that Anthropic signed go to another maker', async () => {
    const app = await gatewayApp();
    const signed = { type: 'thinking', thinking: 'so', signature: 'EqQB' };
    const messages = [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: [signed, { type: 'text', text: 'b' }] },
      { role: 'user', content: 'c' },
    ];
    const { json } = await message(app, { messages });
    expect(json.ml.warnings.join()).to.match(/reasoning/);
    expect(JSON.stringify(sent(app))).to.not.include('EqQB');
    await app.call('llm', 'POST', '/aicommander', {
      service: 'Assistant_Family',
      connection_name: 'claude',
      model: 'claude-x',
      servicesettings: { access_token: { value: 'key' } },
    });
    app.llm.answer = () => ({ json: { content: [{ type: 'text', text: 'ok' }], stop_reason: 'end_turn', usage: {} } });
    const own = await message(app, { model: 'claude/claude-x', messages });
    expect([own.status, own.json.ml?.warnings], own.json.message).to.deep.equal([200, []]);
    expect(JSON.stringify(sent(app).at(-1))).to.include('EqQB');
  });

  it('names betas that nobody knows', async () => {
    const app = await gatewayApp();
    const headers = { 'anthropic-beta': 'interleaved-thinking-2025-05-14,some-beta-of-tomorrow' };
    const { json } = await message(app, {}, headers);
    expect(json.ml.warnings.join()).to.include('some-beta-of-tomorrow').and.not.include('interleaved');
  });

  it('names the end user so that the provider cannot tell who it is', async () => {
    const app = await gatewayApp();
    await message(app, { metadata: { user_id: 'jane.doe' } });
    expect(sent(app)[0]?.user).to.match(/^[0-9a-f]{32}$/);
  });
});

describe('POST /ai_gateway/v1/messages/count_tokens', () => {
  const count = (app: MemoryApp, body: Json = {}, user = 'asker') =>
    app.call(user, 'POST', `${MESSAGES}/count_tokens`, {
      model: 'up/m1',
      messages: [{ role: 'user', content: 'hello' }],
      ...body,
    });

  it('counts without a slot, a use or a provider', async () => {
    const app = await gatewayApp();
    const { status, json } = await count(app);
    expect([status, json.ml]).to.deep.equal([200, { estimated: true }]);
    const more = await count(app, { system: 'You help.', tools: [{ name: 'df', input_schema: { type: 'object' } }] });
    expect(more.json.input_tokens).to.be.above(json.input_tokens);
    expect([app.llm.calls.length, app.slots.limits.length]).to.deep.equal([0, 0]);
    await app.gateway.usage.flush();
    expect((await app.call('asker', 'GET', '/usage?by=operation')).json.result).to.deep.equal([]);
  });

  it('is not for models that the caller may not use', async () => {
    const app = await gatewayApp();
    const { status, json } = await count(app, {}, 'aliases only');
    expect([status, json.error.type]).to.deep.equal([404, 'not_found_error']);
  });
});

describe('ids of calls', () => {
  it('are unique in a conversation, whatever the provider counts', async () => {
    const app = await gatewayApp();
    const call = { id: 'call_0', type: 'function', function: { name: 'df', arguments: '{}' } };
    app.llm.answer = () => ({
      json: {
        choices: [{ message: { role: 'assistant', content: null, tool_calls: [call] }, finish_reason: 'tool_calls' }],
      },
    });
    const tools = [{ type: 'function', name: 'df' }];
    const input: Json[] = [{ role: 'user', content: 'disk?' }];
    const first = await respond(app, { input, tools });
    expect(first.json.output[0].call_id).to.equal('call_0');
    const output = { type: 'function_call_output', call_id: 'call_0', output: '91%' };
    const second = await respond(app, { input: [...input, ...first.json.output, output], tools });
    expect(second.json.output[0].call_id).to.match(/^call_[0-9a-f]{24}$/);
  });
});

describe('fields that clients set by themselves', () => {
  it('are left out with a warning, and refused in Chat Completions', async () => {
    const app = await gatewayApp();
    await gemini(app, 'gem');
    app.llm.answer = () => geminiAnswer([{ text: 'ok' }]);
    const model = 'gem/gemini-3';
    const parameters = { type: 'object', properties: {} };
    const response = await respond(app, { model, tools: [{ type: 'function', name: 'df', parameters, strict: true }] });
    expect([response.status, response.json.ml?.warnings.join()], response.json.message).to.satisfy(
      ([status, warnings]: [number, string]) => status === 200 && warnings.includes('strict'),
    );
    const answer = await message(app, { model, tools: [{ name: 'df', input_schema: parameters, strict: true }] });
    expect(answer.json.ml.warnings.join()).to.include('strict');
    const tools = [{ type: 'function', function: { name: 'df', parameters, strict: true } }];
    const messages = [{ role: 'user', content: 'hello' }];
    const chat = await app.call('asker', 'POST', '/ai_gateway/v1/chat/completions', { model, messages, tools });
    expect([chat.status, chat.json.error_code]).to.deep.equal([400, 'not_supported']);
  });
});
