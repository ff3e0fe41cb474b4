import { expect } from 'chai';
import { expectStatus, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { rows } from '../support/e2e/rows.ts';

const ACL = { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } };
const META = { version: 1, created_at: 1, created_by: 'anna', last_updated_at: 1, last_updated_by: 'anna' };

/** Makes a record of version 1, and answers the call that `?version=` is a condition of. */
const CALLS: Record<string, (platform: TestPlatform) => Promise<string>> = {
  deleteMcpConnection: async (platform) => {
    const body = { name: 'docs', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp' } };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, 'connection');
    return 'DELETE /mcp_connection/docs';
  },
  deleteVectorStore: async (platform) => {
    const body = { name: 'store', type: 'CLOUD_KB', details: { kb_id: 'ABCDEF1234', cloud_region: 'eu-west-1' } };
    const reply = await platform.ml('anna', 'POST', '/vector_stores', body);
    expectStatus(reply, 200, 'store');
    return 'DELETE /vector_stores/store';
  },
  deleteLlmConfiguration: async (platform) => {
    const body = { service: 'Local_Runtime', connection_name: 'c', model: 'm', servicesettings: {}, modelsettings: {} };
    expectStatus(await platform.ml('anna', 'POST', '/aicommander', body), 200, 'configuration');
    return 'DELETE /aicommander/Local_Runtime/c/m';
  },
  deleteModelAlias: async (platform) => {
    const target = { service: 'Local_Runtime', connection_name: 'named', model: 'm' };
    expectStatus(await platform.ml('anna', 'POST', '/aicommander', { ...target, servicesettings: {} }), 200, 'model');
    expectStatus(
      await platform.ml('anna', 'POST', '/model_aliases', { name: 'fast', targets: [target] }),
      200,
      'alias',
    );
    return 'DELETE /model_aliases/fast';
  },
  deleteUsageLimit: async (platform) => {
    const body = { name: 'Team', window: 'day', requests: 1, is_enabled: false };
    expectStatus(await platform.ml('anna', 'POST', '/usage_limits', body), 200, 'limit');
    return 'DELETE /usage_limits/Team';
  },
  deleteMaskingPolicy: async (platform) => {
    expectStatus(
      await platform.ml('anna', 'POST', '/masking_policies', { name: 'usual', kinds: {} }),
      200,
      'masking policy',
    );
    return 'DELETE /masking_policies/usual';
  },
  deleteSearchTool: async (platform) => {
    expectStatus(
      await platform.ml('anna', 'POST', '/search_tools', { name: 'recent', search: 'search index=main' }),
      200,
      'search tool',
    );
    return 'DELETE /search_tools/recent';
  },
  deleteContainerConnection: async (platform) => {
    const payload = { container_type: 'docker', connection_name: 'engine', docker_url: 'unix:///nowhere.sock' };
    expectStatus(await platform.ml('anna', 'POST', '/container_connection', { payload }), 200, 'engine');
    return 'DELETE /container_connection/docker/engine';
  },
  deleteExperiment: async (platform) => {
    const reply = await platform.ml('anna', 'POST', '/experiments', { title: 'Sales', type: 'smart_forecast' });
    expectStatus(reply, 200, 'experiment');
    return `DELETE /experiments/${reply.json.experiment_id}`;
  },
  deleteRegistration: async (platform) => {
    await platform.putDocument('ml_registered_models', {
      ...{ _key: 'churn', model_name: 'churn', endpoint_name: 'ep', cloud_credentials: { region: 'eu-west-1' } },
      ...{ input_feature_map: '{}', output_prediction_map: '{}', batch_size: 1, acl: ACL },
      ...{ ...META, secret_ref: null, secret_fields: [] },
    });
    return 'DELETE /register_model?model_name=churn';
  },
  // Nothing is configured, so that its creation is refused at once: it can be tried again.
  retryAgent: async (platform) => {
    await platform.ml('anna', 'POST', '/agents', { name: 'again' });
    return 'POST /agents/again/retry';
  },
  deleteAgent: async (platform) => {
    await platform.ml('anna', 'POST', '/agents', { name: 'triage' });
    return 'DELETE /agents/triage';
  },
};

describe('?version= over HTTP', () => {
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform();
    await platform.createUser('anna', ['ml_admin']);
  });
  after(() => platform.dispose());

  it('is tested below for every DELETE that accepts it', () => {
    const ids = rows.filter(({ conditional, method }) => conditional && method === 'DELETE').map(({ id }) => id);
    expect(Object.keys(CALLS)).to.have.members([...ids, 'retryAgent']);
  });

  for (const [id, make] of Object.entries(CALLS)) {
    it(`${id}: 400 for two that differ, 409 with the current version, else done`, async () => {
      const [method = '', path = ''] = (await make(platform)).split(' ');
      const call = (version: number | string, headers: Record<string, string> = {}) =>
        platform.ml('anna', method, `${path}${path.includes('?') ? '&' : '?'}version=${version}`, undefined, headers);
      expect((await call(2, { 'If-Match': '1' })).status).to.equal(400);
      expect((await call('one')).json.errors).to.deep.equal([
        { field: 'version', message: 'must be a version such as 3' },
      ]);
      const refused = await call(2);
      expect(refused.status, refused.text).to.equal(409);
      expect(refused.json).to.include({ error_code: 'version_conflict', current_version: 1 });
      const done = await call(1, { 'If-Match': '"1"' });
      // A retry gets as far as the cloud that nobody has set up.
      expect(done.status, done.text).to.equal(id === 'retryAgent' ? 502 : 200);
    });
  }
});
