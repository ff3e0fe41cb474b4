import { expect } from 'chai';
import { MASK } from '../../src/contract/basics.ts';
import { refusalsWithout, summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';

const REGION = 'eu-central-1';
const KEY_ID = 'AKIAIOSFODNN7EXAMPLE';
const SECRET_KEY = 'canary/secret+key9d55e2a8XXXXXXXXXXXXXXX';
const RECORDS = 'ml_registered_models';
const MAPS = {
  input_feature_map: { 'host.cpu': 'instances[*].cpu' },
  output_prediction_map: { 'predictions[*]': 'result' },
};

const { expectCode, expectFields } = refusalsWithout(SECRET_KEY);

/** Records of registered models (contract 8), in any world, where every endpoint is in service. */
export function registeredModelSuite(open: OpenWorld): void {
  const world = open({
    users: { anna: ['ml_admin'], bert: ['user', 'editors'], carl: ['user', 'readers'] },
    roles: { editors: ['edit_agent_connections', 'register_ml_models'] },
    collections: [RECORDS],
    modelEndpoints: true,
  });
  const credentials = (more: object = {}) => ({
    region: REGION,
    access_key_id: KEY_ID,
    secret_access_key: SECRET_KEY,
    ...more,
  });
  let names = 0;
  const body = (more: object = {}) => {
    names += 1;
    return { model_name: `model_${names}`, endpoint_name: 'ready', cloud_credentials: credentials(), ...MAPS, ...more };
  };
  const post = (input: object, user = 'anna', query = '') => world.call(user, 'POST', `/register_model${query}`, input);
  const put = (input: object, user = 'anna', headers: Record<string, string> = {}) =>
    world.call(user, 'PUT', '/register_model', input, headers);
  const get = (name: string, user = 'anna') => world.call(user, 'GET', `/register_model?model_name=${name}`);
  const remove = (name: string, user = 'anna') => world.call(user, 'DELETE', `/register_model?model_name=${name}`);
  const state = async () => [await world.records(RECORDS), await world.secretRefs()];

  async function made(more: object = {}): Promise<string> {
    const input = body(more);
    const reply = await post(input);
    expect(reply.status, summarize(reply)).to.equal(200);
    return input.model_name;
  }

  it('stores what was sent, the secret masked and in the password storage alone', async () => {
    const input = body({ model_name: 'Capacity', batch_size: 50 });
    expect((await post(input)).json).to.deep.equal({
      status: 'success',
      message: "Model 'Capacity' registered successfully",
      success: true,
      model_name: 'Capacity',
      endpoint_name: 'ready',
      warnings: ['The maps were not checked: there is no openapi_spec'],
    });
    const { created_at, last_updated_at, ...config } = (await get('capacity')).json.config;
    expect(created_at).to.equal(last_updated_at);
    expect(config).to.deep.equal({
      ...input,
      cloud_credentials: credentials({ secret_access_key: MASK }),
      acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
      version: 1,
      created_by: 'anna',
      last_updated_by: 'anna',
    });
    expect(await world.secretsOf(RECORDS, 'Capacity')).to.deep.equal({
      'cloud_credentials/secret_access_key': SECRET_KEY,
    });
    expect(await world.leaks(SECRET_KEY)).to.deep.equal([]);
  });

  it('names everything wrong at once', async () => {
    expectFields(await post({ model_name: 'only_a_name' }), 'endpoint_name', 'cloud_credentials');
    expectFields(
      await post({
        model_name: '1st',
        endpoint_name: '-x',
        cloud_credentials: { region: 'nowhere', role_arn: 'x' },
        input_feature_map: { a: 1 },
        batch_size: 10_001,
        openapi_spec: [],
      }),
      'model_name',
      'endpoint_name',
      'cloud_credentials.region',
      'cloud_credentials.role_arn',
      'input_feature_map.a',
      'openapi_spec',
      'batch_size',
    );
    for (const batch_size of [0, 1.5, '10']) expectFields(await post(body({ batch_size })), 'batch_size');
    const half = { region: REGION, access_key_id: KEY_ID };
    expectFields(await post(body({ cloud_credentials: half })), 'cloud_credentials.secret_access_key');
    for (const flag of ['yes', '2', 'truee', 'null']) {
      expectFields(await post(body(), 'anna', `?test_connection=${flag}`), 'test_connection');
    }
  });

  it('deletes record and secret', async () => {
    const before = await state();
    const name = await made();
    expect((await remove(name)).json).to.deep.include({ status: 'success', model_name: name });
    expect(await state()).to.deep.equal(before);
    expectCode(await get(name), 404, 'not_found');
    expectCode(await remove(name), 404, 'not_found');
  });

  it('changes a subset, keeps the rest, and counts versions', async () => {
    const name = await made();
    const refs = await world.secretRefs();
    const reply = await put({ model_name: name, batch_size: 7 });
    expect(reply.json.config, summarize(reply)).to.deep.include({ batch_size: 7, version: 2, ...MAPS });
    expect((await put(reply.json.config)).json.config.version).to.equal(3);
    expect(await world.secretRefs()).to.deep.equal(refs);
    expectCode(await put({ model_name: name, batch_size: 2 }, 'anna', { 'If-Match': '9' }), 409, 'version_conflict');
    const moved = { model_name: name, cloud_credentials: { region: 'us-east-1' } };
    expectCode(await put(moved), 400, 'secret_required_for_new_host');
    expectCode(await put({ model_name: 'nobody', batch_size: 2 }), 404, 'not_found');
  });

  it('checks the capability, then the access list', async () => {
    const name = await made({ acl: { sharing: 'app', perms: { read: ['editors'], write: [] } } });
    const hidden = await made();
    expectCode(await get(name, 'carl'), 403, 'missing_capability');
    expect((await get(name, 'bert')).json.config.model_name).to.equal(name);
    expectCode(await get(hidden, 'bert'), 404, 'not_found');
    expectCode(await put({ model_name: name, batch_size: 1 }, 'bert'), 403, 'acl_denied');
    expectCode(await remove(name, 'bert'), 403, 'acl_denied');
    expectCode(await remove(hidden, 'bert'), 404, 'not_found');
  });

  it('requires a name', async () => {
    expectFields(await world.call('anna', 'GET', '/register_model'), 'model_name');
    expectFields(await world.call('anna', 'DELETE', '/register_model'), 'model_name');
  });
}
