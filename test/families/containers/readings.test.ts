import { expect } from 'chai';
import { contract } from '../../../src/codegen/bundle/live.ts';
import { Fault } from '../../../src/contract/codes/faults.ts';
import { OutboundError } from '../../../src/contract/codes/outbound.ts';
import { containerParts } from '../../../src/families/containers/parts.ts';
import { containerLogs, readLogQuery } from '../../../src/families/containers/runtime/logs/logs.ts';
import type { StartInput } from '../../../src/families/containers/runtime/schemas.ts';
import { runPull } from '../../../src/families/containers/runtime/start/pullWorker.ts';
import { startContainer } from '../../../src/families/containers/runtime/start/start.ts';
import { stopContainer } from '../../../src/families/containers/runtime/stop.ts';
import type { ConnectionInput } from '../../../src/families/containers/schemas.ts';
import type { PullJob } from '../../../src/ports/engines/containerDependencies.ts';
import { EngineFailure, ImageAbsent, type Workload } from '../../../src/ports/engines/containerEngine.ts';
import type { RecordStore } from '../../../src/ports/stores/recordStore.ts';
import type { MemoryEngine } from '../../support/containers/memoryEngine.ts';
import { faultOf } from '../../support/fault.ts';
import { MemoryContainers } from '../../support/memory/containers.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

const ADMIN = caller('admin');
const START = { image: 'cpu', model: 'M' } as StartInput;
const down = () => new Fault('store_unavailable', 'The platform is not ready (503)');

describe('containers: destinations of secrets after concurrent changes, and failures of the store', () => {
  let platform: MemoryPlatform;
  let containers: MemoryContainers;
  /** Changes the record store of one process. */
  let between: (call: keyof RecordStore, collection: string) => void | Promise<void>;

  beforeEach(async () => {
    platform = new MemoryPlatform();
    containers = new MemoryContainers();
    between = () => {};
    await save({ docker_url: 'tcp://one:2375', api_token: 'token-1' });
  });

  const engine = (host: string) => containers.docker(host);

  /** One process of the site. */
  function site() {
    const stores = platform.process();
    const records = new Proxy(stores.records, {
      get:
        (target, name: keyof RecordStore) =>
        (collection: string, ...rest: unknown[]) => {
          const call = target[name] as (...args: unknown[]) => Promise<unknown>;
          return (async () => {
            await between(name, collection);
            return call(collection, ...rest);
          })();
        },
    });
    return containerParts({ ...stores, records }, containers, contract.plans);
  }

  async function save(change: object, force = false): Promise<string[]> {
    const { connections } = site();
    const record = await platform.process().records.get('ml_container_connections', 'docker.c');
    const input = { container_type: 'docker', connection_name: 'c', is_edit: String(record !== undefined), ...change };
    const draft = await connections.draft(input as ConnectionInput, force);
    await connections.save(draft, ADMIN, undefined);
    return draft.warnings;
  }
  const observe = () => site().observer.observe();
  const record = () => platform.records.all('ml_containers')[0] as unknown as Record<string, string> | undefined;

  it('sends the token only to the address that was read with it', async () => {
    await startContainer(site(), START, []);
    await observe();
    expect(new Set(containers.probed.map(({ url, token }) => `${url} ${token}`))).to.deep.equal(
      new Set(['http://one:5000 token-1']),
    );
    await save({ endpoint_hostname: 'two', api_token: 'token-2' });
    containers.probed = [];
    await observe();
    expect(containers.probed).to.deep.equal([{ url: 'http://two:5000', token: 'token-2' }]);
    expect(record()?.urls).to.include({ api_url: 'http://two:5000' });
    await save({ container_enable_https: 'true', api_token: 'token-3' });
    containers.probed = [];
    await observe();
    expect(containers.probed).to.deep.equal([{ url: 'https://two:5000', token: 'token-3' }]);
  });

  it('sends no token while the new address is unknown', async () => {
    await startContainer(site(), START, []);
    await observe();
    await save({ endpoint_hostname: 'two', api_token: 'token-2' });
    containers.probed = [];
    engine('one').list = async () => {
      throw new EngineFailure('timeout', 'silent', { timedOut: true });
    };
    expect((await observe()).map(({ status, probe_error }) => [status, probe_error])).to.deep.equal([
      ['Active', 'engine_unreachable'],
    ]);
    expect(containers.probed).to.deep.equal([]);
  });

  it('treats a record of an earlier release as one with an old address', async () => {
    await startContainer(site(), START, []);
    const { reach, ...old } = record() as Record<string, string>;
    expect(reach).to.be.a('string');
    await platform.process().records.replace('ml_containers', { ...old, urls: { api_url: 'http://evil:1' } } as never);
    containers.probed = [];
    await observe();
    expect(containers.probed).to.deep.equal([{ url: 'http://one:5000', token: 'token-1' }]);
  });

  it('reports containers that a change of the engine leaves behind', async () => {
    await startContainer(site(), START, []);
    const move = { docker_url: 'tcp://two:2375', api_token: 'token-of-the-second' };
    const fault = await faultOf(save(move));
    expect([fault.code, fault.extra.used_by]).to.deep.equal(['in_use', ['M']]);
    expect((await save(move, true)).join()).to.match(/stay on the former engine.*: M$/);
    containers.probed = [];
    const [left] = await observe();
    expect(left).to.include({ status: 'Stopped', status_reason: 'removed_externally' });
    expect(containers.probed).to.deep.equal([]);
    expect(engine('one').running.size).to.equal(1);
    await stopContainer(site(), 'M');
    expect(record()).to.equal(undefined);
  });

  it('starts in the engine of the connection, or the change of the connection is refused', async () => {
    // Pauses the change at each of its calls in turn while a start runs as far as it can.
    const outcomes = new Set<string>();
    for (let at = 1; ; at++) {
      platform.records.collection('ml_containers').clear();
      await save({ docker_url: 'tcp://one:2375', api_token: 'token-1' });
      for (const { running } of containers.engines.values()) running.clear();
      let calls = 0;
      let start: Promise<unknown> | undefined;
      between = async () => {
        calls += 1;
        if (calls !== at) return;
        between = () => {};
        start = startContainer(site(), START, []);
        start.catch(() => {});
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
      };
      const outcome = await save({ docker_url: 'tcp://two:2375', api_token: 'token-2' }).then(
        () => 'changed',
        (error) => error.code,
      );
      between = () => {};
      if (start === undefined) break;
      await start;
      const record = await site().connections.get('docker', 'c');
      const [here, there] = record.docker_url === 'tcp://one:2375' ? ['one', 'two'] : ['two', 'one'];
      expect(outcome, `call ${at}`).to.equal(here === 'one' ? 'in_use' : 'changed');
      expect([engine(here).running.size, engine(there).running.size], `call ${at}: ${outcome}`).to.deep.equal([1, 0]);
      outcomes.add(outcome);
    }
    expect([...outcomes]).to.have.members(['in_use', 'changed']);
  });

  it('reports a start whose container was removed as stopped, without the error of the engine', async () => {
    const one = engine('one');
    one.start = async () => {
      await stopContainer(site(), 'M');
      throw new EngineFailure('engine_error', 'No such container');
    };
    expect((await faultOf(startContainer(site(), START, []))).code).to.equal('invalid_state');
  });

  it('an interrupted start and a late stop do not touch the container of the next start', async () => {
    const one = engine('one');
    const { start } = one;
    let next: Promise<unknown> | undefined;
    one.start = async (workload) => {
      const made = await start.call(one, workload);
      one.start = start;
      // Created but not yet recorded: the model is stopped and started again.
      await stopContainer(site(), 'M');
      next = startContainer(site(), START, []);
      await next;
      return made;
    };
    expect((await faultOf(startContainer(site(), START, []))).code).to.equal('invalid_state');
    const [running] = one.running.values();
    const record = await site().runtimes.get('M');
    expect(running?.id, 'the next start answered, so it runs').to.equal('object2');
    expect(record?.id).to.equal('object2');

    const { stop } = one;
    let late = true;
    one.stop = async (reference) => {
      if (late) {
        late = false;
        // Another stop is faster, and the model is started again.
        await stopContainer(site(), 'M');
        await startContainer(site(), START, []);
      }
      return stop.call(one, reference);
    };
    await stopContainer(site(), 'M');
    expect([...one.running.values()].map(({ id }) => id)).to.deep.equal(['object3']);
    expect((await site().runtimes.get('M'))?.id).to.equal('object3');
  });

  describe('a store that does not answer', () => {
    const silent = (call: keyof RecordStore, collection: string, nth = 1) => {
      let seen = 0;
      between = (made, at) => {
        if (made !== call || at !== collection) return;
        seen += 1;
        if (seen >= nth) throw down();
      };
    };

    it('does not count as a deleted connection', async () => {
      await startContainer(site(), START, []);
      silent('get', 'ml_container_connections');
      expect((await faultOf(stopContainer(site(), 'M'))).code).to.equal('store_unavailable');
      const query = readLogQuery({}, platform.clock.now());
      expect((await faultOf(containerLogs(site().engines, record() as never, query))).code).to.equal(
        'store_unavailable',
      );
      between = () => {};
      expect(engine('one').running.size).to.equal(1);
      expect(record()).to.include({ model: 'M', step: '' });
      await stopContainer(site(), 'M');
      expect([engine('one').running.size, record()]).to.deep.equal([0, undefined]);
    });

    it('fails a start with the reason of the store', async () => {
      silent('get', 'ml_container_connections');
      expect((await faultOf(startContainer(site(), START, []))).code).to.equal('store_unavailable');
      between = () => {};
      expect([engine('one').running.size, record()]).to.deep.equal([0, undefined]);
    });

    it('that refuses writes prevents a stop', async () => {
      await startContainer(site(), START, []);
      between = (call) => {
        if (['insert', 'replace', 'remove'].includes(call)) throw down();
      };
      expect((await faultOf(stopContainer(site(), 'M'))).code).to.equal('store_unavailable');
      expect(engine('one').running.size).to.equal(1);
      between = () => {};
      expect(record()).to.include({ model: 'M' });
    });

    it('that fails after the engine has started leaves no container running', async () => {
      silent('replace', 'ml_containers');
      expect((await faultOf(startContainer(site(), START, []))).code).to.equal('store_unavailable');
      between = () => {};
      expect([engine('one').running.size, record()]).to.deep.equal([0, undefined]);
    });

    it('that fails after a stop leaves a record that says so, and the stop can be repeated', async () => {
      await startContainer(site(), START, []);
      silent('remove', 'ml_containers');
      expect((await faultOf(stopContainer(site(), 'M'))).code).to.equal('store_unavailable');
      between = () => {};
      expect([engine('one').running.size, record()?.step]).to.deep.equal([0, 'stopping']);
      expect((await observe())[0]).to.include({ status: 'Stopped', status_reason: 'stopped' });
      await stopContainer(site(), 'M');
      expect(record()).to.equal(undefined);
    });
  });

  describe('a pull', () => {
    let started: { workload: Workload; url: string }[];
    let pulling: () => Promise<void>;
    beforeEach(() => {
      started = [];
      pulling = async () => {};
      for (const host of ['one', 'two']) {
        const one = engine(host) as MemoryEngine & { pull?: unknown };
        const start = one.start.bind(one);
        let has = false;
        one.pull = async () => {
          await pulling();
          has = true;
        };
        one.start = async (workload: Workload) => {
          if (!has) throw new ImageAbsent('no such image');
          started.push({ workload, url: host });
          return start(workload);
        };
      }
    });
    const pull = async () => {
      const { engines: all, runtimes } = site();
      await runPull(all, runtimes, containers.pulls[0] as PullJob);
    };

    it('gives the container the secrets at the time of its start', async () => {
      const beginning = startContainer(site(), START, []);
      await beginning;
      pulling = async () => {
        await save({ api_token: 'token-2', endpoint_hostname: 'two' });
      };
      containers.probed = [];
      await pull();
      expect(started.map(({ workload }) => workload.secretEnvironment.api_token)).to.deep.equal(['token-2']);
      expect(containers.probed).to.deep.equal([{ url: 'http://two:5000', token: 'token-2' }]);
      expect(record()).to.include({ step: '' });
    });

    it('continues with what it has read when its token has expired, and the next read completes the record', async () => {
      await startContainer(site(), START, []);
      pulling = async () => {
        between = () => {
          throw down();
        };
      };
      await pull().catch((error) => expect(error.code).to.equal('store_unavailable'));
      between = () => {};
      expect(started.map(({ workload }) => workload.secretEnvironment.api_token)).to.deep.equal(['token-1']);
      expect((await observe())[0]).to.include({ status: 'Active', step: '', id: 'object1' });
    });

    it('leaves nothing behind when it is stopped at any step', async () => {
      await startContainer(site(), START, []);
      pulling = async () => {
        await stopContainer(site(), 'M');
      };
      await pull();
      expect([engine('one').running.size, record()]).to.deep.equal([0, undefined]);
    });

    it('removes what it created during the stop', async () => {
      await startContainer(site(), START, []);
      pulling = async () => {
        await site().runtimes.change(record() as never, () => ({ step: 'stopping' }));
      };
      await pull();
      expect([engine('one').running.size, record()?.step, record()?.status]).to.deep.equal([
        0,
        'stopping',
        'Waiting for Url to start',
      ]);
    });
  });

  it('fails only the request when settings cannot be read during an observation', async () => {
    await startContainer(site(), START, []);
    await observe();
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      const parts = site();
      containers.settings.read = async () => {
        throw new OutboundError('timeout', 'no settings');
      };
      await parts.observer.observe().catch(() => {});
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(unhandled).to.deep.equal([]);
    } finally {
      process.off('unhandledRejection', note);
    }
  });

  it('adopts only containers that a start can have created', async () => {
    await startContainer(site(), START, []);
    const [state] = [...engine('one').running.values()];
    const strange = ['', 'x'.repeat(64), 'a b', '../x', '-x', 'ü'];
    for (const [n, model] of strange.entries()) {
      engine('one').running.set(`s${n}`, { ...state, id: `s${n}`, name: `s${n}`, model } as never);
    }
    const facts = { image: 'y'.repeat(1000) };
    engine('one').running.set('good', { ...state, id: 'good', name: 'good', model: 'Good', mark: 'g', facts } as never);
    expect((await observe()).map(({ model }) => model)).to.deep.equal(['Good', 'M']);
    const good = platform.records.all('ml_containers').find(({ model }) => model === 'Good');
    expect(String(good?.image)).to.have.length(300);
  });
});
