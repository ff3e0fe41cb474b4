import { expect } from 'chai';
import { type OutboundCode, OutboundError } from '../../../../src/contract/codes/outbound.ts';
import { ToolListings } from '../../../../src/gateway/tools/toolListings.ts';
import type { Json } from '../../../support/memory/app.ts';
import { makeStore } from '../../operations/passagePeer.ts';
import { EVERYONE, publish, TOOL } from '../../search/searchApp.ts';
import { connect, urlOf } from '../../tools/toolsApp.ts';
import { type RunsApp, runsApp, statesOf } from '../runsApp.ts';

const ALL = {
  mcps: [{ name: 'Desk' }, { name: 'Other' }, { name: 'Third' }],
  ...{ knowledge_bases: ['Runbooks'], search_tools: ['errors'] },
};
const CONTINUE = { on_unavailable: 'continue' };

describe('what is missing in a run', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
    const { app } = runs;
    app.gateway.listings = new ToolListings(() => app.site.clock.now());
    for (const name of ['Other', 'Third']) await connect(app, name);
    app.user('editor', { capabilities: ['edit_agent_connections'] });
    app.user('anna', { capabilities: ['edit_search_tools'] });
    await makeStore(app, 'Runbooks', EVERYONE);
    await publish(app, TOOL);
    runs.turns.push('answer');
  });
  const work = async (more: Json = {}) => runs.work(await runs.start({}, { ...ALL, ...more }));
  const offered = (asked = 0): string[] =>
    (runs.asked[asked].tools ?? []).map(({ function: { name } }: { function: { name: string } }) => name);
  const system = (asked = 0) =>
    runs.asked[asked].messages.find(({ role }: { role: string }) => role === 'system')?.content ?? '';
  const fail = (name: string, code: OutboundCode = 'connection_refused') => {
    const { listTools } = runs.app.peers.client;
    const error = new OutboundError(code, 'it failed');
    const failed = { httpStatus: null, reachable: false, authenticated: false, transport: null, tools: [], error };
    runs.app.peers.client.listTools = async (target) =>
      target.url === urlOf(name) ? (failed as never) : listTools(target);
  };
  const switchOff = (flag: string) => {
    runs.app.settings.stanzas = { feature_flags: { [flag]: '0' } };
  };
  /** Stores the outcome of a test of a record. */
  const tested = (collection: string, error_code: string | null) => {
    const [record] = runs.stored(collection) as [Json & { _key: string }];
    const last_test = {
      status: error_code === null ? 'success' : 'fail',
      error_code,
      tested_at: 1,
      response_time_ms: 1,
    };
    runs.app.site.records.collection(collection).set(record._key, JSON.stringify({ ...record, last_test }));
  };

  it('is nothing where all answer', async () => {
    const run = await work({ system_prompt: 'Be brief.' });
    expect(run.steps[0].unavailable).to.deep.equal([]);
    expect(offered()).to.have.length(8);
    expect(system()).to.equal('Be brief.');
  });

  it('is told to the model behind the prompts, once, and stands in the step', async () => {
    fail('Other', 'timeout');
    const run = await work({ ...CONTINUE, system_prompt: 'Be brief.', task_prompt: 'Sort.' });
    expect(run).to.include({ state: 'succeeded', output: 'answer' });
    const missing = [{ kind: 'mcp_connection', name: 'Other', error_code: 'timeout' }];
    expect(run.steps[0].unavailable).to.deep.equal(missing);
    expect(system()).to.equal(
      'Be brief.\n\nSort.\n\nThese tools are not available now: the MCP connection Other (timeout). Work without them, and say in your answer what could not be looked up for that reason.',
    );
    expect(offered()).to.deep.equal([
      ...['Desk__delete', 'Desk__echo', 'Third__delete', 'Third__echo'],
      ...['retrieve__Runbooks', 'search__errors'],
    ]);
    expect(run.usage.requests).to.equal(1);
  });

  it('is told where the agent has no prompts, and nothing else', async () => {
    fail('Desk');
    const run = await runs.work(await runs.start({}, { ...CONTINUE }));
    expect(run.state).to.equal('succeeded');
    expect(system()).to.contain('the MCP connection Desk (connection_refused)');
    expect(runs.asked[0]).to.not.have.property('tools');
  });

  it('is asked for at each request to the model', async () => {
    runs.turns.splice(0, 1, [{ name: 'Desk__echo', args: { text: 'x' } }], 'later');
    const id = await runs.start({}, { ...ALL, ...CONTINUE });
    await runs.step(id);
    await runs.step(id);
    runs.app.gateway.listings = new ToolListings(() => runs.app.site.clock.now());
    fail('Third', 'tls_untrusted');
    const run = await runs.work(id);
    expect(statesOf(run)).to.deep.equal(['model done', 'tool Desk__echo done', 'model done']);
    expect(run.steps.map(({ unavailable }: Json) => unavailable)).to.deep.equal([
      [],
      undefined,
      [{ kind: 'mcp_connection', name: 'Third', error_code: 'tls_untrusted' }],
    ]);
    expect(system(0)).to.equal('');
    expect(system(1)).to.contain('Third (tls_untrusted)');
  });

  it('ends the run by default, without a request', async () => {
    fail('Other', 'timeout');
    const run = await work();
    expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
    expect(run.message).to.contain('the MCP connection Other (timeout)').and.to.not.contain('Desk');
    expect(runs.asked).to.deep.equal([]);
  });

  const SOURCES = [
    ['mcp_connections', 'mcp_connection', ['Desk', 'Other', 'Third']],
    ['vector_stores', 'vector_store', ['Runbooks']],
    ['search_tools', 'search_tool', ['errors']],
  ] as const;
  for (const [flag, kind, names] of SOURCES) {
    it(`is what ${flag} has while that is switched off`, async () => {
      const missing = names.map((name) => ({ kind, name, error_code: 'feature_disabled' }));
      switchOff(flag);
      const run = await work();
      expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
      expect(run.steps[0].unavailable).to.deep.equal(missing);
      const goesOn = await work(CONTINUE);
      expect(goesOn.state).to.equal('succeeded');
      expect(goesOn.steps[0].unavailable).to.deep.equal(missing);
      expect(offered().filter((name) => names.some((part) => name.includes(part)))).to.deep.equal([]);
    });
  }

  for (const [collection, kind, name, code] of [
    ['ml_vector_stores', 'vector_store', 'Runbooks', 'permission_denied'],
    ['ml_search_tools', 'search_tool', 'errors', 'search_failed'],
  ] as const) {
    it(`is a ${kind} whose last test failed, until one succeeds; it is not asked`, async () => {
      tested(collection, code);
      const run = await work();
      expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
      expect(run.steps[0].unavailable).to.deep.equal([{ kind, name, error_code: code }]);
      expect(run.message).to.contain(`${name} (${code})`);
      const goesOn = await work(CONTINUE);
      expect(goesOn.state).to.equal('succeeded');
      expect(system()).to.contain(`${name} (${code})`);
      expect(offered().filter((tool) => tool.includes(name))).to.deep.equal([]);
      tested(collection, null);
      expect((await work()).state).to.equal('succeeded');
      expect(offered(1).filter((tool) => tool.includes(name))).to.have.length(1);
    });
  }

  it('is a store whose test succeeds before the second try', async () => {
    tested('ml_vector_stores', 'timeout');
    const id = await runs.start({}, ALL);
    await runs.step(id);
    tested('ml_vector_stores', null);
    const run = await runs.work(id);
    expect(run.state).to.equal('succeeded');
    expect(run.steps[0].unavailable).to.deep.equal([]);
  });

  it('is a search tool that its owner has switched off', async () => {
    await runs.app.call('anna', 'PUT', '/search_tools', { name: 'errors', is_enabled: false });
    const run = await work(CONTINUE);
    expect(run.state).to.equal('succeeded');
    expect(run.steps[0].unavailable).to.deep.equal([
      { kind: 'search_tool', name: 'errors', error_code: 'feature_disabled' },
    ]);
  });

  it('is no record that does not exist, or that the user may not read', async () => {
    const id = await runs.start({}, { ...ALL, ...CONTINUE });
    await runs.app.call('editor', 'PUT', '/vector_stores', { name: 'Runbooks', acl: { sharing: 'user' } });
    expect(await runs.work(id)).to.include({ state: 'failed', error_code: 'unknown_reference' });
    expect(runs.asked).to.deep.equal([]);
  });
});
