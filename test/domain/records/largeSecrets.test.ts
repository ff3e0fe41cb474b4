import { expect } from 'chai';
import type { Stores } from '../../../src/domain/records/sealedRecord.ts';
import { SecretsLost } from '../../../src/domain/records/sealedRecord.ts';
import { faultOf } from '../../support/fault.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { COLLECTION, change, thing, things } from './things.ts';

const anyone = { condition: undefined, guard: () => undefined };

describe('secrets that take long to write', () => {
  let site: MemoryPlatform;
  beforeEach(() => {
    site = new MemoryPlatform();
  });

  /** Each write of a secret takes so long; what the world looks like meanwhile is told. */
  function slow(ms: number, meanwhile = () => {}): Stores {
    const stores = site.process();
    const { put } = stores.secrets;
    stores.secrets.put = async (ref, value) => {
      site.clock.advance(ms);
      meanwhile();
      await put(ref, value);
    };
    return stores;
  }

  it('longer than a lease lives: they are saved, and nobody had to wait', async () => {
    await things(site.process()).create(thing('a'), { token: 'old' }, 'ann');
    const leases: number[] = [];
    const stores = slow(14_000, () => leases.push(site.records.all('ml_leases').length));
    const updated = await things(stores).update('a', change({ mark: 'new' }, { token: 'new' }));
    expect((await things(site.process()).unseal(updated)).secrets).to.deep.equal({ token: 'new' });
    expect(leases).to.deep.equal([0]);
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
    expect(site.records.all('ml_journal')).to.deep.equal([]);
  });

  it('a change of the record meanwhile is not lost, and no secret is left over', async () => {
    await things(site.process()).create(thing('a'), { token: 'old', key: 'old' }, 'ann');
    const stores = site.process();
    const { put } = stores.secrets;
    let first = true;
    stores.secrets.put = async (ref, value) => {
      await put(ref, value);
      if (first) await things(site.process()).update('a', change({ mark: 'theirs' }, { key: 'theirs' }));
      first = false;
    };
    const updated = await things(stores).update('a', change({}, { token: 'mine' }));
    expect([updated.version, updated.mark]).to.deep.equal([3, 'theirs']);
    expect((await things(site.process()).unseal(updated)).secrets).to.deep.equal({ token: 'mine', key: 'theirs' });
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
    expect(site.records.all('ml_journal')).to.deep.equal([]);
  });

  it('a change that is refused takes its secret back', async () => {
    await things(site.process()).create(thing('a'), { token: 'old' }, 'ann');
    const stores = site.process();
    const { put } = stores.secrets;
    stores.secrets.put = async (ref, value) => {
      await put(ref, value);
      await things(site.process()).update('a', change({ mark: 'theirs' }));
    };
    const fault = await faultOf(things(stores).update('a', change({}, { token: 'mine' }, 1)));
    expect([fault.code, fault.extra.current_version]).to.deep.equal(['version_conflict', 2]);
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
    expect(site.records.all('ml_journal')).to.deep.equal([]);
  });

  it('longer than a sweep waits: nothing changes and the sweep removes the secret', async () => {
    await things(site.process()).create(thing('a'), { token: 'old' }, 'ann');
    const fault = await faultOf(things(slow(31_000)).update('a', change({}, { token: 'new' })));
    expect(fault.code).to.equal('store_unavailable');
    const record = await things(site.process()).get('a');
    expect((await things(site.process()).unseal(record)).secrets).to.deep.equal({ token: 'old' });
    site.clock.advance(60_000);
    await things(site.process()).create(thing('b'), {}, 'ann');
    await site.afterReplies();
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
  });
});

describe('sweeping', () => {
  it('runs after the reply, for at most half a second at a time, however slow the store is', async () => {
    const site = new MemoryPlatform();
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const dying = site.process(new FaultPlan(4, 'crash'));
      await things(dying)
        .create(thing(name), { token: name }, 'ann')
        .catch(() => {});
    }
    expect(site.orphans(COLLECTION)).to.have.length(6);
    site.clock.advance(60_000);
    const stores = site.process();
    const { remove } = stores.secrets;
    stores.secrets.remove = async (ref, isOver) => {
      await site.clock.sleep(200);
      return remove(ref, isOver);
    };
    const started = site.clock.now();
    await things(stores).create(thing('x'), {}, 'bob');
    expect([site.clock.now() - started, site.orphans(COLLECTION).length]).to.deep.equal([0, 6]);
    await site.afterReplies();
    expect(site.clock.now() - started).to.be.at.most(500);
    const left = site.orphans(COLLECTION).length;
    expect(left, 'it got somewhere').to.be.lessThan(6);
    for (const name of ['y', 'z', 'w']) {
      await things(stores).create(thing(name), {}, 'bob');
      await site.afterReplies();
    }
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
    expect(site.records.all('ml_journal')).to.deep.equal([]);
  });

  it('gets past what cannot be removed', async () => {
    const site = new MemoryPlatform();
    for (const name of ['a', 'b', 'c']) {
      const dying = site.process(new FaultPlan(4, 'crash'));
      await things(dying)
        .create(thing(name), { token: name }, 'ann')
        .catch(() => {});
    }
    const [stuck] = site.orphans(COLLECTION);
    site.clock.advance(60_000);
    const stores = site.process();
    const { remove } = stores.secrets;
    stores.secrets.remove = (ref, isOver) =>
      ref === stuck ? Promise.reject(new Error('refused')) : remove(ref, isOver);
    await things(stores).create(thing('x'), {}, 'bob');
    await site.afterReplies();
    expect(site.orphans(COLLECTION)).to.deep.equal([stuck]);
    expect(site.records.all('ml_journal')).to.have.length(1);
    expect(site.log.text()).to.include('sweep_failed');
  });

  it('of a store that hangs ends after half a second', async () => {
    const site = new MemoryPlatform();
    const dying = site.process(new FaultPlan(4, 'crash'));
    await things(dying)
      .create(thing('a'), { token: 'a' }, 'ann')
      .catch(() => {});
    site.clock.advance(60_000);
    const stores = site.process();
    stores.secrets.remove = () => new Promise(() => {});
    const started = site.clock.now();
    await things(stores).create(thing('x'), {}, 'bob');
    await site.afterReplies();
    expect(site.clock.now() - started).to.be.within(1, 500);
  });
});

describe('secrets that reach this member of a cluster later than their record', () => {
  /** Secrets as another member sees them. */
  function behind(site: MemoryPlatform, ms: number): Stores {
    const stores = site.process();
    const { get, remove } = stores.secrets;
    const seen = new Map<string, number>();
    const arrived = (ref: string) => site.clock.now() - (seen.get(ref) ?? site.clock.now()) >= ms;
    stores.secrets.get = async (ref) => {
      if (!seen.has(ref)) seen.set(ref, site.clock.now());
      return arrived(ref) ? get(ref) : undefined;
    };
    stores.secrets.remove = async (ref) => (arrived(ref) ? remove(ref) : false);
    return stores;
  }

  it('are waited for', async () => {
    const site = new MemoryPlatform();
    const made = await things(site.process()).create(thing('a'), { token: 't' }, 'ann');
    expect((await things(behind(site, 2000)).unseal(made)).secrets).to.deep.equal({ token: 't' });
  });

  it('for five seconds at most', async () => {
    const site = new MemoryPlatform();
    const made = await things(site.process()).create(thing('a'), { token: 't' }, 'ann');
    const started = site.clock.now();
    const fault = await faultOf(things(behind(site, 60_000)).unseal(made));
    expect(fault).to.be.instanceOf(SecretsLost);
    expect(fault.status).to.equal(503);
    expect(site.clock.now() - started).to.be.within(5000, 6000);
  });

  it('and are not forgotten when they are to be removed before they have come', async () => {
    const site = new MemoryPlatform();
    await things(site.process()).create(thing('a'), { token: 'first' }, 'ann');
    await things(behind(site, 2000)).update('a', change({}, { token: 'second' }));
    expect(site.orphans(COLLECTION)).to.have.length(1);
    site.clock.advance(60_000);
    await things(site.process()).create(thing('b'), {}, 'ann');
    await site.afterReplies();
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
    await things(site.process()).create(thing('c'), { token: 'first' }, 'ann');
    await things(behind(site, 2000)).remove('c', anyone);
    site.clock.advance(60_000);
    await things(site.process()).create(thing('d'), {}, 'ann');
    await site.afterReplies();
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
  });
});
