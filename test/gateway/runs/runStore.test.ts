import { expect } from 'chai';
import { COLLECTION } from '../../../src/domain/locks/remoteClocks.ts';
import { RUNS, type RunDoc } from '../../../src/gateway/runs/documents/stored.ts';
import type { HeldRun } from '../../../src/gateway/runs/heldRun.ts';
import { RunStore } from '../../../src/gateway/runs/runStore.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { eventually } from '../../support/time.ts';

const ID = 'r';
const KEY = `runs.${ID}`;
const run = { _key: ID, run_id: ID, state: 'running' } as RunDoc;

describe('a run that a process holds', () => {
  let site: MemoryPlatform;
  beforeEach(() => {
    site = new MemoryPlatform();
    site.records.collection(RUNS).set(ID, JSON.stringify(run));
  });
  const storeOf = (faults?: FaultPlan) => new RunStore(site.process(faults), 1);
  const codeOf = (work: Promise<unknown>) =>
    work.then(
      () => 'done',
      (error) => error.code,
    );
  const stored = () => site.records.all(RUNS)[0];
  /** What another process does once the lease is over. */
  const takeOver = (): void => {
    site.clock.advance(11_000);
    site.records.collection(COLLECTION).delete(KEY);
    site.records.collection(COLLECTION).set(KEY, JSON.stringify({ _key: KEY, owner: 'another' }));
  };

  it('is aborted and not written when another process took over, whatever the work made of that', async () => {
    const code = await codeOf(
      storeOf().hold(ID, async (held) => {
        takeOver();
        await eventually(() => held.signal.aborted, 5000);
        await held.saveRun({ ...run, state: 'failed' }).catch(() => {});
        throw new Error('the call was aborted');
      }),
    );
    expect(code).to.equal('store_unavailable');
    expect(stored()).to.include({ state: 'running' });
  });

  it('takes no write after its lease was released', async () => {
    let kept: HeldRun | undefined;
    await storeOf().hold(ID, async (held) => {
      kept = held;
    });
    expect(await codeOf(kept?.saveRun({ ...run, state: 'failed' }) as Promise<void>)).to.equal('store_unavailable');
    expect(stored()).to.include({ state: 'running' });
  });

  it('is not renewed after the release', async () => {
    // The renewal writes last, after whoever releases has gone on.
    let isRenewing = () => {};
    const began = new Promise<void>((resolve) => {
      isRenewing = resolve;
    });
    let release = () => {};
    const goesOn = new Promise<void>((resolve) => {
      release = resolve;
    });
    const faults = new FaultPlan();
    const { call } = faults;
    faults.call = async (name, effect) => {
      if (name === `replace ${COLLECTION}`) {
        isRenewing();
        await goesOn;
      }
      return call.call(faults, name, effect) as never;
    };
    const holding = storeOf(faults).hold(ID, () => began);
    await began;
    const owner = () => site.records.all(COLLECTION)[0]?.owner;
    const next = holding.then(() =>
      storeOf().hold(ID, async () => {
        const own = owner();
        release();
        await new Promise(setImmediate);
        return [own, owner()];
      }),
    );
    setTimeout(release, 50);
    const [own, afterwards] = (await next) ?? [];
    expect(own).to.be.a('string');
    expect(afterwards).to.equal(own);
  });
});
