import { expect } from 'chai';
import { SlimRows } from '../../src/domain/slimRows.ts';
import { connectionInventoryHandlers } from '../../src/families/connection-inventory/handlers.ts';
import { container, llm, model } from '../support/connectionDocuments.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';
import { Random } from '../support/random.ts';

const LLM = 'ml_llm_connections';
const CONTAINERS = 'ml_container_connections';
const CALLERS = [
  caller('both', { capabilities: ['list_ai_commander_config', 'list_container_connections'] }),
  caller('models', { capabilities: ['list_ai_commander_config'] }),
  caller('engines', { capabilities: ['edit_container_connections'] }),
  caller('nobody'),
];

type Inventory = ReturnType<typeof connectionInventoryHandlers>['listConnections'];
type Call = Parameters<Inventory>[0];

describe('pages of the inventory of what a process keeps', () => {
  let site: MemoryPlatform;
  let random: Random;
  let rows: SlimRows;
  beforeEach(() => {
    site = new MemoryPlatform();
    random = new Random(18);
    rows = new SlimRows();
  });

  const put = (collection: string, doc: { _key: string; version: number }, behindMs = 0) => {
    const docs = site.records.collection(collection);
    const { version } = JSON.parse(docs.get(doc._key) ?? '{"version":0}') as { version: number };
    const last_updated_at = (site.clock.now() - behindMs) / 1000;
    docs.set(doc._key, JSON.stringify({ ...doc, version: version + 1, last_updated_at }));
  };
  const nameOf = (index: number) => `${index % 3 ? 'Team' : 'team'} ${index % 131}`;
  const putLlm = (index: number, behindMs = 0) => {
    const models = Array.from({ length: 1 + random.below(3) }, (_, at) =>
      model(`model-${(at * 7 + index) % 5}.${at}`, { is_saved: random.chance(0.8) }),
    );
    put(LLM, llm(index < 131 ? 'General_Chat' : 'Local_Runtime', nameOf(index), ...models), behindMs);
  };
  const putEngine = (index: number, behindMs = 0) => {
    const url = `//host-${random.below(1000)}:2376`;
    const isDocker = index % 2 === 0;
    const more = isDocker ? { docker_url: `tcp:${url}` } : { cluster_url: `https:${url}` };
    put(CONTAINERS, container(isDocker ? 'docker' : 'kubernetes', nameOf(index), more), behindMs);
  };
  const putSome = (put: (index: number) => void) => {
    for (let count = random.below(4); count > 0; count -= 1) put(random.below(260));
  };
  const ask = (kept: boolean, who: Call['caller'], query: Call['query'], faults = new FaultPlan()) => {
    const stores = site.process(faults);
    return connectionInventoryHandlers(kept ? { ...stores, rows } : stores).listConnections({
      caller: who,
      query,
    } as Call);
  };
  const fill = () => {
    for (let index = 0; index < 240; index += 1) {
      putLlm(index);
      putEngine(index);
    }
  };

  it('are those that reading all gives, whatever is searched and sorted by, and whoever asks', async () => {
    fill();
    for (let round = 0; round < 300; round += 1) {
      site.clock.advance(random.pick([0, 1000, 30_000]));
      putSome(putLlm);
      putSome(putEngine);
      for (const collection of [LLM, CONTAINERS]) {
        const docs = site.records.collection(collection);
        if (random.chance(0.3)) docs.delete(random.pick([...docs.keys()]));
      }
      const query = {
        ...(random.chance(0.5) ? { search: random.pick(['team 1', 'TEAM 33', '7', 'none']) } : {}),
        ...(random.chance(0.6) ? { sort_key: random.pick(['connection_name', 'connection_type'] as const) } : {}),
        ...(random.chance(0.8) ? { sort_dir: random.pick(['asc', 'desc'] as const) } : {}),
        ...(random.chance(0.8) ? { count: random.pick([0, 7, 30, 300, 1000]) } : {}),
        ...(random.chance(0.5) ? { offset: random.pick([0, 20, 150, 500]) } : {}),
      };
      const who = random.pick(CALLERS);
      const about = `${round}: ${who.user} ${JSON.stringify(query)}`;
      expect(await ask(true, who, query), about).to.deep.equal(await ask(false, who, query));
    }
  });

  it('show every entry as it is, also when its place is not yet known to have changed', async () => {
    fill();
    const [both] = CALLERS as [Call['caller']];
    const page = { count: 30, sort_dir: 'desc' } as const;
    const first = await ask(true, both, page);
    // The clock of this writer is further behind than anybody looks back.
    for (let index = 0; index < 240; index += 1) putEngine(index, 400_000);
    // One for another: their number does not tell.
    site.records.collection(CONTAINERS).delete('kubernetes.team_2099');
    put(CONTAINERS, container('kubernetes', 'another', {}), 400_000);
    const then = await ask(true, both, page);
    const entries = new Set((await ask(false, both, {})).result.map((entry) => JSON.stringify(entry)));
    expect(then.result).to.have.length(first.result.length - 1);
    for (const entry of then.result) expect(entries).to.include(JSON.stringify(entry));
    expect(then.result).to.not.deep.equal(first.result);
  });

  it('leave out what has gone since, and count without it', async () => {
    fill();
    const engines = CALLERS[2] as Call['caller'];
    const last = { count: 2, sort_dir: 'desc' } as const;
    const { pagination } = await ask(true, engines, last);
    const total = pagination?.total ?? 0;
    let hasGone = false;
    // After what is kept was compared with the store.
    const faults = new FaultPlan(4, async () => {
      hasGone = site.records.collection(CONTAINERS).delete('kubernetes.team_2099');
    });
    const then = await ask(true, engines, last, faults);
    expect([hasGone, then.message]).to.deep.equal([true, `${total - 1} connections`]);
    expect(then.pagination).to.include({ total: total - 1, returned: 1, next_offset: 1 });
  });

  it('read no more than what has changed, and themselves', async () => {
    fill();
    const [both] = CALLERS as [Call['caller']];
    await ask(true, both, { count: 30 });
    site.clock.advance(1000);
    const faults = new FaultPlan();
    const { pagination } = await ask(true, both, { count: 30 }, faults);
    expect(pagination?.total).to.be.greaterThan(400);
    // Of each collection newer forms, the number and recent changes; and the entries of the page, which are of one.
    const asked = [LLM, CONTAINERS].flatMap((name) => [`find ${name}`, `count ${name}`, `find ${name}`]);
    expect(faults.trace.toSorted()).to.deep.equal([...asked, `find ${LLM}`].toSorted());
  });
});
