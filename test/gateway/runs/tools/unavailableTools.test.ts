import { expect } from 'chai';
import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import { ToolListings } from '../../../../src/gateway/tools/toolListings.ts';
import type { McpTool } from '../../../../src/ports/mcp/mcpClient.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { connect, urlOf } from '../../tools/toolsApp.ts';
import { type RunsApp, runsApp, statesOf } from '../runsApp.ts';

describe('a run whose tools are unavailable', () => {
  let runs: RunsApp;
  let now: () => number;
  beforeEach(async () => {
    runs = await runsApp();
    runs.app.gateway.listings = new ToolListings(() => runs.app.site.clock.now());
    now = () => runs.app.site.clock.now();
    runs.turns.push('answer');
  });

  /** The times at which servers are asked for their tools. */
  function listings(): number[] {
    const at: number[] = [];
    const { listTools } = runs.app.peers.client;
    runs.app.peers.client.listTools = (target) => {
      at.push(now());
      return listTools(target);
    };
    return at;
  }

  it('asks its server three times, without a slot in between, and fails without asking the model', async () => {
    runs.app.peers.fail('connection_refused');
    const id = await runs.start();
    const at = listings();
    const held: number[] = [];
    const { sleep } = runs.app.site.clock;
    runs.app.site.clock.sleep = (ms, signal) => {
      held.push(runs.app.slots.held.get('asker') ?? 0);
      return sleep(ms, signal);
    };
    const run = await runs.work(id);
    expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
    expect(run.message).to.contain('Desk').and.to.contain('connection_refused');
    expect(statesOf(run)).to.deep.equal(['model failed']);
    const missing = [{ kind: 'mcp_connection', name: 'Desk', error_code: 'connection_refused' }];
    expect(run.steps[0].unavailable).to.deep.equal(missing);
    expect(run.usage.requests).to.equal(0);
    expect(runs.asked).to.deep.equal([]);
    expect(at.map((time) => time - (at[0] ?? 0))).to.deep.equal([0, 2000, 10_000]);
    expect(new Set(held)).to.deep.equal(new Set([0]));
    expect(runs.app.slots.held.get('asker'), 'given back').to.equal(0);
  });

  for (const tries of [1, 2]) {
    it(`goes on if its server answers after ${tries} failures`, async () => {
      const { listTools } = runs.app.peers.client;
      let failures = 0;
      runs.app.peers.client.listTools = async (target) => {
        if (failures === tries) return listTools(target);
        failures += 1;
        const error = new OutboundError('timeout', 'it did not answer');
        return { httpStatus: null, reachable: false, authenticated: false, transport: null, tools: [], error } as never;
      };
      const run = await runs.work(await runs.start());
      expect(run).to.include({ state: 'succeeded', output: 'answer' });
      expect(run.steps[0].unavailable).to.deep.equal([]);
      expect(runs.stored('ml_runs')[0]).to.not.have.property('lack');
      expect(runs.asked[0]?.tools).to.have.length(2);
    });
  }

  it('fails in a later turn as well, and names all that is missing', async () => {
    await connect(runs.app, 'Other');
    runs.turns.splice(0, 1, [{ name: 'Desk__echo', args: { text: 'x' } }], 'never asked');
    const id = await runs.start({}, { mcps: [{ name: 'Desk' }, { name: 'Other' }] });
    await runs.step(id);
    await runs.step(id);
    runs.app.gateway.listings = new ToolListings(() => now());
    runs.app.peers.fail('tls_untrusted');
    const run = await runs.work(id);
    expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
    expect(run.steps.at(-1).unavailable.map(({ name }: { name: string }) => name)).to.deep.equal(['Desk', 'Other']);
    expect(runs.asked).to.have.length(1);
  });

  it('asks nobody for the tools of a connection of which the agent has none', async () => {
    await connect(runs.app, 'Other');
    runs.app.peers.toolsAt.set(urlOf('Other'), Promise.reject(new Error('asked')) as Promise<McpTool[]>);
    runs.app.peers.toolsAt.get(urlOf('Other')) instanceof Promise &&
      (runs.app.peers.toolsAt.get(urlOf('Other')) as Promise<McpTool[]>).catch(() => {});
    const run = await runs.work(await runs.start({}, { mcps: [{ name: 'Desk' }, { name: 'Other', tools: [] }] }));
    expect(run).to.include({ state: 'succeeded' });
  });

  it('is cancelled while it waits for the next try', async () => {
    runs.app.peers.fail('connection_refused');
    const id = await runs.start();
    const { sleep } = runs.app.site.clock;
    let cancelled: Promise<unknown> | undefined;
    runs.app.site.clock.sleep = (ms, signal) => {
      cancelled ??= runs.call('POST', `/${id}/cancel`);
      return sleep(ms, signal);
    };
    await runs.step(id);
    expect(cancelled, 'the first step does not wait').to.equal(undefined);
    await runs.step(id);
    await cancelled;
    expect((await runs.read(id)).state).to.equal('cancelled');
    expect(runs.asked).to.deep.equal([]);
  });

  for (const [agent_timeout, tries] of [
    [60, 3],
    [9, 2],
    [2, 1],
  ] as const) {
    it(`has no further try beyond its ${agent_timeout} seconds`, async () => {
      const at = listings();
      runs.app.peers.fail('connection_refused');
      const from = now();
      const run = await runs.work(await runs.start({}, { agent_timeout }));
      expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
      expect(at).to.have.length(tries);
      expect(now() - from).to.be.at.most(1000 * agent_timeout);
    });
  }

  describe('whose process is killed', () => {
    it('goes on with the try that is due, in any process', async () => {
      const at = listings();
      runs.app.peers.fail('connection_refused');
      const id = await runs.start();
      const from = now();
      await runs.step(id);
      expect(runs.stored('ml_runs')[0]?.lack).to.deep.include({ index: 0, tries: 1 });
      // Whoever waited for the second try is gone.
      runs.app.site.clock.advance(5000);
      runs.app.gateway.listings = new ToolListings(() => now());
      await runs.step(id);
      expect(now() - from).to.equal(5000);
      runs.app.gateway.listings = new ToolListings(() => now());
      const run = await runs.work(id);
      expect(run).to.include({ state: 'failed', error_code: 'tools_unavailable' });
      expect(at.map((time) => time - from)).to.deep.equal([0, 5000, 13_000]);
      expect(statesOf(run)).to.deep.equal(['model failed']);
    });

    for (const mode of ['refused', 'lost'] as const) {
      it(`ends in the same way after any access to the store is ${mode}`, async () => {
        runs.app.peers.fail('connection_refused');
        for (let at = 1; ; at += 1) {
          const asked = listings();
          runs.app.gateway.listings = new ToolListings(() => now());
          const id = await runs.start();
          const faults = new FaultPlan(at, mode);
          for (let step = 0; step < 3; step += 1) await runs.step(id, faults).catch(() => undefined);
          runs.app.site.clock.advance(11_000);
          const run = await runs.work(id);
          expect(run, faults.trace.join(', ')).to.include({ state: 'failed', error_code: 'tools_unavailable' });
          expect(statesOf(run)).to.deep.equal(['model failed']);
          // A try that cannot read the connection counts, and one that cannot be noted does not.
          expect(asked.length, faults.trace.join(', ')).to.be.within(2, 4);
          if (faults.calls < at) break;
        }
        expect(runs.asked).to.deep.equal([]);
      });
    }
  });

  it('is busy for others while it waits, who read what it is doing', async () => {
    runs.app.peers.fail('connection_refused');
    const id = await runs.start();
    await runs.step(id);
    const { sleep } = runs.app.site.clock;
    const seen: unknown[] = [];
    runs.app.site.clock.sleep = async (ms, signal) => {
      if (seen.length === 0) {
        const { status, json } = await runs.call('POST', `/${id}/step`);
        seen.push(status, json.busy, (await runs.read(id)).state);
      }
      return sleep(ms, signal);
    };
    await runs.step(id);
    expect(seen).to.deep.equal([200, true, 'running']);
  });

  it('says to who approves with arguments of their own which server is missing', async () => {
    runs.turns.splice(0, 1, [{ name: 'Desk__delete', args: { id: 1 } }]);
    const id = await runs.start();
    expect((await runs.work(id)).state).to.equal('waiting_for_approval');
    runs.app.gateway.listings = new ToolListings(() => now());
    runs.app.peers.fail('tls_untrusted');
    const refused = await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve', arguments: { id: 2 } });
    expect(refused.status).to.equal(400);
    expect(refused.json.message).to.contain('(missing: the MCP connection Desk (tls_untrusted))');
  });
});
