import { expect } from 'chai';
import { summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';
import { CRUD_USERS, crudSuite } from './crud.ts';

/** Usage limits as records (contract 19.1), in any world. */
export function usageLimitSuite(open: OpenWorld): void {
  const world = open({
    users: { ...CRUD_USERS, lena: ['user', 'limiters'] },
    roles: { limiters: ['edit_usage_limits'] },
    collections: ['ml_usage_limits', 'ml_usage_counters'],
  });
  const PATH = '/usage_limits';
  const post = (body: object, user = 'anna') => world.call(user, 'POST', PATH, body);
  const put = (body: object, user = 'anna') => world.call(user, 'PUT', PATH, body);
  const get = (name: string, user = 'anna') => world.call(user, 'GET', `${PATH}/${name}`);
  const made = async (body: object) => {
    const reply = await post({ name: 'Team', window: 'day', requests: 5, ...body });
    expect(reply.status, summarize(reply)).to.equal(200);
    return reply.json;
  };
  const refused = async (sent: ReturnType<typeof post>, status: number, code: string, ...fields: string[]) => {
    const reply = await sent;
    expect([reply.status, reply.json.error_code], summarize(reply)).to.deep.equal([status, code]);
    expect((reply.json.errors ?? []).map(({ field }: { field: string }) => field)).to.deep.equal(fields);
  };

  crudSuite(world, {
    path: PATH,
    collection: 'ml_usage_limits',
    messages: { created: 'Usage limit created', updated: 'Usage limit updated', deleted: 'Usage limit deleted' },
    least: { window: 'day', requests: 5 },
    shown: {
      description: '',
      applies_to: {},
      per: 'user',
      window: 'day',
      requests: 5,
      action: 'refuse',
      is_enabled: true,
    },
    change: { requests: 6, description: 'after' },
    hasAcl: false,
  });

  it('show what is used of them', async () => {
    await made({});
    const { resets_at, ...use } = (await get('TEAM')).json.config.status;
    expect(use).to.deep.equal({
      used: { requests: 0, tokens: 0, cost: 0 },
      left: { requests: 5 },
      users: 0,
      top: [],
    });
    expect(resets_at % 86_400).to.equal(0);
  });

  it('need a window and one of three numbers', async () => {
    await refused(post({ name: 'x', requests: 1 }), 400, 'validation_failed', 'window');
    await refused(post({ name: 'x', window: 'day' }), 400, 'validation_failed', 'requests');
    await refused(post({ name: 'x', window: 'week', tokens: 1 }), 400, 'validation_failed', 'window');
    await refused(post({ name: 'x', window: 'day', tokens: -1 }), 400, 'validation_failed', 'tokens');
    await refused(post({ name: 'x', window: 'day', requests: 1.5 }), 400, 'validation_failed', 'requests');
    await refused(post({ name: 'Status', window: 'day', requests: 1 }), 400, 'validation_failed', 'name');
    await refused(
      post({ name: 'x', window: 'day', requests: 1, applies_to: { operations: ['sing'] } }),
      400,
      'validation_failed',
      'applies_to.operations.0',
    );
    for (const quantity of ['requests', 'tokens', 'cost']) {
      expect((await post({ name: quantity, window: 'month', [quantity]: 0 })).status, quantity).to.equal(200);
    }
  });

  it('an update keeps what it omits, merges applies_to, and null removes an amount', async () => {
    await made({ tokens: 100, applies_to: { users: ['bert'], roles: ['user', 'user'], models: ['*'] } });
    const { json } = await put({
      name: 'team',
      requests: null,
      applies_to: { users: null, models: [], operations: ['chat'] },
      version: 1,
    });
    const { applies_to, tokens, version, per } = json.config;
    expect([applies_to, tokens, version, per]).to.deep.equal([
      { roles: ['user'], operations: ['chat'] },
      100,
      2,
      'user',
    ]);
    expect(json.config).not.to.have.property('requests');
    await refused(put({ name: 'team', tokens: null }), 400, 'validation_failed', 'requests');
  });

  it('are read and written by those who may edit usage limits, whoever made them', async () => {
    await made({});
    expect((await get('team', 'lena')).status).to.equal(200);
    expect((await world.call('lena', 'GET', `${PATH}?search=tea&count=0`)).json.result).to.have.length(1);
    expect((await world.call('lena', 'GET', `${PATH}?name=team`)).json.config.name).to.equal('Team');
    expect((await put({ name: 'team', description: 'hers' }, 'lena')).status).to.equal(200);
    for (const sent of [
      post({ name: 'x', window: 'day', requests: 1 }, 'bert'),
      put({ name: 'team', requests: 1 }, 'bert'),
      get('team', 'bert'),
      world.call('bert', 'GET', PATH),
      world.call('bert', 'DELETE', `${PATH}/team`),
    ]) {
      await refused(sent, 403, 'missing_capability');
    }
    expect((await world.call('lena', 'DELETE', `${PATH}/Team`)).json.name).to.equal('Team');
    await refused(get('team'), 404, 'not_found');
  });

  it('warn of what a cost limit does not see, and of references that fit nothing', async () => {
    const { warnings } = await made({ cost: 5, applies_to: { models: ['*', 'nobody/nothing'] } });
    expect(warnings).to.have.length(2);
    expect(warnings.join('\n'))
      .to.match(/nobody\/nothing/)
      .and.match(/without a price/);
    for (const [operations, count] of [
      [['predict', 'retrieve', 'execute_tool'], 0],
      [['predict', 'chat'], 1],
      [['embeddings'], 1],
    ] as const) {
      const { json } = await put({ name: 'team', cost: null, applies_to: { models: ['churn'], operations } });
      expect(json.warnings ?? [], operations.join()).to.have.length(count);
    }
  });

  it('warn of users and roles that the platform does not have, whenever a body names them', async () => {
    const applies_to = { users: ['bert', 'gone', '..'], roles: ['Limiters', 'ghosts', 'bad role'] };
    const unlisted = (user: string) =>
      `applies_to.users: this search head lists no user "${user}" now. Users of single sign-on are listed once they have logged in here; the limit holds for them in any case.`;
    const missing = [
      unlisted('gone'),
      unlisted('..'),
      'applies_to.roles: there is no role "ghosts" now',
      'applies_to.roles: there is no role "bad role" now',
    ];
    expect((await made({ applies_to })).warnings).to.deep.equal(missing);
    expect((await put({ name: 'team', applies_to: { roles: ['ghosts'] } })).json.warnings).to.deep.equal([missing[2]]);
    expect((await put({ name: 'team', requests: 6 })).json).not.to.have.property('warnings');
    expect((await put({ name: 'team', applies_to: null })).json).not.to.have.property('warnings');
    const known = { users: ['bert', 'lena'], roles: ['user', 'limiters'] };
    expect((await put({ name: 'team', applies_to: known })).json).not.to.have.property('warnings');
  });

  it('any session sees what is left of the limits that hold it', async () => {
    await made({ name: 'b', applies_to: { users: ['bert'] } });
    await made({ name: 'a', tokens: 7, applies_to: { roles: ['user'] }, window: 'month' });
    await made({ name: 'off', is_enabled: false });
    await made({ name: 'others', applies_to: { users: ['lena'] } });
    const { status, json } = await world.call('bert', 'GET', `${PATH}/status`);
    expect(status).to.equal(200);
    expect(json.result.map(({ resets_at, ...rest }: { resets_at: number }) => rest)).to.deep.equal([
      { name: 'a', window: 'month', used: { requests: 0, tokens: 0, cost: 0 }, left: { requests: 5, tokens: 7 } },
      { name: 'b', window: 'day', used: { requests: 0, tokens: 0, cost: 0 }, left: { requests: 5 } },
    ]);
  });
}
