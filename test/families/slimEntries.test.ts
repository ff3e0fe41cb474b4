import { expect } from 'chai';
import { AUDIT } from '../../src/domain/audit.ts';
import { GrowingCounts } from '../../src/domain/growingCounts.ts';
import { SlimRows } from '../../src/domain/slimRows.ts';
import { timeOrderedId } from '../../src/domain/timeOrderedId.ts';
import { AuditEntries } from '../../src/families/audit/entries.ts';
import { HISTORY } from '../../src/families/experiments/constants.ts';
import { History } from '../../src/families/experiments/history.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { MemoryPlatform } from '../support/memory/platform.ts';
import { Random } from '../support/random.ts';

const SEARCHES = ['desk', ' DESK 1', 'ann', 'create', 'time', 'none'];
const seconds = (ms: number) => String(ms / 1000);

/** What both collections have in common: entries that come at one end and are cleared at the other. */
abstract class Site {
  readonly site = new MemoryPlatform();
  readonly random = new Random(18);
  readonly rows = new SlimRows();
  readonly #collection: string;

  constructor(collection: string) {
    this.#collection = collection;
  }

  docs = () => this.site.records.collection(this.#collection);

  /** @param behindMs by how much the clock of its host is behind */
  add(behindMs: number, make: (id: string, now: number) => object): void {
    const now = this.site.clock.now() - behindMs;
    const _key = timeOrderedId(now);
    this.docs().set(_key, JSON.stringify({ _key, ...make(_key, now) }));
  }

  clear(most: number): void {
    for (const key of [...this.docs().keys()].sort().slice(0, this.random.below(most))) this.docs().delete(key);
  }

  stores(isKept: boolean, faults = new FaultPlan()) {
    const stores = this.site.process(faults);
    return isKept ? { ...stores, rows: this.rows } : stores;
  }

  /** A moment among those of the entries, as a query has it. */
  moment = () => seconds(this.site.clock.now() - this.random.below(4_000_000));
}

class TrailSite extends Site {
  constructor() {
    super(AUDIT);
    for (let index = 0; index < 260; index += 1) this.write();
  }

  /** @param isOpen it has begun, and not ended */
  write(isOpen = this.random.chance(0.1), behindMs = 0): void {
    const { random } = this;
    const name = `${random.pick(['Desk', 'desk', 'Lab'])} ${random.below(20)}`;
    this.add(behindMs, (audit_id, now) => ({
      ...{ audit_id, time: now / 1000, name, name_key: name.toLowerCase(), user: random.pick(['ann', 'ben']) },
      ...{ action: random.pick(['create', 'update']), family: 'mcp-connections', changed: '[]', via: 'rest' },
      ...{ request_id: random.pick(['r1', 'r2']), outcome: 'unknown', duration_ms: null },
      ...(isOpen ? {} : this.#ending()),
    }));
  }

  /** One that is open ends, however long ago it began. */
  endOne(): void {
    const open = [...this.docs()].filter(([, text]) => text.includes('"duration_ms":null'));
    if (open.length === 0) return;
    const [key, text] = this.random.pick(open);
    this.docs().set(key, JSON.stringify({ ...JSON.parse(text), ...this.#ending() }));
  }

  #ending = () =>
    this.random.chance(0.5)
      ? { outcome: 'success', duration_ms: 3 }
      : { outcome: 'fail', error_code: this.random.pick(['timeout', 'dns_failed']), duration_ms: 4 };

  list(isKept: boolean, query: Parameters<AuditEntries['list']>[0], entries = 100_000, faults = new FaultPlan()) {
    return new AuditEntries(this.stores(isKept, faults), new GrowingCounts()).list(query, { days: 90, entries });
  }
}

class HistorySite extends Site {
  constructor() {
    super(HISTORY);
    for (let index = 0; index < 300; index += 1) this.write('a');
  }

  /** @param isOld 0.1.0 has written it */
  write(experiment_id = this.random.pick(['a', 'a', 'b']), behindMs = 0, isOld = false): void {
    const { random } = this;
    const message = random.pick(['Desk 1', 'in TIME', '']);
    this.add(behindMs, (history_id, now) => ({
      ...{ history_id, experiment_id, timestamp: now / 1000, user: random.pick(['ann', 'ben']), status: 'success' },
      ...{ action: random.pick(['create', 'note']), details: JSON.stringify({ message }) },
      ...(isOld ? {} : { message }),
    }));
  }

  list(isKept: boolean, query: Parameters<History['list']>[1], faults = new FaultPlan(), experiment = 'a') {
    return new History(this.stores(isKept, faults) as never).list(experiment, query);
  }
}

describe('searches of entries in what a process keeps', () => {
  it('of the trail find what reading all finds, whatever has come, ended and been cleared', async () => {
    const trail = new TrailSite();
    const { random } = trail;
    for (let round = 0; round < 250; round += 1) {
      trail.site.clock.advance(random.pick([0, 1000, 30_000]));
      for (let count = random.below(4); count > 0; count -= 1) trail.write(undefined, random.pick([0, 0, 200_000]));
      if (random.chance(0.3)) trail.endOne();
      // One that comes late while one is cleared is seen within a minute.
      const more = random.pick(['none', 'none', 'none', 'cleared', 'late']);
      if (more === 'cleared') trail.clear(6);
      if (more === 'late') trail.write(undefined, 900_000);
      const query = {
        search: random.pick(SEARCHES),
        ...(random.chance(0.5) ? { sort_dir: random.pick(['asc', 'desc'] as const) } : {}),
        ...(random.chance(0.3) ? { user: random.pick(['ann', 'zoe']) } : {}),
        ...(random.chance(0.3) ? { outcome: random.pick(['success', 'fail', 'unknown']) } : {}),
        ...(random.chance(0.3) ? { error_code: 'timeout' } : {}),
        ...(random.chance(0.3) ? { request_id: 'r1' } : {}),
        ...(random.chance(0.2) ? { name: 'DESK 1' } : {}),
        ...(random.chance(0.2) ? { earliest: trail.moment() } : {}),
        ...(random.chance(0.2) ? { latest: trail.moment() } : {}),
        count: random.pick([0, 5, 30]),
        ...(random.chance(0.3) ? { offset: random.pick([3, 50]) } : {}),
      };
      const most = random.pick([100_000, 100_000, 250]);
      const about = `${round}: ${JSON.stringify(query)}, at most ${most}`;
      expect(await trail.list(true, query, most), about).to.deep.equal(await trail.list(false, query, most));
    }
  });

  it('of a history find what reading all finds, also what 0.1.0 has written', async () => {
    const history = new HistorySite();
    const { random } = history;
    for (let round = 0; round < 250; round += 1) {
      history.site.clock.advance(random.pick([0, 1000, 30_000]));
      for (let count = random.below(4); count > 0; count -= 1) history.write();
      // One that comes late while one is cleared is seen within a minute.
      const more = random.pick(['none', 'none', 'none', 'cleared', 'late']);
      if (more === 'cleared') history.clear(6);
      if (more === 'late') history.write('a', 900_000);
      if (round > 180 && random.chance(0.1)) history.write('a', 0, true);
      const query = {
        search: random.pick(SEARCHES),
        ...(random.chance(0.5) ? { sort_dir: random.pick(['asc', 'desc'] as const) } : {}),
        ...(random.chance(0.3) ? { action: random.pick(['note', 'create']) } : {}),
        ...(random.chance(0.2) ? { status: random.pick(['success', 'fail']) } : {}),
        ...(random.chance(0.2) ? { earliest: history.moment() } : {}),
        ...(random.chance(0.2) ? { latest: history.moment() } : {}),
        count: random.pick([0, 5, 30]),
        ...(random.chance(0.3) ? { offset: random.pick([3, 50]) } : {}),
      };
      const about = `${round}: ${JSON.stringify(query)}`;
      expect(await history.list(true, query), about).to.deep.equal(await history.list(false, query));
    }
  });

  it('read no more than what has come since, what was open, and their page', async () => {
    const trail = new TrailSite();
    await trail.list(true, { search: 'desk' });
    trail.site.clock.advance(1000);
    trail.write(true);
    const faults = new FaultPlan();
    expect((await trail.list(true, { search: 'desk' }, undefined, faults)).result).to.have.length(30);
    // Newer forms, the number, what is recent, what is new or open, and the page.
    expect(faults.trace.toSorted()).to.deep.equal([`count ${AUDIT}`, ...Array(4).fill(`find ${AUDIT}`)]);
  });

  it('of a part of a trail read that part alone, until others have had all of it read', async () => {
    const trail = new TrailSite();
    trail.site.clock.advance(600_000);
    for (let count = 0; count < 5; count += 1) trail.write(false);
    const query = { search: 'a', earliest: seconds(trail.site.clock.now() - 1000) };
    const [some, plain] = [new FaultPlan(), new FaultPlan()];
    const expected = await trail.list(false, query, undefined, plain);
    expect(await trail.list(true, query, undefined, some)).to.deep.equal(expected);
    expect(some.trace).to.deep.equal(plain.trace);
    await trail.list(true, { search: 'a' });
    expect(await trail.list(true, query)).to.deep.equal(expected);
  });

  it('look at what has not ended, but not for ever', async () => {
    const trail = new TrailSite();
    for (let count = 0; count < 150; count += 1) trail.write(true);
    const asked = async () => {
      await trail.list(true, { search: 'a', count: 1 });
      const faults = new FaultPlan();
      await trail.list(true, { search: 'a', count: 1 }, undefined, faults);
      return faults.trace.length;
    };
    const open = await asked();
    trail.site.clock.advance(86_400_000 + 1000);
    // Two queries less for those by their keys.
    expect(await asked()).to.equal(open - 2);
  });

  it('of a trail with many that have not ended read no more than those', async () => {
    const trail = new TrailSite();
    for (let count = 0; count < 800; count += 1) trail.write(true);
    for (let count = 0; count < 3000; count += 1) trail.write(false);
    await trail.list(true, { search: 'a' });
    trail.site.clock.advance(1000);
    const [kept, plain] = [new FaultPlan(), new FaultPlan()];
    const expected = await trail.list(false, { search: 'a' }, undefined, plain);
    expect(await trail.list(true, { search: 'a' }, undefined, kept)).to.deep.equal(expected);
    expect(kept.trace.length).to.be.below(plain.trace.length / 2);
  });

  it('pass over what is no entry', async () => {
    const trail = new TrailSite();
    for (const key of ['zzz', '000'])
      trail.docs().set(key, JSON.stringify({ _key: key, name: 'desk', duration_ms: 3 }));
    const query = { search: 'desk', count: 5 };
    const expected = await trail.list(false, query);
    for (const _ of [1, 2]) expect(await trail.list(true, query)).to.deep.equal(expected);
  });

  it('of a trail that is cleared at its old end are not read anew', async () => {
    const trail = new TrailSite();
    await trail.list(true, { search: 'desk' });
    for (const key of [...trail.docs().keys()].sort().slice(0, 20)) trail.docs().delete(key);
    const faults = new FaultPlan();
    const { pagination } = await trail.list(true, { search: 'a', count: 5 }, undefined, faults);
    expect(pagination.total).to.equal(240);
    expect(faults.trace.filter((call) => call.startsWith('find')).length).to.be.below(6);
  });

  it('of one experiment never show an entry of another', async () => {
    const history = new HistorySite();
    for (let index = 0; index < 300; index += 1) history.write('b');
    await history.list(true, { search: 'a' });
    // Long ago: what is new alone is looked at.
    history.site.clock.advance(600_000);
    await history.list(true, { search: 'a' });
    const { result } = await history.list(true, { search: 'a', count: 0 }, undefined, 'b');
    expect(new Set(result.map(({ experiment_id }) => experiment_id))).to.deep.equal(new Set(['b']));
  });

  it('of a history that is longer than what is kept of it do not find the rest', async () => {
    const history = new HistorySite();
    for (let index = 0; index < 720; index += 1) history.write('a');
    for (const isKept of [true, true, false]) {
      expect((await history.list(isKept, { search: 'e', count: 30 })).pagination.total).to.equal(1000);
      expect((await history.list(isKept, { search: 'e', count: 0 })).result).to.have.length(1000);
    }
  });

  it('of more than a process keeps are looked through as they are read, and not kept first', async () => {
    const trail = new TrailSite();
    const long = 'x'.repeat(100_000);
    for (let index = 0; index < 200; index += 1)
      trail.add(0, (audit_id) => ({ audit_id, name: `Desk ${long}`, duration_ms: 1, changed: '[]' }));
    const query = { search: 'desk', count: 5 };
    const before = await trail.list(false, query);
    expect(await trail.list(true, query)).to.deep.equal(before);
    const faults = new FaultPlan();
    const plain = new FaultPlan();
    expect(await trail.list(true, query, undefined, faults)).to.deep.equal(before);
    await trail.list(false, query, undefined, plain);
    expect(faults.trace).to.deep.equal(plain.trace);
  });
});
