import { expect } from 'chai';
import { KEY } from '../support/records/llmBlob.ts';
import { refusalsWithout, summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';

const TEAM = { service: 'General_Chat', connection_name: 'Team', model: 'gpt-a' };
const SPARE = { service: 'Local_Runtime', connection_name: 'Spare', model: 'llama/3:8b' };
const USUAL_FALLBACKS = [
  ...['rate_limited', 'quota_exceeded', 'timeout', 'upstream_error'],
  ...['connection_refused', 'connection_reset', 'dns_failed'],
];

const { expectCode, expectFields } = refusalsWithout(KEY);

/** Model aliases (contract 16.2), in any world. */
export function modelAliasSuite(open: OpenWorld): void {
  const world = open({
    users: { anna: ['ml_admin'], bert: ['user', 'editors'], carl: ['user', 'readers'] },
    roles: {
      editors: ['edit_ai_commander_config', 'list_ai_commander_config'],
      readers: ['list_ai_commander_config'],
    },
    collections: ['ml_model_aliases', 'ml_llm_connections', 'ml_agents'],
  });
  const post = (body: object, user = 'anna') => world.call(user, 'POST', '/model_aliases', body);
  const put = (body: object, user = 'anna', headers: Record<string, string> = {}) =>
    world.call(user, 'PUT', '/model_aliases', body, headers);
  const get = (name: string, user = 'anna') => world.call(user, 'GET', `/model_aliases/${encodeURIComponent(name)}`);
  const remove = (name: string, user = 'anna', query = '') =>
    world.call(user, 'DELETE', `/model_aliases/${encodeURIComponent(name)}${query}`);
  const removeModel = ({ service, connection_name, model }: typeof TEAM, query = '') =>
    world.call('anna', 'DELETE', `/aicommander/${service}/${connection_name}/${model}${query}`);
  const configure = async (identity: object, more: object = {}) => {
    const settings = { endpoint: { value: 'http://llm.example/v1' }, access_token: { value: KEY } };
    const reply = await world.call('anna', 'POST', '/aicommander', { ...identity, servicesettings: settings, ...more });
    expect(reply.status, summarize(reply)).to.equal(200);
  };

  beforeEach(async () => {
    await configure(TEAM);
    await configure(SPARE, { servicesettings: { endpoint: { value: 'http://127.0.0.1:11434' } } });
  });

  async function made(name: string, more: object = {}): Promise<string> {
    const reply = await post({ name, targets: [TEAM], ...more });
    expect(reply.status, summarize(reply)).to.equal(200);
    return name;
  }

  describe('records', () => {
    it('have defaults, and are read by any spelling of their name', async () => {
      const reply = await post({ name: 'Default', targets: [TEAM, SPARE] });
      expect(reply.status, summarize(reply)).to.equal(200);
      const { created_at, last_updated_at, ...config } = reply.json.config;
      expect(config).to.deep.equal({
        name: 'Default',
        description: '',
        targets: [TEAM, SPARE],
        strategy: 'first',
        fallback_on: USUAL_FALLBACKS,
        defaults: {},
        acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
        version: 1,
        created_by: 'anna',
        last_updated_by: 'anna',
      });
      expect((await get('DEFAULT')).json.config).to.deep.equal(reply.json.config);
      expect((await world.call('anna', 'GET', '/model_aliases?name=default')).json.config.name).to.equal('Default');
      expectCode(await post({ name: 'default', targets: [TEAM] }), 409, 'duplicate_name');
    });

    it('are refused with every problem', async () => {
      const wrong = { strategy: 'last', fallback_on: ['auth_failed'], defaults: { temperature: 3, max_tokens: 0 } };
      const reply = await post({ name: 'a/b', targets: [], ...wrong });
      expectFields(
        reply,
        ...['name', 'targets', 'strategy', 'fallback_on.0', 'defaults.temperature', 'defaults.max_tokens'],
      );
      expectFields(await post({ name: 'x' }), 'targets');
      expectFields(await post({ name: 'x', targets: Array(11).fill(TEAM) }), 'targets');
    });

    it('change by a subset: targets as a whole, defaults one by one', async () => {
      const defaults = { temperature: 0.5, max_tokens: 100, system_prompt: 'Be brief.' };
      const name = await made('subset', { defaults, fallback_on: [], description: 'before' });
      const changed = await put({ name, targets: [SPARE, TEAM], defaults: { max_tokens: null, temperature: 0 } });
      expect(changed.json.config).to.deep.include({
        description: 'before',
        targets: [SPARE, TEAM],
        fallback_on: [],
        defaults: { temperature: 0, system_prompt: 'Be brief.' },
        version: 2,
      });
      const again = await put(changed.json.config);
      expect(again.json, summarize(again)).to.not.have.property('warnings');
      expect((await put({ name, defaults: null, strategy: 'spread', version: 3 })).json.config).to.deep.include({
        defaults: {},
        strategy: 'spread',
      });
      expectCode(await put({ name, description: 'late' }, 'anna', { 'If-Match': '"2"' }), 409, 'version_conflict');
      expectCode(await put({ name: 'nobody', description: 'x' }), 404, 'not_found');
    });

    it('are deleted, unless an agent names them', async () => {
      const name = await made('Used');
      await world.store('ml_agents', {
        ...{ _key: 'a', name: 'Helper', llm: { model: 'USED' } },
        acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
      });
      const refused = await remove(name);
      expectCode(refused, 409, 'in_use');
      expect(refused.json.used_by).to.deep.equal(['Helper']);
      expect((await remove(name, 'anna', '?force=true')).json).to.deep.include({ status: 'success', name });
      expectCode(await get(name), 404, 'not_found');
      await world.remove('ml_agents', 'a');
    });
  });

  describe('targets', () => {
    it('must exist and be no drafts', async () => {
      await configure({ ...TEAM, model: 'draft' }, { is_saved: false });
      const targets = [
        { ...TEAM, connection_name: 'TEAM' },
        { ...TEAM, model: 'GPT-A' },
        { ...TEAM, model: 'draft' },
        { ...TEAM, service: 'Elsewhere' },
      ];
      const reply = await post({ name: 'wrong', targets });
      expectCode(reply, 400, 'unknown_reference');
      expect(reply.json.errors.map(({ field }: { field: string }) => field)).to.deep.equal([
        ...['targets.1', 'targets.2', 'targets.3'],
      ]);
      expectCode(await put({ name: await made('right'), targets }), 400, 'unknown_reference');
    });

    it('are in use, by aliases and agents together', async () => {
      await made('first', { targets: [{ ...TEAM, connection_name: 'team' }] });
      await world.call('bert', 'POST', '/model_aliases', { name: 'hidden', targets: [TEAM] });
      await world.store('ml_agents', {
        ...{ _key: 'a', name: 'Helper', llm: TEAM },
        acl: { owner: 'anna', sharing: 'user', perms: { read: [], write: [] } },
      });
      const refused = await removeModel(TEAM);
      expectCode(refused, 409, 'in_use');
      expect(refused.json.used_by).to.deep.equal(['Helper', 'first']);
      expect(refused.json.message).to.contain('1 that you may not read');
      expect((await removeModel(SPARE)).status, 'another configuration').to.equal(200);
      expect((await removeModel(TEAM, '?force=true')).status).to.equal(200);
      const kept = await put({ name: 'first', description: 'its target is gone' });
      expect(kept.status, summarize(kept)).to.equal(200);
      expect((await put(kept.json.config)).status, 'nothing was added').to.equal(200);
      await world.remove('ml_agents', 'a');
    });
  });

  it('give the owner, readers and writers what their list says', async () => {
    const name = await made('shared', { acl: { sharing: 'app', perms: { read: ['readers'], write: ['editors'] } } });
    const hidden = await made('secret');
    for (const user of ['bert', 'carl']) {
      expect((await get(name, user)).status).to.equal(200);
      expectCode(await get(hidden, user), 404, 'not_found');
      const { result, pagination } = (await world.call(user, 'GET', '/model_aliases?count=0')).json;
      expect(result.map((one: { name: string }) => one.name)).to.deep.equal([name]);
      expect(pagination.total).to.equal(1);
    }
    expect((await put({ name, description: 'by bert' }, 'bert')).status).to.equal(200);
    expectCode(await put({ name, acl: { sharing: 'user' } }, 'bert'), 403, 'acl_denied');
    for (const reply of [put({ name, description: 'x' }, 'carl'), remove(name, 'carl')])
      expectCode(await reply, 403, 'missing_capability');
  });

  it('are listed sorted, searched and by pages', async () => {
    for (const name of ['zz b', 'ZZ a', 'zz c']) await made(name);
    const list = async (query: string) => {
      const { json } = await world.call('anna', 'GET', `/model_aliases?search=ZZ&${query}`);
      return json.result.map((one: { name: string }) => one.name);
    };
    expect(await list('')).to.deep.equal(['ZZ a', 'zz b', 'zz c']);
    expect(await list('sort_dir=desc&count=2')).to.deep.equal(['zz c', 'zz b']);
    expectCode(await world.call('anna', 'GET', '/model_aliases?sort_key=targets'), 400, 'validation_failed');
  });
}
