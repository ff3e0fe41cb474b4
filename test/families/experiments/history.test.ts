import { expect } from 'chai';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { historyEntry } from '../../support/records/histories.ts';

describe('history of experiments', () => {
  let app: MemoryApp;
  let id: string;

  beforeEach(async () => {
    app = new MemoryApp();
    app.user('ann');
    id = (await app.call('ann', 'POST', '/experiments', { title: 'Sales', type: 'smart_forecast' })).json.experiment_id;
  });

  const add = async (more: Json = {}, user = 'ann') => {
    app.site.clock.advance(1000);
    return app.call(user, 'POST', `/experiments/${id}/history`, { action: 'train', ...more });
  };
  const list = async (query = '', user = 'ann') =>
    (await app.call(user, 'GET', `/experiments/${id}/history${query}`)).json;
  const actions = async (query = '') => (await list(query)).result.map(({ action }: Json) => action);

  it('adds an entry with the time and user set by the server', async () => {
    const body = {
      sid: '17.4',
      search: '| fit x',
      models: ['m1'],
      parameters: { $k: 1, 'a.b': [2] },
      statistics: { rmse: 0.5 },
      duration_ms: 12.5,
      message: 'fine',
    };
    const { status, json } = await add({ ...body, timestamp: 1, user: 'root', history_id: 'mine', experiment_id: 'x' });
    expect(status).to.equal(200);
    expect(json.history_id).to.match(/^[0-9a-f]{32}$/);
    const timestamp = app.site.clock.seconds();
    const entry = {
      history_id: json.history_id,
      experiment_id: id,
      action: 'train',
      timestamp,
      user: 'ann',
      ...body,
      status: 'success',
    };
    expect(json.config).to.deep.equal(entry);
    expect((await list()).result[0]).to.deep.equal(entry);
  });

  it('records create, update and clone_models', async () => {
    app.site.clock.advance(1000);
    await app.call('ann', 'POST', `/experiments/${id}`, { title: 'New', statistics: {} });
    app.lookups.put('ann', `__mlspl__exp_draft_${id}_a.mlmodel`);
    app.site.clock.advance(1000);
    await app.call('ann', 'POST', `/experiments/${id}/clone_models`);
    const { result } = await list();
    expect(result.map(({ action, message, models }: Json) => ({ action, message, models }))).to.deep.equal([
      { action: 'clone_models', message: '1 of 1 model cloned', models: [`_exp_${id}_a`] },
      { action: 'update', message: 'Changed: title, statistics', models: [] },
      { action: 'create', message: undefined, models: [] },
    ]);
  });

  it('searches message, user and action without regard to case, and counts the matches', async () => {
    app.user('Zoe', { roles: ['user'] });
    await app.call('ann', 'POST', `/experiments/${id}`, { acl: { sharing: 'app', perms: { write: ['user'] } } });
    for (let index = 0; index < 120; index += 1) await add({ message: `Run ${index} of NIGHT${index % 2}` });
    await add({ action: 'alert', message: 'drift' });
    await add({ action: 'note', search: '| inputlookup night1' }, 'Zoe');
    for (const [word, total] of [
      ['night1', 60],
      ['ZOE', 1],
      ['aler', 1],
      ['DRIFT', 1],
      ['upda', 1],
      ['inputlookup', 0],
      ['  night0 ', 60],
    ] as const) {
      const { pagination, result } = await list(`?search=${encodeURIComponent(word)}&count=7`);
      expect(pagination.total, word).to.equal(total);
      expect(result.length, word).to.equal(Math.min(7, total));
    }
    const seen: string[] = [];
    let offset: number | null = 0;
    while (offset !== null) {
      const { result, pagination } = await list(`?search=night1&count=25&offset=${offset}&action=train`);
      seen.push(...result.map(({ message }: Json) => message));
      offset = pagination.next_offset;
    }
    expect(seen).to.deep.equal(Array.from({ length: 60 }, (_, index) => `Run ${119 - 2 * index} of NIGHT1`));
    const ascending = await list('?search=night1&count=1&sort_dir=asc');
    expect(ascending.result[0].message).to.equal('Run 1 of NIGHT1');
  });

  it('lists newest first, filtered and in pages', async () => {
    const times: number[] = [];
    for (const [action, status] of [
      ['train', 'success'],
      ['apply', 'fail'],
      ['train', 'fail'],
      ['alert', 'success'],
    ] as const) {
      times.push((await add({ action, status })).json.config.timestamp);
    }
    expect(await actions()).to.deep.equal(['alert', 'train', 'apply', 'train', 'create']);
    expect(await actions('?sort_dir=asc')).to.deep.equal(['create', 'train', 'apply', 'train', 'alert']);
    expect(await actions('?action=train')).to.deep.equal(['train', 'train']);
    expect(await actions('?status=fail')).to.deep.equal(['train', 'apply']);
    expect(await actions(`?earliest=${times[1]}`)).to.deep.equal(['alert', 'train', 'apply']);
    expect(await actions(`?latest=${times[1]}`)).to.deep.equal(['train', 'create']);
    expect(await actions(`?earliest=${times[1]}&latest=${times[3]}&action=train`)).to.deep.equal(['train']);
    const iso = new Date(Number(times[3]) * 1000).toISOString();
    expect(await actions(`?earliest=${iso}`)).to.deep.equal(['alert']);
    const { result, pagination } = await list('?count=2&offset=1');
    expect(result.map(({ action }: Json) => action)).to.deep.equal(['train', 'apply']);
    expect(pagination).to.deep.equal({ offset: 1, count: 2, total: 5, returned: 2, has_more: true, next_offset: 3 });
    for (const query of [
      'action=x',
      'status=x',
      'earliest=yesterday',
      'latest=',
      'earliest=2026-99-99',
      'sort_key=user',
    ]) {
      expect((await app.call('ann', 'GET', `/experiments/${id}/history?${query}`)).status, query).to.equal(400);
    }
  });

  it('keeps the newest thousand entries, and adds the last at the cost of the first', async () => {
    const countEntries = () => app.site.records.all('ml_experiment_history').length;
    const doc = (index: number) => historyEntry(id, index, { user: 'ann' });
    const docs = app.site.records.collection('ml_experiment_history');
    for (let index = 0; index < 1200; index += 1) docs.set(doc(index)._key, JSON.stringify(doc(index)));
    const other = { ...doc(0), _key: 'other', history_id: 'other', experiment_id: '0'.repeat(32) };
    docs.set('other', JSON.stringify(other));
    // Entries that are not trimmed yet are hidden.
    const before = await list('?count=1&sort_dir=asc');
    expect(before.pagination.total).to.equal(1000);
    expect(before.result[0].timestamp).to.equal(201);

    const calls: number[] = [];
    const plan = async () => {
      const { FaultPlan } = await import('../../support/memory/faults.ts');
      const faults = new FaultPlan();
      app.site.clock.advance(1000);
      await app.request(
        {
          method: 'POST',
          path: `/ml/experiments/${id}/history`,
          body: Buffer.from('{"action":"note"}'),
          sessionToken: 'ann',
        },
        faults,
      );
      calls.push(faults.calls);
    };
    for (let index = 0; index < 60 || (index < 900 && countEntries() > 1100); index += 1) await plan();
    expect(countEntries()).to.be.lessThan(1101);
    expect(countEntries()).to.be.greaterThan(1000);
    // Three of them belong to the audit trail.
    expect(Math.max(...calls)).to.be.lessThan(9);
    expect(calls.filter((count) => count === 5).length).to.be.greaterThan(calls.length / 2);
    expect((await list('?count=1')).pagination.total).to.equal(1000);
    expect(app.site.records.all('ml_experiment_history').filter(({ _key }) => _key === 'other')).to.have.length(1);
  });

  it('is deleted with its experiment, and with no other', async () => {
    const other = (await app.call('ann', 'POST', '/experiments', { title: 'Other', type: 'smart_forecast' })).json;
    await add();
    const removed = await app.call('ann', 'DELETE', `/experiments/${id}`);
    expect(removed.json).to.deep.include({ experiment_id: id, deleted_models: [], deleted_history: 2 });
    expect(app.site.records.all('ml_experiment_history').map(({ experiment_id }) => experiment_id)).to.deep.equal([
      other.experiment_id,
    ]);
    expect((await app.call('ann', 'GET', `/experiments/${id}/history`)).status).to.equal(404);
    expect((await add()).status).to.equal(404);
  });

  it('names the invalid field of an entry', async () => {
    const bad: [Json, string][] = [
      [{ action: 'other' }, 'action'],
      [{ status: 'maybe' }, 'status'],
      [{ duration_ms: -1 }, 'duration_ms'],
      [{ models: 'm' }, 'models'],
      [{ parameters: [] }, 'parameters'],
    ];
    for (const [body, field] of bad) {
      const { status, json } = await add(body);
      expect(status, field).to.equal(400);
      expect(json.errors[0].field).to.equal(field);
    }
    expect((await app.call('ann', 'POST', `/experiments/${id}/history`, {})).json.errors[0].field).to.equal('action');
  });
});
