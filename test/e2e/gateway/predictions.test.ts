import { setTimeout } from 'node:timers/promises';
import { expect } from 'chai';
import { cloudEnv } from '../../support/e2e/cloud.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { fixture } from '../../support/models/onnx.ts';
import { isSignedWith } from '../../support/peers/keyed.ts';
import { readBody, sendJson, startHttp } from '../../support/peers/listen.ts';
import { MOUNT } from './gatewayPlatform.ts';

const SECRET = 'canary-secret-of-aws';
const VALUE = 'canary-of-a-row';

describe('predictions on the platform', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let cloud: Awaited<ReturnType<typeof startHttp>>;
  /** Rows of each call of the model. */
  let asked: number[];
  let isGone: boolean;
  const predict = (user: string, body: object) => platform.call(user, 'POST', `${MOUNT}/predict`, body);

  before(async () => {
    cloud = await startHttp(async (request, response) => {
      const body = await readBody(request);
      const refuse = (name: string, status: number, more: object) =>
        sendJson(response, status, more, { 'x-amzn-errortype': name });
      if (!(await isSignedWith(SECRET, request, body))) return refuse('InvalidSignatureException', 403, {});
      if (request.headers['x-amz-target'] === 'SageMaker.DescribeEndpoint') {
        return sendJson(response, 200, { EndpointStatus: 'InService' });
      }
      if (isGone || request.url !== '/endpoints/churn-prod/invocations') {
        return refuse('ValidationError', 400, { Message: `Endpoint churn-prod of account 1 not found. ${SECRET}` });
      }
      const { instances } = JSON.parse(body) as { instances: { age: number }[] };
      asked.push(instances.length);
      if (instances.some(({ age }) => age < 0)) {
        return refuse('ModelError', 424, { OriginalStatusCode: 400, OriginalMessage: 'age must not be negative' });
      }
      sendJson(response, 200, { predictions: instances.map(({ age }) => ({ score: age / 100 })) });
    });
    platform = await startPlatform({ env: cloudEnv({ url: cloud.url }) });
    await platform.createUser('owner', ['ml_admin']);
    await platform.createUser('reader', ['ml_user']);
    await platform.createUser('guest', ['user']);
    const saved = await platform.ml('owner', 'POST', '/register_model', {
      model_name: 'churn',
      endpoint_name: 'churn-prod',
      cloud_credentials: { region: 'eu-central-1', access_key_id: 'AKIAEXAMPLE', secret_access_key: SECRET },
      input_feature_map: { age: 'instances[*].age' },
      output_prediction_map: { 'predictions[*].score': 'churn_score' },
      batch_size: 1000,
      acl: { sharing: 'app', perms: { read: ['ml_user'], write: [] } },
    });
    expectStatus(saved, 200, 'registration');
  });
  after(async () => {
    await platform?.dispose();
    await cloud.close();
  });
  beforeEach(() => {
    asked = [];
    isGone = false;
  });

  it('are answered for 10,000 rows in order, signed and in slices, and by its rights', async () => {
    const rows = Array.from({ length: 10_000 }, (_, age) => ({ age: String(age) }));
    const { status, json, headers, text } = await predict('reader', { model: 'churn', rows });
    expect(status, text.slice(0, 300)).to.equal(200);
    expect(json.result).to.deep.equal(rows.map(({ age }) => ({ churn_score: Number(age) / 100 })));
    expect([json.type, json.errors]).to.deep.equal(['cloud', []]);
    expect(asked).to.deep.equal(Array(10).fill(1000));
    for (const name of ['x-request-id', 'x-ml-upstream-ms', 'x-ml-overhead-ms'])
      expect(headers[name], name).to.be.a('string');
    const denied = await predict('guest', { model: 'churn', rows: [{ age: 1 }] });
    expect([denied.status, denied.json.error_code]).to.deep.equal([403, 'missing_capability']);
  });

  it('leave out the rows at fault', async () => {
    const { json } = await predict('reader', { model: 'churn', rows: [{ age: 1 }, {}, { age: -1 }, { age: 3 }] });
    expect(json.result).to.deep.equal([{ churn_score: 0.01 }, null, null, { churn_score: 0.03 }]);
    expect(json.errors).to.deep.equal([
      { row: 1, error_code: 'missing_field', message: 'The field age is missing or empty' },
      {
        row: 2,
        error_code: 'bad_request',
        message: 'Amazon SageMaker (inference): the model answered 400: age must not be negative',
      },
    ]);
  });

  it('are made with uploaded models, private and shared, and by who may see them', async () => {
    const model_file = fixture('linear').toString('base64');
    const upload = (user: string, more: object) =>
      platform.ml(user, 'POST', '/upload_model', { features: 'a,b,c', targets: 'y', model_file, ...more });
    expectStatus(await upload('owner', { model_name: 'line', sharing: 'app' }), 200, 'upload');
    expectStatus(await upload('owner', { model_name: 'own' }), 200, 'upload');
    const rows = Array.from({ length: 5000 }, (_, n) => ({ a: 0, b: n, c: '0.5' }));
    const { status, json, text } = await predict('reader', { model: 'line', rows });
    expect(status, text.slice(0, 300)).to.equal(200);
    expect(json.type).to.equal('onnx');
    expect(json.result).to.deep.equal(rows.map(({ b }) => ({ 'predicted(y)': b + 1 })));
    expect((await predict('owner', { model: 'own', rows })).status).to.equal(200);
    expect((await predict('reader', { model: 'own', rows })).json.error_code).to.equal('not_found');
    expectStatus(await platform.ml('owner', 'DELETE', '/list_models/line'), 200, 'delete');
    expect((await predict('reader', { model: 'line', rows })).json.error_code).to.equal('not_found');
  });

  it('begin and end over several processes', async () => {
    const begun = await platform.call('reader', 'POST', `${MOUNT}/predict/begin`, { model: 'churn' });
    expectStatus(begun, 200, 'begin');
    expect(begun.json).to.include({ model: 'churn', type: 'cloud', owner: 'owner', app: 'ml_extension' });
    const end = { use_id: begun.json.use_id, rows: 1, failed: 0, duration_ms: 1 };
    expect((await platform.call('owner', 'POST', `${MOUNT}/predict/end`, end)).status).to.equal(404);
    const ends = await Promise.all(
      Array.from({ length: 6 }, () => platform.call('reader', 'POST', `${MOUNT}/predict/end`, end)),
    );
    expect(ends.map(({ status }) => status).sort()).to.deep.equal([200, 404, 404, 404, 404, 404]);
  });

  it('leave neither rows nor keys behind', async () => {
    await predict('reader', { model: 'churn', rows: [{ age: 1, note: VALUE }] });
    isGone = true;
    const gone = await predict('reader', { model: 'churn', rows: [{ age: 1, note: VALUE }] });
    expect([gone.status, gone.json.error_code]).to.deep.equal([404, 'model_not_found']);
    expect(gone.text).not.to.include(SECRET);
    // Uses are written at the latest 2 s after the reply.
    await setTimeout(2500);
    const usage = await platform.ml('reader', 'GET', '/usage?by=operation,model');
    const found = usage.json.result.map(({ operation, model }: Record<string, string>) => [operation, model]);
    expect(found).to.have.deep.members([
      ['predict', 'churn'],
      ['predict', 'line'],
    ]);
    const audit = await platform.ml('owner', 'GET', '/audit?count=0');
    const written = platform.output + platform.log() + audit.text + usage.text;
    for (const canary of [VALUE, SECRET]) expect(written).not.to.include(canary);
    expect(platform.filesWith([VALUE, SECRET])).to.deep.equal([]);
  });
});
