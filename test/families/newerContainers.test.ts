import { expect } from 'chai';
import { CAPABILITIES } from '../../src/contract/capabilities.ts';
import { type Json, MemoryApp } from '../support/memory/app.ts';
import { fixture } from '../support/onnx.ts';

/** What has a record in a store and something else beside it: neither goes without the other. */
describe('containers and uploaded models of a newer version', () => {
  let app: MemoryApp;

  beforeEach(() => {
    app = new MemoryApp();
    app.user('ann', { capabilities: Object.keys(CAPABILITIES) });
  });

  const ok = async (method: string, path: string, body?: object): Promise<Json> => {
    const { status, json } = await app.call('ann', method, path, body);
    expect(status, `${path} ${JSON.stringify(json)}`).to.equal(200);
    return json;
  };
  const refused = async (method: string, path: string, body?: object): Promise<void> => {
    const { status, json } = await app.call('ann', method, path, body);
    expect([status, json.error_code], `${method} ${path} ${JSON.stringify(json)}`).to.deep.equal([409, 'newer_form']);
  };
  const renew = (collection: string): Json => {
    const [doc] = app.site.records.all(collection);
    const newer = { ...doc, form: 2 } as Json & { _key: string };
    app.site.records.collection(collection).set(newer._key, JSON.stringify(newer));
    return newer;
  };
  const connection = (more: object) => ({ payload: { container_type: 'docker', connection_name: 'Lab', ...more } });
  const START = { payload: { model: 'M', image: 'cpu' } };

  it('a container goes on running, unseen and unharmed, and its connection stays', async () => {
    await ok('POST', '/container_connection', connection({ docker_url: 'tcp://one:2375', api_token: 'token' }));
    await ok('POST', '/start_container', START);
    expect((await ok('GET', '/container_data')).config).to.have.keys('M');
    const doc = renew('ml_containers');
    const { running } = app.containers.docker('one');
    for (let round = 0; round < 3; round += 1) {
      const { config, warnings } = await ok('GET', '/container_data');
      expect(config).to.deep.equal({});
      expect(String(warnings)).to.include('Containers that a newer version');
      app.site.clock.advance(120_000);
    }
    await refused('POST', '/start_container', START);
    await refused('POST', '/stop_container', { payload: { model: 'M' } });
    await refused('DELETE', '/container_connection/docker/Lab');
    const move = { is_edit: 'true', docker_url: 'tcp://two:2375', api_token: 'token' };
    await refused('POST', '/container_connection', connection(move));
    expect(running.size).to.equal(1);
    expect(app.site.records.all('ml_containers')).to.deep.equal([doc]);
  });

  it('a model file stays with its description', async () => {
    const upload = {
      ...{ model_name: 'linear', features: ['a', 'b', 'c'], targets: ['y'] },
      model_file: fixture('linear').toString('base64'),
    };
    await ok('POST', '/upload_model', upload);
    const doc = renew('ml_uploaded_models');
    const files = app.lookups.names();
    const { result, warnings } = await ok('GET', '/list_models');
    expect(result).to.have.length(1);
    expect(String(warnings)).to.include('Descriptions of uploaded models that a newer version');
    await refused('DELETE', '/list_models/linear');
    await refused('POST', '/upload_model', { ...upload, overwrite: true });
    expect(app.lookups.names()).to.deep.equal(files);
    expect(app.site.records.all('ml_uploaded_models')).to.deep.equal([doc]);
  });
});
