import { expect } from 'chai';
import { usageHandlers } from '../../../src/families/usage/handlers.ts';
import { reportUsage } from '../../../src/metering/usage/report.ts';
import { storedRows, USAGE, type UsageDoc, type UsageRow } from '../../../src/metering/usage/sums.ts';
import type { Doc, FindOptions, RecordStore } from '../../../src/ports/stores/recordStore.ts';
import { caller, MemoryPlatform } from '../../support/memory/platform.ts';

const HOUR = 3600;
const ALL = { by: ['user'] as const, from: 0, to: 1e9, interval: undefined, user: undefined };

const rowOf = (user: string, model = 'm'): UsageRow => ({
  ...{ user, operation: 'chat', provider: 'p', connection: 'c', model, alias: '', agent: '', via: 'rest' },
  ...{ requests: 1, failed: 0, input_tokens: 2, output_tokens: 3, unpriced: 1, upstream_ms: 4, overhead_ms: 1 },
});

describe('a report of usage', () => {
  let site: MemoryPlatform;
  let records: RecordStore;
  beforeEach(() => {
    site = new MemoryPlatform();
    records = site.process().records;
  });

  const put = (_key: string, hour: number, more: Partial<UsageDoc>): Promise<boolean> =>
    records.insert<UsageDoc>(USAGE, {
      ...{ _key, kind: 'process', from: hour * HOUR, to: (hour + 1) * HOUR, member: 'one', sources: [], rows: '[]' },
      ...more,
    });
  const hours = async (count: number, users: readonly string[]): Promise<void> => {
    for (let hour = 0; hour < count; hour += 1)
      await put(`${hour * HOUR}.p.0`, hour, storedRows(users.map((user) => rowOf(user))));
  };

  it('holds no more than a chunk of the collection at a time', async () => {
    await hours(300, ['ann', 'bob']);
    let [largest, parts] = [0, 0];
    const watched: RecordStore = {
      ...records,
      find: async () => {
        throw new Error('everything at once');
      },
      async *chunks<D extends Doc>(collection: string, options: FindOptions = {}) {
        for await (const chunk of records.chunks<D>(collection, options)) {
          largest = Math.max(largest, chunk.length);
          yield chunk;
        }
      },
    };
    const { total } = await reportUsage(watched, ALL, async () => {
      parts += 1;
    });
    expect(total.requests).to.equal(600);
    expect(largest).to.be.below(300);
    expect(parts).to.be.greaterThan(300 / largest);
  });

  it('of own uses reads the documents with own uses, and those of earlier versions, which do not name their users', async () => {
    await hours(100, ['ann']);
    await put('x.p.0', 7, storedRows([rowOf('ann'), rowOf('bob')]));
    await put('y.p.0', 8, { rows: JSON.stringify([rowOf('bob'), rowOf('ann')]) });
    await put('hour.0.1', 9, { kind: 'hour', sources: ['gone'], ...storedRows([rowOf('bob')]) });
    const keys: string[] = [];
    const watched: RecordStore = {
      ...records,
      async *chunks<D extends Doc>(collection: string, options: FindOptions = {}) {
        for await (const chunk of records.chunks<D>(collection, options)) {
          if (!options.fields) keys.push(...chunk.map(({ _key }) => _key));
          yield chunk;
        }
      },
    };
    const { rows, total } = await reportUsage(watched, { ...ALL, user: 'bob' });
    expect(rows.map(({ user, requests }) => [user, requests])).to.deep.equal([['bob', 3]]);
    expect(total.requests).to.equal(3);
    expect(keys).to.have.members(['x.p.0', 'y.p.0', 'hour.0.1']);
  });

  it('neither loses nor doubles what is folded while it reads', async () => {
    for (const at of [1, 2, 3, 4]) {
      site = new MemoryPlatform();
      records = site.process().records;
      await hours(120, ['ann']);
      let parts = 0;
      const { total } = await reportUsage(records, ALL, async () => {
        parts += 1;
        if (parts !== at) return;
        const [first, second] = [10, 110].map((hour) => `${hour * HOUR}.p.0`) as [string, string];
        const rows = storedRows([{ ...rowOf('ann'), requests: 2 }]);
        await put('hour.36000.1', 10, { kind: 'hour', sources: [first, second], ...rows });
        for (const key of [first, second]) await records.remove(USAGE, key);
      });
      expect(total.requests, `before part ${at}`).to.equal(120);
    }
  });

  it('is made one at a time; another waits a little, and is asked to come again', async () => {
    await hours(10, ['ann']);
    const first = site.process();
    const started = Promise.withResolvers<void>();
    const goOn = Promise.withResolvers<void>();
    const slow: RecordStore = {
      ...first.records,
      async *chunks<D extends Doc>(collection: string, options: FindOptions = {}) {
        started.resolve();
        await goOn.promise;
        yield* records.chunks<D>(collection, options);
      },
    };
    const ask = (stores: typeof first) =>
      usageHandlers(stores).getUsage({ query: { by: 'user', earliest: '0' }, caller: caller('ann') } as never);
    const report = ask({ ...first, records: slow });
    await started.promise;
    const refused = await ask(site.process()).catch((error: unknown) => error);
    expect(refused).to.include({ code: 'busy', status: 503 });
    /** How often a further request has paused before it was refused. */
    const pausesOf = async (): Promise<number> => {
      const { clock, ...rest } = site.process();
      let pauses = 0;
      const counting = {
        now: () => clock.now(),
        monotonic: () => clock.monotonic(),
        domain: clock.domain,
        member: clock.member,
        sleep(ms: number) {
          pauses += 1;
          return clock.sleep(ms);
        },
      };
      const busy = await ask({ ...rest, clock: counting }).catch((error: unknown) => error);
      expect(busy).to.include({ code: 'busy' });
      return pauses;
    };
    const pauses = await Promise.all([pausesOf(), pausesOf(), pausesOf()]);
    expect(
      pauses.filter((count) => count > 0),
      'requests that wait, which keeps their driver',
    ).to.have.length(1);
    goOn.resolve();
    expect((await report).total.requests).to.equal(10);
    expect((await ask(site.process())).total.requests).to.equal(10);
  });
});
