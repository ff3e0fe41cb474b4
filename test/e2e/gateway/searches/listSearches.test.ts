import { expect } from 'chai';
import { expectStatus, type TestPlatform } from '../../../support/e2e/platform.ts';
import { searched } from '../../agents/agentSupport.ts';
import { configure, gatewayPlatform } from '../gatewayPlatform.ts';

const EVERYONE = { sharing: 'app', perms: { read: ['*'], write: [] } };

describe('mllist on the platform', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await gatewayPlatform();
    await platform.createUser('carl', ['user']);
    await configure(platform, 'up', 'https://llm.example.com');
    const target = { service: 'General_Chat', connection_name: 'up', model: 'm' };
    const agent = { runtime_type: 'BUILT_IN', llm: target, description: 'Sorts', acl: EVERYONE };
    const store = { cloud_region: 'eu-central-1', kb_id: 'ABCDEFGHIJ' };
    for (const [path, body] of [
      ['/model_aliases', { name: 'default', targets: [target], description: 'The usual one' }],
      ['/agents', { name: 'triage', ...agent }],
      ['/agents', { name: 'resting', ...agent, is_enabled: false }],
      ['/search_tools', { name: 'hosts', search: '| makeresults', description: 'Hosts', acl: EVERYONE }],
      ['/vector_stores', { name: 'Runbooks', type: 'CLOUD_KB', details: store, description: 'What to do' }],
      ['/usage_limits', { name: 'a_day', window: 'day', requests: 10 }],
    ] as const) {
      const reply = await platform.ml(path === '/usage_limits' ? 'admin' : 'anna', 'POST', path, body);
      expectStatus(reply, 200, `${path} ${reply.text}`);
    }
  });
  after(() => platform?.dispose());

  const list = async (kind: string, user = 'anna') =>
    (await searched(platform, user, `| mllist kind=${kind} | table kind name title description type`)).rows;

  it('gives a row for each thing that its user may use', async () => {
    expect(await list('agents')).to.deep.equal([
      { kind: 'agents', name: 'triage', title: 'triage', description: 'Sorts', type: 'BUILT_IN' },
    ]);
    expect((await list('aliases')).map(({ name, type }) => [name, type])).to.deep.equal([['default', 'first']]);
    expect((await list('stores')).map(({ name, type }) => [name, type])).to.deep.equal([['Runbooks', 'CLOUD_KB']]);
    const models = (await list('models')).map(({ name, type }) => `${name} ${type}`);
    expect(models).to.include('up/m General_Chat');
    const tools = (await list('tools')).map(({ name, type }) => `${name} ${type}`);
    expect(tools).to.include.members(['search__hosts search', 'retrieve__Runbooks retrieve', 'agent__triage agent']);
    const [limit] = await list('limits');
    expect(limit).to.include({ name: 'a_day', type: 'day' });
    expect(limit?.description).to.match(/^left: .*10 requests/);
  });

  it('lists the agents of an alert for a user without the role of the app, and says what else it lacks', async () => {
    expect((await list('agents', 'carl')).map(({ name }) => name)).to.deep.equal(['triage']);
    expect(await list('aliases', 'carl')).to.deep.equal([]);
    for (const kind of ['models', 'tools']) {
      const { job } = await searched(platform, 'carl', `| mllist kind=${kind}`);
      expect(JSON.stringify(job), kind).to.include('use_ai_gateway');
    }
  });

  it('refuses another kind by the name of its option', async () => {
    const { job } = await searched(platform, 'anna', '| mllist kind=people');
    expect(JSON.stringify(job))
      .to.include('Unknown kind')
      .and.include('aliases, agents, tools, stores, models, limits');
  });
});
