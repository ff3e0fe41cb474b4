import { expect } from 'chai';
import type { CounterId, Position } from '../../../src/metering/limits/counterDocs.ts';
import { LimitCounters } from '../../../src/metering/limits/limitCounters.ts';
import { everyChoice, Stage } from './everyOrder.ts';

const ID: CounterId = { limit: 'l', window: 'day', ends: Date.UTC(2026, 0, 2) / 1000, user: 'anna' };
const LATER = Date.UTC(2026, 0, 1) / 1000 + 60;
const MOST_ORDERS = 60_000;

/** A process that takes and gives back requests. */
function taker(stage: Stage, process: number, most: number) {
  const stores = stage.stores(process);
  const { chain, shard } = new LimitCounters(`p${process}`).of(ID);
  const own: Position[] = [];
  return {
    own,
    stores,
    async take(): Promise<boolean> {
      const position = await chain.take(stores, { most, isCapped: true });
      if (position) own.push(position);
      return position !== undefined;
    },
    async giveBack(): Promise<void> {
      const position = own.pop();
      if (position) await chain.giveBack(stores, position);
    },
    async close(): Promise<void> {
      chain.giveBackHeld();
      shard.close();
      await shard.write(stores);
    },
  };
}
type Taker = ReturnType<typeof taker>;

const idsOf = (takers: readonly Taker[]) => takers.flatMap(({ own }) => own.map(({ at }) => at));

/** Checks each order, and then what a process gets that comes last. */
async function requests(
  { most, mishaps = { crashes: 0, lateReads: 0 } }: { most: number; mishaps?: { crashes: number; lateReads: number } },
  prepare: (stage: Stage) => Promise<{ takers: Taker[]; runs: (() => Promise<void>)[] }>,
): Promise<number> {
  return everyChoice(async (choose) => {
    const stage = new Stage(choose, mishaps);
    const { takers, runs } = await prepare(stage);
    await stage.act(runs);
    const last = taker(stage, 99, most);
    while (await last.take());
    const all = idsOf([...takers, last]);
    expect(new Set(all).size, 'each position has one owner').to.equal(all.length);
    expect(all.length, 'never more than the limit').to.be.at.most(most);
    if (stage.crashed === 0) expect(all.length, 'the whole limit, without a crash').to.equal(most);
  }, MOST_ORDERS);
}

const takes = (one: Taker, count: number) => async () => {
  for (let index = 0; index < count; index++) await one.take();
};

describe('limits on requests, in every order of the calls of processes', function () {
  this.timeout(120_000);

  it('two processes with three requests each, and four allowed', async () => {
    const orders = await requests({ most: 4 }, async (stage) => {
      const takers = [taker(stage, 1, 4), taker(stage, 2, 4)];
      return { takers, runs: takers.map((one) => takes(one, 3)) };
    });
    expect(orders).to.be.above(100);
  });

  it('three processes', async () => {
    await requests({ most: 2 }, async (stage) => {
      const takers = [1, 2, 3].map((process) => taker(stage, process, 2));
      return { takers, runs: takers.map((one) => takes(one, 1)) };
    });
  });

  it('one dies before any of its calls', async () => {
    await requests({ most: 3, mishaps: { crashes: 1, lateReads: 0 } }, async (stage) => {
      const takers = [taker(stage, 1, 3), taker(stage, 2, 3)];
      return { takers, runs: takers.map((one) => takes(one, 2)) };
    });
  });

  it('members read late', async () => {
    await requests({ most: 2, mishaps: { crashes: 0, lateReads: 3 } }, async (stage) => {
      const takers = [taker(stage, 1, 2), taker(stage, 2, 2)];
      return { takers, runs: takers.map((one) => takes(one, 2)) };
    });
  });

  it('members read late, and one dies', async () => {
    await requests({ most: 2, mishaps: { crashes: 1, lateReads: 2 } }, async (stage) => {
      const takers = [taker(stage, 1, 2), taker(stage, 2, 2)];
      return { takers, runs: takers.map((one) => takes(one, 1)) };
    });
  });

  it('requests are given back, and taken by another', async () => {
    await requests({ most: 2 }, async (stage) => {
      const takers = [taker(stage, 1, 2), taker(stage, 2, 2)];
      const [first, second] = takers as [Taker, Taker];
      const giver = async () => {
        await first.take();
        await first.giveBack();
      };
      return { takers, runs: [giver, takes(second, 2)] };
    });
  });

  it('two give back and take again, while one dies', async () => {
    await requests({ most: 1, mishaps: { crashes: 1, lateReads: 0 } }, async (stage) => {
      const takers = [taker(stage, 1, 1), taker(stage, 2, 1)];
      return {
        takers,
        runs: takers.map((one) => async () => {
          await one.take();
          await one.giveBack();
        }),
      };
    });
  });

  it('blocks at the end of the part in which they have several positions', async () => {
    await requests({ most: 400, mishaps: { crashes: 0, lateReads: 1 } }, async (stage) => {
      const takers = [taker(stage, 1, 400), taker(stage, 2, 400)];
      // One has spent enough for blocks of two, of which the last begins at 319; the other has blocks of one.
      await takes(takers[0] as Taker, 306)();
      await takes(takers[1] as Taker, 10)();
      return {
        takers,
        runs: takers.map((one) => async () => {
          await takes(one, 2)();
          await one.close();
        }),
      };
    });
  });
});

describe('limits on tokens, in every order of the calls of processes', function () {
  this.timeout(120_000);
  const terms = { most: { tokens: 100 }, isCapped: true };

  const amounts = (mishaps: { crashes: number; lateReads: number }, tokens: readonly number[]) =>
    everyChoice(async (choose) => {
      const stage = new Stage(choose, mishaps);
      let reserved = 0;
      await stage.act(
        tokens.map((amount, index) => async () => {
          const { shard } = new LimitCounters(`p${index}`).of(ID);
          const stores = stage.stores(index);
          const { reservation } = await shard.reserve(stores, { tokens: amount, cost: 0 }, terms, LATER);
          if (reservation) reserved += amount;
        }),
      );
      expect(reserved, 'never more than the limit').to.be.at.most(100);
    }, MOST_ORDERS);

  it('two processes of which one fits', async () => {
    expect(await amounts({ crashes: 0, lateReads: 0 }, [60, 60])).to.be.above(20);
  });

  it('one dies before any of its calls', async () => {
    await amounts({ crashes: 1, lateReads: 0 }, [60, 60]);
  });

  it('three processes of which all fit are all permitted', async () => {
    await everyChoice(async (choose) => {
      const stage = new Stage(choose, { crashes: 0, lateReads: 0 });
      const results: boolean[] = [];
      await stage.act(
        [30, 30, 40].map((tokens, index) => async () => {
          const { shard } = new LimitCounters(`p${index}`).of(ID);
          const reserved = await shard.reserve(stage.stores(index), { tokens, cost: 0 }, terms, LATER);
          results.push(reserved.reservation !== undefined);
        }),
      );
      expect(results).to.deep.equal([true, true, true]);
    }, MOST_ORDERS);
  });
});
