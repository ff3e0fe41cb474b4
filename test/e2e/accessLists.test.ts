import { expect } from 'chai';
import { accessListSuite } from '../suites/accessLists.ts';
import { type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { overHttp } from '../support/worlds/overHttp.ts';

describe('access lists over HTTP', () => {
  let platform: TestPlatform;

  before(async () => {
    platform = await startPlatform({ movableClock: true });
    await platform.createRole('analyst', ['user']);
    await platform.createRole('lead', ['analyst']);
    for (const [user, roles] of Object.entries({ ann: ['user'], mia: ['ml_user'], lee: ['lead'], pat: ['power'] })) {
      await platform.createUser(user, roles);
    }
    await create('for users', { sharing: 'app', perms: { read: ['user'] } });
    await create('for analysts', { sharing: 'app', perms: { read: ['analyst'] } });
  });
  after(() => platform.dispose());

  const ok = (reply: Reply): Reply => {
    expect(reply.status, reply.text).to.equal(200);
    return reply;
  };
  const create = async (title: string, acl?: object) =>
    ok(await platform.ml('ann', 'POST', '/experiments', { title, type: 'smart_forecast', ...(acl ? { acl } : {}) }))
      .json;
  const titles = async (user: string) =>
    ok(await platform.ml(user, 'GET', '/experiments?count=0')).json.result.map(({ title }: { title: string }) => title);

  it('a changed role definition applies within two seconds, a changed assignment at once', async () => {
    await platform.createRole('joiner', []);
    await platform.createUser('joe', ['joiner']);
    expect(await titles('joe')).to.deep.equal([]);
    ok(await platform.admin('POST', '/services/authorization/roles/joiner', { imported_roles: ['analyst'] }));
    platform.advance(2000);
    expect(await titles('joe')).to.deep.equal(['for analysts', 'for users']);
    ok(await platform.admin('POST', '/services/authentication/users/joe', { roles: ['power'] }));
    expect(await titles('joe')).to.deep.equal(['for users']);
  });
});

describe('access lists over HTTP', () => accessListSuite(overHttp));
