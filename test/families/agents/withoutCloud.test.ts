import { expect } from 'chai';
import { MAKER, oneAgent } from '../../support/memory/agent.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

type Runtime = 'BUILT_IN' | 'CLOUD_AGENT_CORE';

describe('agents without a cloud, when others act or a process dies', () => {
  let app: MemoryApp;
  const { remove, send, poll, followed, record } = oneAgent(() => app);
  const create = (runtime_type: Runtime, faults?: FaultPlan) =>
    send('POST', '/agents', { name: 'triage', runtime_type }, faults);

  const begin = () => {
    app = new MemoryApp();
    app.user('maker', MAKER);
    app.cloud.newborn = 'READY';
  };

  /** An agent that is available. */
  async function settled(runtime: Runtime): Promise<void> {
    await create(runtime);
    if (runtime === 'CLOUD_AGENT_CORE') await poll('create');
    expect(record()?.state).to.equal('Available');
  }

  async function vanished(): Promise<void> {
    await remove();
    if (record()) await followed('delete');
    expect(record()).to.equal(undefined);
  }

  /** @param act is called with a plan for each of its calls to the stores in turn */
  async function atEachCall(plan: (at: number) => FaultPlan, act: (faults: FaultPlan, at: number) => Promise<void>) {
    for (let at = 1; ; at++) {
      begin();
      const faults = plan(at);
      await act(faults, at);
      if (faults.calls < at) {
        expect(at, 'calls').to.be.above(4);
        return;
      }
    }
  }

  for (const [before, after] of [
    ['BUILT_IN', 'CLOUD_AGENT_CORE'],
    ['CLOUD_AGENT_CORE', 'BUILT_IN'],
  ] as const) {
    it(`a deletion leaves no agent on its way without a cloud, nor a runtime, when ${after} takes the place of ${before}`, async () => {
      const replace = async () => {
        await vanished();
        await settled(after);
      };
      // Whoever holds the lease keeps the others out.
      for (let at = 1, last = ''; last !== 'insert ml_leases'; at++) {
        begin();
        await settled(before);
        const faults = new FaultPlan(at, replace);
        const reply = await remove(faults);
        last = faults.trace[at - 1] ?? expect.fail('no lease was taken');
        expect(reply.json.error_code, `call ${at}`).to.be.oneOf([undefined, 'invalid_state']);
        const left = record();
        if (left?.runtime_type === 'BUILT_IN') expect(left.state, `call ${at}`).to.equal('Available');
        if (left) await vanished();
        expect(app.cloud.runtimes.size, `runtimes after call ${at}`).to.equal(0);
      }
    });
  }

  for (const mode of ['crash', 'refused', 'lost'] as const) {
    it(`a creation that is ${mode} at any call leaves it available or not at all`, async () => {
      await atEachCall(
        (at) => new FaultPlan(at, mode),
        async (faults, at) => {
          await create('BUILT_IN', faults);
          app.site.clock.advance(61_000);
          if (record()) expect(record()?.state, `call ${at}`).to.equal('Available');
          else await settled('BUILT_IN');
          await vanished();
        },
      );
    });

    it(`a deletion that is ${mode} at any call leaves it available or gone`, async () => {
      await atEachCall(
        (at) => new FaultPlan(at, mode),
        async (faults, at) => {
          await settled('BUILT_IN');
          await remove(faults);
          app.site.clock.advance(61_000);
          if (record()) expect(record()?.state, `call ${at}`).to.equal('Available');
          else await settled('BUILT_IN');
          await vanished();
        },
      );
    });
  }
});
