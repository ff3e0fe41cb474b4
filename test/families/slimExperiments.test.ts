import { expect } from 'chai';
import type { Caller } from '../../src/contract/caller.ts';
import { reachOf } from '../../src/domain/audience.ts';
import { SlimRows } from '../../src/domain/slimRows.ts';
import { EXPERIMENT_SORTS } from '../../src/families/experiments/constants.ts';
import { Experiments } from '../../src/families/experiments/service.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';
import { Random } from '../support/random.ts';

const TYPES = ['smart_forecast', 'smart_clustering'];
const STATUSES = ['draft', 'trained'];
type Query = Parameters<Experiments['list']>[1];

describe('searches of experiments in what a process keeps', () => {
  let site: MemoryPlatform;
  let random: Random;
  let rows: SlimRows;
  beforeEach(() => {
    site = new MemoryPlatform();
    random = new Random(18);
    rows = new SlimRows();
  });

  const docs = () => site.records.collection('ml_experiments');
  const put = (index: number, more: object = {}, behindMs = 0) => {
    const _key = index.toString(16).padStart(32, '0');
    const { version } = JSON.parse(docs().get(_key) ?? '{"version":0}') as { version: number };
    const acl = {
      owner: random.pick(['ann', 'ben']),
      sharing: random.pick(['app', 'user']),
      perms: { read: random.pick([['user'], ['power'], ['*'], []]), write: random.pick([[], ['power']]) },
    };
    const title = `${random.pick(['Sales', 'sales', 'Stock'])} ${random.below(40)}`;
    const record = {
      ...{ _key, experiment_id: _key, title, title_key: title.toLowerCase(), tags: [], models: [], acl },
      ...{ description: random.pick(['', 'of LAST year', 'of this one']), outline: '{}', stages: '[]' },
      ...{
        type: random.pick(TYPES),
        status: random.pick(STATUSES),
        created_at: random.below(50),
        ...reachOf(acl as never),
      },
      ...{ created_by: 'x', last_updated_by: 'x', secret_ref: null, secret_fields: [] },
      ...{ version: version + 1, last_updated_at: (site.clock.now() - behindMs) / 1000, ...more },
    };
    docs().set(_key, JSON.stringify(record));
  };
  const fill = () => {
    for (let index = 0; index < 260; index += 1) put(index);
  };
  const list = (isKept: boolean, who: Caller, query: Query, faults = new FaultPlan()) => {
    const stores = site.process(faults);
    return new Experiments(isKept ? { ...stores, rows } : stores).list(who, query);
  };
  const someone = () =>
    random.chance(0.3)
      ? caller('root', { capabilities: ['admin_all_objects'] })
      : caller(random.pick(['ann', 'dan']), { roles: random.pick([['user'], ['power'], ['user', 'power'], []]) });

  it('find what reading all finds, whatever is filtered and sorted by, and whoever asks', async () => {
    fill();
    for (let round = 0; round < 300; round += 1) {
      site.clock.advance(random.pick([0, 1000, 30_000]));
      for (let count = random.below(4); count > 0; count -= 1) put(random.below(280));
      if (random.chance(0.3)) docs().delete(random.pick([...docs().keys()]));
      const query: Query = {
        search: random.pick(['sales', ' SALES 1', 'stock', 'last', 'none']),
        ...(random.chance(0.7) ? { sort_key: random.pick(Object.keys(EXPERIMENT_SORTS)) } : {}),
        ...(random.chance(0.7) ? { sort_dir: random.pick(['asc', 'desc'] as const) } : {}),
        ...(random.chance(0.3) ? { type: random.pick(TYPES) } : {}),
        ...(random.chance(0.3) ? { status: random.pick(STATUSES) } : {}),
        ...(random.chance(0.3) ? { owner: random.pick(['ann', 'ben', 'zoe']) } : {}),
        ...(random.chance(0.3) ? { detail: true } : {}),
        count: random.pick([0, 5, 30]),
        ...(random.chance(0.3) ? { offset: random.pick([3, 50]) } : {}),
      };
      const who = someone();
      const about = `${round}: ${who.user} ${who.roles} ${JSON.stringify(query)}`;
      expect(await list(true, who, query), about).to.deep.equal(await list(false, who, query));
    }
  });

  it('find records of 0.1.0, whose readers stand in a set of their own', async () => {
    for (let index = 0; index < 260; index += 1) put(index, shared(['user']));
    const dan = caller('dan');
    const query = { search: 's', count: 0 };
    await list(true, dan, query);
    site.records.collection('ml_audiences').set('hash', JSON.stringify({ _key: 'hash', roles: ['user'] }));
    for (let index = 0; index < 260; index += 1) put(index, { ...shared(['user']), audience: 'hash' });
    expect((await list(true, dan, query)).records).to.have.length(260);
  });

  it('show nothing that the caller may not read now', async () => {
    for (let index = 0; index < 260; index += 1) put(index, shared(['user']));
    const dan = caller('dan');
    const query = { search: 's', count: 30 };
    const { pagination } = await list(true, dan, query);
    expect(pagination.total).to.equal(260);
    // The clock of these writers is further behind than anybody looks back.
    for (let index = 0; index < 260; index += 1) put(index, shared(['power']), 400_000);
    expect((await list(true, dan, query)).records).to.deep.equal([]);
    expect((await list(true, { ...dan, roles: [] }, query)).pagination.total).to.equal(0);
  });

  it('read no more than what has changed, and their page', async () => {
    fill();
    const root = caller('root', { capabilities: ['admin_all_objects'] });
    await list(true, root, { search: 's' });
    site.clock.advance(1000);
    put(7);
    const faults = new FaultPlan();
    expect((await list(true, root, { search: 's' }, faults)).records).to.have.length(30);
    // Sets of 0.1.0, newer forms, the number, recent changes, the one, and the page.
    const find = 'find ml_experiments';
    const asked = ['find ml_audiences', 'count ml_experiments', find, find, find, find];
    expect(faults.trace.toSorted()).to.deep.equal(asked.toSorted());
  });
});

const shared = (read: string[]) => {
  const acl = { owner: 'ann', sharing: 'app' as const, perms: { read, write: [] } };
  return { acl, ...reachOf(acl) };
};
