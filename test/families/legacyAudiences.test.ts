import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Acl } from '../../src/contract/common.ts';
import { MemoryApp } from '../support/memory/app.ts';
import { type FaultMode, FaultPlan } from '../support/memory/faults.ts';

const ROLE_SETS: string[][] = [[], ['user'], ['analyst'], ['*'], ['analyst', 'power'], ['nobodys']];
const USERS: Record<string, string[]> = {
  ann: ['user'],
  ben: ['analyst'],
  cleo: ['user', 'power'],
  dan: [],
};

/** What 0.1.0 left: `audience` is a text, the roles behind a hash stand in a collection of their own. */
function asOf010(app: MemoryApp, id: string, acl: Acl): void {
  const records = app.site.records.collection('ml_experiments');
  const doc = JSON.parse(records.get(id) ?? '');
  const roles = [...new Set([...acl.perms.read, ...acl.perms.write])].sort();
  let audience = '-';
  if (acl.sharing !== 'user' && roles.includes('*')) audience = '*';
  else if (acl.sharing !== 'user' && roles.length > 0) {
    audience = createHash('sha256').update(JSON.stringify(roles)).digest('hex').slice(0, 24);
    app.site.records.collection('ml_audiences').set(audience, JSON.stringify({ _key: audience, roles }));
  }
  records.set(id, JSON.stringify({ ...doc, acl, audience }));
}

async function home010(): Promise<{ app: MemoryApp; expected: Record<string, string[]> }> {
  const app = new MemoryApp();
  for (const [user, roles] of Object.entries(USERS)) app.user(user, { roles });
  const expected: Record<string, string[]> = { ann: [], ben: [], cleo: [], dan: [], root: [] };
  for (const [number, roles] of [...ROLE_SETS, ...ROLE_SETS].entries()) {
    const sharing = number % 5 === 4 ? 'user' : 'app';
    const title = `number ${String(number).padStart(2, '0')}`;
    const created = await app.call('ann', 'POST', '/experiments', { title, type: 'smart_forecast' });
    const perms = number < 6 ? { read: roles, write: [] } : { read: [], write: roles };
    asOf010(app, created.json.experiment_id, { owner: 'ann', sharing, perms });
    expected.ann?.push(title);
    expected.root?.push(title);
    for (const [user, own] of Object.entries(USERS).slice(1)) {
      const reads = roles.some((role) => role === '*' || own.includes(role));
      if (sharing === 'app' && reads) expected[user]?.push(title);
    }
  }
  return { app, expected };
}

const titles = async (app: MemoryApp, user: string, faults?: FaultPlan) => {
  const reply = await app.request({ path: '/ml/experiments', query: [['count', '0']], sessionToken: user }, faults);
  return reply.status === 200 ? reply.json.result.map(({ title }: { title: string }) => title) : reply.json.error_code;
};
const left = (app: MemoryApp) => app.site.records.all('ml_audiences').length;

/** Lists, by whomever, until nothing of 0.1.0 is left. */
async function finish(app: MemoryApp): Promise<void> {
  for (let round = 0; left(app) > 0; round += 1) {
    if (round > 20) expect.fail('the sets of 0.1.0 stay');
    app.site.clock.advance(20_000);
    await titles(app, 'dan');
  }
}

describe('experiments of 0.1.0', () => {
  it('are listed for whom they were, before, while and after they get the form of today', async () => {
    const { app, expected } = await home010();
    expect(left(app)).to.equal(4);
    for (let round = 0; round < 3; round += 1) {
      for (const [user, all] of Object.entries(expected)) expect(await titles(app, user), user).to.deep.equal(all);
    }
    expect(left(app)).to.equal(0);
    for (const doc of app.site.records.all('ml_experiments')) {
      if (typeof doc.audience === 'string') expect(doc.audience).to.be.oneOf(['-', '*']);
      else expect(doc.audience).to.be.an('array');
      expect(doc).to.include({ version: 1, last_updated_by: 'ann' });
    }
    expect(app.site.records.all('ml_leases')).to.deep.equal([]);
  });

  it('cost one query once nothing of them is left, and none writes', async () => {
    const { app } = await home010();
    await finish(app);
    const faults = new FaultPlan();
    await titles(app, 'ben', faults);
    // One of the two asks whether a newer version has written some.
    const page = ['find ml_experiments', 'count ml_experiments', 'find ml_experiments'];
    expect(faults.trace).to.have.members(['find ml_audiences', ...page]);
  });

  it('new records name nothing that another list reads', async () => {
    const { app } = await home010();
    await finish(app);
    for (let index = 0; index < 40; index += 1) {
      const acl = { sharing: 'app', perms: { read: [`role${index}`] } };
      await app.call('ann', 'POST', '/experiments', { title: 't', type: 'smart_forecast', acl });
    }
    expect(left(app)).to.equal(0);
  });

  for (const mode of ['crash', 'refused', 'lost'] as FaultMode[]) {
    it(`${mode} at any call of the move: a list is whole or fails, and the move ends`, async () => {
      const { app: first } = await home010();
      const counting = new FaultPlan();
      await titles(first, 'ben', counting);
      expect(counting.calls).to.be.greaterThan(20);
      for (let at = 1; at <= counting.calls; at += 1) {
        const { app, expected } = await home010();
        const where = `${mode} at ${at}: ${counting.trace[at - 1]}`;
        const broken = await titles(app, 'ben', new FaultPlan(at, mode));
        if (broken !== 'store_unavailable' && broken !== 'internal_error') {
          expect(broken, where).to.deep.equal(expected.ben);
        }
        for (const [user, all] of Object.entries(expected)) expect(await titles(app, user), where).to.deep.equal(all);
        await finish(app);
        for (const [user, all] of Object.entries(expected)) expect(await titles(app, user), where).to.deep.equal(all);
      }
    });
  }

  it('several processes at once', async () => {
    const { app, expected } = await home010();
    for (let round = 0; round < 3; round += 1) {
      const users = ['ben', 'cleo', 'ben', 'dan', 'root', 'ann'];
      const lists = await Promise.all(users.map((user) => titles(app, user)));
      for (const [index, user] of users.entries()) expect(lists[index], user).to.deep.equal(expected[user]);
    }
    await finish(app);
    expect(await titles(app, 'ben')).to.deep.equal(expected.ben);
  });

  it('sets without records go, many at a time; too many of one caller is a failure, not a shorter list', async () => {
    const { app, expected } = await home010();
    const sets = app.site.records.collection('ml_audiences');
    for (let index = 0; index < 600; index += 1) {
      const _key = index.toString(16).padStart(24, '0');
      sets.set(_key, JSON.stringify({ _key, roles: ['analyst', `x${index}`] }));
    }
    expect(await titles(app, 'cleo')).to.deep.equal(expected.cleo);
    // The attack of 0.1.0: all of them are sets of this caller.
    for (let index = 0; index < 600; index += 1) {
      const _key = `f${index.toString(16).padStart(23, '0')}`;
      sets.set(_key, JSON.stringify({ _key, roles: ['analyst', `x${index}`] }));
    }
    const seen = await titles(app, 'ben');
    if (seen !== 'store_unavailable') expect(seen).to.deep.equal(expected.ben);
    await finish(app);
    expect(await titles(app, 'ben')).to.deep.equal(expected.ben);
  });
});
