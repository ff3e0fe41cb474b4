import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { remedyOf } from '../../../src/contract/codes/codes.ts';
import { ENGINE_KINDS, secretFields } from '../../../src/families/containers/engines/registry.ts';
import { expectCode } from '../../support/replies.ts';
import { CONNECTIONS, type ContainerKit, docker, expectInvalid, expectOk, type Json, kube, PATH } from './kit.ts';

export function recordTests(kit: ContainerKit): void {
  const { world, save, edit, test, read, remove, secretsOf } = kit;

  it('creates, lists, reads, edits and deletes', async () => {
    const refs = await world.secretRefs();
    const made = await save(docker({ connection_name: 'One', jupyter_passwd: 'canary-hash-of-one', extra: 1 }));
    expect(expectOk(made)).to.include({
      connection_name: 'One',
      jupyter_passwd: MASK,
      api_token: MASK,
      version: 1,
      created_by: 'root',
    });
    expect(made.json.warnings).to.deep.equal(['Unknown field ignored: extra']);
    const [ref, ...more] = (await world.secretRefs()).filter((each) => !refs.includes(each));
    expect([ref?.split('.')[0], more]).to.deep.equal(['containers', []]);
    expectCode(await save(docker({ connection_name: 'ONE' })), 409, 'duplicate_name');
    const { config } = (await read('docker/one')).json;
    expect(config).to.deep.equal(made.json.updated_config);
    expect((await read('docker?name=one')).json.config).to.deep.equal(config);
    expect((await read('docker?search=on')).json.result).to.deep.equal([config]);
    expect((await read('kubernetes')).json.result).to.deep.equal([]);
    expectCode(await read('swarm'), 400, 'validation_failed');
    expectCode(await read('docker/nobody'), 404, 'not_found');
    expectCode(await world.call('reader', 'POST', PATH, { payload: docker() }), 403, 'missing_capability');
    const tested = await world.call('reader', 'GET', '/test_container_connection');
    expect(tested.json.result).to.deep.equal([{ container_type: 'docker', connection_name: 'One', last_test: null }]);
    const inventory = await world.call('reader', 'GET', '/list_connections');
    expect(inventory.json.result).to.deep.equal([
      { connection_type: 'docker', connection_name: 'One', docker_url: '/run/none.sock', tls_enabled: false },
    ]);
    // The reply of a read can be sent back unchanged.
    const back = await save({ ...config, is_edit: 'true', docker_network: 'net' });
    expect(expectOk(back)).to.include({ docker_network: 'net', version: 2 });
    expect(back.json.warnings).to.equal(undefined);
    expect(await world.leaks('canary-hash')).to.deep.equal([]);
    expectCode(await remove('docker/ONE', { 'If-Match': '1' }), 409, 'version_conflict');
    expect((await remove('docker/ONE')).json).to.include({ container_type: 'docker', connection_name: 'One' });
    expect(await world.secretRefs()).to.deep.equal(refs);
  });

  it('fills in defaults and makes a token of 64 characters', async () => {
    expect(expectOk(await save(docker()))).to.include({
      container_type: 'docker',
      container_enable_https: 'false',
      api_token: MASK,
      version: 1,
    });
    expect((await secretsOf('Local')).api_token).to.match(/^[A-Za-z0-9]{64}$/);
    expect(expectOk(await save(kube()))).to.include({
      namespace: 'default',
      in_cluster_mode: '0',
      service_type: 'nodeport',
      image_pull_secrets: 'None',
    });
  });

  it('keeps no secret in the record, and masks what is stored', async () => {
    const names = Object.keys(secretFields(ENGINE_KINDS)).filter((name) => name !== 'client_key');
    const secrets = Object.fromEntries(names.map((name) => [name, `canary-${name}`]));
    const config = expectOk(await save(docker({ ...secrets, docker_logging_endpoint_hostname: 'log' })));
    expect(await world.leaks('canary-')).to.deep.equal([]);
    for (const name of names) expect(config).to.have.property(name, MASK);
    expect(config).to.not.have.any.keys('secret_ref', 'secret_fields', '_key', 'is_edit');
  });

  it('takes booleans and numbers for texts', async () => {
    const fields = { platform_access_port: 8089, obs_enabled: true, container_enable_https: true };
    const config = expectOk(await save(docker({ ...fields, api_token: 12_345_678 })));
    const texts = { platform_access_port: '8089', obs_enabled: 'true', container_enable_https: 'true' };
    expect(config).to.include(texts);
    expect(await secretsOf('Local')).to.deep.equal({ api_token: '12345678' });
  });

  it('has names of their own for each type, without regard to case', async () => {
    expectOk(await save(docker()));
    expectOk(await save(kube()));
    expectCode(await save(docker({ connection_name: 'LOCAL' })), 409, 'duplicate_name');
    expectCode(await edit({ connection_name: 'other' }), 404, 'not_found');
    const external = { connection_name: 'LOCAL', endpoint_hostname_external: 'ext' };
    expect(expectOk(await edit(external)).connection_name).to.equal('Local');
  });

  it('merges an edit, honours its condition, and unsets with null or ""', async () => {
    await save(docker({ endpoint_hostname_external: 'ext', jupyter_passwd: 'hash', docker_network: 'net' }));
    const config = expectOk(await edit({ docker_network: '', jupyter_passwd: null }));
    expect(config).to.include({ endpoint_hostname_external: 'ext', docker_url: '/run/none.sock', version: 2 });
    expect(config).to.not.have.any.keys('docker_network', 'jupyter_passwd');
    expect(Object.keys(await secretsOf('Local'))).to.deep.equal(['api_token']);
    expect(expectOk(await edit({ container_enable_https: 'true' })).container_enable_https).to.equal('true');
    const without = await edit({ container_enable_https: '', api_token: '' });
    expect(expectOk(without).container_enable_https).to.equal('false');
    expectCode(await edit({ docker_url: '/run/none.sock', version: 1 }), 409, 'version_conflict');
    expectInvalid(await edit({ is_edit: 'perhaps' }), ['is_edit']);
  });

  it('takes is_edit and version inside the payload, beside it, and is_edit in the query', async () => {
    await save(docker());
    const payload = { container_type: 'docker', connection_name: 'local' };
    const post = (body: Json, query = '') => world.call('root', 'POST', `${PATH}${query}`, body);
    const edits = [
      await post({ payload: { ...payload, is_edit: true, version: 1 } }),
      await post({ payload, is_edit: 'true', version: 2 }),
      await post({ payload: { ...payload, version: '3' } }, '?is_edit=true'),
    ];
    for (const [index, reply] of edits.entries()) {
      expect(expectOk(reply).version).to.equal(index + 2);
      expect(reply.json.updated_config).to.not.have.property('is_edit');
      expect(reply.json.warnings).to.equal(undefined);
    }
    expectCode(await post({ payload, is_edit: 'true', version: 1 }), 409, 'version_conflict');
    expectCode(await post({ payload: { ...payload, connection_name: 'nobody', is_edit: 'true' } }), 404, 'not_found');
    expectCode(await post({ payload: { ...payload, is_edit: 'false' } }), 409, 'duplicate_name');
  });

  it('makes a token that is taken away anew, and keeps one that is masked or left out', async () => {
    await save(docker({ api_token: 'first-token' }));
    await edit({ api_token: MASK });
    await edit({});
    expect((await secretsOf('Local')).api_token).to.equal('first-token');
    await edit({ api_token: '' });
    expect((await secretsOf('Local')).api_token).to.match(/^[A-Za-z0-9]{64}$/);
    const unknown = await save(docker({ connection_name: 'new', api_token: MASK }));
    expectCode(unknown, 400, 'masked_value_without_stored_secret');
  });

  it('takes the mask itself for the mask, and one with white space around it for a value', async () => {
    expectOk(await save(docker({ api_token: ` ${MASK} `, jupyter_passwd: '\n hash ' })));
    expect(await secretsOf('Local')).to.deep.equal({ api_token: ` ${MASK} `, jupyter_passwd: 'hash' });
  });

  it('saves nothing when a test fails, but the outcome on a record that is edited', async () => {
    const unknown = await test(docker());
    expectCode(unknown, 500, 'verification_failed');
    expect(unknown.json.message).to.match(/^Failed to validate the configuration details: .*no Docker socket/);
    expect(unknown.json).to.include({ cause: 'connection_refused', remedy: remedyOf('connection_refused') });
    expectCode(await read('docker/local'), 404, 'not_found');
    await save(docker());
    expectCode(await test(docker()), 409, 'duplicate_name');
    const before = (await read('docker/local')).json.config;
    expectCode(await test(docker({ is_edit: 'true', docker_network: 'other' })), 500, 'verification_failed');
    const { last_test, ...after } = (await read('docker/local')).json.config;
    expect(after).to.deep.equal(before);
    expect(last_test).to.include({ status: 'fail', error_code: 'connection_refused' });
  });

  it('one of many concurrent creates wins', async () => {
    const replies = await Promise.all(Array.from({ length: 8 }, () => save(docker())));
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(7).fill(409)]);
    expect(await world.records(CONNECTIONS)).to.have.length(1);
  });

  it('is not deleted while containers run through it', async () => {
    const refs = await world.secretRefs();
    await save(docker());
    await kit.uses('docker.local');
    const refused = await remove('docker/LOCAL');
    expectCode(refused, 409, 'in_use');
    expect(refused.json.used_by).to.deep.equal(['M']);
    await kit.unused();
    expect((await remove('docker/LOCAL')).status).to.equal(200);
    expect(await world.secretRefs()).to.deep.equal(refs);
  });

  it('a list of logs validates its query', async () => {
    for (const [query, field] of [
      ['tail=x', 'tail'],
      ['tail=10001', 'tail'],
      ['since=yesterday', 'since'],
      ['previous=maybe', 'previous'],
    ] as const) {
      expectInvalid(await world.call('reader', 'GET', `/container_logs?${query}`), [field]);
    }
    expect((await world.call('reader', 'GET', '/container_logs?tail=10&since=60')).status).to.equal(200);
  });
}
