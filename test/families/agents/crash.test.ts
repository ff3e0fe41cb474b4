import { expect } from 'chai';
import { MAKER, oneAgent } from '../../support/memory/agent.ts';
import { type Json, MemoryApp } from '../../support/memory/app.ts';
import { FaultPlan } from '../../support/memory/faults.ts';

describe('agents when a process dies', () => {
  let app: MemoryApp;
  const { create, remove, retry, poll, record, followed } = oneAgent(() => app);

  const settleAll = async () => {
    app.site.clock.advance(61_000);
    app.cloud.become('READY');
    app.cloud.newborn = 'READY';
  };

  /** Kills the process at each of its calls in turn, and checks what is left. */
  async function atEachCall(
    prepare: () => Promise<unknown>,
    act: (faults: FaultPlan) => Promise<unknown>,
    check: (at: number) => Promise<void>,
  ): Promise<void> {
    for (let at = 1; ; at++) {
      app = new MemoryApp();
      app.user('maker', MAKER);
      await prepare();
      const faults = new FaultPlan(at, 'crash');
      await act(faults);
      await check(at);
      if (faults.calls < at) {
        expect(at, 'calls that were cut').to.be.above(4);
        return;
      }
    }
  }

  const endsWell = async (at: number) => {
    await settleAll();
    if (record()) {
      const row = await followed('create');
      expect(row.state, `after call ${at}: ${JSON.stringify(row)}`).to.be.oneOf(['Available', 'Failed']);
      expect(app.cloud.runtimes.size, `one runtime after call ${at}`).to.be.at.most(1);
      await remove();
      await followed('delete');
    }
    expect(record(), `record after call ${at}`).to.equal(undefined);
    expect(app.cloud.runtimes.size, `runtimes after call ${at}`).to.equal(0);
  };

  it('in the middle of a creation', () => atEachCall(async () => {}, create, endsWell));

  it('in the middle of a creation, deleted at once without anybody following it', () =>
    atEachCall(
      async () => {},
      create,
      async (at) => {
        app.site.clock.advance(61_000);
        if (record()) await remove();
        if (record()) await followed('delete');
        expect(record(), `record after call ${at}`).to.equal(undefined);
        expect(app.cloud.runtimes.size, `runtimes after call ${at}`).to.equal(0);
      },
    ));

  it('in the middle of a step of following', () =>
    atEachCall(
      async () => {
        await create();
        app.cloud.become('READY');
      },
      (faults) => poll('create', faults),
      endsWell,
    ));

  it('in the middle of a retry', () =>
    atEachCall(
      async () => {
        await create();
        app.cloud.become('CREATE_FAILED');
        await poll('create');
      },
      retry,
      async (at) => {
        app.site.clock.advance(61_000);
        for (const runtime of app.cloud.runtimes.values()) {
          if (runtime.status === 'CREATING') runtime.status = 'READY';
        }
        if (record()?.state === 'Failed') await retry();
        const followedRow = await followedReady();
        expect(followedRow, `after call ${at}`).to.include({ state: 'Available' });
        await remove();
        await followed('delete');
        expect(app.cloud.runtimes.size, `runtimes after call ${at}`).to.equal(0);
      },
    ));

  async function followedReady(): Promise<Json> {
    for (let round = 0; round < 10; round++) {
      for (const runtime of app.cloud.runtimes.values()) {
        if (runtime.status === 'CREATING') runtime.status = 'READY';
      }
      const row = await poll('create');
      if (row.done === 1) return row;
    }
    return expect.fail('never ready');
  }

  it('in the middle of a deletion, and of the step that ends it', async () => {
    const prepared = async () => {
      await create();
      app.cloud.become('READY');
      await poll('create');
    };
    const isGone = async (at: number) => {
      app.site.clock.advance(61_000);
      if (record()?.state === 'Available') await remove();
      if (record()) await followed('delete');
      expect(record(), `record after call ${at}`).to.equal(undefined);
      expect(app.cloud.runtimes.size, `runtimes after call ${at}`).to.equal(0);
    };
    await atEachCall(prepared, remove, isGone);
    await atEachCall(
      async () => {
        await prepared();
        await remove();
      },
      (faults) => poll('delete', faults),
      isGone,
    );
  });
});
