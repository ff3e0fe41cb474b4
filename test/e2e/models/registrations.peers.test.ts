import { expect } from 'chai';
import { type CloudSite, startCloudSite } from '../../support/e2e/cloud.ts';
import type { Body, TestPlatform } from '../../support/e2e/platform.ts';
import {
  type AwsGateway,
  DENIED_ROLE,
  type FaultKind,
  KEY_ID,
  REGION,
  ROLE,
  SECRET_KEY,
} from '../../support/peers/aws/awsGateway.ts';
import { refusalsWithout } from '../../support/replies.ts';

const MASK = '***MASKED***';

/** What a model behind an endpoint says of itself. */
const SPEC = {
  openapi: '3.0.3',
  info: { title: 'Capacity', version: '1' },
  paths: {
    '/invocations': {
      post: {
        requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Request' } } } },
        responses: {
          200: {
            description: 'Predictions',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { predictions: { type: 'array', items: { type: 'number' } } } },
              },
            },
          },
        },
      },
    },
  },
  components: {
    schemas: {
      Request: {
        type: 'object',
        properties: { instances: { type: 'array', items: { $ref: '#/components/schemas/Row' } } },
      },
      Row: { type: 'object', properties: { cpu: { type: 'number' }, 'mem.used': { type: 'number' } } },
    },
  },
};
const MAPS = {
  input_feature_map: { 'host.cpu': 'instances[*].cpu' },
  output_prediction_map: { 'predictions[*]': 'result' },
};

describe('registered models over HTTP', function () {
  this.timeout(240_000);
  let site: CloudSite;
  let platform: TestPlatform;
  let gateway: AwsGateway;

  before(async function () {
    site = await startCloudSite(this);
    ({ platform, gateway } = site);
    await gateway.moto.createEndpoint('second', REGION);
  });
  after(() => site?.stop());
  beforeEach(() => gateway.reset());

  const credentials = (more: object = {}) => ({
    region: REGION,
    access_key_id: KEY_ID,
    secret_access_key: SECRET_KEY,
    ...more,
  });
  const body = (more: object = {}) => {
    names += 1;
    return { model_name: `model_${names}`, endpoint_name: 'ready', cloud_credentials: credentials(), ...MAPS, ...more };
  };
  let names = 0;
  const post = (sent: Body, user = 'anna', query = '') => platform.ml(user, 'POST', `/register_model${query}`, sent);
  const test = (sent: Body, user = 'anna') => post(sent, user, '?test_connection=1');
  const put = (sent: Body, user = 'anna', headers: Record<string, string> = {}) =>
    platform.ml(user, 'PUT', '/register_model', sent, headers);
  const get = (name: string, user = 'anna') => platform.ml(user, 'GET', `/register_model?model_name=${name}`);
  const remove = (name: string, user = 'anna') => platform.ml(user, 'DELETE', `/register_model?model_name=${name}`);
  const state = async () => [await platform.documents('ml_registered_models'), await platform.secretRefs()];

  async function made(more: object = {}): Promise<string> {
    const sent = body(more);
    const reply = await post(sent);
    expect(reply.status, reply.text).to.equal(200);
    gateway.reset();
    return sent.model_name;
  }
  const { expectCode, expectFields } = refusalsWithout(SECRET_KEY);

  describe('register', () => {
    it('describes the endpoint and stores the rest', async () => {
      const sent = body({ model_name: 'Capacity', openapi_spec: SPEC, batch_size: 50 });
      const reply = await post(sent);
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json).to.deep.equal({
        status: 'success',
        message: "Model 'Capacity' registered successfully",
        success: true,
        model_name: 'Capacity',
        endpoint_name: 'ready',
        warnings: [],
      });
      expect(gateway.operations()).to.deep.equal(['DescribeEndpoint']);
      expect(gateway.calls[0]).to.include({ region: REGION, service: 'sagemaker', keyId: KEY_ID });
      const { created_at, last_updated_at, ...config } = (await get('capacity')).json.config;
      expect(created_at).to.equal(last_updated_at);
      expect(config).to.deep.equal({
        ...sent,
        cloud_credentials: credentials({ secret_access_key: MASK }),
        acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
        version: 1,
        created_by: 'anna',
        last_updated_by: 'anna',
      });
      expect(platform.filesWith([SECRET_KEY])).to.deep.equal([]);
    });

    it('assumes the role first', async () => {
      await made();
      await post(body({ cloud_credentials: credentials({ role_arn: ROLE }) }));
      expect(gateway.operations()).to.deep.equal(['AssumeRole', 'DescribeEndpoint']);
    });

    it('reports that maps were not checked', async () => {
      const reply = await post(body());
      expect(reply.json.warnings).to.deep.equal(['The maps were not checked: there is no openapi_spec']);
    });

    it('refuses a duplicate name before it calls the cloud', async () => {
      const name = await made();
      const before = await state();
      expectCode(await post(body({ model_name: name.toUpperCase() }), 'bert'), 409, 'already_exists');
      expect(gateway.calls).to.have.length(0);
      expect(await state()).to.deep.equal(before);
    });

    it('leaves neither record nor secret when it fails', async () => {
      const before = await state();
      expectCode(await post(body({ endpoint_name: 'absent' })), 400, 'endpoint_not_found');
      for (const status of ['Creating', 'Failed', 'OutOfService']) {
        gateway.statuses.set('ready', status);
        const reply = await post(body());
        expectCode(reply, 400, 'endpoint_not_in_service');
        expect(reply.json.endpoint_status).to.equal(status);
      }
      gateway.reset();
      const wrong = { secret_access_key: 'wrong-canary' };
      expectCode(await post(body({ cloud_credentials: credentials(wrong) })), 502, 'auth_failed');
      expectCode(
        await post(body({ cloud_credentials: credentials({ role_arn: DENIED_ROLE }) })),
        502,
        'permission_denied',
      );
      const own = { region: REGION };
      expectCode(await post(body({ cloud_credentials: own })), 502, 'configuration_invalid');
      const faults: [FaultKind, number, string][] = [
        ['throttle', 429, 'rate_limited'],
        ['expired', 502, 'auth_failed'],
        ['denied', 502, 'permission_denied'],
        ['reset', 502, 'connection_reset'],
        ['html', 502, 'upstream_error'],
        ['slow', 504, 'timeout'],
      ];
      for (const [kind, status, code] of faults) {
        gateway.faults = [{ kind }];
        expectCode(await post(body()), status, code);
      }
      expect(await state()).to.deep.equal(before);
      expect(platform.filesWith(['wrong-canary'])).to.deep.equal([]);
    });

    it('checks the maps against the document', async () => {
      const wrong = await post(
        body({
          openapi_spec: SPEC,
          input_feature_map: { cpu: 'instances[*].cpu', disk: 'instances[*].disk' },
          output_prediction_map: { 'scores[*]': 'result' },
        }),
      );
      expectFields(wrong, 'input_feature_map.disk', 'output_prediction_map.scores[*]');
      expectFields(await post(body({ openapi_spec: { openapi: '2.0' } })), 'openapi_spec');
      expectFields(await post(body({ openapi_spec: { ...SPEC, paths: {} } })), 'openapi_spec');
      for (const depth of [201, 5000, 80_000]) {
        const deep = '{"a":'.repeat(depth) + '1'.padEnd(depth + 1, '}');
        const text = JSON.stringify(body({ openapi_spec: 0 })).replace('"openapi_spec":0', `"openapi_spec":${deep}`);
        for (const reply of [await post(text), await test(text), await put(text)]) expectFields(reply, 'openapi_spec');
      }
      const many = Object.fromEntries(Array.from({ length: 1001 }, (_, index) => [`field ${index}`, 'cpu']));
      expectFields(await post(body({ input_feature_map: many })), 'input_feature_map');
      const empty = body({ openapi_spec: SPEC, input_feature_map: {}, output_prediction_map: undefined });
      expectFields(await post(empty), 'input_feature_map', 'output_prediction_map');
      expect(gateway.calls).to.have.length(0);
    });

    it('lets one of many creates of a name succeed, and the others leave nothing', async () => {
      const before = await platform.secretRefs();
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) => post(body({ model_name: index % 2 ? 'Race' : 'race' }))),
      );
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(7).fill(409)]);
      for (const { json } of replies.filter(({ status }) => status === 409)) {
        expect(json.error_code).to.equal('already_exists');
      }
      expect((await platform.secretRefs()).length).to.equal(before.length + 1);
    });
  });

  describe('test_connection', () => {
    it('describes without storing, for every form of the flag', async () => {
      const before = await state();
      for (const flag of ['1', 'true', 'TRUE', 'True']) {
        const reply = await post(body(), 'anna', `?test_connection=${flag}`);
        const { response_time_ms, ...told } = reply.json;
        expect(response_time_ms).to.be.at.least(0);
        expect(told).to.deep.equal({
          status: 'success',
          success: true,
          message: 'The endpoint is in service',
          endpoint_name: 'ready',
          endpoint_status: 'InService',
          test_type: 'connection_test',
        });
      }
      expect(await state()).to.deep.equal(before);
    });

    it('registers with 0, false and an empty flag', async () => {
      for (const flag of ['0', 'false', 'FALSE', '']) {
        const sent = body();
        expect((await post(sent, 'anna', `?test_connection=${flag}`)).json.model_name).to.equal(sent.model_name);
      }
    });

    it('answers 200 with the error', async () => {
      const before = await state();
      const failed = async (sent: Body, code: string, status: string | null) => {
        const reply = await test(sent);
        expect(reply.status, reply.text).to.equal(200);
        expect(reply.json, reply.text).to.include({
          status: 'fail',
          success: false,
          error_code: code,
          endpoint_status: status,
          test_type: 'connection_test',
        });
        expect(reply.text).to.not.contain('canary');
      };
      await failed(body({ endpoint_name: 'absent' }), 'endpoint_not_found', null);
      gateway.statuses.set('ready', 'Creating');
      await failed(body(), 'endpoint_not_in_service', 'Creating');
      gateway.reset();
      await failed(body({ cloud_credentials: credentials({ secret_access_key: 'canary' }) }), 'auth_failed', null);
      await failed(body({ cloud_credentials: credentials({ role_arn: DENIED_ROLE }) }), 'permission_denied', null);
      gateway.faults = [{ kind: 'expired' }];
      await failed(body(), 'auth_failed', null);
      expect(await state()).to.deep.equal(before);
    });

    it('tests a saved registration by its name, and stores only the result', async () => {
      const name = await made();
      const { ...before } = (await get(name)).json.config;
      expect((await test({ model_name: name })).json).to.include({ success: true, endpoint_status: 'InService' });
      const { last_test, ...after } = (await get(name)).json.config;
      expect(after).to.deep.equal(before);
      expect(last_test).to.include({ status: 'success', error_code: null });
      expectCode(await test({ model_name: 'nobody' }), 404, 'not_found');
    });

    it('uses the stored secret for submitted details, unless region or role differ', async () => {
      const name = await made();
      const masked = credentials({ secret_access_key: MASK });
      const reply = await test({ model_name: name, endpoint_name: 'second', cloud_credentials: masked });
      expect(reply.json).to.include({ success: true, endpoint_name: 'second' });
      for (const more of [{ region: 'us-east-1' }, { role_arn: ROLE }]) {
        const moved = { model_name: name, cloud_credentials: { ...masked, ...more } };
        expectCode(await test(moved), 400, 'secret_required_for_new_host');
      }
      expectCode(await test(body({ cloud_credentials: masked })), 400, 'masked_value_without_stored_secret');
      expect((await get(name)).json.config).to.not.have.property('last_test');
    });
  });

  describe('update and delete', () => {
    it('changes a subset, and calls the cloud only if needed', async () => {
      const name = await made({ openapi_spec: SPEC });
      const reply = await put({ model_name: name, batch_size: 7 });
      expect(reply.json.config, reply.text).to.deep.include({ batch_size: 7, version: 2, openapi_spec: SPEC, ...MAPS });
      expect(gateway.calls).to.have.length(0);
      const moved = await put({ model_name: name, endpoint_name: 'second' });
      expect(moved.json.config).to.include({ endpoint_name: 'second', version: 3 });
      expect(gateway.operations()).to.deep.equal(['DescribeEndpoint']);
      const whole = await put(moved.json.config);
      expect(whole.json, whole.text).to.not.have.property('errors');
      expect(whole.json.config.version).to.equal(4);
      const bare = await put({ model_name: name, openapi_spec: null });
      expect(bare.json.config).to.not.have.property('openapi_spec');
    });

    it('changes nothing if the new endpoint is not in service', async () => {
      const name = await made();
      const before = await state();
      expectCode(await put({ model_name: name, endpoint_name: 'absent' }), 400, 'endpoint_not_found');
      const wrong = { secret_access_key: 'wrong-canary' };
      expectCode(await put({ model_name: name, cloud_credentials: wrong }), 502, 'auth_failed');
      expectCode(
        await put({ model_name: name, cloud_credentials: { region: 'us-east-1' } }),
        400,
        'secret_required_for_new_host',
      );
      expectFields(
        await put({ model_name: name, openapi_spec: SPEC, input_feature_map: { a: 'x' } }),
        'input_feature_map.a',
      );
      expectCode(await put({ model_name: name, batch_size: 2 }, 'anna', { 'If-Match': '9' }), 409, 'version_conflict');
      expectCode(await put({ model_name: 'nobody', batch_size: 2 }), 404, 'not_found');
      expect(await state()).to.deep.equal(before);
    });
  });

  describe('access', () => {
    it('checks the capability, then the access list', async () => {
      const name = await made({ acl: { sharing: 'app', perms: { read: ['editors'], write: [] } } });
      const hidden = await made();
      expectCode(await get(name, 'carl'), 403, 'missing_capability');
      expect((await get(name, 'bert')).json.config.model_name).to.equal(name);
      expectCode(await get(hidden, 'bert'), 404, 'not_found');
      expect((await test({ model_name: name }, 'bert')).json.success).to.equal(true);
      expectCode(await test({ model_name: name, endpoint_name: 'second' }, 'bert'), 403, 'acl_denied');
      expectCode(await put({ model_name: name, batch_size: 1 }, 'bert'), 403, 'acl_denied');
      expectCode(await remove(name, 'bert'), 403, 'acl_denied');
      expectCode(await remove(hidden, 'bert'), 404, 'not_found');
    });
  });
});
