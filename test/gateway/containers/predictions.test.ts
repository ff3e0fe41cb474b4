import type { RequestListener, ServerResponse } from 'node:http';
import { createServer as createTls } from 'node:https';
import { createServer as createTcp } from 'node:net';
import { expect } from 'chai';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import { readBody, sendJson } from '../../support/peers/listen.ts';
import { dripping, Peers } from '../../support/peers/peers.ts';
import { callContainers, countLooks, observe, predict, startContainers, TOKEN } from './containerApp.ts';

const ROWS = [{ a: 1 }, { a: 'two' }, { a: '' }];

/** MLflow's scoring server, but for what it answers to rows. */
const mlflow =
  (invoke: (response: ServerResponse, body: string) => unknown): RequestListener =>
  async (request, response) => {
    if (request.url === '/version') return response.end('3.17.2');
    if (request.url === '/ping') return response.end('\n');
    if (request.url !== '/invocations') return response.writeHead(404).end();
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return response.writeHead(401).end();
    return invoke(response, await readBody(request));
  };

const echo = mlflow((response, body) => {
  const { data } = JSON.parse(body).dataframe_split;
  return sendJson(response, 200, { predictions: data.map(([a]: unknown[]) => a) });
});

/** What a server does that never answers. */
const HANGING = ['hang', 'drip'];

describe('predictions by containers', () => {
  const peers = new Peers();
  const { serve } = peers;
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    callContainers(app);
  });
  const start = async (listener: RequestListener, more: { protocol?: string } = {}) => {
    const port = Number(new URL(await serve(listener)).port);
    await startContainers(app, { Churn: { port, ...more } });
  };

  it('need no look before, and are used like other models', async () => {
    await start(echo);
    const { status, json } = await predict(app, 'churn', ROWS);
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json.type).to.equal('container');
    expect(json.result).to.deep.equal([{ prediction: '1' }, { prediction: 'two' }, null]);
    expect(json.errors).to.deep.equal([
      { row: 2, error_code: 'missing_field', message: 'The field a is missing or empty' },
    ]);
    expect((await observe(app)).Churn).to.include({ status: 'Active', protocol: 'mlflow' });
    const items = [{ id: 'x', rows: [{ a: 7 }] }];
    const common = { model: 'container:Churn' };
    const batch = await app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'predict', common, items });
    expect(batch.json.result[0].response.result, JSON.stringify(batch.json)).to.deep.equal([{ prediction: 7 }]);
    await app.gateway.usage.flush();
    const uses = app.events.filter(({ sourcetype }) => sourcetype === 'ml_extension:usage').map(({ event }) => event);
    expect(uses).to.have.length(2);
    for (const use of uses) {
      expect(use).to.include({ operation: 'predict', provider: 'container', connection: 'container', model: 'Churn' });
    }
    expect(app.leaks(TOKEN)).to.deep.equal([]);
  });

  it('begin in searches with their type, and take nothing from a limit', async () => {
    await start(echo);
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    await app.call('limiter', 'POST', '/usage_limits', { name: 'none', window: 'day', requests: 0 });
    const begin = (model: string) => app.call('asker', 'POST', '/ai_gateway/predict/begin', { model });
    const { status, json } = await begin('container:Churn');
    expect(status, JSON.stringify(json)).to.equal(200);
    expect(json).to.deep.include({ model: 'container:Churn', type: 'container', features: [], targets: [] });
    expect((await begin('container:none')).json.error_code).to.equal('not_found');
  });

  it('are for those who see containers, while the feature is on', async () => {
    await start(echo);
    app.user('other', { capabilities: ['use_ai_gateway'] });
    const refused = await predict(app, 'Churn', ROWS, {}, 'other');
    expect([refused.status, refused.json.error_code]).to.deep.equal([403, 'missing_capability']);
    expect(refused.json.required).to.deep.equal(['list_containers', 'control_containers']);
    expect((await predict(app, 'none', ROWS)).json.error_code).to.equal('not_found');
    app.settings.stanzas = { feature_flags: { containers: '0' } };
    expect((await predict(app, 'Churn', ROWS)).json.error_code).to.equal('feature_disabled');
  });

  it('look at a container that is not Active once a second, and only with a slot', async () => {
    await start((_, response) => response.writeHead(503).end());
    const looks = countLooks(app);
    const begin = () => app.call('asker', 'POST', '/ai_gateway/predict/begin', { model: 'container:Churn' });
    app.slots.max = 0;
    for (const call of [() => predict(app, 'Churn', ROWS), begin]) {
      const { status, json } = await call();
      expect([status, json.error_code]).to.deep.equal([429, 'too_many_requests']);
    }
    // What the caller may not use is no matter of slots.
    app.user('other', { capabilities: ['use_ai_gateway'] });
    expect((await predict(app, 'Churn', ROWS, {}, 'other')).json.error_code).to.equal('missing_capability');
    expect(looks.count).to.equal(0);
    app.slots.max = 16;
    const calls = [...Array.from({ length: 5 }, () => predict(app, 'Churn', ROWS)), begin(), begin()];
    for (const { json } of [...(await Promise.all(calls)), await begin(), await predict(app, 'churn', ROWS)])
      expect(json.error_code).to.equal('invalid_state');
    expect(looks.count).to.equal(1);
    expect([...app.slots.held.values()].every((held) => held === 0)).to.equal(true);
  });

  it('send rows and token to no other certificate than the first', async () => {
    const asked: (string | undefined)[] = [];
    const listen = () => {
      const listener = mlflow((response, body) => {
        asked.push(JSON.parse(body).dataframe_split.data[0][0]);
        return sendJson(response, 200, { predictions: [1] });
      });
      return peers.listening(createTls(makeCertificate({ names: ['dsdl'] }), listener));
    };
    const port = await listen();
    await startContainers(app, { Churn: { port, https: 'true' } });
    expect((await predict(app, 'Churn', [{ a: 'x' }])).json.result).to.deep.equal([{ prediction: 1 }]);
    expect((await observe(app)).Churn).to.include({ status: 'Active', api_url: `https://127.0.0.1:${port}` });
    for (const state of app.containers.docker('127.0.0.1').running.values())
      state.published = { api: { port: await listen() } };
    await observe(app);
    const { status, json } = await predict(app, 'Churn', [{ a: 'y' }]);
    expect([status, json.error_code]).to.deep.equal([502, 'tls_untrusted']);
    expect(asked).to.deep.equal(['x']);
  });

  describe('by servers that', () => {
    const hostile: [string, Parameters<typeof mlflow>[0], [number, string]][] = [
      [
        'redirect',
        (response) => response.writeHead(307, { location: 'http://127.0.0.1:1/x' }).end(),
        [502, 'upstream_error'],
      ],
      [
        'answer too much',
        (response) => response.end(`{"predictions": [${'1,'.repeat(5_000_000)}1]}`),
        [502, 'upstream_error'],
      ],
      ['break off', (response) => response.destroy(), [502, 'connection_reset']],
      ['answer a page', (response) => response.end('<html>Sign in</html>'), [502, 'upstream_error']],
      [
        'answer another number',
        (response) => sendJson(response, 200, { predictions: [1, 2] }),
        [502, 'upstream_error'],
      ],
      [
        'nest without end',
        (response) => response.end(`{"predictions": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`),
        [502, 'upstream_error'],
      ],
      [
        'answer lists of different lengths',
        (response) => sendJson(response, 200, { predictions: { a: [1], b: [1, 2], c: [] } }),
        [502, 'upstream_error'],
      ],
      [
        'name fields like what all objects have',
        (response) => response.end('{"predictions": [{"__proto__": {"x": 1}, "constructor": [1], "p": NaN}]}'),
        [200, ''],
      ],
      ['answer one key twice', (response) => response.end('{"predictions": 7, "predictions": [1]}'), [200, '']],
      [
        'repeat a long name for each row',
        (response) => sendJson(response, 200, { predictions: { [`${'n'.repeat(7_000_000)}`]: Array(10).fill(1) } }),
        [502, 'upstream_error'],
      ],
      ['hang', () => {}, [504, 'timeout']],
      ['drip', (response) => dripping(' ')(null as never, response), [504, 'timeout']],
      ['know the token', (response) => sendJson(response, 500, { message: TOKEN }), [200, '']],
    ];
    for (const [what, invoke, expected] of hostile) {
      it(what, async () => {
        await start(mlflow(invoke));
        const rows = Array.from({ length: what.endsWith('each row') ? 10 : 1 }, (_, a) => ({ a }));
        const { status, json } = await predict(app, 'Churn', rows, { timeout_s: HANGING.includes(what) ? 1 : 20 });
        expect([status, json.error_code ?? '']).to.deep.equal(expected);
        expect(({} as Json).x).to.equal(undefined);
        expect(JSON.stringify(json)).not.to.contain(TOKEN);
        expect(app.leaks(TOKEN)).to.deep.equal([]);
      });
    }

    it('never answer a probe', async () => {
      const port = await peers.listening(createTcp(() => {}));
      await startContainers(app, { Churn: { port } });
      const { status, json } = await predict(app, 'Churn', [{ a: 1 }]);
      expect([status, json.error_code]).to.deep.equal([400, 'invalid_state']);
      expect(json.message).to.contain('last probe: timeout');
    }).timeout(20_000);
  });

  it('keep their order and their rows apart, with several requests at a time', async () => {
    await start(echo);
    await observe(app);
    const ask = async (first: number) => {
      const rows = Array.from({ length: 2500 }, (_, index) => ({ a: first + index }));
      const { json } = await predict(app, 'Churn', rows);
      return json.result.map(({ prediction }: Json) => prediction) as number[];
    };
    const found = await Promise.all([0, 10_000, 20_000].map(ask));
    for (const [index, one] of found.entries()) {
      expect(one).to.deep.equal(Array.from({ length: 2500 }, (_, row) => index * 10_000 + row));
    }
  });
});
