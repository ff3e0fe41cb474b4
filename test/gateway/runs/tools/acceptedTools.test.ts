import { expect } from 'chai';
import { ToolListings } from '../../../../src/gateway/tools/toolListings.ts';
import { connect } from '../../tools/toolsApp.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

interface Shown {
  name: string;
  tools?: { name: string; fingerprint?: string }[];
}

const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];

describe('the tools of a run', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
  });
  const list = (name = 'Desk') => runs.app.call('maker', 'POST', '/mcp_connection/tools', { name });
  const shown = async (id: string): Promise<Shown[]> => (await runs.read(id)).definition.mcps;
  const prints = async (): Promise<Record<string, string>> => {
    const { tools } = (await list()).json.data;
    return Object.fromEntries(
      tools.map((tool: { name: string; fingerprint: string }) => [tool.name, tool.fingerprint]),
    );
  };
  /** The server describes its tools in other words from now on. */
  function change(): void {
    runs.app.peers.tools = runs.app.peers.tools.map((tool) => ({ ...tool, description: 'Another description' }));
    runs.app.gateway.listings = new ToolListings();
  }

  it('have the fingerprints under which they were accepted, all or those that are named', async () => {
    const { echo, delete: remove } = await prints();
    expect(echo).to.be.a('string');
    const [all] = await shown(await runs.start());
    expect(all?.tools).to.have.deep.members([
      { name: 'echo', fingerprint: echo },
      { name: 'delete', fingerprint: remove },
    ]);
    const one = await runs.start({}, { mcps: [{ name: 'Desk', tools: ['echo'] }] });
    expect(await shown(one)).to.deep.equal([{ name: 'Desk', tools: [{ name: 'echo', fingerprint: echo }] }]);
    const none = await runs.start({}, { mcps: [{ name: 'Desk', tools: [] }] });
    expect(await shown(none)).to.deep.equal([{ name: 'Desk', tools: [] }]);
    const { result } = (await runs.call('GET', '')).json;
    const [inList] = result.filter(({ run_id }: { run_id: string }) => run_id === one);
    expect(inList.definition.mcps).to.deep.equal(await shown(one));
  });

  it('are accepted by the first step where their server was never asked before', async () => {
    runs.turns.push('answer');
    const id = await runs.start();
    expect(await shown(id)).to.deep.equal([{ name: 'Desk' }]);
    await runs.work(id);
    const [desk] = await shown(id);
    expect(desk?.tools?.map(({ name }) => name)).to.have.members(['echo', 'delete']);
    for (const { fingerprint } of desk?.tools ?? []) expect(fingerprint).to.be.a('string');
  });

  it('keep the fingerprints of the start when another definition is accepted meanwhile', async () => {
    await list();
    const id = await runs.start();
    const before = await shown(id);
    change();
    await runs.app.call('maker', 'POST', '/mcp_connection/accept_tools', { name: 'Desk' });
    await connect(runs.app, 'Other');
    runs.turns.push('answer');
    await runs.work(id);
    expect(await shown(id)).to.deep.equal(before);
    expect(await shown(await runs.start())).to.not.deep.equal(before);
  });

  it('are not offered, nor called, once they have changed', async () => {
    await list();
    runs.turns.push(DELETE, 'not deleted');
    const id = await runs.start();
    expect((await runs.work(id)).state).to.equal('waiting_for_approval');
    change();
    const approve = () => runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' });
    expect((await approve()).json.warnings[0]).to.contain('the definition of the tool delete has changed');
    expect((await runs.read(id)).state, 'nobody has approved what it is now').to.equal('waiting_for_approval');
    await approve();
    const run = await runs.work(id);
    expect(run).to.include({ state: 'succeeded', output: 'not deleted' });
    expect(run.steps[1]).to.include({ state: 'failed', error_code: 'tool_changed' });
    expect(run.steps[1].output).to.contain('accept_tools');
    expect(runs.asked.at(-1)?.tools).to.equal(undefined);
  });
});
