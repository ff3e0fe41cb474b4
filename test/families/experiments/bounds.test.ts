import { expect } from 'chai';
import { History } from '../../../src/families/experiments/history.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { caller } from '../../support/memory/platform.ts';

const EXPERIMENTS = 'ml_experiments';

describe('the number of experiments of one user', () => {
  let app: MemoryApp;
  const create = (user = 'ann', more: Json = {}) =>
    app.call(user, 'POST', '/experiments', { title: 'x', type: 'smart_forecast', ...more });
  const number = () => app.site.records.all(EXPERIMENTS).length;

  /** As many experiments as the user has one of. */
  const multiply = (count: number): void => {
    const [first] = app.site.records.all(EXPERIMENTS);
    const docs = app.site.records.collection(EXPERIMENTS);
    for (let at = number(); at < count; at += 1) {
      const _key = String(at).padStart(32, '0');
      docs.set(_key, JSON.stringify({ ...first, _key, experiment_id: _key }));
    }
  };

  beforeEach(async () => {
    app = new MemoryApp();
    app.user('ann', { roles: ['user'] });
    app.user('ben', { roles: ['user'] });
    await create();
  });

  it('is 2,000: a further one is 429 and not to be tried again, until one is deleted', async () => {
    multiply(1999);
    expect((await create()).status).to.equal(200);
    const { status, json, headers } = await create();
    expect([status, json.error_code]).to.deep.equal([429, 'too_many_records']);
    expect(headers).to.include({ 'x-should-retry': 'false' }).and.to.not.have.property('Retry-After');
    expect(number()).to.equal(2000);
    expect((await create('ben')).status).to.equal(200);
    // An owner who is named by an administrator counts as well.
    const acl = { owner: 'ann', sharing: 'app', perms: { read: ['*'], write: [] } };
    expect((await create('root', { acl })).json.error_code).to.equal('too_many_records');
    expect((await create('root', { acl: { ...acl, owner: 'root' } })).status).to.equal(200);
    const [first] = app.site.records.all(EXPERIMENTS);
    expect((await app.call('ann', 'DELETE', `/experiments/${first?._key}`)).status).to.equal(200);
    expect((await create()).status).to.equal(200);
  });

  it('is never passed by creations at the same time', async () => {
    multiply(1990);
    const statuses = (await Promise.all(Array.from({ length: 30 }, () => create()))).map(({ status }) => status);
    expect(number()).to.equal(2000);
    expect(statuses.filter((status) => status === 200)).to.have.length(10);
    expect(statuses.filter((status) => status === 429)).to.have.length(20);
  });

  it('does not limit what history keeps of one experiment, but of one user in all of them', async () => {
    const { random } = Math;
    Math.random = () => 0;
    try {
      const stores = app.site.process();
      const history = new History(stores, 5);
      for (let at = 0; at < 12; at += 1) {
        app.site.clock.advance(1);
        await history.add(caller(at < 4 ? 'ben' : 'ann'), `e${at % 3}`, { action: 'train' });
      }
      const users = app.site.records.all('ml_experiment_history').map(({ user }) => user);
      expect(users.filter((user) => user === 'ben')).to.have.length(4);
      expect(users.filter((user) => user === 'ann').length).to.be.within(5, 6);
    } finally {
      Math.random = random;
    }
  });
});
