import { expect } from 'chai';
import type { Json } from '../../../support/memory/app.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { EVERYBODY, SECRET } from '../../tools/toolsApp.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];
/** Longer than a lease. */
const LATER_MS = 11_000;
const MOVED = 'https://moved.example/mcp';

describe('an approved call', () => {
  let runs: RunsApp;
  let id: string;
  beforeEach(async () => {
    runs = await runsApp();
    runs.turns.push(DELETE, 'deleted');
    id = await runs.start();
    expect((await runs.work(id)).state).to.equal('waiting_for_approval');
  });

  const move = async (url: string) => {
    const details = { url, token: SECRET };
    const moved = await runs.app.call('maker', 'PUT', '/mcp_connection', { name: 'Desk', details, acl: EVERYBODY });
    expect(moved.status, JSON.stringify(moved.json)).to.equal(200);
  };
  const change = (more: Json) => {
    runs.app.peers.tools = runs.app.peers.tools.map((tool) => (tool.name === 'delete' ? { ...tool, ...more } : tool));
  };
  const accept = () => runs.app.call('maker', 'POST', '/mcp_connection/accept_tools', { name: 'Desk' });
  const approve = (more: Json = {}) => runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve', ...more });
  const calledUrls = () => runs.app.peers.calls.length;

  it('is made to what was shown, by a listing of that time', async () => {
    const listed = runs.app.peers.targets.length;
    const { status, json } = await approve();
    expect([status, json.warnings]).to.deep.equal([200, undefined]);
    expect(runs.app.peers.targets.length, 'listed at the approval').to.equal(listed + 1);
    expect(await runs.work(id)).to.include({ state: 'succeeded' });
    expect(calledUrls()).to.equal(1);
  });

  it('waits again if its connection has another host by now, until that is approved', async () => {
    await move(MOVED);
    const { status, json } = await approve({ arguments: { id: 2 } });
    expect(status).to.equal(200);
    expect(json.warnings[0]).to.contain('https://moved.example').and.to.contain('https://desk.example');
    expect(json.config.steps[1]).to.include({ state: 'waiting' }).and.not.have.property('decided_by');
    expect((await runs.work(id)).state).to.equal('waiting_for_approval');
    expect(calledUrls()).to.equal(0);
    expect((await approve()).json.warnings).to.equal(undefined);
    const run = await runs.work(id);
    expect(run.steps[1]).to.include({ state: 'done', decided_by: 'asker' });
    expect(run.steps[1].input, 'the arguments of the void decision are void').to.deep.equal({ id: 1 });
  });

  it('waits again if the definition of its tool has changed, accepted or not', async () => {
    for (const more of [{ description: 'Deletes everything' }, { annotations: {} }]) {
      change(more);
      if (!('annotations' in more)) await accept();
      const { status, json } = await approve();
      expect(status).to.equal(200);
      expect(json.warnings[0]).to.contain('the tool delete has changed');
      expect(json.state).to.equal('waiting_for_approval');
    }
    expect(calledUrls()).to.equal(0);
  });

  it('waits again if it changes between the approval and the call', async () => {
    await approve();
    change({ description: 'Deletes everything' });
    await accept();
    await move(MOVED);
    const run = await runs.work(id);
    expect(run.state).to.equal('waiting_for_approval');
    expect(run.steps[1]).to.include({ state: 'waiting' }).and.not.have.property('decided_by');
    expect(run.steps[1].output).to.contain('https://moved.example').and.to.contain('decide again');
    expect(calledUrls()).to.equal(0);
    await approve();
    expect(await runs.work(id)).to.include({ state: 'succeeded' });
  });

  it('may be rejected, or have its result given, whatever has changed', async () => {
    await move(MOVED);
    expect((await approve({ result: 'done by hand' })).json.warnings).to.equal(undefined);
    expect((await runs.work(id)).steps[1]).to.include({ state: 'done', output: 'done by hand' });
  });

  it('is not held up by a server that cannot be asked: the call fails', async () => {
    runs.app.peers.fail('timeout');
    expect((await approve()).json.warnings).to.equal(undefined);
    const step = await runs.call('POST', `/${id}/step`);
    expect(step.json.step).to.include({ state: 'failed', error_code: 'timeout' });
  });

  it('waits again if it is repeated after a crash, and its connection has another host by now', async () => {
    runs.turns.splice(0, 1, DELETE, 'deleted');
    const other = await runs.start({}, { approve_tools: 'never' });
    await runs.call('POST', `/${other}/step`);
    // Its process dies once the step has begun.
    for (let at = 1; (await runs.read(other)).steps.length < 2; at += 1) {
      expect(at).to.be.lessThan(60);
      await runs.step(other, new FaultPlan(at, 'crash')).catch(() => undefined);
      runs.app.site.clock.advance(LATER_MS);
    }
    await runs.work(other);
    expect((await runs.read(other)).steps[1]).to.include({ state: 'unknown' });
    const before = calledUrls();
    await move(MOVED);
    const decide = () => runs.call('POST', `/${other}/approve`, { step: 1, decision: 'approve' });
    expect((await decide()).json.warnings[0]).to.contain('https://moved.example');
    expect((await runs.work(other)).state).to.equal('waiting_for_approval');
    expect(calledUrls()).to.equal(before);
    expect((await decide()).json.warnings).to.equal(undefined);
    expect(await runs.work(other)).to.include({ state: 'succeeded' });
  });

  it('waits again only for what has changed, of several', async () => {
    runs.turns.push([...DELETE, { name: 'Desk__delete', args: { id: 2 } }], 'both');
    const two = await runs.start();
    await runs.call('POST', `/${id}/cancel`);
    runs.turns.splice(0, 1);
    await runs.work(two);
    await runs.call('POST', `/${two}/approve`, { step: 1, decision: 'approve' });
    await move(MOVED);
    expect((await runs.call('POST', `/${two}/approve`, { step: 2, decision: 'reject' })).json.warnings).to.equal(
      undefined,
    );
    const run = await runs.work(two);
    expect(run.steps.slice(1, 3).map(({ state }: Json) => state)).to.deep.equal(['waiting', 'rejected']);
    expect(calledUrls()).to.equal(0);
  });
});
