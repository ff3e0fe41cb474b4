import { expect } from 'chai';
import { foldUsage } from '../../../src/metering/usage/folding.ts';
import { UsageLedger } from '../../../src/metering/usage/ledger.ts';
import { reportUsage } from '../../../src/metering/usage/report.ts';
import { USAGE, type UsageDoc, type UsageRow } from '../../../src/metering/usage/sums.ts';
import type { UseRecord } from '../../../src/metering/usage/useRecord.ts';
import type { HostClock } from '../../../src/ports/platform/clock.ts';
import { Crashed, type FaultMode, FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const RETENTION_DAYS = 400;

describe('the sums of usage', () => {
  let site: MemoryPlatform;
  let ids: number;
  beforeEach(() => {
    site = new MemoryPlatform();
    ids = 0;
  });

  const use = (more: Partial<UseRecord> = {}): UseRecord => ({
    usage_id: 'u',
    time: site.clock.now() / 1000,
    user: 'ann',
    via: 'openai',
    operation: 'chat',
    provider: 'OpenAI',
    connection: 'main',
    model: 'm1',
    input_tokens: 10,
    output_tokens: 5,
    cost: 0.1,
    outcome: 'success',
    attempts: 1,
    upstream_ms: 100,
    overhead_ms: 10,
    request_id: 'r',
    ...more,
  });
  const ledgerOf = (clock: HostClock = site.clock) => {
    ids += 1;
    return new UsageLedger(`p${ids}`, clock, site.log);
  };
  const fold = (faults?: FaultPlan, clock?: HostClock) => {
    // The lease is the interval.
    site.clock.advance(61_000);
    return foldUsage(site.process(faults, clock), RETENTION_DAYS);
  };
  const everything = { by: ['user'] as const, from: 0, to: 1e11, interval: undefined, user: undefined };
  const total = async () => (await reportUsage(site.process().records, everything)).total;
  const kinds = () => site.records.all(USAGE).map(({ kind }) => kind);

  /** Two processes write uses in each of some hours. @returns how many */
  async function write(hours: number): Promise<number> {
    for (let hour = 0; hour < hours; hour++) {
      for (const user of ['ann', 'bob']) {
        const ledger = ledgerOf();
        ledger.add(use({ user, masked: { user: 2, ipv4: 1 } }));
        ledger.add(use({ user, outcome: 'fail', cost: undefined }));
        await ledger.write(site.process().records);
      }
      site.clock.advance(HOUR_MS);
    }
    return hours * 4;
  }

  it('has a document for each process and hour, and sums them by keys and time', async () => {
    const uses = await write(3);
    expect(kinds()).to.deep.equal(Array(6).fill('process'));
    const { rows } = await reportUsage(site.process().records, {
      ...everything,
      interval: 'day',
      by: ['user', 'model'],
    });
    const begin = Date.UTC(2026, 0, 1) / 1000;
    const sums = {
      requests: uses / 2,
      failed: 3,
      input_tokens: 60,
      output_tokens: 30,
      cost: 0.3,
      unpriced: 3,
      masked: 9,
    };
    const means = { upstream_ms_mean: 100, overhead_ms_mean: 10 };
    expect(rows).to.deep.equal([
      { time: begin, user: 'ann', model: 'm1', ...sums, ...means },
      { time: begin, user: 'bob', model: 'm1', ...sums, ...means },
    ]);
  });

  it('reports nothing of others to a user who may only see their own', async () => {
    await write(1);
    const { rows } = await reportUsage(site.process().records, { ...everything, user: 'bob' });
    expect(rows.map(({ user }) => user)).to.deep.equal(['bob']);
  });

  it('counts nothing as masked in documents of earlier versions', async () => {
    const ledger = ledgerOf();
    ledger.add(use({ masked: { user: 2 } }));
    await ledger.write(site.process().records);
    const [doc] = site.records.all(USAGE);
    const rows = JSON.stringify(JSON.parse(String(doc?.rows)).map(({ masked: _, ...row }: UsageRow) => row));
    await site.process().records.replace(USAGE, { ...doc, rows } as UsageDoc);
    expect((await total()).masked).to.equal(0);
  });

  it('has no cost where no use has a price', async () => {
    const ledger = ledgerOf();
    ledger.add(use({ cost: undefined }));
    ledger.add(use({ cost: undefined, operation: 'execute_tool' }));
    await ledger.write(site.process().records);
    expect(await total())
      .to.deep.include({ requests: 2, unpriced: 1 })
      .and.not.have.property('cost');
  });

  it('are written again after a write whose answer was lost, and counted once', async () => {
    for (const [at, mode] of [1, 2, 3].flatMap((n) => (['lost', 'refused'] as const).map((m) => [n, m] as const))) {
      site = new MemoryPlatform();
      const { records } = site.process(new FaultPlan(at, mode));
      const ledger = ledgerOf();
      for (let count = 1; count <= 4; count++) {
        ledger.add(use());
        await ledger.write(records).catch(() => {});
      }
      await ledger.write(records);
      expect((await total()).requests, `${mode} at ${at}`).to.equal(4);
    }
  });

  it('become one document an hour after two hours, and one a day after 35 days', async () => {
    const uses = await write(4);
    for (let time = 0; time < 3; time++) await fold();
    expect(kinds().sort()).to.deep.equal(['hour', 'hour', 'process', 'process', 'process', 'process']);
    expect((await total()).requests).to.equal(uses);
    site.clock.advance(37 * DAY_MS);
    for (let time = 0; time < 3; time++) await fold();
    expect(kinds()).to.deep.equal(['day']);
    expect((await total()).requests).to.equal(uses);
    site.clock.advance(RETENTION_DAYS * DAY_MS);
    await fold();
    expect(kinds()).to.deep.equal([]);
  });

  it('neither lose nor double anything if folding breaks off anywhere, or two processes fold at once', async () => {
    const harms: (FaultMode | 'other')[] = ['crash', 'lost', 'refused', 'other'];
    for (const harm of harms) {
      for (let at = 1; at <= 40; at++) {
        site = new MemoryPlatform();
        const uses = await write(3);
        site.clock.advance(37 * DAY_MS);
        const here = `${harm} at ${at}`;
        const other = async () => {
          await fold();
          expect((await total()).requests, here).to.equal(uses);
        };
        const faults = new FaultPlan(at, harm === 'other' ? other : harm);
        await fold(faults).catch((error: unknown) => {
          if (!(error instanceof Crashed) && harm !== 'lost' && harm !== 'refused') throw error;
        });
        expect((await total()).requests, here).to.equal(uses);
        for (let time = 0; time < 3; time++) await fold();
        expect((await total()).requests, `${here}, later`).to.equal(uses);
        expect(kinds(), here).to.deep.equal(['day']);
      }
    }
  });

  it('stay with what a process adds late to an hour that was folded', async () => {
    await write(1);
    const late = ledgerOf();
    late.add(use({ time: Date.UTC(2026, 0, 1) / 1000 }));
    site.clock.advance(HOUR_MS - 61_000);
    await late.write(site.process().records);
    site.clock.advance(HOUR_MS);
    await fold();
    await fold();
    expect([kinds(), (await total()).requests]).to.deep.equal([['hour'], 5]);
  });

  it('drop what a process that was suspended for hours would write into folded ones', async () => {
    const ledger = ledgerOf();
    ledger.add(use());
    await ledger.write(site.process().records);
    ledger.add(use());
    site.clock.advance(3 * HOUR_MS);
    await fold();
    await ledger.write(site.process().records);
    expect((await total()).requests).to.equal(1);
    expect(site.log.lines.map(({ event }) => event)).to.include('usage_not_summed');
  });

  it('of a member that has left are folded and removed at last', async () => {
    const left = site.clock.elsewhere('left');
    const ledger = ledgerOf(left);
    ledger.add(use({ time: left.now() / 1000 }));
    await ledger.write(site.process().records);
    for (const days of [1, 39]) {
      site.clock.advance(days * DAY_MS);
      const own = ledgerOf();
      own.add(use({ time: site.clock.seconds() }));
      await own.write(site.process().records);
      await fold();
    }
    expect(kinds().filter((kind) => kind === 'process')).to.have.length(1);
    site.clock.advance((RETENTION_DAYS + 1) * DAY_MS);
    await fold();
    expect(kinds()).to.deep.equal([]);
  });

  it('of other members are neither folded nor removed by a clock that is ahead', async () => {
    const uses = await write(2);
    const ahead = site.clock.elsewhere('ahead', 500 * DAY_MS);
    const ledger = ledgerOf(ahead);
    ledger.add(use({ time: ahead.now() / 1000 }));
    await ledger.write(site.process().records);
    for (let time = 0; time < 3; time++) await fold(undefined, ahead);
    expect((await total()).requests).to.equal(uses + 1);
    expect(kinds().filter((kind) => kind === 'process')).to.have.length(5);
  });
});
