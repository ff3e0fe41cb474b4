import { createHash } from 'node:crypto';
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

  it('a changed definition counts two seconds later at the latest, a changed assignment at once', async () => {
    await platform.createRole('joiner', []);
    await platform.createUser('joe', ['joiner']);
    expect(await titles('joe')).to.deep.equal([]);
    ok(await platform.admin('POST', '/services/authorization/roles/joiner', { imported_roles: ['analyst'] }));
    platform.advance(2000);
    expect(await titles('joe')).to.deep.equal(['for analysts', 'for users']);
    ok(await platform.admin('POST', '/services/authentication/users/joe', { roles: ['power'] }));
    expect(await titles('joe')).to.deep.equal(['for users']);
  });

  it('a home of 0.1.0 shows each reader what it showed, and moves to the form of today', async () => {
    const acl = { owner: 'ann', sharing: 'app', perms: { read: ['analyst'], write: ['power'] } };
    const roles = ['analyst', 'power'];
    const hash = createHash('sha256').update(JSON.stringify(roles)).digest('hex').slice(0, 24);
    await create('private');
    const all = await platform.documents('ml_experiments');
    const example = all.find(({ title }) => title === 'private');
    const old = Array.from({ length: 60 }, (_, index) => {
      const key = `${String(example?._key).slice(0, 29)}${String(index).padStart(3, '0')}`;
      return {
        ...example,
        _key: key,
        experiment_id: key,
        title: `old ${index}`,
        title_key: `old ${index}`,
        acl,
        audience: hash,
      };
    });
    const everyone = `${String(example?._key).slice(0, 29)}fff`;
    const open = { owner: 'ann', sharing: 'global', perms: { read: ['*'], write: [] } };
    await platform.putDocuments('ml_audiences', [{ _key: hash, roles }]);
    await platform.putDocuments('ml_experiments', [
      ...old,
      {
        ...example,
        _key: everyone,
        experiment_id: everyone,
        title: 'open',
        title_key: 'open',
        acl: open,
        audience: '*',
      },
    ]);
    const total = async (user: string) =>
      ok(await platform.ml(user, 'GET', '/experiments?count=1&type=smart_forecast')).json.pagination.total;
    const before = { lee: 2, pat: 1, mia: 1 };
    for (let round = 0; ; round += 1) {
      const [lee, pat, mia] = await Promise.all([total('lee'), total('pat'), total('mia')]);
      expect({ lee, pat, mia }).to.deep.equal({ lee: before.lee + 61, pat: before.pat + 61, mia: before.mia + 1 });
      if ((await platform.documents('ml_audiences')).length === 0) break;
      expect(round).to.be.below(30);
    }
    const moved = (await platform.documents('ml_experiments')).filter(({ title }) => String(title).startsWith('old'));
    for (const doc of moved) expect(doc.audience).to.deep.equal(roles);
    expect(moved).to.have.length(60);
  });
});

describe('access lists over HTTP, as in memory', () => accessListSuite(overHttp));
