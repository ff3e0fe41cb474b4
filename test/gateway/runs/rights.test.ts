import { expect } from 'chai';
import { EVERYBODY } from '../tools/toolsApp.ts';
import { type RunsApp, runsApp } from './runsApp.ts';

/** Readable for `user`, a role that only `ml_user` imports. */
const FOR_USERS = { sharing: 'app', perms: { read: ['user'], write: ['ml_admin'] } };

describe('the rights of the user of a run, whoever works on it', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
    const { app } = runs;
    app.roles.imported.set('ml_user', ['user']);
    app.roles.imported.set('ml_admin', ['ml_user']);
    const capabilities = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'];
    app.user('ann', { roles: ['ml_user'], capabilities });
    app.user('bob', { roles: ['ml_admin'], capabilities });
    app.user('limiter', { capabilities: ['edit_usage_limits'] });
    const shared = await app.call('maker', 'PUT', '/mcp_connection', { name: 'Desk', acl: FOR_USERS });
    expect(shared.status, JSON.stringify(shared.json)).to.equal(200);
    const agent = { name: 'helper', runtime_type: 'BUILT_IN', llm: { model: 'up/m1' }, mcps: [{ name: 'Desk' }] };
    const made = await app.call('bob', 'POST', '/agents', { ...agent, acl: FOR_USERS });
    expect(made.status, JSON.stringify(made.json)).to.equal(200);
    runs.turns.push('answer');
  });

  const start = async (worker = 'caller') => {
    const body = { agent: 'helper', input: 'x', worker, wait_s: 0 };
    const { status, json } = await runs.call('POST', '', body, 'ann');
    expect(status, JSON.stringify(json)).to.equal(200);
    return json.run_id as string;
  };
  const read = async (id: string, user = 'ann') => (await runs.call('GET', `/${id}`, undefined, user)).json.config;
  const step = (id: string, user: string) => runs.call('POST', `/${id}/step`, undefined, user);

  for (const user of ['ann', 'bob']) {
    it(`have imported roles in a step of ${user}`, async () => {
      const id = await start();
      expect((await step(id, user)).status).to.equal(200);
      expect(await read(id)).to.include({ state: 'succeeded', output: 'answer' });
    });

    it(`are held by the limits of imported roles in a step of ${user}`, async () => {
      const limit = { name: 'none', per: 'user', window: 'hour', requests: 0, roles: ['user'] };
      const made = await runs.app.call('limiter', 'POST', '/usage_limits', limit);
      expect(made.status, JSON.stringify(made.json)).to.equal(200);
      const id = await start();
      await step(id, user);
      expect(await read(id)).to.include({ state: 'failed', error_code: 'limit_exceeded' });
      expect(runs.asked).to.deep.equal([]);
    });
  }

  it('are refused to somebody else where a record cannot be read, and end the run in a step of its user', async () => {
    const id = await start();
    await runs.app.call('maker', 'PUT', '/mcp_connection', { name: 'Desk', acl: { ...EVERYBODY, sharing: 'user' } });
    const refused = await step(id, 'bob');
    expect([refused.status, refused.json.error_code]).to.deep.equal([403, 'acl_denied']);
    expect(refused.json.message).to.contain('Desk').and.to.contain('ann');
    expect((await read(id)).state).to.equal('queued');
    await step(id, 'ann');
    expect(await read(id)).to.include({ state: 'failed', error_code: 'unknown_reference' });
  });

  it('are those of a user of single sign-on once this search head lists the user; until then the run waits', async () => {
    const [id, other] = [await start(), await start()];
    const { callers } = runs.app.sessions;
    const ann = callers.get('ann');
    callers.delete('ann');
    const refused = await step(id, 'bob');
    expect([refused.status, refused.json.error_code]).to.deep.equal([403, 'acl_denied']);
    expect(refused.json.message).to.equal(
      'This search head does not list ann, as with single sign-on before a login here. Until then only ann can go on with this run.',
    );
    expect((await read(id, 'bob')).state).to.equal('queued');
    expect((await runs.call('POST', `/${other}/cancel`, undefined, 'bob')).status).to.equal(200);
    expect((await read(other, 'bob')).state).to.equal('cancelled');
    if (ann) callers.set('ann', ann);
    await step(id, 'bob');
    expect(await read(id)).to.include({ state: 'succeeded' });
  });

  it('are refused in a call as well, before its step is stored', async () => {
    runs.turns.splice(0, 1, [{ name: 'Desk__echo', args: { text: 'x' } }], 'answer');
    const id = await start();
    await step(id, 'ann');
    runs.app.roles.imported.set('ml_user', []);
    expect((await step(id, 'bob')).json.error_code).to.equal('acl_denied');
    expect((await read(id, 'bob')).state).to.equal('running');
    runs.app.roles.imported.set('ml_user', ['user']);
    await step(id, 'bob');
    expect((await read(id)).steps[1]).to.include({ state: 'done' });
  });

  it('dispatch no second search while the first one lives, whoever reads the run', async () => {
    const id = await start('job');
    await read(id, 'bob');
    await read(id, 'ann');
    expect(runs.app.searches.dispatched).to.have.length(1);
    runs.app.searches.active.clear();
    await read(id, 'bob');
    expect(runs.app.searches.dispatched.map(({ user }) => user)).to.deep.equal(['ann', 'bob']);
  });

  it('dispatch nothing for somebody whose steps would be refused', async () => {
    const id = await start('job');
    runs.app.searches.active.clear();
    await runs.app.call('maker', 'PUT', '/mcp_connection', { name: 'Desk', acl: { ...EVERYBODY, sharing: 'user' } });
    await read(id, 'bob');
    expect(runs.app.searches.dispatched).to.have.length(1);
  });
});

describe('a run without a model that can be found', () => {
  it('is not started', async () => {
    const runs = await runsApp();
    const begin = (definition: object) => runs.call('POST', '', { definition, input: 'x' });
    for (const definition of [
      { runtime_type: 'BUILT_IN' },
      { runtime_type: 'BUILT_IN', llm: { model: 'default' } },
      {},
    ]) {
      const { status, json } = await begin(definition);
      expect([status, json.error_code, json.errors[0].field]).to.deep.equal([400, 'unknown_reference', 'llm.model']);
    }
    const made = await runs.app.call('asker', 'POST', '/agents', { name: 'plain', runtime_type: 'BUILT_IN' });
    expect(made.status).to.equal(200);
    expect((await runs.call('POST', '', { agent: 'plain', input: 'x' })).json.error_code).to.equal('unknown_reference');
    expect(runs.app.searches.dispatched).to.deep.equal([]);
    const alias = { name: 'default', targets: [{ service: 'General_Chat', connection_name: 'up', model: 'm1' }] };
    runs.app.user('aliaser', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    const named = await runs.app.call('aliaser', 'POST', '/model_aliases', { ...alias, acl: EVERYBODY });
    expect(named.status, JSON.stringify(named.json)).to.equal(200);
    expect((await begin({ runtime_type: 'BUILT_IN' })).status).to.equal(200);
  });
});
