import { expect } from 'chai';
import { CONTAINER_TYPES } from '../../src/families/containers/engines/registry.ts';
import { type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { ContainerClient, expectFail } from './containerSupport.ts';

const PATH = '/container_connection';

describe('container connections over HTTP', () => {
  let platform: TestPlatform;
  let client: ContainerClient;
  const docker = { container_type: 'docker', connection_name: 'One', docker_url: '/run/none.sock' };

  before(async () => {
    platform = await startPlatform();
    client = new ContainerClient(platform);
    await platform.createRole('reader', ['user'], ['list_container_connections', 'list_containers']);
    await platform.createUser('reader', ['reader']);
  });
  after(() => platform?.dispose());

  it('creates, lists, reads, edits and deletes', async () => {
    const made = await client.save({ ...docker, jupyter_passwd: 'canary-hash', extra: 1 });
    expect(made.status, made.text).to.equal(200);
    expect(made.json.updated_config).to.include({
      connection_name: 'One',
      jupyter_passwd: '***MASKED***',
      api_token: '***MASKED***',
      version: 1,
      created_by: 'admin',
    });
    expect(made.json.warnings).to.deep.equal(['Unknown field ignored: extra']);
    expectFail(await client.save({ ...docker, connection_name: 'ONE' }), 409, 'duplicate_name');
    const read = await platform.ml('reader', 'GET', `${PATH}/docker/one`);
    expect(read.json.config).to.deep.equal(made.json.updated_config);
    expect((await platform.ml('reader', 'GET', `${PATH}/docker?name=one`)).json.config).to.deep.equal(read.json.config);
    const list = await platform.ml('reader', 'GET', `${PATH}/docker?search=on`);
    expect(list.json.result).to.deep.equal([read.json.config]);
    expect((await platform.ml('reader', 'GET', `${PATH}/kubernetes`)).json.result).to.deep.equal([]);
    expectFail(await platform.ml('reader', 'GET', `${PATH}/swarm`), 400, 'validation_failed');
    expectFail(await platform.ml('reader', 'GET', `${PATH}/docker/nobody`), 404, 'not_found');
    expectFail(await platform.ml('reader', 'POST', PATH, { payload: docker }), 403, 'missing_capability');
    const tested = await platform.ml('reader', 'GET', '/test_container_connection');
    expect(tested.json.result).to.deep.equal([{ container_type: 'docker', connection_name: 'One', last_test: null }]);
    const inventory = await platform.ml('reader', 'GET', '/list_connections');
    expect(inventory.json.result).to.deep.equal([
      { connection_type: 'docker', connection_name: 'One', docker_url: '/run/none.sock', tls_enabled: false },
    ]);
    // What a read shows can be sent back as it is.
    const back = await client.save({ ...read.json.config, is_edit: 'true', docker_network: 'net' });
    expect(back.status, back.text).to.equal(200);
    expect(back.json.warnings).to.equal(undefined);
    expect(back.json.updated_config).to.include({ docker_network: 'net', version: 2 });
    expect(platform.filesWith(['canary-hash'])).to.deep.equal([]);
    const gone = await platform.ml('admin', 'DELETE', `${PATH}/docker/ONE`, undefined, { 'If-Match': '1' });
    expectFail(gone, 409, 'version_conflict');
    expect((await platform.ml('admin', 'DELETE', `${PATH}/docker/ONE`)).json).to.include({
      container_type: 'docker',
      connection_name: 'One',
    });
    expect(await platform.secretRefs()).to.deep.equal([]);
  });

  it('takes is_edit and version inside the payload, beside it, and is_edit in the query', async () => {
    await client.save(docker);
    const payload = { container_type: 'docker', connection_name: 'one' };
    const post = (body: object, query = '') => platform.ml('admin', 'POST', `${PATH}${query}`, body);
    const edits = [
      await post({ payload: { ...payload, is_edit: true, version: 1 } }),
      await post({ payload, is_edit: 'true', version: 2 }),
      await post({ payload: { ...payload, version: '3' } }, '?is_edit=true'),
    ];
    for (const [index, reply] of edits.entries()) {
      expect(reply.status, reply.text).to.equal(200);
      expect(reply.json.updated_config.version).to.equal(index + 2);
      expect(reply.json.updated_config).to.not.have.property('is_edit');
      expect(reply.json.warnings).to.equal(undefined);
    }
    expectFail(await post({ payload, is_edit: 'true', version: 1 }), 409, 'version_conflict');
    expectFail(await post({ payload: { ...payload, connection_name: 'nobody', is_edit: 'true' } }), 404, 'not_found');
    expectFail(await post({ payload: { ...payload, is_edit: 'false' } }), 409, 'duplicate_name');
  });

  it('saves nothing when a test fails, but the outcome on a record that is edited', async () => {
    const unknown = await client.test({ ...docker, connection_name: 'untested' });
    expectFail(unknown, 500, 'verification_failed');
    expect(unknown.json.message).to.match(/^Failed to validate the configuration details: .*no Docker socket/);
    expectFail(await platform.ml('admin', 'GET', `${PATH}/docker/untested`), 404, 'not_found');
    expectFail(await client.test(docker), 409, 'duplicate_name');
    const before = (await platform.ml('admin', 'GET', `${PATH}/docker/one`)).json.config;
    expectFail(await client.test({ ...docker, is_edit: 'true', docker_network: 'other' }), 500, 'verification_failed');
    const { last_test, ...after } = (await platform.ml('admin', 'GET', `${PATH}/docker/one`)).json.config;
    expect(after).to.deep.equal(before);
    expect(last_test).to.include({ status: 'fail', error_code: 'connection_refused' });
  });

  it('names every problem of a body at once, that of the name too', async () => {
    const problems = { docker_url: 'ssh://x', endpoint_hostname: ':::', cluster_ca: '/proc/self/pagemap' };
    const fields = ({ json }: Reply) => json.errors.map((error: { field: string }) => error.field);
    for (const send of [client.save, client.test]) {
      const reply = await send({ ...docker, ...problems, connection_name: '%' });
      expectFail(reply, 400, 'validation_failed');
      expect(fields(reply)).to.have.members(['connection_name', ...Object.keys(problems)]);
    }
    const none = await client.save({ container_type: 'docker', connection_name: '%' });
    expect(fields(none)).to.have.members(['connection_name', 'docker_url']);
    // What an edit leaves out is not missed.
    const edit = {
      container_type: 'docker',
      connection_name: '%',
      endpoint_hostname: '1:2',
      api_token: '***MASKED***',
    };
    const edits = [
      await client.save({ ...edit, is_edit: 'true' }),
      await platform.ml('admin', 'POST', `${PATH}?is_edit=true`, { payload: edit }),
    ];
    for (const reply of edits) expect(fields(reply)).to.have.members(['connection_name', 'endpoint_hostname']);
  });

  it('tells nobody which files there are', async () => {
    const replies = [];
    for (const cluster_ca of ['/etc/passwd', '/no/such/file', '/proc/self/pagemap', '/dev/zero', '\\\\host\\share']) {
      replies.push(await client.save({ ...docker, connection_name: 'files', cluster_ca }));
    }
    const [first] = replies;
    for (const reply of replies) {
      expectFail(reply, 400, 'validation_failed');
      expect(reply.json.errors).to.deep.equal(first?.json.errors);
    }
    expect(first?.json.message).to.contain('etc/auth').and.contain('certificate_folders');
  });

  it('refuses another engine while containers run through the connection, unless forced', async () => {
    const key = 'docker.one';
    await platform.putDocument('ml_containers', { _key: 'm', model: 'M', connection_key: key, cluster: 'docker' });
    const change = { container_type: 'docker', connection_name: 'one', is_edit: 'true', docker_url: '/run/other.sock' };
    const anew = { ...change, api_token: 'anew' };
    for (const send of [client.save, client.test]) {
      const reply = await send(anew);
      expectFail(reply, 409, 'in_use');
      expect(reply.json.used_by).to.deep.equal(['M']);
    }
    const forced = await platform.ml('admin', 'POST', `${PATH}?force=true`, { payload: anew });
    expect(forced.status, forced.text).to.equal(200);
    expect(forced.json.warnings.join()).to.match(/Left behind .*: M$/);
    await platform.removeDocument('ml_containers', 'm');
    const back = await client.save({ ...anew, docker_url: docker.docker_url });
    expect([back.status, back.json.warnings]).to.deep.equal([200, undefined]);
  });

  it('lets of many creates at once exactly one win', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => client.save({ ...docker, connection_name: 'race' })),
    );
    expect(replies.map((reply) => reply.status).sort()).to.deep.equal([200, 409, 409, 409, 409, 409, 409, 409]);
  });

  it('asks which connection is meant, and which image', async () => {
    const several = await client.start({ image: 'golden-cpu', model: 'm' });
    expectFail(several, 400, 'validation_failed');
    expect(several.json.message).to.contain('One, race');
    expectFail(
      await client.start({ image: 'golden-cpu', model: 'm', cluster: 'kubernetes' }),
      400,
      'unknown_reference',
    );
    expectFail(
      await client.start({ image: 'golden-cpu', model: 'm', connection_name: 'nobody' }),
      400,
      'unknown_reference',
    );
    const image = await client.start({ image: 'alpine:latest', model: 'm' });
    expectFail(image, 400, 'validation_failed');
    expect(image.json.message).to.contain('known: agentic-ai, agentic-ai-debian,');
    expectFail(
      await platform.ml('reader', 'POST', '/start_container', { payload: { image: 'x', model: 'm' } }),
      403,
      'missing_capability',
    );
    expectFail(await client.stop('nobody'), 404, 'not_found');
    expectFail(await platform.ml('admin', 'DELETE', '/start_container/nobody'), 404, 'not_found');
    expect((await platform.ml('reader', 'GET', '/stop_container')).json.docker_images['golden-cpu']).to.deep.equal({
      label: 'Red Hat UBI Golden CPU (5.2.4)',
      image: 'splunk/mltk-container-golden-cpu:5.2.4',
    });
    const form = (await platform.ml('reader', 'GET', '/start_container')).json;
    expect(form).to.deep.include({
      clusters: [...CONTAINER_TYPES],
      runtimes: ['None', 'nvidia'],
      modes: ['DEV', 'PROD'],
    });
  });
});
