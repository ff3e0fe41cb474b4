import { expect } from 'chai';
import { KEY } from '../support/records/llmBlob.ts';
import { refusalsWithout, summarize } from '../support/replies.ts';
import type { OpenWorld } from '../support/worlds/world.ts';
import { CRUD_USERS, crudSuite } from './crud.ts';

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
    users: CRUD_USERS,
    roles: {
      editors: ['edit_ai_commander_config', 'list_ai_commander_config'],
      readers: ['list_ai_commander_config'],
    },
    collections: ['ml_model_aliases', 'ml_llm_connections', 'ml_agents'],
  });
  const post = (body: object) => world.call('anna', 'POST', '/model_aliases', body);
  const put = (body: object) => world.call('anna', 'PUT', '/model_aliases', body);
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

  crudSuite(world, {
    path: '/model_aliases',
    collection: 'ml_model_aliases',
    messages: { created: 'Model alias created', updated: 'Model alias updated', deleted: 'Model alias deleted' },
    least: { targets: [TEAM, SPARE] },
    shown: {
      description: '',
      targets: [TEAM, SPARE],
      strategy: 'first',
      fallback_on: USUAL_FALLBACKS,
      defaults: {},
    },
    change: { targets: [SPARE], strategy: 'spread' },
    hasAcl: true,
    agentOf: (name) => ({ llm: { model: name } }),
  });

  async function made(name: string, more: object = {}): Promise<string> {
    const reply = await post({ name, targets: [TEAM], ...more });
    expect(reply.status, summarize(reply)).to.equal(200);
    return name;
  }

  describe('records', () => {
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
      expect((await put({ name, defaults: null, strategy: 'spread' })).json.config).to.deep.include({
        defaults: {},
        strategy: 'spread',
      });
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
}
