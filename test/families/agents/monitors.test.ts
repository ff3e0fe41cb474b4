import { expect } from 'chai';
import { schemaChecks } from '../../../src/app/gateway/schemaChecks.ts';
import { contract } from '../../../src/codegen/bundle/live.ts';
import type { AgentStored } from '../../../src/families/agents/definition.ts';
import { AgentRecords } from '../../../src/families/agents/records/service.ts';
import { AgentLifecycle } from '../../../src/families/agents/tracking/lifecycle.ts';
import type { HostClock } from '../../../src/ports/platform/clock.ts';
import type { AgentsApi } from '../../../src/ports/platform/ownApi.ts';
import { follow } from '../../../src/search/follow.ts';
import { FakeCloud, FakeSearches } from '../../support/memory/cloud.ts';
import { caller, MemoryPlatform, MemorySettings } from '../../support/memory/platform.ts';

const MAKER = caller('maker', { capabilities: ['edit_agents', 'run_agents'] });
const LASTS_S = 120;

interface Monitor {
  startsAfterMs: number;
  intervalS: number;
  clock?: HostClock;
}

/** Number of calls to the cloud while monitors follow a slow agent. */
async function calls(monitors: readonly Monitor[], prepare: (cloud: FakeCloud) => void = () => {}): Promise<number> {
  const site = new MemoryPlatform();
  const cloud = new FakeCloud();
  // Each step runs in a new process.
  const lifecycle = (clock?: HostClock) => {
    const agents = new AgentRecords(
      site.process(undefined, clock),
      contract.plans,
      new MemorySettings(),
      schemaChecks(),
    );
    return new AgentLifecycle(agents, cloud.seenBy(), new FakeSearches());
  };
  await lifecycle().create(MAKER, { name: 'triage' }, []);
  const polls: number[] = [];
  cloud.calls.push = (...calls: string[]) => {
    polls.push(site.clock.now());
    return Array.prototype.push.apply(cloud.calls, calls);
  };
  prepare(cloud);
  await Promise.all(
    monitors.map(async ({ startsAfterMs, intervalS, clock }) => {
      await site.clock.sleep(startsAfterMs);
      const api = {
        follow: async (name, action, interval) => {
          const row = await lifecycle(clock).follow(MAKER, name, action, interval);
          return { status: 200, body: { status: 'success', ...row } };
        },
      } as Pick<AgentsApi, 'follow'> as AgentsApi;
      const following = {
        name: 'triage',
        action: 'create',
        timeoutS: LASTS_S - startsAfterMs / 1000,
        intervalS,
      } as const;
      for await (const output of follow({ agents: api, clock: site.clock }, following)) if (output.last) return;
    }),
  );
  return polls.length;
}

const many = (count: number, apartMs: number, more: Partial<Monitor> = {}): Monitor[] =>
  Array.from({ length: count }, (_, index) => ({ startsAfterMs: index * apartMs, intervalS: 5, ...more }));

describe('monitors of one agent', () => {
  for (const intervalS of [0.5, 1, 5, 30]) {
    for (const apartMs of [0, 130, 900, 4100]) {
      it(`call the cloud no more often if there are five (interval ${intervalS} s, ${apartMs} ms apart)`, async () => {
        const one = await calls(many(1, 0, { intervalS }));
        const five = await calls(many(5, apartMs, { intervalS }));
        expect(one).to.be.greaterThan(5);
        expect(five).to.be.at.most(one);
        expect(five, 'the agent is followed all the same').to.be.greaterThan(one * 0.6);
      });
    }
  }

  it('call no more often while the cloud fails', async () => {
    const trouble = (cloud: FakeCloud) => {
      cloud.always.get = 'throttled';
    };
    const one = await calls(many(1, 0), trouble);
    expect(await calls(many(5, 900), trouble)).to.be.at.most(one);
  });

  it('call no more often from members whose clocks differ by minutes', async () => {
    const { clock } = new MemoryPlatform();
    const one = await calls(many(1, 0));
    for (const ahead of [-600_000, 0, 600_000]) {
      const site = many(5, 900).map((monitor, index) =>
        index % 2 === 0 ? monitor : { ...monitor, clock: clock.elsewhere('host-2', ahead) },
      );
      expect(await calls(site), `${ahead} ms`).to.be.at.most(one + 1);
    }
  });

  it('continue for an agent that another member polled last', async () => {
    const { clock } = new MemoryPlatform();
    const alone = { startsAfterMs: 10_000, intervalS: 5, clock: clock.elsewhere('host-2', -600_000) };
    const ends = { startsAfterMs: 0, intervalS: 5 };
    expect(await calls([ends, alone])).to.be.greaterThan(10);
  });

  it('answer a single step with a poll of the last 0.8 seconds', async () => {
    const site = new MemoryPlatform();
    const cloud = new FakeCloud();
    const records = new AgentRecords(site.process(), contract.plans, new MemorySettings(), schemaChecks());
    const lifecycle = new AgentLifecycle(records, cloud.seenBy(), new FakeSearches());
    await lifecycle.create(MAKER, { name: 'triage' }, []);
    const asked = async (afterMs: number) => {
      site.clock.advance(afterMs);
      cloud.calls.length = 0;
      await lifecycle.follow(MAKER, 'triage', 'create');
      return cloud.calls.length;
    };
    expect([await asked(0), await asked(0), await asked(799), await asked(1), await asked(800)]).to.deep.equal([
      1, 0, 0, 1, 1,
    ]);
    // The wall clock may be set at any time.
    const [record] = site.records.all('ml_agents') as unknown as AgentStored[];
    expect(record?.polled?.domain).to.equal('host-1');
  });
});
