import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { gatewayApp } from '../gatewayApp.ts';
import { PredictionPeer, register, registration, SHARED } from '../operations/predictionPeer.ts';

const ROWS = [{ cpu: 1 }, { cpu: 2 }];

describe('predictions through the gateway', () => {
  const peer = new PredictionPeer();
  let app: MemoryApp;
  const predict = (body: Json = {}, user = 'asker') =>
    app.call(user, 'POST', '/ai_gateway/predict', { model: 'churn', rows: ROWS, ...body });
  const batch = (body: Json) =>
    app.call('asker', 'POST', '/ai_gateway/batch', { operation: 'predict', common: { model: 'churn' }, ...body });
  beforeEach(async () => {
    app = await gatewayApp();
    await register(app, registration('churn'));
  });

  it('keeps the digits of integers on their way to the model and back', async () => {
    const large = '9007199254740993';
    peer.answer = async () => ({
      kind: 'answered',
      contentType: 'application/json',
      body: `{"predictions": [${large}]}`,
    });
    const rows = `"rows": [{"cpu": ${large}}]`;
    const asBody = { 'content-type': 'application/json' };
    const one = await app.call('asker', 'POST', '/ai_gateway/predict', `{"model": "churn", ${rows}}`, asBody);
    expect([one.status, one.json.result]).to.deep.equal([200, [{ forecast: large }]]);
    const items = `[{"id": "a", ${rows}}, {"id": "b", "rows": [{"cpu": 9007199254740992}]}]`;
    const text = `{"operation": "predict", "common": {"model": "churn"}, "items": ${items}}`;
    const many = await app.call('asker', 'POST', '/ai_gateway/batch', text, asBody);
    expect(many.json.result.map(({ response }: Json) => (response as Json).result)).to.deep.equal([
      [{ forecast: large }],
      [{ forecast: large }],
    ]);
    expect(peer.asked.map(({ body }) => body).toSorted()).to.deep.equal([
      '{"instances":[{"cpu":9007199254740992}]}',
      `{"instances":[{"cpu":${large}}]}`,
      `{"instances":[{"cpu":${large}}]}`,
    ]);
  });

  it('begins no call of an item of a batch after begin_within_s, nor one of its halves', async () => {
    await register(app, registration('slow', SHARED, { batch_size: 1 }));
    await register(app, registration('halved', SHARED, { batch_size: 200 }));
    const rows = Array.from({ length: 200 }, (_, cpu) => ({ cpu }));
    for (const model of ['slow', 'halved']) {
      peer.asked = [];
      peer.answer = async (request) => {
        await new Promise((resolve) => setTimeout(resolve, 30));
        const { instances } = JSON.parse(request.body) as { instances: unknown[] };
        return instances.length > 1
          ? { kind: 'refused', error: new OutboundError('bad_request', 'one') }
          : peer.predictions(request);
      };
      const { json } = await batch({ common: { model }, items: [{ id: 'a', rows }], begin_within_s: 0.3 });
      const calls = peer.asked.length;
      expect(calls).to.be.within(1, 199);
      const { result, errors } = json.result[0].response;
      expect(errors.map(({ row }: Json) => row)).to.deep.equal(
        rows.flatMap((_, row) => (result[row] === null ? row : [])),
      );
      expect(new Set(errors.map(({ error_code }: Json) => error_code))).to.deep.equal(new Set(['not_reached']));
      expect(errors.length).to.be.above(0);
      if (model === 'slow') expect(rows.length - errors.length).to.equal(calls);
      await new Promise((resolve) => setTimeout(resolve, 100));
      expect(peer.asked.length).to.equal(calls);
    }
  });

  it('answers one result for each row, in order', async () => {
    const { status, json, headers } = await predict({
      model: ' CHURN ',
      rows: [{ cpu: '1.5' }, {}, { cpu: 3, other: 'x' }],
    });
    expect([status, json.status]).to.deep.equal([200, 'success']);
    expect(json).to.deep.include({
      model: 'churn',
      type: 'cloud',
      result: [{ forecast: 15 }, null, { forecast: 30 }],
      errors: [{ row: 1, error_code: 'missing_field', message: 'The field cpu is missing or empty' }],
    });
    expect(JSON.parse(peer.asked[0]?.body ?? '')).to.deep.equal({ instances: [{ cpu: 1.5 }, { cpu: 3 }] });
    expect(headers['x-ml-upstream-ms']).to.be.a('string');
    expect(json).not.to.have.property('warnings');
  });

  it('names each field that is wrong, and asks nobody', async () => {
    for (const [body, field, message] of [
      [{ model: '' }, 'model', /empty|required|1/],
      [{ model: undefined }, 'model', /required/],
      [{ rows: [] }, 'rows', /1/],
      [{ rows: 'x' }, 'rows', /list|array/],
      [{ rows: [1] }, 'rows.0', /object/],
      [{ rows: Array.from({ length: 10_001 }, () => ({})) }, 'rows', /10000/],
      [{ timeout_s: 0 }, 'timeout_s', /1/],
      [{ timeout_s: 101 }, 'timeout_s', /100/],
    ] as const) {
      const { status, json } = await predict(body);
      expect([status, json.error_code, json.errors?.[0].field], JSON.stringify(body).slice(0, 100)).to.deep.equal([
        400,
        'validation_failed',
        field,
      ]);
      expect(json.errors[0].message).to.match(message);
    }
    const large = await predict({ rows: [{ cpu: 'x'.repeat(8 * 1024 * 1024) }] });
    expect([large.status, large.json.error_code]).to.deep.equal([413, 'payload_too_large']);
    const most = await predict({ rows: Array.from({ length: 10_000 }, (_, cpu) => ({ cpu })) });
    expect([most.status, most.json.result.length, most.json.result[9999].forecast]).to.deep.equal([
      200, 10_000, 99_990,
    ]);
    expect(peer.asked).to.have.length(100);
  });

  it("takes the caller's own model before a shared one, and says what cannot be applied", async () => {
    app.lookups.put('nobody', '__mlspl_fitted.mlmodel', '"algo","model"\n"LinearRegression","x"\n');
    const fitted = await predict({ model: 'fitted' });
    expect([fitted.status, fitted.json.error_code]).to.deep.equal([400, 'not_supported']);
    expect(fitted.json.message).to.include('fitted was made by the fit command');
    app.lookups.put('nobody', '__mlspl_churn.mlmodel', '"algo"\n');
    expect((await predict()).status).to.equal(200);
    app.lookups.put('asker', '__mlspl_churn.mlmodel', '"algo"\n');
    expect((await predict()).json.error_code).to.equal('not_supported');
    expect((await predict({}, 'aliases only')).status).to.equal(200);
    app.lookups.put('other', '__mlspl_secret.mlmodel', '"algo"\n');
    expect((await predict({ model: 'secret' })).status).to.equal(404);
  });

  it('tells an endpoint that is gone, and too few predictions', async () => {
    peer.answer = async () => ({ kind: 'missing' });
    const gone = await predict();
    expect([gone.status, gone.json.error_code, gone.headers['x-should-retry']]).to.deep.equal([
      404,
      'model_not_found',
      'false',
    ]);
    peer.answer = async () => ({ kind: 'answered', contentType: 'application/json', body: '{"predictions":[1]}' });
    const short = await predict();
    expect([short.status, short.json.error_code]).to.deep.equal([502, 'upstream_error']);
  });

  it('ends after timeout_s', async () => {
    peer.hang();
    const { status, json } = await predict({ timeout_s: 1 });
    expect([status, json.error_code, json.message]).to.deep.equal([
      504,
      'timeout',
      'The model churn did not answer in time',
    ]);
    const late = await batch({ items: [{ id: 'a', rows: ROWS }], deadline_s: 1 });
    expect(late.json.result[0]).to.include({ status: 'failed', error_code: 'timeout' });
  });

  it('says what rows were refused with, if the deadline passes while they are halved', async () => {
    peer.answer = async ({ body }) => {
      const { instances } = JSON.parse(body) as { instances: unknown[] };
      if (instances.length === 1) {
        peer.open -= 1;
        return new Promise(() => {});
      }
      return { kind: 'refused', error: new OutboundError('bad_request', 'the model answered 400: no weights') };
    };
    const { status, json } = await predict({ timeout_s: 1 });
    expect([status, json.error_code, json.message]).to.deep.equal([
      504,
      'timeout',
      'The model churn did not answer in time; before, it refused rows: the model answered 400: no weights',
    ]);
  });

  it('fails as a whole where the model fails for every row', async () => {
    peer.answer = async () => ({
      kind: 'refused',
      error: new OutboundError('upstream_error', 'the model answered 500: no weights'),
    });
    const { status, json } = await predict({ rows: Array.from({ length: 10_000 }, (_, cpu) => ({ cpu })) });
    expect([status, json.error_code, json.message]).to.deep.equal([
      502,
      'upstream_error',
      'the model answered 500: no weights',
    ]);
    expect(peer.asked.length).to.be.below(500);
  });

  it('finds the places of features in a specification also for the last item of a batch', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 600 }, (_, at) => [`p${at}`, { type: 'object', properties: { cpu: {}, [`x${at}`]: {} } }]),
    );
    const schema = {
      type: 'object',
      properties: { ...properties, inner: { type: 'object', properties: { memory: {} } } },
    };
    const content = { 'application/json': { schema } };
    const post = { requestBody: { content }, responses: { 200: { content: { 'application/json': { schema: {} } } } } };
    const openapi_spec = { openapi: '3.0.3', paths: { '/invocations': { post } } };
    const input_feature_map = { cpu: 'x599', memory: 'memory' };
    await register(
      app,
      registration('large', SHARED, { openapi_spec, input_feature_map, output_prediction_map: { p: 'p' } }),
    );
    peer.answer = async () => ({ kind: 'answered', contentType: 'application/json', body: '{"p": 1}' });
    const items = Array.from({ length: 200 }, (_, at) => ({ id: `${at}`, rows: [{ cpu: at, memory: 1 }] }));
    const { json } = await batch({ common: { model: 'large' }, items });
    expect(json.result.map(({ error_code = '' }: Json) => error_code)).to.deep.equal(Array(200).fill(''));
    for (const { body } of peer.asked) expect(JSON.parse(body)).to.have.all.keys('p599', 'inner');
  });

  it('takes no value that is nested without end, in a batch for its item alone', async () => {
    const depth = 50_000;
    const deep = `[{"cpu":1},{"cpu":${'['.repeat(depth)}${']'.repeat(depth)}}]`;
    const message = 'The value of the field cpu must be nested 32 levels deep at most';
    const errors = [{ row: 1, error_code: 'unreadable_value', message }];
    const single = await app.call('asker', 'POST', '/ai_gateway/predict', `{"model":"churn","rows":${deep}}`);
    expect([single.status, single.json.result, single.json.errors]).to.deep.equal([
      200,
      [{ forecast: 10 }, null],
      errors,
    ]);
    const items = `[{"id":"a","rows":${deep}},{"id":"b","rows":[{"cpu":1}]}]`;
    const text = `{"operation":"predict","common":{"model":"churn"},"items":${items}}`;
    const { status, json } = await app.call('asker', 'POST', '/ai_gateway/batch', text);
    expect([status, json.result?.map(({ response }: Json) => (response as Json | undefined)?.errors)]).to.deep.equal([
      200,
      [errors, []],
    ]);
  });

  it('counts a request for each 100 rows as an attempt, and none where no row can be read', async () => {
    expect((await predict({ rows: [{}, {}] })).json.errors).to.have.length(2);
    await predict({ rows: Array.from({ length: 250 }, (_, cpu) => ({ cpu })) });
    await app.gateway.usage.flush();
    expect(app.events.map(({ event }) => (event as Json).attempts)).to.deep.equal([3]);
  });
});
