import { expect } from 'chai';
import { MASK } from '../../src/contract/basics.ts';
import { refusalsWithout, summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';
import { CRUD_USERS, crudSuite } from './crud.ts';

const REGION = 'eu-central-1';
const KEY_ID = 'AKIAIOSFODNN7EXAMPLE';
const SECRET_KEY = 'canary/secret+key9d55e2a8XXXXXXXXXXXXXXX';
const RECORDS = 'ml_registered_models';
const MAPS = {
  input_feature_map: { 'host.cpu': 'instances[*].cpu' },
  output_prediction_map: { 'predictions[*]': 'result' },
};

const NOT_CHECKED = 'The maps were not checked: there is no openapi_spec';

const { expectCode, expectFields } = refusalsWithout(SECRET_KEY);

/** Records of registered models (contract 8), in any world, where every endpoint is in service. */
export function registeredModelSuite(open: OpenWorld): void {
  const world = open({
    users: CRUD_USERS,
    roles: { editors: ['register_ml_models'] },
    collections: [RECORDS],
    modelEndpoints: true,
  });
  const credentials = (more: object = {}) => ({
    region: REGION,
    access_key_id: KEY_ID,
    secret_access_key: SECRET_KEY,
    ...more,
  });
  crudSuite(world, {
    path: '/register_model',
    nameField: 'model_name',
    isAddressedByQuery: true,
    collection: RECORDS,
    duplicate: 'already_exists',
    messages: {
      created: "Model 'Sample' registered successfully",
      updated: 'Registration updated',
      deleted: 'Registration deleted',
    },
    least: { endpoint_name: 'ready', cloud_credentials: credentials() },
    shown: {
      endpoint_name: 'ready',
      cloud_credentials: credentials({ secret_access_key: MASK }),
      input_feature_map: {},
      output_prediction_map: {},
      batch_size: 100,
    },
    warnings: [NOT_CHECKED],
    secrets: { 'cloud_credentials/secret_access_key': SECRET_KEY },
    change: { batch_size: 7 },
    hasAcl: true,
    hidesFromReaders: true,
  });

  let names = 0;
  const body = (more: object = {}) => {
    names += 1;
    return { model_name: `model_${names}`, endpoint_name: 'ready', cloud_credentials: credentials(), ...MAPS, ...more };
  };
  const post = (input: object, user = 'anna', query = '') => world.call(user, 'POST', `/register_model${query}`, input);

  async function made(more: object = {}): Promise<string> {
    const input = body(more);
    const reply = await post(input);
    expect(reply.status, summarize(reply)).to.equal(200);
    return input.model_name;
  }

  it('keeps maps and the size of batches, and warns where the maps were not checked', async () => {
    const input = body({ model_name: 'Capacity', batch_size: 50 });
    expect((await post(input)).json).to.deep.equal({
      status: 'success',
      message: "Model 'Capacity' registered successfully",
      success: true,
      model_name: 'Capacity',
      endpoint_name: 'ready',
      warnings: [NOT_CHECKED],
    });
    const { config } = (await world.call('anna', 'GET', '/register_model?model_name=capacity')).json;
    expect(config).to.deep.include({ batch_size: 50, ...MAPS });
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

  it('binds the secret to the region', async () => {
    const name = await made();
    const moved = { model_name: name, cloud_credentials: { region: 'us-east-1' } };
    expectCode(await world.call('anna', 'PUT', '/register_model', moved), 400, 'secret_required_for_new_host');
  });

  it('requires a name', async () => {
    expectFields(await world.call('anna', 'GET', '/register_model'), 'model_name');
    expectFields(await world.call('anna', 'DELETE', '/register_model'), 'model_name');
  });
}
