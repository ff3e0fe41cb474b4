import { expect } from 'chai';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import type { Invocation, InvocationRequest } from '../../../src/ports/cloud/cloudEndpoints.ts';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { IN_SERVICE } from '../../support/memory/cloud.ts';
import { gatewayApp } from '../gatewayApp.ts';

const VALUE = 'canary-of-a-row';
const LABEL = 'canary-of-a-prediction';
const ROWS = [{ cpu: 1 }, { cpu: 2 }];

const registration = (model_name: string, acl: Json, more: Json = {}) => ({
  model_name,
  endpoint_name: 'forecast-1',
  cloud_credentials: { region: 'eu-central-1', role_arn: 'arn:aws:iam::123456789012:role/predict' },
  input_feature_map: { cpu: 'instances[*].cpu' },
  output_prediction_map: { 'predictions[*]': 'forecast' },
  acl,
  ...more,
});
const SHARED = { sharing: 'app', perms: { read: ['*'], write: [] } };

describe('predictions through the gateway', () => {
  const base = { ...IN_SERVICE };
  let app: MemoryApp;
  let asked: InvocationRequest[];
  let answer: (request: InvocationRequest) => Promise<Invocation>;
  let open: number;
  const predict = (body: Json = {}, user = 'asker') =>
    app.call(user, 'POST', '/ai_gateway/predict', { model: 'churn', rows: ROWS, ...body });
  const batch = (body: Json, user = 'asker') =>
    app.call(user, 'POST', '/ai_gateway/batch', { operation: 'predict', common: { model: 'churn' }, ...body });
  const predictions = async ({ body }: InvocationRequest): Promise<Invocation> => {
    const { instances } = JSON.parse(body) as { instances: { cpu: unknown }[] };
    const json = JSON.stringify({ predictions: instances.map(({ cpu }) => Number(cpu) * 10) });
    return { kind: 'answered', contentType: 'application/json', body: json };
  };

  before(() => {
    IN_SERVICE.visit = async () => {
      open += 1;
      let isOpen = true;
      return {
        invoke: (_name, request) => {
          asked.push(request);
          return answer(request);
        },
        close: () => {
          if (isOpen) open -= 1;
          isOpen = false;
        },
      };
    };
  });
  after(() => {
    Object.assign(IN_SERVICE, base);
  });
  beforeEach(async () => {
    asked = [];
    answer = predictions;
    open = 0;
    app = await gatewayApp();
    app.user('scientist', { capabilities: ['register_ml_models'] });
    await made(registration('churn', SHARED));
    await made(registration('private', { sharing: 'user' }));
  });
  afterEach(() => expect(open).to.equal(0));

  async function made(body: Json, user = 'scientist'): Promise<void> {
    const { status: code, json } = await app.call(user, 'POST', '/register_model', body);
    expect(code, JSON.stringify(json)).to.equal(200);
  }

  it('keeps the digits of integers on their way to the model and back', async () => {
    const large = '9007199254740993';
    answer = async () => ({
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
    expect(asked.map(({ body }) => body).toSorted()).to.deep.equal([
      '{"instances":[{"cpu":9007199254740992}]}',
      `{"instances":[{"cpu":${large}}]}`,
      `{"instances":[{"cpu":${large}}]}`,
    ]);
  });

  it('answers one result for each row, in order', async () => {
    const { status, json, headers } = await predict({ rows: [{ cpu: '1.5' }, {}, { cpu: 3, other: VALUE }] });
    expect([status, json.status]).to.deep.equal([200, 'success']);
    expect(json).to.deep.include({
      model: 'churn',
      type: 'cloud',
      result: [{ forecast: 15 }, null, { forecast: 30 }],
      errors: [{ row: 1, error_code: 'missing_field', message: 'The field cpu is missing or empty' }],
    });
    expect(JSON.parse(asked[0]?.body ?? '')).to.deep.equal({ instances: [{ cpu: 1.5 }, { cpu: 3 }] });
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
    expect(asked).to.have.length(100);
  });

  it('finds only models that the caller may read, from the next request on', async () => {
    for (const model of ['private', 'nowhere', 'container', '__mlspl_churn', 'a/b', '*']) {
      const { status, json } = await predict({ model });
      expect([status, json.error_code], model).to.deep.equal([404, 'not_found']);
    }
    expect((await predict({ model: 'private' }, 'root')).json.error_code).to.equal('missing_capability');
    expect((await predict({ model: ' CHURN ' })).json.model).to.equal('churn');
    await app.call('scientist', 'PUT', '/register_model', { model_name: 'churn', acl: { sharing: 'user' } });
    expect((await predict()).status).to.equal(404);
    expect(asked).to.have.length(1);
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

  it('is off with the feature of its kind of model, in a batch for each item', async () => {
    app.settings.stanzas = { feature_flags: { model_registration: '0' } };
    const { status, json } = await predict();
    expect([status, json.error_code]).to.deep.equal([403, 'feature_disabled']);
    expect(json.message).to.include('model_registration');
    expect((await batch({ items: [{ id: '1', rows: ROWS }] })).json.result[0].error_code).to.equal('feature_disabled');
    app.settings.stanzas = { feature_flags: { model_upload: '0', containers: '0', llm_providers: '0' } };
    expect((await predict()).status).to.equal(200);
  });

  it('shows models in containers only to those who see containers', async () => {
    const { status, json } = await predict({ model: 'container:golden-cpu' });
    expect([status, json.error_code, json.required]).to.deep.equal([
      403,
      'missing_capability',
      ['list_containers', 'control_containers'],
    ]);
  });

  it('repeats a call once where nothing came, and tells failures by their codes', async () => {
    for (const [code, more, expected, calls] of [
      ['connection_reset', {}, [502, 'connection_reset'], 2],
      ['upstream_error', { httpStatus: 503 }, [502, 'upstream_error'], 2],
      ['rate_limited', { httpStatus: 429, retryAfter: 30 }, [429, 'rate_limited'], 1],
      ['permission_denied', { httpStatus: 403 }, [502, 'permission_denied'], 1],
      ['auth_failed', { httpStatus: 403 }, [502, 'auth_failed'], 1],
      ['quota_exceeded', { httpStatus: 402 }, [429, 'quota_exceeded'], 1],
    ] as const) {
      asked.length = 0;
      answer = async () => {
        throw new OutboundError(code, 'no', more);
      };
      const failed = await predict();
      expect([failed.status, failed.json.error_code]).to.deep.equal(expected);
      expect(asked, code).to.have.length(calls);
    }
    answer = async () => ({ kind: 'missing' });
    const gone = await predict();
    expect([gone.status, gone.json.error_code, gone.headers['x-should-retry']]).to.deep.equal([
      404,
      'model_not_found',
      'false',
    ]);
    answer = async () => ({ kind: 'answered', contentType: 'application/json', body: '{"predictions":[1]}' });
    const short = await predict();
    expect([short.status, short.json.error_code]).to.deep.equal([502, 'upstream_error']);
  });

  it('ends after timeout_s', async () => {
    answer = () => new Promise(() => {});
    const { status, json } = await predict({ timeout_s: 1 });
    expect([status, json.error_code, json.message]).to.deep.equal([
      504,
      'timeout',
      'The model churn did not answer in time',
    ]);
    const late = await batch({ items: [{ id: 'a', rows: ROWS }], deadline_s: 1 });
    expect(late.json.result[0]).to.include({ status: 'failed', error_code: 'timeout' });
    // The endpoint in memory ignores the deadline.
    open = 0;
  });

  it('says what rows were refused with, if the deadline passes while they are halved', async () => {
    answer = async ({ body }) => {
      const { instances } = JSON.parse(body) as { instances: unknown[] };
      if (instances.length === 1) return new Promise(() => {});
      return { kind: 'refused', error: new OutboundError('bad_request', 'the model answered 400: no weights') };
    };
    const { status, json } = await predict({ timeout_s: 1 });
    expect([status, json.error_code, json.message]).to.deep.equal([
      504,
      'timeout',
      'The model churn did not answer in time; before, it refused rows: the model answered 400: no weights',
    ]);
    // The endpoint in memory ignores the deadline.
    open = 0;
  });

  it('fails as a whole where the model fails for every row', async () => {
    answer = async () => ({
      kind: 'refused',
      error: new OutboundError('upstream_error', 'the model answered 500: no weights'),
    });
    const { status, json } = await predict({ rows: Array.from({ length: 10_000 }, (_, cpu) => ({ cpu })) });
    expect([status, json.error_code, json.message]).to.deep.equal([
      502,
      'upstream_error',
      'the model answered 500: no weights',
    ]);
    expect(asked.length).to.be.below(500);
  });

  it('serves batches: items fail alone, equal ones are asked once, nothing is estimated', async () => {
    const { status, json } = await batch({
      items: [
        { id: '1', rows: [{ cpu: 1 }] },
        { id: '2', rows: [{ cpu: 1 }] },
        { id: '3', rows: [{ cpu: 1 }], model: 'private' },
        { id: '4', rows: [] },
        { id: '5', rows: [{ cpu: 2 }, {}] },
      ],
    });
    expect(status).to.equal(200);
    expect(json.result.map(({ status: of, error_code }: Json) => error_code ?? of)).to.deep.equal([
      'done',
      'done',
      'not_found',
      'validation_failed',
      'done',
    ]);
    expect(json.result[4].response).to.deep.equal({
      model: 'churn',
      type: 'cloud',
      result: [{ forecast: 20 }, null],
      errors: [{ row: 1, error_code: 'missing_field', message: 'The field cpu is missing or empty' }],
    });
    expect(asked).to.have.length(2);
    const dry = await batch({ items: [{ id: '1', rows: ROWS }], dry_run: true });
    expect([dry.status, dry.json.errors[0].field]).to.deep.equal([400, 'dry_run']);
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
    await made(registration('large', SHARED, { openapi_spec, input_feature_map, output_prediction_map: { p: 'p' } }));
    answer = async () => ({ kind: 'answered', contentType: 'application/json', body: '{"p": 1}' });
    const items = Array.from({ length: 200 }, (_, at) => ({ id: `${at}`, rows: [{ cpu: at, memory: 1 }] }));
    const { json } = await batch({ common: { model: 'large' }, items });
    expect(json.result.map(({ error_code = '' }: Json) => error_code)).to.deep.equal(Array(200).fill(''));
    for (const { body } of asked) expect(JSON.parse(body)).to.have.all.keys('p599', 'inner');
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

  it('is one use each, without rows and predictions, and keeps usage limits', async () => {
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    const limit = { name: 'few', window: 'day', requests: 4, applies_to: { operations: ['predict'] } };
    expect((await app.call('limiter', 'POST', '/usage_limits', limit)).status).to.equal(200);
    answer = async () => ({ kind: 'answered', contentType: 'text/csv', body: `${LABEL}\n${VALUE}` });
    await predict({ rows: [{ cpu: VALUE }, { cpu: VALUE }] });
    answer = async () => {
      throw new OutboundError('connection_refused', `no ${VALUE}`);
    };
    await predict();
    await predict({ model: 'nowhere' });
    // Nobody is asked where no row can be read.
    expect((await predict({ rows: [{}, {}] })).json.errors).to.have.length(2);
    answer = predictions;
    const large = Array.from({ length: 250 }, (_, cpu) => ({ cpu }));
    const { json } = await batch({
      items: [
        { id: '1', rows: large },
        { id: '2', rows: [{ cpu: 1 }] },
        { id: '3', rows: [{ cpu: 2 }] },
      ],
      parallel: 1,
    });
    expect(json.result.map(({ error_code }: Json) => error_code)).to.deep.equal([
      undefined,
      undefined,
      'limit_exceeded',
    ]);
    const refused = await predict();
    expect([refused.status, refused.json.error_code, refused.json.limit.name]).to.deep.equal([
      429,
      'limit_exceeded',
      'few',
    ]);
    await app.gateway.usage.flush();
    const uses = app.events.map(({ event }) => JSON.parse(JSON.stringify(event)) as Json);
    expect(uses.map(({ outcome, error_code, attempts }) => [outcome, error_code, attempts])).to.deep.equal([
      ['success', undefined, 1],
      ['fail', 'connection_refused', 2],
      ['success', undefined, 3],
      ['success', undefined, 1],
    ]);
    expect(uses[0]).to.include({
      operation: 'predict',
      provider: 'sagemaker',
      connection: 'forecast-1',
      model: 'churn',
      user: 'asker',
      via: 'rest',
      'gen_ai.operation.name': 'predict',
    });
    expect(uses[0]).not.to.have.any.keys('input_tokens', 'cost', 'content');
    const written = JSON.stringify([uses, app.site.log.lines, await app.call('root', 'GET', '/audit?count=0')]);
    for (const canary of [VALUE, LABEL]) expect(written).not.to.include(canary);
    const usage = await app.call('asker', 'GET', '/usage?by=operation,model');
    expect(usage.json.result[0]).to.deep.include({ operation: 'predict', model: 'churn', requests: 4, failed: 1 });
  });

  it('warns in the envelope where a limit only warns', async () => {
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    await app.call('limiter', 'POST', '/usage_limits', { name: 'soft', window: 'day', requests: 1, action: 'warn' });
    expect((await predict()).json).not.to.have.property('warnings');
    expect((await predict()).json.warnings[0]).to.include('soft');
    const { json } = await batch({ items: [{ id: '1', rows: ROWS }] });
    expect(json.result[0].response.warnings[0]).to.include('soft');
  });
});
