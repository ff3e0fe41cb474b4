import { expect } from 'chai';
import { MASK } from '../../src/contract/basics.ts';
import { refusalsWithout, summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';
import { CRUD_USERS, crudSuite } from './crud.ts';

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
    users: CRUD_USERS,
    roles: { editors: ['edit_agent_connections'] },
    collections: ['ml_vector_stores', 'ml_agents'],
  });
  crudSuite(world, {
    path: '/vector_stores',
    collection: 'ml_vector_stores',
    messages: {
      created: 'Vector store configuration created successfully',
      updated: 'Vector store configuration updated successfully',
      deleted: 'Vector store configuration deleted successfully',
    },
    least: { type: 'CLOUD_KB', details: details({ role_arn: ROLE }) },
    shown: { type: 'CLOUD_KB', description: '', details: details({ cloud_access_key_token: MASK, role_arn: ROLE }) },
    secrets: { 'details/cloud_access_key_token': SECRET_KEY },
    change: { description: 'after' },
    hasAcl: true,
    agentOf: (name) => ({ knowledge_bases: [name] }),
  });

  const post = (body: object) => world.call('anna', 'POST', '/vector_stores', body);
  const put = (body: object) => world.call('anna', 'PUT', '/vector_stores', body);
  const get = (name: string) => world.call('anna', 'GET', `/vector_stores/${encodeURIComponent(name)}`);
  const test = (body: object, user = 'anna') => world.call(user, 'POST', '/vector_stores/test', body);

  let names = 0;
  async function made(more: object = {}, moreDetails: object = {}): Promise<string> {
    names += 1;
    const name = `store ${names}`;
    const reply = await post({ name, type: 'CLOUD_KB', details: details(moreDetails), ...more });
    expect(reply.status, summarize(reply)).to.equal(200);
    return name;
  }

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
    expectFields(await put({ name: full, details: { cloud_access_key_token: '' } }), 'details.cloud_access_key_token');
    expectFields(await put({ name: full, details: { cloud_access_key_id: null } }), 'details.cloud_access_key_id');
    const dropped = await put({ name: full, details: neither });
    expect(dropped.json.config.details).to.deep.equal({ cloud_region: REGION, kb_id: KNOWLEDGE_BASE });
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

  it('is tested by those who may edit it', async () => {
    const name = await made({ acl: { sharing: 'app', perms: { read: ['readers'] } } });
    expectCode(await test({ name }, 'carl'), 403, 'missing_capability');
  });
}
