import { expect } from 'chai';
import { type Slim, SlimRows } from '../../src/domain/slimRows.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { MemoryPlatform } from '../support/memory/platform.ts';
import { Random } from '../support/random.ts';

interface Thing {
  _key: string;
  name: string;
  large: string;
  version: number;
  last_updated_at: number;
}

const SLIM: Slim<Thing, { key: string; name: string }> = {
  collection: 'things',
  fields: ['name'],
  shape: ({ _key, name }) => ({ key: _key, name }),
  compare: (a, b) => (a.name + a.key < b.name + b.key ? -1 : 1),
};

describe('slim rows', () => {
  let site: MemoryPlatform;
  let rows: SlimRows;
  beforeEach(() => {
    site = new MemoryPlatform();
    rows = new SlimRows();
  });

  const docs = () => site.records.collection('things');
  const put = (key: string, name: string, version = 1, behindMs = 0) => {
    const last_updated_at = (site.clock.now() - behindMs) / 1000;
    docs().set(key, JSON.stringify({ _key: key, name, large: 'x'.repeat(100), version, last_updated_at }));
  };
  const fill = (count: number) => {
    for (let index = 0; index < count; index += 1) put(`k${index}`, `name ${(index * 7919) % count}`);
  };
  const truth = () =>
    (site.records.all('things') as unknown as Thing[])
      .map(({ _key, name }) => ({ key: _key, name }))
      .sort(SLIM.compare);
  const read = async (faults = new FaultPlan()) => ({ all: await rows.of(site.process(faults), SLIM), faults });

  it('are those of the store, whatever becomes of its documents and however far behind the clock of a writer is', async () => {
    fill(300);
    const random = new Random(18);
    for (let round = 0; round < 120; round += 1) {
      site.clock.advance(random.pick([1, 500, 20_000, 200_000]));
      for (let writes = random.below(4); writes > 0; writes -= 1) {
        const key = `k${random.below(320)}`;
        const before = JSON.parse(docs().get(key) ?? '{}') as Partial<Thing>;
        if (random.chance(0.3)) docs().delete(key);
        // Up to five minutes behind, or a day ahead.
        else put(key, `new ${round}`, (before.version ?? 0) + 1, random.pick([0, 290_000, -86_400_000]));
      }
      expect((await read()).all, String(round)).to.deep.equal(truth());
    }
  });

  it('of many documents only what has changed is read again, and of few all', async () => {
    fill(300);
    await read();
    site.clock.advance(1000);
    put('k7', 'changed', 2);
    const { faults } = await read();
    const find = 'find things';
    // Newer forms, the number, recent changes, and the one.
    expect(faults.trace).to.have.members([find, 'count things', find, find]);
    for (const key of [...docs().keys()].slice(20)) docs().delete(key);
    await read();
    expect((await read()).faults.trace).to.deep.equal([find]);
  });

  it('a change of a clock that is further behind is seen within a minute', async () => {
    fill(300);
    await read();
    put('k7', 'late', 2, 400_000);
    await read();
    site.clock.advance(60_000);
    expect((await read()).all).to.deep.equal(truth());
  });

  it('a change is seen at once where the clock of this host has been put back', async () => {
    fill(300);
    site.clock.advance(600_000);
    await read();
    const clock = Object.assign(Object.create(site.clock), { now: () => site.clock.now() - 580_000 });
    put('k7', 'after', 2, 580_000);
    expect(await rows.of(site.process(undefined, clock), SLIM)).to.deep.equal(truth());
  });

  it('what cannot be read now is read the next time', async () => {
    fill(300);
    await read();
    for (let at = 1; at <= 4; at += 1) {
      put('k7', `changed ${at}`, at + 1);
      docs().delete(`k${20 + at}`);
      put(`new${at}`, 'new');
      await read(new FaultPlan(at, 'refused')).catch(() => undefined);
      expect((await read()).all, String(at)).to.deep.equal(truth());
    }
  });

  it('several requests at once', async () => {
    fill(300);
    await read();
    for (let round = 0; round < 10; round += 1) {
      put('k7', `changed ${round}`, round + 2);
      if (round % 3 === 0) docs().delete(`k${round}`);
      const all = await Promise.all([read(), read(), read()]);
      for (const one of all) expect(one.all).to.deep.equal(truth());
    }
  });

  it('a slow load of another request does not take the place of what is newer', async () => {
    fill(300);
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
    const { promise: hasRead, resolve: tell } = Promise.withResolvers<void>();
    const slow = site.process();
    const { chunks } = slow.records;
    slow.records.chunks = async function* (...given: Parameters<typeof chunks>) {
      yield* chunks(...given);
      tell();
      await isReleased;
    } as typeof chunks;
    const late = rows.of(slow, SLIM);
    await hasRead;
    await read();
    site.clock.advance(1000);
    put('k7', 'changed', 2);
    const own = site.process();
    const { count } = own.records;
    own.records.count = async (...given) => {
      const number = await count(...given);
      release();
      await late;
      return number;
    };
    expect(await rows.of(own, SLIM)).to.deep.equal(truth());
  });

  it('nothing is kept of what has become too much, for the next request either', async () => {
    fill(300);
    await read();
    site.clock.advance(1000);
    for (let index = 0; index < 250; index += 1) put(`k${index}`, 'x'.repeat(70_000), 2);
    expect((await read()).all).to.deep.equal(truth());
    expect(await rows.ifKept(site.process(), SLIM, false)).to.equal(undefined);
  });

  it('of too much nothing is kept', async () => {
    const name = 'x'.repeat(70_000);
    for (let index = 0; index < 250; index += 1) put(`k${index}`, name);
    await read();
    const { all, faults } = await read();
    expect(all).to.have.length(250);
    expect(faults.trace).to.not.include('count things');
  });

  it('of too much are not read to its end where somebody else looks through it, for ten minutes', async () => {
    const ifKept = async (faults = new FaultPlan()) => [
      await rows.ifKept(site.process(faults), SLIM),
      faults.trace.length,
    ];
    const name = 'x'.repeat(70_000);
    for (let index = 0; index < 1000; index += 1) put(`k${index}`, name);
    const all = new FaultPlan();
    await read(all);
    const [none, calls] = await ifKept();
    expect(none).to.equal(undefined);
    expect(calls).to.be.below(all.trace.length / 2);
    expect(await ifKept()).to.deep.equal([undefined, 0]);
    docs().clear();
    fill(300);
    expect(await ifKept()).to.deep.equal([undefined, 0]);
    site.clock.advance(600_000);
    expect((await ifKept())[0]).to.deep.equal(truth());
  });

  it('of more documents than somebody wants are not read to their end', async () => {
    fill(2500);
    const ifKept = async (most: number, faults = new FaultPlan()) => {
      const kept = new SlimRows();
      return [(await kept.ifKept(site.process(faults), { ...SLIM, most }))?.length, faults.trace.length];
    };
    const [all, calls] = await ifKept(2500);
    expect(all).to.equal(2500);
    const [none, fewer] = await ifKept(2499);
    expect(none).to.equal(undefined);
    expect(fewer).to.be.below(Number(calls));
  });

  it('are not read for whoever needs few of them, and kept ones are given', async () => {
    fill(300);
    const ifKept = (faults: FaultPlan) => rows.ifKept(site.process(faults), SLIM, false);
    const none = new FaultPlan();
    expect(await ifKept(none)).to.equal(undefined);
    expect(none.trace).to.deep.equal([]);
    await read();
    put('k7', 'new', 2);
    expect(await ifKept(new FaultPlan())).to.deep.equal(truth());
  });

  it('of some documents are none of others', async () => {
    fill(600);
    const of = (from: string) => ({ ...SLIM, where: { name: { $gte: from } } });
    const listed = async (from: string) => (await rows.of(site.process(), of(from))).length;
    const from = 'name 3';
    const expected = truth().filter(({ name }) => name >= from).length;
    site.clock.advance(600_000);
    expect([await listed(''), await listed(from), await listed('')]).to.deep.equal([600, expected, 600]);
    for (const _ of [1, 2])
      expect((await rows.of(site.process(), of(from))).every(({ name }) => name >= from)).to.equal(true);
  });
});
