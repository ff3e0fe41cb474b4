import { expect } from 'chai';
import { pageOf } from '../support/replies.ts';
import type { Answer, OpenWorld } from '../support/worlds/world.ts';

type Json = Record<string, unknown>;

const FIT = { role: 'fit', search: '| fit LinearRegression y from x into m1', algorithm: 'LinearRegression' };

/** Experiments as their users see them, in any world. */
export function experimentSuite(open: OpenWorld): void {
  const world = open({
    users: { ann: ['user'], ben: ['user', 'analyst'], eve: ['user'], reader: ['user'], root: ['admin'] },
    collections: ['ml_experiments', 'ml_experiment_history'],
  });

  const create = async (user: string, more: Json = {}): Promise<Answer> => {
    await world.later();
    return world.call(user, 'POST', '/experiments', { title: 'Sales', type: 'smart_forecast', ...more });
  };
  const made = async (user: string, more: Json = {}): Promise<string> => (await create(user, more)).json.experiment_id;
  const update = (user: string, id: string, body: Json, headers: Record<string, string> = {}) =>
    world.call(user, 'POST', `/experiments/${id}`, body, headers);
  const read = async (user: string, id: string) => (await world.call(user, 'GET', `/experiments/${id}`)).json.config;
  const titles = async (user: string, query = '') =>
    (await world.call(user, 'GET', `/experiments${query}`)).json.result.map(({ title }: Json) => title);

  describe('create', () => {
    it('makes id, defaults and metadata', async () => {
      const earliest = world.now();
      const { status, json } = await create('ann');
      expect(status).to.equal(200);
      expect(json.experiment_id).to.match(/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
      const { created_at } = json.config;
      expect(created_at).to.be.within(earliest, world.now());
      expect(json.config).to.deep.equal({
        experiment_id: json.experiment_id,
        title: 'Sales',
        description: '',
        type: 'smart_forecast',
        search_stages: [],
        statistics: {},
        status: 'draft',
        models: [],
        tags: [],
        acl: { owner: 'ann', sharing: 'user', perms: { read: [], write: [] } },
        version: 1,
        created_at,
        created_by: 'ann',
        last_updated_at: created_at,
        last_updated_by: 'ann',
      });
      expect(await read('ann', json.experiment_id)).to.deep.equal(json.config);
    });

    it('keeps every field, and derives the models from the stages', async () => {
      const body = {
        title: '  Whole  ',
        description: 'All of it',
        data_source: { search: 'index=a', earliest: '-1d', latest: 0 },
        search_stages: [
          {
            role: 'preprocess',
            search: '| fit PCA a b into p1',
            model_name: 'p1',
            parameters: { k: 2, $odd: { 'a.b': 1 } },
          },
          { ...FIT, model_name: 'm1', fields: ['x', 'y'] },
          { role: 'apply', search: '| apply m1', model_name: 'm1', fields: { target: 'y' } },
          { role: 'visualize', search: '| timechart count' },
        ],
        statistics: { 'R^2': 0.9, $rmse: 1.5, __proto__x: null, nested: { 'mean.abs': [1, { deep: true }] } },
        status: 'trained',
        schedule: { cron: '*/15 0-6 1,15 * mon-fri' },
        tags: ['a', 'b', 'a'],
      };
      const id = await made('ann', body);
      const config = await read('ann', id);
      expect(config).to.deep.include({
        title: 'Whole',
        data_source: { type: 'search', search: 'index=a', earliest: '-1d', latest: 0 },
        search_stages: body.search_stages,
        models: ['p1', 'm1'],
        schedule: { cron: '*/15 0-6 1,15 * mon-fri', enabled: true },
        tags: ['a', 'b'],
        status: 'trained',
      });
      expect(config.statistics).to.deep.equal({ 'R^2': 0.9, $rmse: 1.5, nested: { 'mean.abs': [1, { deep: true }] } });
    });

    it('names every wrong field', async () => {
      const bad: [Json, string][] = [
        [{ title: '' }, 'title'],
        [{ title: '   ' }, 'title'],
        [{ title: 'x'.repeat(257) }, 'title'],
        [{ type: 'other' }, 'type'],
        [{ status: 'done' }, 'status'],
        [{ data_source: { type: 'file' } }, 'data_source.type'],
        [{ search_stages: [{ role: 'fit' }] }, 'search_stages.0.search'],
        [{ search_stages: [{ ...FIT, role: 'train' }] }, 'search_stages.0.role'],
        [{ search_stages: [{ ...FIT, model_name: '../m' }] }, 'search_stages.0.model_name'],
        [{ statistics: [] }, 'statistics'],
        [{ tags: [''] }, 'tags.0'],
        [{ schedule: { enabled: true } }, 'schedule.cron'],
        [{ schedule: { cron: 'x' } }, 'schedule.cron'],
        [{ schedule: { cron: '60 * * * *' } }, 'schedule.cron'],
        [{ schedule: { cron: '* * * * * *' } }, 'schedule.cron'],
        [{ schedule: { cron: '5-1 * * * *' } }, 'schedule.cron'],
        [{ schedule: { cron: '*/0 * * * *' } }, 'schedule.cron'],
      ];
      for (const [body, field] of bad) {
        const { status, json } = await create('ann', body);
        expect(status, JSON.stringify(body)).to.equal(400);
        expect(json.errors.map((error: Json) => error.field)).to.include(field);
      }
      const both = await world.call('ann', 'POST', '/experiments', { description: 1 });
      expect(both.json.errors.map((error: Json) => error.field)).to.have.members(['title', 'type', 'description']);
      expect(await world.records('ml_experiments')).to.deep.equal([]);
    });

    it('refuses free-form parts nested without end, in both writes', async () => {
      const deep = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
      const body = `{"title":"t","type":"smart_forecast","statistics":{"a":${deep}}}`;
      const reply = await world.call('ann', 'POST', '/experiments', body);
      expect(reply.status).to.equal(400);
      expect(reply.json.errors).to.deep.equal([{ field: 'statistics', message: 'is nested deeper than 32 levels' }]);
      const id = await made('ann');
      expect((await world.call('ann', 'POST', `/experiments/${id}`, `{"statistics":{"a":${deep}}}`)).status).to.equal(
        400,
      );
      const history = await world.call(
        'ann',
        'POST',
        `/experiments/${id}/history`,
        `{"action":"note","parameters":{"a":${deep}}}`,
      );
      expect(history.status).to.equal(400);
      expect(history.json.errors[0].field).to.equal('parameters');
    });

    it('gives nobody an experiment, except administrators', async () => {
      expect((await create('ann', { acl: { owner: 'ben' } })).json.error_code).to.equal('acl_denied');
      const id = await made('root', { acl: { owner: 'ben' } });
      expect((await read('ben', id)).acl.owner).to.equal('ben');
    });
  });

  describe('update', () => {
    it('changes what is given: objects merge, arrays are replaced, null unsets', async () => {
      const id = await made('ann', {
        data_source: { search: 'a', earliest: '-1d' },
        statistics: { keep: 1, drop: 2, inner: { a: 1, b: 2 } },
        search_stages: [{ ...FIT, model_name: 'm1' }],
        tags: ['x', 'y'],
        schedule: { cron: '0 * * * *', enabled: false },
      });
      const body = {
        data_source: { search: 'b', earliest: null },
        statistics: { drop: null, inner: { b: 3 }, list: [1] },
        tags: ['z'],
        schedule: { enabled: true },
      };
      const { json } = await update('ann', id, body);
      expect(json.config).to.deep.include({
        title: 'Sales',
        data_source: { type: 'search', search: 'b' },
        statistics: { keep: 1, inner: { a: 1, b: 3 }, list: [1] },
        tags: ['z'],
        schedule: { cron: '0 * * * *', enabled: true },
        models: ['m1'],
        version: 2,
      });
      const staged = await update('ann', id, { search_stages: [{ ...FIT, model_name: 'm2' }], status: 'trained' });
      expect(staged.json.config).to.deep.include({ models: ['m2'], status: 'trained', version: 3 });
      const cleared = await update('ann', id, {
        data_source: null,
        schedule: null,
        statistics: null,
        tags: null,
        search_stages: null,
      });
      expect(cleared.json.config).to.not.have.any.keys('data_source', 'schedule');
      expect(cleared.json.config).to.deep.include({ statistics: {}, tags: [], search_stages: [], models: [] });
    });

    it('takes back what GET answered', async () => {
      const id = await made('ann', { search_stages: [{ ...FIT, model_name: 'm1' }], schedule: { cron: '0 0 * * *' } });
      const config = await read('ann', id);
      const { status, json } = await update('ann', id, config);
      expect(status).to.equal(200);
      expect(json).to.not.have.property('warnings');
      expect({ ...json.config, version: 1 }).to.deep.equal({ ...config, last_updated_at: json.config.last_updated_at });
      expect((await update('ann', id, config)).json).to.include({ error_code: 'version_conflict', current_version: 2 });
    });

    it('leaves type and id alone', async () => {
      const id = await made('ann');
      expect((await update('ann', id, { type: 'smart_forecast', experiment_id: id })).status).to.equal(200);
      const type = await update('ann', id, { type: 'smart_clustering' });
      expect(type.json.errors).to.deep.equal([{ field: 'type', message: 'cannot be changed; it is smart_forecast' }]);
      const other = await update('ann', id, { experiment_id: '0'.repeat(32) });
      expect(other.json.errors[0].field).to.equal('experiment_id');
      expect((await read('ann', id.toUpperCase())).experiment_id).to.equal(id);
    });

    it('keeps an experiment below one megabyte, however it grew', async () => {
      const id = await made('ann', { statistics: { a: 'x'.repeat(700_000) } });
      const grown = await update('ann', id, { statistics: { b: 'x'.repeat(400_000) } });
      expect(grown.status).to.equal(413);
      expect(grown.json).to.include({ error_code: 'payload_too_large', limit: 1_048_576 });
      expect((await update('ann', id, { statistics: { a: null, b: 'x'.repeat(400_000) } })).status).to.equal(200);
      expect((await create('ann', { statistics: { a: 'x'.repeat(1_048_576) } })).status).to.equal(413);
    });

    it('makes one of many changes that build on the same version', async () => {
      const id = await made('ann');
      const replies = await Promise.all(
        Array.from({ length: 8 }, (_, index) => update('ann', id, { title: `t${index}` }, { 'If-Match': '1' })),
      );
      expect(replies.map(({ status }) => status).sort()).to.deep.equal([200, ...Array(7).fill(409)]);
    });

    it('merges changes that come at once', async () => {
      const id = await made('ann');
      await Promise.all(
        Array.from({ length: 8 }, (_, index) => update('ann', id, { statistics: { [`s${index}`]: index } })),
      );
      expect(Object.keys((await read('ann', id)).statistics)).to.have.length(8);
    });
  });

  describe('access', () => {
    it('hides, shows and protects as the access list says', async () => {
      const mine = await made('ann', { title: 'mine' });
      const read1 = await made('ann', { title: 'read', acl: { sharing: 'app', perms: { read: ['analyst'] } } });
      const write1 = await made('ann', { title: 'write', acl: { sharing: 'global', perms: { write: ['analyst'] } } });
      const open = await made('ann', { title: 'open', acl: { sharing: 'app', perms: { read: ['*'] } } });
      const closed = await made('ann', {
        title: 'closed',
        acl: { sharing: 'user', perms: { read: ['*'], write: ['*'] } },
      });
      expect(await titles('ann')).to.deep.equal(['closed', 'mine', 'open', 'read', 'write']);
      expect(await titles('root')).to.deep.equal(['closed', 'mine', 'open', 'read', 'write']);
      expect(await titles('ben')).to.deep.equal(['open', 'read', 'write']);
      expect(await titles('reader')).to.deep.equal(['open']);
      for (const [id, readStatus, writeStatus] of [
        [mine, 404, 404],
        [closed, 404, 404],
        [read1, 200, 403],
        [open, 200, 403],
        [write1, 200, 200],
      ] as const) {
        expect((await world.call('ben', 'GET', `/experiments/${id}`)).status, id).to.equal(readStatus);
        expect((await world.call('ben', 'GET', `/experiments/${id}/history`)).status, id).to.equal(readStatus);
        expect((await update('ben', id, { description: 'by ben' })).status).to.equal(writeStatus);
        const note = { action: 'note' };
        expect((await world.call('ben', 'POST', `/experiments/${id}/history`, note)).status).to.equal(writeStatus);
        expect((await world.call('ben', 'POST', `/experiments/${id}/clone_models`)).status).to.equal(writeStatus);
        if (writeStatus !== 200)
          expect((await world.call('ben', 'DELETE', `/experiments/${id}`)).status).to.equal(writeStatus);
      }
      expect((await update('ben', write1, { acl: { sharing: 'user' } })).json.error_code).to.equal('acl_denied');
    });

    it('two users and every sharing', async () => {
      const perms = [{}, { read: ['analyst'] }, { write: ['analyst'] }, { read: ['*'] }];
      const expected: Record<string, string[]> = { ann: [], ben: [], eve: [] };
      for (const sharing of ['user', 'app', 'global']) {
        for (const [index, one] of perms.entries()) {
          const title = `${sharing} ${index}`;
          const id = await made('ann', { title, acl: { sharing, perms: one } });
          expected.ann?.push(title);
          const reads = sharing !== 'user' && index > 0;
          if (reads) expected.ben?.push(title);
          if (reads && index === 3) expected.eve?.push(title);
          const writes = reads && index === 2;
          expect((await world.call('ben', 'GET', `/experiments/${id}`)).status, title).to.equal(reads ? 200 : 404);
          const change = await update('ben', id, { description: 'by ben' });
          expect(change.status, title).to.equal(writes ? 200 : reads ? 403 : 404);
          const reshare = await update('ben', id, { acl: { owner: 'ben' } });
          expect(reshare.status, title).to.equal(reads ? 403 : 404);
        }
      }
      for (const [user, list] of Object.entries(expected)) {
        expect(await titles(user, '?count=0'), user).to.deep.equal(list.sort());
        const { total } = (await world.call(user, 'GET', '/experiments?count=1')).json.pagination;
        expect(total).to.equal(list.length);
      }
      const found = await titles('ben', '?search=GLOBAL&sort_dir=desc');
      expect(found).to.deep.equal(['global 3', 'global 2', 'global 1']);
      expect(await titles('root', '?count=0&owner=ann')).to.have.length(12);
    });

    it('moves through lists with its access list and its owner', async () => {
      const id = await made('ann', { title: 'moving' });
      await update('ann', id, { acl: { sharing: 'app', perms: { read: ['analyst', 'user'] } } });
      expect(await titles('reader')).to.deep.equal(['moving']);
      await update('ann', id, { acl: { perms: { read: ['analyst'] } } });
      expect([await titles('reader'), await titles('ben')]).to.deep.equal([[], ['moving']]);
      await update('root', id, { acl: { owner: 'reader', sharing: 'user' } });
      expect([await titles('reader'), await titles('ben'), await titles('ann')]).to.deep.equal([['moving'], [], []]);
      expect(await titles('root', '?owner=reader')).to.deep.equal(['moving']);
      expect(await titles('root', '?owner=ann')).to.deep.equal([]);
    });
  });

  describe('list', () => {
    beforeEach(async () => {
      for (const [index, title] of ['beta', 'Alpha', 'gamma', 'delta', 'Epsilon'].entries()) {
        await made('ann', {
          title,
          type: index % 2 === 0 ? 'smart_forecast' : 'smart_clustering',
          status: index < 2 ? 'draft' : 'trained',
          description: index === 3 ? 'About ALPHA centauri' : '',
          search_stages: [FIT],
        });
      }
      await made('ben', { title: 'foreign' });
    });

    it('sorts without regard to case, pages, and counts what the caller may read', async () => {
      const { json } = await world.call('ann', 'GET', '/experiments?count=2&offset=1');
      expect(json.result.map(({ title }: Json) => title)).to.deep.equal(['beta', 'delta']);
      expect(json.pagination).to.deep.equal(pageOf(5, 2, 1));
      expect(await titles('ann', '?sort_dir=desc')).to.deep.equal(['gamma', 'Epsilon', 'delta', 'beta', 'Alpha']);
      expect(await titles('ann', '?sort_key=created_at&count=0')).to.deep.equal([
        'beta',
        'Alpha',
        'gamma',
        'delta',
        'Epsilon',
      ]);
      const beyond = (await world.call('ann', 'GET', '/experiments?offset=99')).json.pagination;
      expect(beyond).to.deep.equal(pageOf(5, 30, 99));
    });

    it('filters by type, owner and status, and searches title and description', async () => {
      expect(await titles('ann', '?type=smart_clustering')).to.deep.equal(['Alpha', 'delta']);
      expect(await titles('ann', '?status=draft')).to.deep.equal(['Alpha', 'beta']);
      expect(await titles('ann', '?status=draft&type=smart_forecast')).to.deep.equal(['beta']);
      expect(await titles('ann', '?owner=ben')).to.deep.equal([]);
      expect(await titles('root', '?owner=ben')).to.deep.equal(['foreign']);
      expect(await titles('ann', '?search=alpha')).to.deep.equal(['Alpha', 'delta']);
      expect(await titles('ann', '?search=alpha&sort_key=created_at&sort_dir=desc&count=1')).to.deep.equal(['delta']);
      expect(await titles('ann', '?search=foreign')).to.deep.equal([]);
      for (const query of ['type=x', 'status=x', 'sort_key=description', 'count=-1', 'detail=maybe', 'owner=']) {
        expect((await world.call('ann', 'GET', `/experiments?${query}`)).status, query).to.equal(400);
      }
    });

    it('shows stages only with detail=true', async () => {
      const [plain] = (await world.call('ann', 'GET', '/experiments?count=1')).json.result;
      expect(plain).to.not.have.property('search_stages');
      expect(plain).to.include.keys('statistics', 'models', 'acl', 'version');
      for (const query of ['?count=1&detail=true', '?search=alpha&count=1&detail=true']) {
        const [detailed] = (await world.call('ann', 'GET', `/experiments${query}`)).json.result;
        expect(detailed.search_stages).to.deep.equal([FIT]);
      }
    });
  });
}
