import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { containerParts } from '../../../src/families/containers/parts.ts';
import type { StartInput } from '../../../src/families/containers/runtime/schemas.ts';
import { startContainer } from '../../../src/families/containers/runtime/start/start.ts';
import { stopContainer } from '../../../src/families/containers/runtime/stop.ts';
import type { ConnectionInput } from '../../../src/families/containers/schemas.ts';
import { EngineFailure } from '../../../src/ports/engines/containerEngine.ts';
import type { MemoryEngine } from '../../support/containers/memoryEngine.ts';
import { faultOf } from '../../support/fault.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { Crashed, FaultPlan } from '../../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

const START = { image: 'cpu', model: 'M' } as StartInput;

describe('starts and stops of processes that die', () => {
  let platform: MemoryPlatform;
  let engine: MemoryEngine;
  let containers: MemoryContainers;

  beforeEach(async () => {
    platform = new MemoryPlatform();
    containers = new MemoryContainers();
    engine = containers.docker('one');
    const { connections } = site();
    const draft = await connections.draft({
      container_type: 'docker',
      connection_name: 'one',
      docker_url: 'tcp://one:2375',
    } as ConnectionInput);
    await connections.save(draft, caller('admin'), undefined);
    // As after a first start: the installation has its id.
    await site().engines.installation();
  });

  /** One process of the site. */
  const site = (faults?: FaultPlan) => containerParts(platform.process(faults), containers, contract.plans);

  const records = () => platform.records.all('ml_containers');

  it('starts once, becomes Active, and leaves nothing behind after a stop', async () => {
    const started = await startContainer(site(), START, []);
    expect(started).to.include({ status: 'Waiting for Url to start', id: 'object1', step: '' });
    expect((await site().observer.observe()).map(({ status }) => status)).to.deep.equal(['Active']);
    expect((await faultOf(startContainer(site(), START, []))).code).to.equal('already_running');
    await stopContainer(site(), 'm');
    expect([records(), engine.running.size]).to.deep.equal([[], 0]);
  });

  it('removes the record of a refused start and keeps that of a refused stop', async () => {
    engine.refuse = new EngineFailure('port_conflict', 'taken');
    const fault = await faultOf(startContainer(site(), START, []));
    expect([fault.code, fault.extra.reason, fault.status]).to.deep.equal(['upstream_error', 'port_conflict', 502]);
    expect(records()).to.deep.equal([]);
    engine.refuse = undefined;
    await startContainer(site(), START, []);
    engine.refuse = new EngineFailure('timeout', 'silent', { timedOut: true });
    expect((await faultOf(stopContainer(site(), 'M'))).code).to.equal('upstream_timeout');
    expect(records()).to.have.length(1);
  });

  for (const mode of ['crash', 'refused', 'lost'] as const) {
    it(`leaves no unknown object when any call of a start to the stores fails (${mode})`, async () => {
      for (let at = 1; ; at++) {
        platform.records.collection('ml_containers').clear();
        platform.records.collection('ml_leases').clear();
        engine.running.clear();
        const faults = new FaultPlan(at, mode);
        const outcome = await startContainer(site(faults), START, []).then(
          () => 'started',
          (error) => (error instanceof Crashed ? 'crashed' : error.code),
        );
        if (faults.calls < at) break;
        const where = `call ${at} (${faults.trace.at(-1)}): ${outcome}`;
        // A minute later an observation finds all that runs, and it can be stopped.
        platform.clock.advance(61_000);
        const seen = await site().observer.observe();
        expect(seen.length, where).to.be.at.least(engine.running.size);
        if (engine.running.size > 0)
          expect(
            seen.map(({ status }) => status),
            where,
          ).to.deep.equal(['Active']);
        for (const { model } of seen) await stopContainer(site(), model);
        expect([records().length, engine.running.size], where).to.deep.equal([0, 0]);
        expect((await startContainer(site(), START, [])).step, where).to.equal('');
      }
    });
  }

  it('can repeat a stop in which any call to the stores failed', async () => {
    for (const mode of ['crash', 'refused', 'lost'] as const) {
      for (let at = 1; ; at++) {
        platform.records.collection('ml_containers').clear();
        engine.running.clear();
        await startContainer(site(), START, []);
        const faults = new FaultPlan(at, mode);
        const outcome = await stopContainer(site(faults), 'M').then(
          () => 'stopped',
          () => 'failed',
        );
        // A stop that succeeded has stopped it.
        if (outcome === 'stopped')
          expect([records().length, engine.running.size], `${mode} ${at}`).to.deep.equal([0, 0]);
        if (faults.calls < at) break;
        await stopContainer(site(), 'M').catch((error) => expect(error.code).to.equal('not_found'));
        expect([records().length, engine.running.size], `${mode} ${at}`).to.deep.equal([0, 0]);
      }
    }
  });

  it('lets exactly one of many processes start', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => startContainer(site(), START, [])));
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1);
    expect([records().length, engine.running.size]).to.deep.equal([1, 1]);
  });
});
