import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { readBody, sendJson } from '../../../support/peers/listen.ts';
import { Peers } from '../../../support/peers/peers.ts';
import { rpcResult, startAnswering } from '../../../support/peers/scripted.ts';
import { eventually } from '../../../support/time.ts';
import { configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';
import { type Body, cutAnswer, DIALECTS, type Dialect, MODELS, NAME, TOKENS } from './oddAnswers.ts';

const TOOL = {
  name: 'look',
  description: 'Looks at a host',
  inputSchema: { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] },
  annotations: { readOnlyHint: true },
};

describe('runs with models that err', function () {
  this.timeout(180_000);
  const peers = new Peers();
  let platform: TestPlatform;
  let asked: (Body & { tools?: unknown })[] = [];
  /** Calls of the tool: how many there were, and how many at a time. */
  const calls = { all: 0, now: 0, most: 0 };

  before(async () => {
    platform = await gatewayPlatform();
    for (const [name, dialect] of Object.entries(DIALECTS)) {
      const url = await peers.serve(async (request, response) => {
        const body: Body = JSON.parse(await readBody(request));
        const before = asked.length;
        asked.push(body);
        const said = MODELS[body.model]?.(dialect.turns(body), before) ?? '';
        if (said === 'cut') return cutAnswer(response);
        if (typeof said === 'string' || !('limited' in said)) return sendJson(response, 200, dialect.answer(said));
        const headers = said.limited === undefined ? {} : { 'retry-after': said.limited };
        sendJson(response, 429, dialect.refusal, headers);
      });
      for (const model of Object.keys(MODELS)) await save(name, dialect, url, model);
    }
    const server = await peers.started(
      startAnswering(
        'tools/call',
        (response, message) => {
          calls.all += 1;
          calls.now += 1;
          calls.most = Math.max(calls.most, calls.now);
          const { arguments: args } = message.params as { arguments: { host: string } };
          setTimeout(() => {
            calls.now -= 1;
            sendJson(response, 200, rpcResult(message, { content: [{ type: 'text', text: `saw ${args.host}` }] }));
          }, 100);
        },
        [TOOL],
      ),
    );
    const connection = { name: 'Desk', type: 'PLATFORM', details: { url: server.url } };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', connection), 200, 'a connection');
  });
  after(() => platform?.dispose());
  beforeEach(() => {
    asked = [];
    Object.assign(calls, { all: 0, now: 0, most: 0 });
  });

  async function save(name: string, { service, endpoint }: Dialect, url: string, model: string): Promise<void> {
    if (service === 'General_Chat') return configure(platform, name, url, { model });
    const servicesettings = { endpoint: { value: `${url}${endpoint}` }, access_token: { value: 'sk-ant-of-a-test' } };
    const body = { service, connection_name: name, model, servicesettings };
    expectStatus(await platform.ml('anna', 'POST', '/aicommander', body), 200, name);
  }

  /** A run to its end. */
  async function run(model: string, more: object = {}) {
    const definition = { runtime_type: 'BUILT_IN', llm: { model }, mcps: [{ name: 'Desk' }], ...more };
    const call = (path: string, body: object) => platform.call('anna', 'POST', `${MOUNT}/runs${path}`, body);
    const started = await call('', { definition, input: 'Look', worker: 'caller' });
    expectStatus(started, 200, 'a run');
    const { run_id } = started.json;
    for (let steps = 0; steps < 30; steps += 1) {
      const { json } = await call(`/${run_id}/step`, {});
      if (json.state !== 'queued' && json.state !== 'running') break;
    }
    const { config } = (await platform.call('anna', 'GET', `${MOUNT}/runs/${run_id}`)).json;
    const steps: { kind: string; state: string; error_code?: string; output?: string }[] = config.steps;
    return { ...config, tools: steps.filter(({ kind }) => kind === 'tool') };
  }

  /** What usage says of the requests to a model. */
  async function usage(dialect: string, model: string) {
    const { json } = await platform.ml('anna', 'GET', '/usage?by=connection,model');
    return json.result.find((row: Record<string, string>) => row.connection === dialect && row.model === model);
  }

  for (const dialect of Object.keys(DIALECTS)) {
    describe(dialect, () => {
      const counted = async (model: string, requests: number, failed = 0, isCounted = true) => {
        await eventually(async () => (await usage(dialect, model))?.requests === requests, 20_000, 'usage');
        const row = await usage(dialect, model);
        expect(row).to.include({ requests, failed });
        if (isCounted) expect(row).to.include({ input_tokens: requests * TOKENS.input });
      };

      for (const [model, code] of [
        ['unknown', 'tool_not_found'],
        ['no-json', 'validation_failed'],
        ['unfit', 'validation_failed'],
        ['large', 'validation_failed'],
      ] as const) {
        it(`${model}: the model learns what was wrong with its call, and goes on`, async () => {
          const { state, output, tools, usage: used } = await run(`${dialect}/${model}`);
          expect([state, output]).to.deep.equal(['succeeded', 'sorry']);
          expect(tools).to.have.length(1);
          expect(tools[0]).to.include({ state: 'failed', error_code: code });
          expect(JSON.stringify(asked[1])).to.contain(code);
          expect(JSON.stringify(asked[1]).length, 'what was too long is not sent back').to.be.below(10_000);
          expect(calls.all).to.equal(0);
          expect(used).to.include({ requests: 2, input_tokens: 2 * TOKENS.input, output_tokens: 2 * TOKENS.output });
          await counted(model, 2);
        });
      }

      it('same: three equal calls that fail are the end', async () => {
        const { state, error_code, message, usage: used } = await run(`${dialect}/same`);
        expect([state, error_code, used.requests]).to.deep.equal(['failed', 'no_progress', 3]);
        expect(message).to.contain(NAME).and.to.contain('Its steps say why');
        await counted('same', 3);
      });

      it('endless: the last request offers no tool, and a call all the same is the end', async () => {
        const { state, error_code, message, usage: used } = await run(`${dialect}/endless`, { max_steps: 4 });
        expect([state, error_code, used.requests]).to.deep.equal(['failed', 'step_limit', 4]);
        expect(message).to.contain('max_steps');
        expect(calls.all).to.equal(3);
        await counted('endless', 4);
      });

      it('eight: calls of one turn are made, at most four at a time, and answered in order', async () => {
        const { state, tools } = await run(`${dialect}/eight`);
        expect(state).to.equal('succeeded');
        expect(tools.map((step: { output: string }) => step.output)).to.deep.equal(
          Array.from({ length: 8 }, (_, n) => `saw host-${n}`),
        );
        expect(calls.all).to.equal(8);
        expect(calls.most).to.be.within(2, 4);
        const texts = [...JSON.stringify(asked[1]).matchAll(/saw host-(\d)/g)].map(([, n]) => n);
        expect(texts.join('')).to.equal('01234567');
        await counted('eight', 2);
      });

      for (const [model, requests] of [
        ['filtered', 1],
        ['filtered-later', 2],
      ] as const) {
        it(`${model}: the run fails, and says what to change`, async () => {
          const { state, error_code, message, usage: used } = await run(`${dialect}/${model}`);
          expect([state, error_code]).to.deep.equal(['failed', 'content_filtered']);
          expect(message).to.contain('Change the input');
          expect(used).to.include({ requests, input_tokens: requests * TOKENS.input });
          await counted(model, requests);
        });
      }

      for (const model of ['limited', 'limited-until', 'limited-for-ever']) {
        it(`${model}: the run fails with the code of the provider`, async () => {
          const { state, error_code, message } = await run(`${dialect}/${model}`);
          expect([state, error_code]).to.deep.equal(['failed', 'rate_limited']);
          expect(message).to.contain('Too many requests');
          expect(asked.length).to.be.at.most(2);
          await counted(model, 1, 1, false);
        });
      }

      for (const model of ['limited-briefly', 'limited-briefly-until']) {
        it(`${model}: the request is repeated once, as one use`, async () => {
          const { state, output } = await run(`${dialect}/${model}`);
          expect([state, output]).to.deep.equal(['succeeded', 'after all']);
          expect(asked).to.have.length(2);
          await counted(model, 1);
        });
      }

      it('cut: an answer that breaks off fails the run, and is not asked for again', async () => {
        const { state, error_code, message } = await run(`${dialect}/cut`);
        expect(state).to.equal('failed');
        expect(['connection_reset', 'upstream_error']).to.include(error_code);
        expect(message).to.be.a('string').and.to.not.equal('');
        expect(asked).to.have.length(1);
        await counted('cut', 1, 1, false);
      });

      it('nothing: an empty answer is one, and the run says so', async () => {
        const { state, output, message } = await run(`${dialect}/nothing`);
        expect([state, output]).to.deep.equal(['succeeded', '']);
        expect(message).to.contain('empty text');
        await counted('nothing', 1);
      });
    });
  }
});
