import { expect } from 'chai';
import type { Json, MemoryApp } from '../../support/memory/app.ts';
import { completionOf, configure } from '../gatewayApp.ts';
import { connect, EVERYBODY, namesIn, send, toolsApp } from './toolsApp.ts';

const RIGHTS = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents', 'list_ml_audit'];

describe('agents as tools', () => {
  let app: MemoryApp;
  const list = async (user = 'asker') => namesIn(await send(app, 'tools/list', {}, '', user));
  const call = async (name: string, args: Json, user = 'asker') =>
    (await send(app, 'tools/call', { name, arguments: args }, '', user)).json;
  const agent = async (name: string, more: Json = {}) => {
    const body = { name, runtime_type: 'BUILT_IN', llm: { model: 'up/m1' }, acl: EVERYBODY, ...more };
    const { status, json } = await app.call('asker', 'POST', '/agents', body);
    expect(status, JSON.stringify(json)).to.equal(200);
  };
  /** Takes the steps of each run at once when its search is begun, as a search does that is quick. */
  function worksAtOnce(): void {
    const { dispatch } = app.searches;
    app.searches.dispatch = async (user, search) => {
      const id = /run_id="([^"]+)"/.exec(search)?.[1];
      setImmediate(async () => {
        for (let state = 'queued'; ['queued', 'running'].includes(state); )
          state = (await app.call(user, 'POST', `/ai_gateway/runs/${id}/step`)).json.state ?? 'failed';
      });
      return dispatch.call(app.searches, user, search);
    };
  }

  beforeEach(async () => {
    app = toolsApp();
    app.user('llm', { capabilities: ['edit_ai_commander_config', 'list_ai_commander_config'] });
    for (const user of ['asker', 'other']) app.user(user, { capabilities: RIGHTS });
    await configure(app, 'up', 'm1');
    app.llm.answer = () => ({ json: completionOf('the answer') });
    await agent('triage', { description: 'Looks after disks.' });
  });

  it('are listed for those who may run them, if they can run', async () => {
    await connect(app, 'one');
    await agent('own', { acl: { sharing: 'user' } });
    await agent('off', { is_enabled: false });
    await app.call('asker', 'POST', '/agents', { name: 'waiting', acl: EVERYBODY });
    expect(await list()).to.deep.equal(['agent__own', 'agent__triage', 'agent_result', 'one__echo']);
    expect(await list('other')).to.deep.equal(['agent__triage', 'agent_result', 'one__echo']);
    const { json } = await send(app, 'tools/list');
    const tool = json.result.tools.find(({ name }: Json) => name === 'agent__triage');
    expect(tool.title).to.equal('Ask triage');
    expect(tool.description).to.contain('Looks after disks.').and.to.contain('agent_result');
    app.user('other', { capabilities: RIGHTS.filter((one) => one !== 'run_agents') });
    expect(await list('other')).to.deep.equal(['one__echo']);
    expect((await call('agent__triage', { input: 'x' }, 'other')).error.code).to.equal(-32602);
    app.settings.stanzas = { feature_flags: { agent_builder: '0' } };
    expect(await list()).to.deep.equal(['one__echo']);
    for (const name of ['agent__triage', 'agent_result'])
      expect((await call(name, { input: 'x' })).error.code, name).to.equal(-32602);
  });

  it('are not listed where there is none', async () => {
    await app.call('asker', 'DELETE', '/agents/triage');
    expect(await list()).to.deep.equal([]);
  });

  it('answer as soon as the run has ended, which is a run like any other', async () => {
    worksAtOnce();
    const { result } = await call('agent__triage', { input: 'question', session_id: 's' });
    expect(result.isError).to.equal(false);
    expect(result.content).to.deep.equal([{ type: 'text', text: 'the answer' }]);
    const { run_id, ...rest } = result.structuredContent;
    expect(rest).to.deep.equal({ state: 'succeeded', output: 'the answer' });
    const { json } = await app.call('asker', 'GET', `/ai_gateway/runs/${run_id}`);
    expect(json.config).to.include({ agent: 'triage', user: 'asker', input: 'question', session_id: 's' });
    expect(app.searches.dispatched.map(({ user }) => user)).to.deep.equal(['asker']);
    const audit = await app.call('asker', 'GET', '/audit?family=runs');
    expect(audit.json.result).to.have.length(1);
    expect(audit.json.result[0]).to.include({ action: 'run', name: 'triage', user: 'asker', outcome: 'success' });
  });

  it('say what to ask later when the run takes longer, or waits for a person', async () => {
    const { result } = await call('agent__triage', { input: 'question' });
    const { run_id, state } = result.structuredContent;
    expect([result.isError, state]).to.deep.equal([false, 'queued']);
    expect(result.content[0].text).to.contain(`agent_result with {"run_id": "${run_id}"}`);
    const stored = app.site.records.collection('ml_runs');
    const run = JSON.parse(stored.get(run_id) ?? '{}');
    stored.set(run_id, JSON.stringify({ ...run, state: 'waiting_for_approval' }));
    const waits = (await call('agent_result', { run_id })).result;
    expect([waits.isError, waits.structuredContent.state]).to.deep.equal([false, 'waiting_for_approval']);
    expect(waits.content[0].text).to.contain('a person');
    stored.set(run_id, JSON.stringify(run));
    await app.call('asker', 'POST', `/ai_gateway/runs/${run_id}/step`);
    expect((await call('agent_result', { run_id })).result.content[0].text).to.equal('the answer');
    expect((await call('agent_result', { run_id }, 'other')).result).to.deep.include({ isError: true });
  });

  it('report claims that failed the run as an error, with the answer and without the evidence', async () => {
    worksAtOnce();
    const { run_id } = (await call('agent__triage', { input: 'question' })).result.structuredContent;
    const stored = app.site.records.collection('ml_runs');
    const [error_code, message] = ['unverified_claims', '1 claim was not found'];
    const evidence = { checked: 1, backed: 0, derived: 0, unverified: 1 };
    const entities = JSON.stringify([{ text: 'db-3', kind: 'host', status: 'unverified', by: [] }]);
    const end = { state: 'failed', error_code, message, evidence, entities, json: ['history', 'entities'] };
    stored.set(run_id, JSON.stringify({ ...JSON.parse(stored.get(run_id) ?? ''), ...end }));
    expect((await app.call('asker', 'GET', `/ai_gateway/runs/${run_id}`)).json.config.evidence.entities).to.have.length(
      1,
    );
    const { result } = await call('agent_result', { run_id });
    expect(result.isError).to.equal(true);
    expect(result.content).to.deep.equal([{ type: 'text', text: `${error_code}: ${message}` }]);
    const failed = { run_id, state: 'failed', output: 'the answer', error_code, message };
    expect(result.structuredContent).to.deep.equal(failed);
  });

  it('report a run that failed, and what cannot begin', async () => {
    worksAtOnce();
    app.llm.answer = () => ({ status: 401, json: { error: { message: 'no' } } });
    const failed = (await call('agent__triage', { input: 'question' })).result;
    expect(failed.isError).to.equal(true);
    expect(failed.structuredContent).to.include({ state: 'failed', error_code: 'auth_failed' });
    expect(failed.content[0].text).to.match(/^auth_failed: /);
    for (const args of [{}, { input: '' }, { input: 'x', other: 1 }, { input: 5 }]) {
      const { result } = await call('agent__triage', args as Json);
      expect(result.isError, JSON.stringify(args)).to.equal(true);
      expect(result._meta['ml_extension/error_code']).to.equal('validation_failed');
    }
    const unknown = (await call('agent_result', { run_id: 'abc' })).result;
    expect(unknown._meta['ml_extension/error_code']).to.equal('not_found');
  });
});
