import { expect } from 'chai';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import type { Json } from '../../../support/memory/app.ts';
import { ROWS } from '../../../support/searches/platformSearches.ts';
import { EVERYONE, publish, TOOL } from '../../search/searchApp.ts';
import { type RunsApp, runsApp, statesOf } from '../runsApp.ts';

const CAPABILITIES = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'];
const CHANGE = { name: 'keep', search: 'search index=main | collect index=s', acl: EVERYONE };
const ERRORS = { name: 'search__errors', args: { host: 'web-1' } };

describe('search tools in runs of agents', () => {
  let runs: RunsApp;
  const refusal = ({ status, json }: Awaited<ReturnType<RunsApp['call']>>) => [status, json.error_code];
  const step = (id: string, user: string) => runs.call('POST', `/${id}/step`, undefined, user);
  const get = async (id: string, user = 'ann') => (await runs.call('GET', `/${id}`, undefined, user)).json.config;

  beforeEach(async () => {
    runs = await runsApp();
    const { app } = runs;
    app.user('anna', { capabilities: ['edit_search_tools'] });
    app.user('ann', { capabilities: [...CAPABILITIES, 'run_spl_tool', 'list_search_tools'] });
    app.user('bob', { capabilities: [...CAPABILITIES, 'admin_all_objects'] });
    await publish(app, TOOL);
    await publish(app, CHANGE);
  });

  const start = async (search_tools: string[], more: Json = {}, user = 'ann') => {
    const agent = {
      runtime_type: 'BUILT_IN',
      llm: { model: 'up/m1' },
      search_tools,
      mcps: [{ name: 'Desk' }],
      ...more,
    };
    const saved = await runs.app.call('bob', 'POST', '/agents', { name: 'helper', ...agent, acl: EVERYONE });
    expect(saved.status, JSON.stringify(saved.json)).to.equal(200);
    return runs.call('POST', '', { agent: 'helper', input: 'x', worker: 'caller' }, user);
  };
  const started = async (search_tools: string[], more: Json = {}) => {
    const { status, json } = await start(search_tools, more);
    expect(status, JSON.stringify(json)).to.equal(200);
    return json.run_id as string;
  };
  const work = async (id: string, user = 'ann') => {
    for (let count = 0; count < 10; count += 1) {
      const { status, json } = await step(id, user);
      expect(status, JSON.stringify(json)).to.equal(200);
      if (!['queued', 'running'].includes(json.state)) break;
    }
    return get(id);
  };

  it('are offered by name, and called with the session of the user of the run', async () => {
    runs.turns.push([ERRORS], 'done');
    const run = await work(await started(['errors', 'spl']));
    expect(statesOf(run)).to.deep.equal(['model done', 'tool search__errors done', 'model done']);
    const [, call] = run.steps;
    expect(call).to.include({ output: 'host,count\nweb-1,12\nweb-2,3\n', sid: '1.7' });
    const names = runs.asked[0].tools.map((tool: { function: { name: string } }) => tool.function.name);
    expect(names.filter((name: string) => name.startsWith('search__'))).to.deep.equal([
      'search__errors',
      'search__spl',
    ]);
    expect(runs.app.platformSearches.ran).to.have.length(1);
    expect(runs.app.platformSearches.ran[0]).to.include({ user: 'ann' });
    const entries = runs
      .stored('ml_audit')
      .filter(({ action }: Json) => ['call', 'execute_tool'].includes(String(action)));
    expect(entries.map(({ family, name }: Json) => [family, name])).to.deep.equal([['runs', 'search__errors']]);
  });

  it('are none unless the agent names them', async () => {
    runs.turns.push([ERRORS], 'done');
    const run = await work(await started([]));
    expect(run.steps[1]).to.include({ state: 'failed', error_code: 'tool_not_found' });
    expect(runs.app.platformSearches.ran).to.deep.equal([]);
  });

  it('wait for approval where they change something, of the user of the run alone', async () => {
    runs.turns.push([{ name: 'search__keep' }], 'done');
    const id = await started(['keep']);
    expect((await work(id)).state).to.equal('waiting_for_approval');
    const approve = (user: string) => runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' }, user);
    expect(refusal(await approve('bob'))).to.deep.equal([403, 'acl_denied']);
    expect((await approve('ann')).status).to.equal(200);
    expect(statesOf(await work(id))).to.deep.equal(['model done', 'tool search__keep done', 'model done']);
  });

  it('give their failures to the model, with the job', async () => {
    runs.app.platformSearches.answer = async () => {
      throw new Fault('search_failed', 'Unknown search command', { sid: '1.9' });
    };
    runs.turns.push([ERRORS], 'done');
    const [, call] = (await work(await started(['errors']))).steps;
    expect(call).to.include({ state: 'failed', error_code: 'search_failed', sid: '1.9' });
    expect(runs.asked[1].messages.at(-1).content).to.equal('search_failed: Unknown search command');
  });

  it('are refused once the feature is switched off, and their failures are cut too', async () => {
    runs.app.platformSearches.answer = async () => {
      throw new Fault('search_failed', 'x'.repeat(100_000));
    };
    runs.turns.push([ERRORS], [ERRORS], 'done');
    const id = await started(['errors']);
    await step(id, 'ann');
    await step(id, 'ann');
    await step(id, 'ann');
    expect(Buffer.byteLength(runs.asked[1].messages.at(-1).content)).to.be.below(33 * 1024);
    runs.app.settings.stanzas = { feature_flags: { search_tools: '0' } };
    const run = await work(id);
    expect(run.steps[3]).to.include({ state: 'failed', error_code: 'feature_disabled' });
    expect(runs.app.platformSearches.ran).to.have.length(1);
  });

  it('are cut for the model at 32 KB, with a note of it at the end', async () => {
    const rows = Array.from({ length: 100 }, (_, index) => ({ _raw: `${index} ${'ä'.repeat(900)}` }));
    runs.app.platformSearches.answer = async () => ({ ...ROWS, fields: ['_raw'], rows, total: 100 });
    runs.turns.push([ERRORS], 'done');
    await work(await started(['errors']));
    const { content } = runs.asked[1].messages.at(-1);
    expect(Buffer.byteLength(content)).to.be.within(30_000, 32 * 1024);
    expect(content).to.match(/\n1[678] of 100 rows\. /);
  });

  it('need their capability at the start, and at every step', async () => {
    const missing = await start(['indexes'], {}, 'bob');
    expect([...refusal(missing), missing.json.required]).to.deep.equal([
      ...[403, 'missing_capability', ['list_search_tools']],
    ]);
    await runs.app.call('bob', 'DELETE', '/agents/helper');
    const id = await started(['spl']);
    runs.app.user('ann', { capabilities: CAPABILITIES });
    await step(id, 'ann');
    expect(await get(id)).to.include({ state: 'failed', error_code: 'missing_capability' });
  });

  it('are known to the agents that name them', async () => {
    const unknown = await runs.app.call('bob', 'POST', '/agents', {
      ...{ name: 'x', runtime_type: 'BUILT_IN', llm: { model: 'up/m1' }, search_tools: ['errors', 'nothing'] },
    });
    expect([unknown.status, unknown.json.errors?.[0].field]).to.deep.equal([400, 'search_tools.1']);
    await started(['errors', 'spl']);
    const { status, json } = await runs.app.call('anna', 'DELETE', '/search_tools/errors');
    expect([status, json.error_code, json.used_by]).to.deep.equal([409, 'in_use', ['helper']]);
    expect((await runs.app.call('anna', 'DELETE', '/search_tools/errors?force=true')).status).to.equal(200);
  });

  describe('of another user', () => {
    let id: string;
    const decided = async () => {
      // The person who reads along approves another call, after which a search is due.
      runs.turns.push([{ name: 'Desk__delete', args: { id: 1 } }], [ERRORS], 'done');
      id = await started(['errors']);
      expect((await work(id)).state).to.equal('waiting_for_approval');
      const approved = await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' }, 'bob');
      expect(approved.status, JSON.stringify(approved.json)).to.equal(200);
      await step(id, 'bob');
      await step(id, 'bob');
      expect(statesOf(await get(id, 'bob'))).to.deep.equal(['model done', 'tool Desk__delete done', 'model done']);
    };

    it('are made by nobody else, and the run stays as it is', async () => {
      await decided();
      const refused = await step(id, 'bob');
      expect(refusal(refused)).to.deep.equal([403, 'acl_denied']);
      expect(refused.json.message).to.contain('ann');
      expect((await get(id, 'bob')).state).to.equal('running');
      expect(runs.app.platformSearches.ran).to.deep.equal([]);
      expect(statesOf(await work(id))).to.include('tool search__errors done');
    });

    it('fail once their user has not come back within a minute of a decision, and the run goes on', async () => {
      await decided();
      runs.app.site.clock.advance(59_000);
      expect((await get(id, 'bob')).steps).to.have.length(3);
      runs.app.site.clock.advance(2000);
      const run = await get(id, 'bob');
      expect(run.steps[3]).to.include({ name: 'search__errors', state: 'failed', error_code: 'session_required' });
      await step(id, 'bob');
      expect(await get(id, 'bob')).to.include({ state: 'succeeded', output: 'done' });
      expect(runs.asked.at(-1)?.messages.at(-1).content).to.match(/^session_required: /);
    });
  });

  it('get no worker by a reader who cannot make them', async () => {
    runs.turns.push([ERRORS]);
    const agent = { name: 'helper', runtime_type: 'BUILT_IN', llm: { model: 'up/m1' }, search_tools: ['errors'] };
    await runs.app.call('bob', 'POST', '/agents', { ...agent, acl: EVERYONE });
    const { json } = await runs.call('POST', '', { agent: 'helper', input: 'x', wait_s: 0 }, 'ann');
    await step(json.run_id, 'ann');
    const { dispatched, active } = runs.app.searches;
    active.clear();
    expect(dispatched).to.have.length(1);
    await get(json.run_id, 'bob');
    expect(dispatched).to.have.length(1);
    await get(json.run_id, 'ann');
    expect(dispatched).to.have.length(2);
  });
});
