import { expect } from 'chai';
import { type CounterId, counterOf, type ShardDoc } from '../../../src/metering/limits/counterDocs.ts';
import { readUse } from '../../../src/metering/limits/counterUse.ts';
import { foldShards } from '../../../src/metering/limits/foldShards.ts';
import { LimitCounters } from '../../../src/metering/limits/limitCounters.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

const ID: CounterId = { limit: 'l', window: 'day', ends: Date.UTC(2026, 0, 2) / 1000, user: 'anna' };
const MANY = { most: 10_000, isCapped: true };

describe('counters of usage limits', () => {
  let site: MemoryPlatform;
  const all = () => site.records.all('ml_usage_counters') as unknown as ShardDoc[];
  const shards = () => all().filter(({ kind }) => kind === 'shard');
  /** A process that takes some requests. */
  const taker = async (requests: number, terms = MANY, id = ID) => {
    const counters = new LimitCounters();
    const { chain, shard } = counters.of(id);
    const stores = site.process();
    for (let index = 0; index < requests; index++) {
      if (!(await chain.take(stores, terms))) throw new Error('used up');
      shard.countRequests(1);
    }
    shard.settle(undefined, { tokens: 10 * requests, cost: 0.5 * requests });
    return { counters, stores, chain };
  };
  beforeEach(() => {
    site = new MemoryPlatform();
  });

  it('a large limit costs few documents, and a clean end gives back what is not spent', async () => {
    const { counters, stores } = await taker(100);
    const blocks = all().length;
    expect(blocks).to.be.below(25);
    await counters.flush(stores);
    expect((await readUse(stores.records, ID, true)).requests).to.equal(100);
    await counters.close(stores);
    expect((await readUse(stores.records, ID, true)).requests).to.equal(100);
    expect(shards()[0]?.returned).to.have.length(1);
    const end = await taker(16, { most: 120, isCapped: true });
    await end.counters.flush(end.stores);
    expect((await readUse(end.stores.records, ID, true)).requests).to.equal(116);
  });

  it('the last fifth of a limit is taken one by one, and all of it', async () => {
    const { counters, stores, chain } = await taker(1000, { most: 1000, isCapped: true });
    expect(await chain.take(stores, { most: 1000, isCapped: true })).to.equal(undefined);
    await counters.flush(stores);
    const blocks = all().filter(({ kind }) => (kind as string) === 'block') as unknown as {
      position: number;
      size: number;
    }[];
    expect(blocks.filter(({ position }) => position > 800).every(({ size }) => size === 1)).to.equal(true);
    expect(Math.max(...blocks.map(({ size }) => size))).to.equal(5);
  });

  it('documents of processes that have ended become one, and nothing is lost or doubled', async () => {
    const small = { most: 300, isCapped: true };
    for (let index = 0; index < 30; index++) {
      const { counters, stores } = await taker(2, small);
      await counters.close(stores);
    }
    const sums = { requests: 60, tokens: 600, cost: 30 };
    const reader = async () => {
      const counters = new LimitCounters();
      const stores = site.process();
      const { shard } = counters.of(ID);
      const terms = { most: { tokens: 1000 }, isCapped: true };
      const { reservation } = await shard.reserve(stores, { tokens: 1, cost: 0 }, terms, ID.ends);
      shard.settle(reservation, { tokens: 0, cost: 0 });
      await counters.close(stores);
      await counters.flush(stores);
    };
    await reader();
    expect(shards().filter(({ sources }) => sources)).to.have.length(1);
    expect(await readUse(site.process().records, ID, false)).to.deep.equal(sums);
    site.clock.advance(61_000);
    for (let index = 0; index < 25; index++) await reader();
    expect(shards().length).to.be.below(30);
    expect(await readUse(site.process().records, ID, false)).to.deep.equal(sums);
    expect(await readUse(site.process().records, ID, true)).to.deep.equal(sums);
  });

  it('so do those of a limit on requests alone', async () => {
    for (let index = 0; index < 50; index++) {
      const { counters, stores } = await taker(1, { most: 1000, isCapped: true });
      await counters.flush(stores);
      await counters.close(stores);
      site.clock.advance(61_000);
    }
    expect(shards().length).to.be.below(50);
    expect((await readUse(site.process().records, ID, true)).requests).to.equal(50);
  });

  it('folding that dies at any call neither loses nor doubles anything', async () => {
    for (let at = 1; at <= 12; at++) {
      site = new MemoryPlatform();
      for (let index = 0; index < 22; index++) {
        const { counters, stores } = await taker(1, { most: 100, isCapped: true });
        await counters.close(stores);
      }
      await foldShards(site.process(new FaultPlan(at, 'crash')), counterOf(ID)).catch(() => {});
      expect(await readUse(site.process().records, ID, true), `call ${at}`).to.deep.equal({
        requests: 22,
        tokens: 220,
        cost: 11,
      });
    }
  });

  it('two foldings at once, of which one is late, double nothing', async () => {
    for (let at = 1; at <= 12; at++) {
      site = new MemoryPlatform();
      for (let index = 0; index < 22; index++) {
        const { counters, stores } = await taker(1, { most: 100, isCapped: true });
        await counters.close(stores);
      }
      const other = async () => {
        site.clock.advance(300_000);
        await foldShards(site.process(), counterOf(ID));
      };
      await foldShards(site.process(new FaultPlan(at, other)), counterOf(ID)).catch(() => {});
      expect((await readUse(site.process().records, ID, false)).tokens, `call ${at}`).to.equal(220);
    }
  });

  it('a counter that is opened again after a correction of the clock keeps what was used', async () => {
    const counters = new LimitCounters();
    const stores = site.process();
    const use = async () => {
      counters.of(ID).shard.countRequests(1);
      await counters.flush(stores);
    };
    await use();
    site.clock.advance(86_400_000 + 120_000);
    await counters.flush(stores);
    site.clock.advance(-86_400_000 - 120_000);
    await use();
    expect((await readUse(stores.records, ID, false)).requests).to.equal(2);
  });

  it('those of past windows are removed, a few at a time', async () => {
    const minute = (index: number): CounterId => ({ ...ID, window: 'minute', ends: ID.ends - 86_400 + 60 * index });
    for (let index = 1; index <= 70; index++) {
      const { counters, stores } = await taker(1, MANY, minute(index));
      await counters.close(stores);
    }
    expect(all()).to.have.length(140);
    site.clock.advance(86_400_000 + 1_000);
    // The only member: its clock says what is past.
    const last = await taker(1, MANY, { ...ID, ends: ID.ends + 86_400 });
    await last.counters.flush(last.stores);
    expect(all()).to.have.length(2);
  });

  it('those of past windows are removed also after a member has left', async () => {
    const useOn = async (host: string, id: CounterId) => {
      const stores = site.process(undefined, site.clock.elsewhere(host));
      const counters = new LimitCounters();
      counters.of(id).shard.countRequests(1);
      await counters.flush(stores);
    };
    const on = (day: number): CounterId => ({ ...ID, ends: ID.ends + day * 86_400 });
    await useOn('left', on(0));
    for (const [day, later] of [
      [1, 1],
      [20, 19],
    ] as const) {
      site.clock.advance(later * 86_400_000);
      await useOn('stays', on(day));
    }
    expect(all(), 'the other member may only be quiet').to.have.length(3);
    site.clock.advance(20 * 86_400_000);
    await useOn('stays', on(40));
    expect(all().map(({ ends }) => ends)).to.deep.equal([on(40).ends]);
  });

  describe('on a member whose clock is ahead', () => {
    const AHEAD_S = 3 * 86_400;
    const later: CounterId = { ...ID, ends: ID.ends + AHEAD_S };
    const ofToday = () => all().filter(({ ends }) => ends === ID.ends);
    const ahead = () => site.process(undefined, site.clock.elsewhere('host-2', AHEAD_S * 1000));

    it('nothing is removed that another member counts in, however many of its processes agree', async () => {
      const here = await taker(1);
      await here.counters.flush(here.stores);
      for (let index = 0; index < 2; index++) {
        const counters = new LimitCounters();
        counters.of(later).shard.countRequests(1);
        await counters.flush(ahead());
      }
      expect(ofToday()).to.have.length(2);
    });

    it('nor when it has folded documents of that member', async () => {
      for (let index = 0; index < 22; index++) {
        const { counters, stores } = await taker(1);
        await counters.close(stores);
      }
      await foldShards(ahead(), counterOf(ID));
      const counters = new LimitCounters();
      counters.of(later).shard.countRequests(1);
      await counters.flush(ahead());
      expect((await readUse(site.process().records, ID, true)).requests).to.equal(22);
    });
  });
});
