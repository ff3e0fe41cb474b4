import { expect } from 'chai';
import { expectStatus, type Reply, type TestPlatform } from '../../support/e2e/platform.ts';
import type { Peer } from '../../support/peers/listen.ts';
import { MASTER_KEY, prepareLitellm, startLitellm } from '../../support/peers/litellm.ts';
import { needsInstalled } from '../../support/programs/part.ts';
import { eventually } from '../../support/time.ts';
import { FAILING, type OpenAiUpstream, startOpenAiUpstream } from './clients/upstreams/openAi.ts';
import { chat, configure, gatewayPlatform, MOUNT } from './gatewayPlatform.ts';

const WRONG_KEY = 'sk-wrong-canary-71c0e';
const hello = [{ role: 'user', content: 'hello' }];
const says = (content: string) => ({ messages: [{ role: 'user', content }] });
const parameters = { type: 'object', properties: { city: { type: 'string' } } };
const tools = [{ type: 'function', function: { name: 'weather', description: 'Weather', parameters } }];
const call = { id: 'call_1', type: 'function', function: { name: 'weather', arguments: '{"city":"Zürich"}' } };
const answered = [
  ...hello,
  { role: 'assistant', content: null, tool_calls: [call] },
  { role: 'tool', tool_call_id: 'call_1', content: 'rain' },
];
const schema = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'], additionalProperties: false };
const response_format = { type: 'json_schema', json_schema: { name: 'count', schema } };

/** Connection -> service. LiteLLM translates what they send, by code that is not ours, to the dialect of its own upstream. */
const SERVICES = { proxy: 'General_Chat', claude: 'Assistant_Family', gem: 'Search_Vendor_Models' } as const;

describe('gateway with an upstream that is a real server: LiteLLM', function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  let litellm: Peer | undefined;
  let upstream: OpenAiUpstream | undefined;
  const ask = (model: string, more: object = {}) => chat(platform, 'anna', model, more);

  before(async function () {
    await needsInstalled(this, 'LiteLLM', prepareLitellm);
    upstream = await startOpenAiUpstream();
    const api_base = `${upstream.url}/v1`;
    const models = ['m', ...FAILING];
    litellm = await startLitellm(
      models.map((name) => ({
        model_name: name,
        litellm_params: { model: `openai/${name}`, api_base, api_key: 'none' },
      })),
    );
    platform = await gatewayPlatform();
    for (const model of [...models, 'unknown']) {
      await configure(platform, 'proxy', litellm.url, { key: MASTER_KEY, model });
    }
    await configure(platform, 'wrong', litellm.url, { key: WRONG_KEY });
    const servicesettings = { endpoint: { value: litellm.url }, access_token: { value: MASTER_KEY } };
    for (const connection_name of ['claude', 'gem'] as const) {
      const body = { service: SERVICES[connection_name], connection_name, model: 'm', servicesettings };
      expectStatus(await platform.ml('anna', 'POST', '/aicommander', body), 200, connection_name);
    }
    // LiteLLM looks at the models of its upstream.
    upstream.count();
  });
  after(async () => {
    await platform?.dispose();
    await litellm?.close();
    await upstream?.close();
  });

  /** One request of the upstream, counted once. */
  function choiceOf(reply: Reply) {
    expect(reply.status, reply.text).to.equal(200);
    expect([reply.json.ml.attempts, reply.json.ml.warnings, upstream?.count()], reply.text).to.deep.equal([1, [], 1]);
    expect(reply.json.usage).to.deep.equal({ prompt_tokens: 7, completion_tokens: 2, total_tokens: 9 });
    return reply.json.choices[0];
  }

  for (const [connection, service] of Object.entries(SERVICES)) {
    it(`${service}: chats, calls tools, and answers by a schema`, async () => {
      const model = `${connection}/m`;
      const messages = [{ role: 'system', content: 'be kind' }, ...hello];
      const first = choiceOf(await ask(model, { messages }));
      expect(first.finish_reason).to.equal('stop');
      // LiteLLM has fields of its own beside these.
      expect(first.message).to.include({ role: 'assistant', content: 'system,user: hello', refusal: null });
      for (const tool_choice of ['auto', { type: 'function', function: { name: 'weather' } }]) {
        const { message, finish_reason } = choiceOf(await ask(model, { tools, tool_choice }));
        expect([finish_reason, message.content, message.tool_calls[0].function]).to.deep.equal([
          'tool_calls',
          null,
          call.function,
        ]);
      }
      const { message } = choiceOf(await ask(model, { tools, messages: answered }));
      expect(message.content).to.match(/^user,assistant,tool: .*rain/);
      expect(choiceOf(await ask(model, { response_format })).message.content).to.equal('{"n":3}');
    });
  }

  it('streams, with the tokens that were counted', async () => {
    const reply = await ask('proxy/m', { stream: true, stream_options: { include_usage: true } });
    const chunks = reply.text
      .split('\n\n')
      .flatMap((event) => (/^data: \{/.test(event) ? [JSON.parse(event.slice(6))] : []));
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).to.equal('user: hello');
    expect(chunks.at(-1).usage.total_tokens).to.equal(9);
    expect(upstream?.asked.at(-1)?.body).not.to.have.property('stream', true);
    expect(upstream?.count()).to.equal(1);
  });

  it('embeds, as numbers and in base64', async () => {
    const embed = (more: object) =>
      platform.call('anna', 'POST', `${MOUNT}/v1/embeddings`, { model: 'proxy/m', input: ['ab', 'abc'], ...more });
    const { json } = await embed({});
    expect(json.data.map(({ embedding }: { embedding: number[] }) => embedding)).to.deep.equal([
      [2, 2.25, 2.5],
      [3, 3.25, 3.5],
    ]);
    expect(json.usage).to.deep.equal({ prompt_tokens: 5, total_tokens: 5 });
    const packed = Buffer.from((await embed({ encoding_format: 'base64' })).json.data[1].embedding, 'base64');
    expect([0, 4, 8].map((at) => packed.readFloatLE(at))).to.deep.equal([3, 3.25, 3.5]);
    expect(upstream?.count()).to.equal(2);
  });

  it('counts the tokens of a batch', async () => {
    const items = ['a', 'b', 'b'].map((text, index) => ({ id: String(index), ...says(text) }));
    const body = { operation: 'chat', common: { model: 'proxy/m' }, items };
    const { json } = await platform.call('anna', 'POST', `${MOUNT}/batch`, body);
    expect(json.result.map(({ status }: { status: string }) => status)).to.deep.equal(['done', 'done', 'done']);
    expect(json.usage).to.deep.equal({ prompt_tokens: 14, completion_tokens: 4, total_tokens: 18 });
    expect(upstream?.count()).to.equal(2);
  });

  /** Model -> status, code, whether to try again, requests that reached the upstream of LiteLLM. */
  const FAILURES: Record<string, [number, string, string, number]> = {
    unknown: [404, 'model_not_found', 'false', 0],
    'fail-model': [404, 'model_not_found', 'false', 1],
    'fail-key': [502, 'auth_failed', 'false', 1],
    'fail-request': [400, 'bad_request', 'false', 1],
    'fail-length': [400, 'context_length_exceeded', 'false', 1],
    'fail-filter': [400, 'content_filtered', 'false', 1],
    'fail-limit': [429, 'rate_limited', 'true', 1],
    // LiteLLM drops the code by which OpenAI tells a spent quota from too many requests.
    'fail-quota': [429, 'rate_limited', 'true', 1],
    'fail-error': [502, 'upstream_error', 'true', 1],
    'fail-overload': [502, 'upstream_error', 'true', 2],
  };

  for (const [model, expected] of Object.entries(FAILURES)) {
    it(`answers ${expected[0]} ${expected[1]} for ${model}`, async () => {
      const { status, json, headers, text } = await ask(`proxy/${model}`);
      const outcome = [status, json.error_code, headers['x-should-retry'], upstream?.count()];
      expect(outcome, text).to.deep.equal(expected);
      // OpenAI's name of it.
      const code = expected[1] === 'content_filtered' ? 'content_filter' : expected[1];
      expect(json.error.code).to.equal(code);
    });
  }

  it('records the tokens that were counted', async () => {
    const rows = async () => (await platform.ml('anna', 'GET', '/usage?by=connection')).json.result;
    const uses = { requests: 5, failed: 0, input_tokens: 35, output_tokens: 10 };
    for (const connection of ['claude', 'gem']) {
      const row = async () => (await rows()).find((one: { connection: string }) => one.connection === connection);
      // Usage is written after the reply.
      await eventually(async () => (await row())?.requests === uses.requests, 10_000, `the usage of ${connection}`);
      expect(await row()).to.include(uses);
    }
  });

  it("names LiteLLM's own refusal of a key, and does not show the key", async () => {
    const reply = await ask('wrong/m');
    expect([reply.status, reply.json.error_code, upstream?.count()], reply.text).to.deep.equal([502, 'auth_failed', 0]);
    expect(reply.text).not.to.contain('canary');
  });
});
