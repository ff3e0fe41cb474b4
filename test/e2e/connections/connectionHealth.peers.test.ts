import { expect } from 'chai';
import { type CloudSite, startCloudSite } from '../../support/e2e/cloud.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { KEY_ID, REGION, SECRET_KEY } from '../../support/peers/awsGateway.ts';
import { credential, dockerUrl, needsDocker, needsKubernetes } from '../containers/containerSupport.ts';

interface Row {
  name: string;
  state: string;
  checked: boolean;
  error_code?: string;
}

const shown = ({ name, state, checked, error_code = '' }: Row) => `${name} ${state} ${checked} ${error_code}`.trim();

const check = async (platform: TestPlatform, body: object): Promise<Row[]> => {
  const reply = await platform.ml('admin', 'POST', '/connection_health/check', body);
  expect(reply.status, reply.text).to.equal(200);
  return reply.json.result;
};
const post = async (platform: TestPlatform, path: string, body: object) => {
  const reply = await platform.ml('admin', 'POST', path, body);
  expect(reply.status, reply.text).to.equal(200);
};

describe('checks of what is in AWS', function () {
  this.timeout(240_000);
  let site: CloudSite;
  before(async function () {
    site = await startCloudSite(this);
  });
  after(() => site?.stop());

  it('knowledge bases and endpoints that work, are gone or have wrong keys', async () => {
    const { platform, gateway, knowledgeBase } = site;
    const keys = { cloud_access_key_id: KEY_ID, cloud_access_key_token: SECRET_KEY };
    const store = (name: string, more: object) =>
      post(platform, '/vector_stores', {
        ...{ name, type: 'CLOUD_KB' },
        details: { cloud_region: REGION, kb_id: knowledgeBase, ...keys, ...more },
      });
    await store('good', {});
    await store('gone', { kb_id: 'NOSUCHBASE' });
    await store('wrong key', { cloud_access_key_token: 'wrong-canary' });
    for (const name of ['ready', 'leaving']) {
      if (name === 'leaving') await gateway.moto.createEndpoint(name, REGION);
      await post(platform, '/register_model', {
        ...{ model_name: name, endpoint_name: name, input_feature_map: {}, output_prediction_map: {} },
        cloud_credentials: { region: REGION, access_key_id: KEY_ID, secret_access_key: SECRET_KEY },
      });
    }
    gateway.statuses.set('leaving', 'Deleting');
    expect((await check(platform, {})).map(shown)).to.deep.equal([
      'gone failing true kb_not_found',
      'good ok true',
      'wrong key failing true auth_failed',
      'leaving failing true endpoint_not_in_service',
      'ready ok true',
    ]);
    expect(platform.filesWith([SECRET_KEY, 'wrong-canary'])).to.deep.equal([]);
  });
});

describe('checks of container engines', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform();
  });
  after(() => platform?.dispose());
  const save = (payload: object) => post(platform, '/container_connection', { payload });

  it('a Docker engine, with an unknown network', async function () {
    needsDocker(this);
    const engine = { container_type: 'docker', docker_url: dockerUrl };
    await save({ ...engine, connection_name: 'engine' });
    await save({ ...engine, connection_name: 'no network', docker_network: 'nowhere' });
    expect((await check(platform, { names: ['engine', 'no network'] })).map(shown)).to.deep.equal([
      'engine ok true',
      'no network failing true network_missing',
    ]);
  });

  it('a cluster by its certificates, with an unknown user', async function () {
    needsKubernetes(this);
    const cluster = {
      container_type: 'kubernetes',
      cluster_url: 'https://127.0.0.1:6443',
      cluster_ca: credential('ca.crt'),
    };
    const certificate = { client_cert: credential('admin.crt'), client_key: credential('admin.key') };
    await save({ ...cluster, connection_name: 'cluster', auth_mode: 'cert-key', ...certificate });
    await save({ ...cluster, connection_name: 'stranger', auth_mode: 'user-token', user_token: 'canary-stranger' });
    const rows = await check(platform, { names: ['cluster', 'stranger'] });
    expect(rows.map(shown)).to.deep.equal(['cluster ok true', 'stranger failing true auth_failed']);
    const row = (await platform.ml('admin', 'GET', '/connection_health?search=cluster')).json.result[0];
    expect(row.expires_at).to.be.above(Date.now() / 1000);
  });
});
