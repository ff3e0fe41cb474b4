import { expect } from 'chai';
import { MASK } from '../../src/contract/basics.ts';
import { refusalsWithout, summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';

const REGION = 'eu-central-1';
const KNOWLEDGE_BASE = 'KB12345678';
const KEY_ID = 'AKIAIOSFODNN7EXAMPLE';
const SECRET_KEY = 'canary/secret+key9d55e2a8XXXXXXXXXXXXXXX';
const ROLE = 'arn:aws:iam::123456789012:role/reader';

const { expectCode, expectFields } = refusalsWithout(SECRET_KEY);

const details = (more: object = {}) => ({
  cloud_access_key_id: KEY_ID,
  cloud_access_key_token: SECRET_KEY,
  cloud_region: REGION,
  kb_id: KNOWLEDGE_BASE,
  ...more,
});

/** Records of vector stores (contract 7), in any world. Their tests against AWS are in vectorStores.peers.test.ts. */
export function vectorStoreSuite(open: OpenWorld): void {
  const world = open({
    users: { anna: ['ml_admin'], bert: ['user', 'editors'], carl: ['user', 'readers'] },
    roles: { editors: ['edit_agent_connections', 'register_ml_models'] },
    collections: ['ml_vector_stores', 'ml_agents'],
  });
  const post = (body: object, user = 'anna') => world.call(user, 'POST', '/vector_stores', body);
  const put = (body: object, user = 'anna', headers: Record<string, string> = {}) =>
    world.call(user, 'PUT', '/vector_stores', body, headers);
  const get = (name: string, user = 'anna') => world.call(user, 'GET', `/vector_stores/${encodeURIComponent(name)}`);
  const remove = (name: string, user = 'anna', query = '') =>
    world.call(user, 'DELETE', `/vector_stores/${encodeURIComponent(name)}${query}`);
  const test = (body: object, user = 'anna') => world.call(user, 'POST', '/vector_stores/test', body);

  let names = 0;
  async function made(more: object = {}, moreDetails: object = {}): Promise<string> {
    names += 1;
    const name = `store ${names}`;
    const reply = await post({ name, type: 'CLOUD_KB', details: details(moreDetails), ...more });
    expect(reply.status, summarize(reply)).to.equal(200);
    return name;
  }

  describe('records', () => {
    it('makes one, masked', async () => {
      const reply = await post({
        name: 'Handbook',
        type: 'CLOUD_KB',
        description: 'all we know',
        details: details({ role_arn: ROLE }),
      });
      expect(reply.status, summarize(reply)).to.equal(200);
      const { created_at, last_updated_at, ...config } = reply.json.config;
      expect(reply.json).to.deep.include({
        status: 'success',
        message: 'Vector store configuration created successfully',
      });
      expect(config).to.deep.equal({
        name: 'Handbook',
        type: 'CLOUD_KB',
        description: 'all we know',
        details: details({ cloud_access_key_token: MASK, role_arn: ROLE }),
        acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
        version: 1,
        created_by: 'anna',
        last_updated_by: 'anna',
      });
      expect(created_at).to.equal(last_updated_at);
      expect((await get('handbook')).json.config).to.deep.equal(reply.json.config);
      expect(await world.leaks(SECRET_KEY)).to.deep.equal([]);
      expect((await world.call('anna', 'GET', '/vector_stores?name=HANDBOOK')).json.config.name).to.equal('Handbook');
    });

    it('names everything wrong at once', async () => {
      expectFields(
        await post({
          name: '-x',
          type: 'OTHER',
          details: { cloud_region: 'eu-central-1.evil.example', kb_id: 'short', role_arn: 'arn:aws:s3:::x' },
        }),
        'name',
        'type',
        'details.cloud_region',
        'details.kb_id',
        'details.role_arn',
      );
      expectFields(await post({ name: 'x', type: 'CLOUD_KB' }), 'details');
      expectFields(await post({ name: 'x', type: 'CLOUD_KB', details: {} }), 'details.cloud_region', 'details.kb_id');
    });

    it('takes both keys or neither, on update too', async () => {
      const half = (more: object) => post({ name: 'half', type: 'CLOUD_KB', details: details(more) });
      expectFields(await half({ cloud_access_key_token: undefined }), 'details.cloud_access_key_token');
      expectFields(await half({ cloud_access_key_id: undefined }), 'details.cloud_access_key_id');
      const neither = { cloud_access_key_token: null, cloud_access_key_id: '' };
      const name = await made({}, neither);
      expect((await get(name)).json.config.details).to.deep.equal({ cloud_region: REGION, kb_id: KNOWLEDGE_BASE });
      expectFields(await put({ name, details: { cloud_access_key_id: KEY_ID } }), 'details.cloud_access_key_token');
      const full = await made();
      expectFields(
        await put({ name: full, details: { cloud_access_key_token: '' } }),
        'details.cloud_access_key_token',
      );
      expectFields(await put({ name: full, details: { cloud_access_key_id: null } }), 'details.cloud_access_key_id');
      const dropped = await put({ name: full, details: neither });
      expect(dropped.json.config.details).to.deep.equal({ cloud_region: REGION, kb_id: KNOWLEDGE_BASE });
    });

    it('changes a subset, keeps the rest, and counts versions', async () => {
      const name = await made({ description: 'before' });
      const refs = await world.secretRefs();
      const reply = await put({ name, description: 'after', version: 1 });
      expect(reply.json.config).to.deep.include({ description: 'after', version: 2 });
      expect(reply.json.config.details.cloud_access_key_token).to.equal(MASK);
      expect(await world.secretRefs()).to.deep.equal(refs);
      const again = await put(reply.json.config);
      expect(again.json, summarize(again)).to.not.have.property('warnings');
      expect(again.json.config.version).to.equal(3);
      const stale = await put({ name, description: 'late' }, 'anna', { 'If-Match': '"2"' });
      expectCode(stale, 409, 'version_conflict');
      expect(stale.json.current_version).to.equal(3);
    });

    it('binds the secret to region and role', async () => {
      const name = await made({}, { role_arn: ROLE });
      for (const change of [{ cloud_region: 'us-east-1' }, { role_arn: `${ROLE}2` }, { role_arn: '' }]) {
        const masked = { ...change, cloud_access_key_token: MASK };
        for (const body of [change, masked]) {
          expectCode(await put({ name, details: body }), 400, 'secret_required_for_new_host');
          expectCode(await test({ name, details: body }), 400, 'secret_required_for_new_host');
        }
      }
      const anew = { cloud_region: 'us-east-1', cloud_access_key_token: SECRET_KEY };
      expect((await put({ name, details: anew })).json.config.details.cloud_region).to.equal('us-east-1');
      expect((await put({ name, details: { kb_id: 'ABCDEFGHIJ' } })).status, 'another base').to.equal(200);
    });

    it('deletes record and secret', async () => {
      const before = await world.secretRefs();
      const name = await made();
      expect((await world.secretRefs()).length).to.equal(before.length + 1);
      expect((await remove(name)).json).to.deep.include({ status: 'success', name });
      expect(await world.secretRefs()).to.deep.equal(before);
      expectCode(await get(name), 404, 'not_found');
      expectCode(await remove(name), 404, 'not_found');
    });

    it('stays while an agent uses it, unless forced', async () => {
      const name = await made();
      const acl = { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } };
      await world.store('ml_agents', {
        _key: 'a',
        name: 'Helper',
        acl,
        knowledge_bases: [name.toUpperCase()],
      });
      const reply = await remove(name);
      expectCode(reply, 409, 'in_use');
      expect(reply.json.used_by).to.deep.equal(['Helper']);
      expect((await remove(name, 'anna', '?force=true')).status).to.equal(200);
      await world.remove('ml_agents', 'a');
    });
  });

  describe('access', () => {
    it('lets the owner, readers and writers do what the list says', async () => {
      const name = await made({ acl: { sharing: 'app', perms: { read: ['readers'], write: ['editors'] } } });
      const hidden = await made();
      for (const user of ['bert', 'carl']) {
        expect((await get(name, user)).status).to.equal(200);
        expectCode(await get(hidden, user), 404, 'not_found');
        const list = (await world.call(user, 'GET', '/vector_stores?count=0')).json;
        expect(list.result.map((one: { name: string }) => one.name)).to.deep.equal([name]);
        expect(list.pagination.total).to.equal(1);
      }
      expect((await put({ name, description: 'by bert' }, 'bert')).status).to.equal(200);
      expectCode(await put({ name, acl: { sharing: 'user' } }, 'bert'), 403, 'acl_denied');
      expectCode(await put({ name: hidden, description: 'x' }, 'bert'), 404, 'not_found');
      expectCode(await put({ name, description: 'x' }, 'carl'), 403, 'missing_capability');
      expectCode(await test({ name }, 'carl'), 403, 'missing_capability');
    });
  });

  describe('lists', () => {
    it('sorts, searches and pages', async () => {
      for (const name of ['zz b', 'ZZ a', 'zz c']) {
        await post(
          { name, type: 'CLOUD_KB', details: details(), description: name === 'zz c' ? 'Special' : '' },
          'bert',
        );
      }
      const list = async (query: string) => {
        const { json } = await world.call('bert', 'GET', `/vector_stores?search=ZZ&${query}`);
        return json.result.map((one: { name: string }) => one.name);
      };
      expect(await list('')).to.deep.equal(['ZZ a', 'zz b', 'zz c']);
      expect(await list('sort_dir=desc&count=2')).to.deep.equal(['zz c', 'zz b']);
      expect(await list('offset=1&count=1')).to.deep.equal(['zz b']);
      for (const query of ['sort_key=secret', 'count=-1', 'offset=x', 'sort_dir=up']) {
        expectCode(await world.call('bert', 'GET', `/vector_stores?${query}`), 400, 'validation_failed');
      }
    });
  });
}
