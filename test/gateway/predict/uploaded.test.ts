import { expect } from 'chai';
import '../../support/splunkHome.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { fixture } from '../../support/models/onnx.ts';
import { patience } from '../../support/time.ts';

const VALUE = 'canary-of-a-row';
const ROWS = [
  { a: 1, b: '2', c: 3 },
  { a: 1, b: 2 },
  { a: VALUE, b: 0, c: 0 },
  { a: 5, b: 0.25, c: 0 },
];

describe('predictions of uploaded models through the gateway', function () {
  this.timeout(patience(60_000));
  let app: MemoryApp;
  const upload = async (user: string, more: Json = {}) => {
    const body = { model_name: 'line', features: ['a', 'b', 'c'], targets: ['y'], ...more };
    const model_file = fixture('linear').toString('base64');
    const { status, json } = await app.call(user, 'POST', '/upload_model', { ...body, model_file });
    expect(status, JSON.stringify(json)).to.equal(200);
  };
  const call = (path: string, body: Json, user = 'asker') => app.call(user, 'POST', `/ai_gateway/${path}`, body);
  const predict = (body: Json = {}, user = 'asker') => call('predict', { model: 'line', rows: ROWS, ...body }, user);
  async function uses(): Promise<Json[]> {
    await app.gateway.usage.flush();
    return app.events.map(({ event }) => JSON.parse(JSON.stringify(event)) as Json);
  }

  beforeEach(async () => {
    app = new MemoryApp();
    app.user('asker', { capabilities: ['use_ai_gateway'] });
    app.user('root', { roles: ['admin'], capabilities: ['admin_all_objects', 'upload_ml_models', 'use_ai_gateway'] });
    app.user('owner', { capabilities: ['upload_ml_models', 'use_ai_gateway'] });
    await upload('root', { sharing: 'app' });
  });

  it('answer one result for each row, and are one use', async () => {
    const { status, json } = await predict();
    expect(status, JSON.stringify(json)).to.equal(200);
    // y = 0 a + 1 b + 2 c
    expect(json.result).to.deep.equal([{ 'predicted(y)': 8 }, null, null, { 'predicted(y)': 0.25 }]);
    expect([json.type, json.model]).to.deep.equal(['onnx', 'line']);
    expect(json.errors.map(({ row, error_code }: Json) => [row, error_code])).to.deep.equal([
      [1, 'missing_field'],
      [2, 'unreadable_value'],
    ]);
    const [use] = await uses();
    expect(use).to.include({ provider: 'onnx', connection: 'onnx', model: 'line', attempts: 1, outcome: 'success' });
    expect(use?.upstream_ms).to.be.above(0);
    expect(JSON.stringify([use, app.site.log.lines])).not.to.include(VALUE);
  });

  it('use the content that is there now, and the rights of the moment', async () => {
    const rows = [{ a: 0, b: 1, c: 0 }];
    expect((await predict({ rows })).json.result).to.deep.equal([{ 'predicted(y)': 1 }]);
    app.lookups.now += 10;
    await upload('root', { sharing: 'app', features: ['c', 'b', 'a'], overwrite: true });
    expect((await predict({ rows: [{ a: 1, b: 0, c: 0 }] })).json.result).to.deep.equal([{ 'predicted(y)': 2 }]);
    await upload('owner', { model_name: 'mine' });
    expect((await predict({ model: 'mine', rows }, 'owner')).status).to.equal(200);
    expect((await predict({ model: 'mine', rows })).json.error_code).to.equal('not_found');
    expect((await app.call('root', 'DELETE', '/list_models/line')).status).to.equal(200);
    expect((await predict({ rows })).json.error_code).to.equal('not_found');
  });

  it('are off with model_upload, and say why a file cannot run', async () => {
    app.settings.stanzas = { feature_flags: { model_upload: '0' } };
    expect((await predict()).json.error_code).to.equal('feature_disabled');
    expect((await call('predict/begin', { model: 'line' })).json.error_code).to.equal('feature_disabled');
    app.settings.stanzas = {};
    app.lookups.put('nobody', '__mlspl_noise.onnx', 'no model at all');
    const { status, json } = await predict({ model: 'noise' });
    expect([status, json.error_code]).to.deep.equal([400, 'model_not_runnable']);
    expect((await predict()).status).to.equal(200);
  });

  it('begin and end in searches, within the limits', async () => {
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    const limit = {
      name: 'few',
      window: 'day',
      requests: 2,
      applies_to: { operations: ['predict'], models: ['line'] },
    };
    expect((await app.call('limiter', 'POST', '/usage_limits', limit)).status).to.equal(200);
    const begun = await call('predict/begin', { model: 'line' });
    expect(begun.status, JSON.stringify(begun.json)).to.equal(200);
    const { use_id, ...what } = begun.json;
    expect(what).to.deep.include({ model: 'line', type: 'onnx', app: 'ml_extension', sharing: 'app' });
    expect(what).to.deep.include({ features: ['a', 'b', 'c'], targets: ['y'], size_bytes: fixture('linear').length });
    expect((await predict({ rows: [{ a: 0, b: 0, c: 0 }] })).status).to.equal(200);
    for (const path of ['predict/begin', 'predict']) {
      const { status, json } = await call(path, { model: 'line', ...(path === 'predict' ? { rows: ROWS } : {}) });
      expect([status, json.error_code], path).to.deep.equal([429, 'limit_exceeded']);
    }
    const end = { use_id, rows: 100_000, failed: 3, duration_ms: 1800 };
    expect((await call('predict/end', { ...end, error_code: 'No!' })).json.errors[0].field).to.equal('error_code');
    expect((await call('predict/end', end)).json).to.deep.include({ status: 'success', use_id });
    expect((await uses()).map(({ model, upstream_ms }) => [model, upstream_ms === 1800])).to.deep.equal([
      ['line', false],
      ['line', true],
    ]);
  });

  it('are nothing for those who may not use the gateway', async () => {
    for (const path of ['predict', 'predict/begin', 'predict/end']) {
      expect((await call(path, {}, 'editor')).json.error_code, path).to.equal('missing_capability');
    }
  });
});
