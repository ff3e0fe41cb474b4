import { expect } from 'chai';
import type { SplunkdClient } from '../../src/adapters/splunkd/client.ts';
import { RoleDefinitions } from '../../src/adapters/splunkd/roles.ts';
import { table } from '../../src/table.ts';
import { accessListSuite } from '../suites/accessLists.ts';
import { faultOf } from '../support/fault.ts';
import { MemoryApp } from '../support/memory/app.ts';
import { ManualClock } from '../support/memory/clock.ts';
import { inMemory } from '../support/worlds/inMemory.ts';

const EXPERIMENT = { title: 'Sales', type: 'smart_forecast' };

describe('roles in access lists', () => accessListSuite(inMemory));

describe('roles in access lists, and what they cost', () => {
  let app: MemoryApp;
  beforeEach(() => {
    app = new MemoryApp();
    app.roles.imported.set('ml_user', ['user']);
    app.roles.imported.set('ml_admin', ['ml_user']);
    // A loop is the platform's to prevent, and no reason to hang.
    app.roles.imported.set('user', ['ml_admin']);
    app.user('ann', { roles: ['user'] });
    app.user('heir', { roles: ['ml_user'] });
    app.user('other', { roles: ['power'] });
  });
  const create = async (user: string, acl: object) => app.call(user, 'POST', '/experiments', { ...EXPERIMENT, acl });

  it('a loop of imports ends', async () => {
    await create('ann', { sharing: 'app', perms: { write: ['ml_admin'] } });
    expect((await app.call('heir', 'GET', '/experiments')).json.pagination.total).to.equal(1);
  });

  it('asks nothing for administrators, for rows without access lists, and before the gate', async () => {
    await app.call('root', 'GET', '/experiments');
    await app.call('heir', 'GET', '/ctsm_feature');
    await app.call('heir', 'GET', '/list_connections');
    expect((await app.call('heir', 'POST', '/mcp_connection', {})).status).to.equal(403);
    expect(app.roles.asked).to.deep.equal([]);
  });

  it('costs no question about existence without an access list', async () => {
    await app.call('root', 'POST', '/experiments', EXPERIMENT);
    expect(app.roles.asked).to.deep.equal([]);
    await app.call('root', 'POST', '/experiments', { ...EXPERIMENT, acl: { perms: { read: ['*'] } } });
    expect(app.roles.asked).to.deep.equal([]);
  });

  it('a stored list stays valid with a deleted role or more than 32 roles', async () => {
    const { json } = await create('ann', { sharing: 'app', perms: { read: ['user', 'temps'] } });
    const path = `/experiments/${json.experiment_id}`;
    app.roles.missing.add('temps');
    expect((await app.call('ann', 'POST', path, json.config)).status).to.equal(200);
    const write = await app.call('ann', 'POST', path, { acl: { perms: { write: ['temps'] } } });
    expect(write.json.errors.map(({ field }: { field: string }) => field)).to.deep.equal(['acl.perms.write.0']);

    const many = Array.from({ length: 100 }, (_, index) => `role${index}`);
    const stored = app.site.records.collection('ml_experiments');
    const doc = JSON.parse(stored.get(json.experiment_id) ?? '');
    doc.acl.perms.read = many;
    stored.set(json.experiment_id, JSON.stringify(doc));
    const whole = (await app.call('ann', 'GET', path)).json.config;
    expect((await app.call('ann', 'POST', path, whole)).status).to.equal(200);
    expect((await app.call('ann', 'POST', path, { acl: { perms: { read: many.slice(1) } } })).status).to.equal(200);
    const longer = await app.call('ann', 'POST', path, { acl: { perms: { read: [...many.slice(2), 'user'] } } });
    expect(longer.json.errors).to.deep.equal([
      { field: 'acl.perms.read', message: 'must be a list of at most 32 roles' },
    ]);
  });

  it('bounds number and length, and asks nothing about a list that is too long', async () => {
    const many = Array.from({ length: 33 }, (_, index) => `role${index}`);
    app.roles.asked.length = 0;
    const { json } = await app.call('root', 'POST', '/experiments', {
      ...EXPERIMENT,
      acl: { perms: { read: many, write: ['x'.repeat(129)] } },
    });
    expect(json.errors.map(({ field }: { field: string }) => field)).to.have.members([
      'acl.perms.read',
      'acl.perms.write.0',
    ]);
    expect(app.roles.asked).to.deep.equal([]);
    expect((await create('ann', { perms: { read: many.slice(1) } })).status).to.equal(200);
  });

  it('every row that looks at access lists says so', () => {
    const more = [
      'listModels',
      'exportConfiguration',
      'deleteLlmConfiguration',
      'listConnectionHealth',
      'checkConnectionHealth',
      'getOwnUsageLimits',
    ];
    const families = [
      'mcp-connections',
      'vector-stores',
      'experiments',
      'agents',
      'model-registrations',
      'model_aliases',
      'gateway',
      'runs',
      'search_tools',
    ];
    for (const row of table) {
      const isAsked = families.includes(row.family) && !row.id.startsWith('probeGateway');
      expect(row.acl ?? false, row.id).to.equal(isAsked || more.includes(row.id));
    }
  });
});

describe('role definitions of the platform', () => {
  const calls: string[] = [];
  let status = 200;
  const clock = new ManualClock();
  const client = {
    async call({ endpoint, token }: { endpoint: string; token: string }) {
      calls.push(`${token} ${endpoint}`);
      const name = decodeURIComponent(endpoint.replace('authorization/roles/', ''));
      const entry = [{ name: name.toLowerCase(), content: { imported_roles: ['user'] } }];
      return { status, text: JSON.stringify({ entry }) };
    },
  } as unknown as SplunkdClient;
  const roles = new RoleDefinitions().for(client, 'system', clock);

  it('are asked with the system token, and kept two seconds', async () => {
    expect(await roles.imports('ml_user')).to.deep.equal(['user']);
    clock.advance(1999);
    expect(await roles.imports('ml_user')).to.deep.equal(['user']);
    expect(calls).to.deep.equal(['system authorization/roles/ml_user']);
    clock.advance(1);
    await roles.imports('ml_user');
    expect(calls).to.have.length(2);
  });

  it('ignores an answer about another role and a name that is another path', async () => {
    expect(await roles.imports('ML_User')).to.equal(undefined);
    calls.length = 0;
    for (const name of ['..', '.', 'a/b', 'a b', 'a:b', 'a;b', 'a\u0000']) {
      expect(await roles.imports(name)).to.equal(undefined);
    }
    expect(calls).to.deep.equal([]);
  });

  it('a platform that does not answer is a failure: nobody may see less for it', async () => {
    status = 500;
    expect((await faultOf(roles.imports('power'))).code).to.equal('store_unavailable');
    status = 404;
    expect(await roles.imports('power')).to.equal(undefined);
  });
});
