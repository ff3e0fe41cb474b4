import { expect } from 'chai';
import { Leases } from '../../../src/domain/locks/leases.ts';
import type { HostClock } from '../../../src/ports/platform/clock.ts';
import { faultOf } from '../../support/fault.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { COLLECTION, change, thing, things } from '../records/things.ts';

/** How far apart the wall clocks of two members may be: behind, ahead, a little, much. */
const SKEWS = [-600_000, -61_000, -11_000, 11_000, 61_000, 600_000];

for (const skew of SKEWS) {
  describe(`two hosts whose clocks differ by ${skew / 1000} s`, () => {
    let site: MemoryPlatform;
    let there: HostClock;
    const leases = (clock?: HostClock) => {
      const stores = site.process(undefined, clock);
      return new Leases(stores.records, stores.clock, stores.newId);
    };
    const held = () => site.records.all('ml_leases').filter(({ _key }) => !_key.startsWith('remote_clocks.'));
    beforeEach(() => {
      site = new MemoryPlatform();
      there = site.clock.elsewhere('host-2', skew);
    });

    it('a lease in use is not taken over', async () => {
      await leases(there).tryAcquire('k', 10_000);
      expect(await leases().tryAcquire('k', 10_000)).to.equal(undefined);
      site.clock.advance(9_900);
      expect(await leases().tryAcquire('k', 10_000)).to.equal(undefined);
    });

    it('one of a dead process is, when it has been seen unchanged for its whole life', async () => {
      await leases(there).tryAcquire('k', 60_000);
      site.clock.advance(59_000);
      expect(await leases().tryAcquire('k', 60_000), 'seen for the first time').to.equal(undefined);
      site.clock.advance(59_999);
      expect(await leases().tryAcquire('k', 60_000)).to.equal(undefined);
      site.clock.advance(1);
      const got = await Promise.all(Array.from({ length: 5 }, () => leases().tryAcquire('k', 60_000)));
      expect(got.filter(Boolean)).to.have.length(1);
      await got.find(Boolean)?.release();
      expect(site.records.all('ml_leases'), 'nothing is left of the sighting').to.deep.equal([]);
    });

    it('one that is renewed lives on', async () => {
      const lease = await leases(there).tryAcquire('k', 20_000);
      for (let beat = 0; beat < 8; beat++) {
        expect(await leases().tryAcquire('k', 20_000), `beat ${beat}`).to.equal(undefined);
        expect(await leases().holds('k', lease?.owner ?? '')).to.equal(true);
        site.clock.advance(15_000);
        expect(await leases(there).renew('k', lease?.owner ?? '', 20_000)).to.equal(true);
      }
    });

    it('a waiting process gets it when the lease of a dead holder expires', async () => {
      await leases(there).tryAcquire('k', 10_000);
      const start = site.clock.now();
      expect(await leases().hold('k', 10_000, async () => 'done')).to.equal('done');
      expect(site.clock.now() - start).to.be.within(10_000, 10_500);
      expect(held()).to.deep.equal([]);
    });

    it('no update of one host is lost to the other', async () => {
      await things(site.process()).create(thing('a', '0'), { token: '0' }, 'ann');
      const writers = Array.from({ length: 10 }, (_, n) => String(n + 1));
      const results = await Promise.allSettled(
        writers.map((mark, n) =>
          things(site.process(undefined, n % 2 ? there : undefined)).update('a', change({ mark }, { token: mark })),
        ),
      );
      expect(results.map(({ status }) => status)).to.deep.equal(writers.map(() => 'fulfilled'));
      const last = await things(site.process()).get('a');
      expect(last.version).to.equal(11);
      expect((await things(site.process()).unseal(last)).secrets).to.deep.equal({ token: last.mark });
      expect(site.orphans(COLLECTION)).to.deep.equal([]);
      expect(held()).to.deep.equal([]);
    });

    it('a secret that a writer is about to use is not swept by the other host', async () => {
      const stores = site.process(undefined, there);
      const { put } = stores.secrets;
      stores.secrets.put = async (ref, value) => {
        await put(ref, value);
        site.clock.advance(20_000);
        await things(site.process()).create(thing('other'), { token: 'other' }, 'bob');
      };
      const made = await things(stores).create(thing('a'), { token: 'live' }, 'ann');
      expect((await things(site.process()).unseal(made)).secrets).to.deep.equal({ token: 'live' });
    });

    it('what a dead host left is swept once it has been seen for a minute, and then no trace stays', async () => {
      const faults = new FaultPlan(4, 'crash');
      await things(site.process(faults, there))
        .create(thing('a'), { token: 'lost' }, 'ann')
        .catch(() => {});
      const writeAnother = async (name: string) => {
        await things(site.process()).create(thing(name), { token: name }, 'bob');
        await site.afterReplies();
      };
      expect(site.orphans(COLLECTION)).to.have.length(1);
      site.clock.advance(700_000);
      await writeAnother('b');
      expect(site.orphans(COLLECTION), 'only seen').to.have.length(1);
      site.clock.advance(59_000);
      await writeAnother('c');
      expect(site.orphans(COLLECTION)).to.have.length(1);
      site.clock.advance(1_100);
      await writeAnother('d');
      expect(site.orphans(COLLECTION)).to.deep.equal([]);
      expect(site.records.all('ml_journal')).to.deep.equal([]);
      await writeAnother('e');
      expect(site.records.all('ml_leases')).to.deep.equal([]);
    });
  });
}

describe('what dead processes leave in the collection of leases', () => {
  it('goes with the next write of any record once it has expired, and not before', async () => {
    const site = new MemoryPlatform();
    const sealed = things(site.process());
    await sealed.create(thing('a'), {}, 'ann');
    const dying = site.process(new FaultPlan(4, 'crash'));
    await things(dying)
      .update('a', change({ mark: 'x' }))
      .catch(() => {});
    expect(site.records.all('ml_leases')).to.have.length(1);
    site.clock.advance(9999);
    await sealed.create(thing('b'), {}, 'ann');
    await site.afterReplies();
    expect(site.records.all('ml_leases')).to.have.length(1);
    site.clock.advance(1);
    await sealed.create(thing('c'), {}, 'ann');
    await site.afterReplies();
    expect(site.records.all('ml_leases')).to.deep.equal([]);
  });

  it('includes the notes of hosts that are gone', async () => {
    const site = new MemoryPlatform();
    const there = site.clock.elsewhere('host-2');
    const own = site.process();
    await new Leases(own.records, own.clock, own.newId).tryAcquire('k', 60_000);
    const other = site.process(undefined, there);
    await new Leases(other.records, other.clock, other.newId).tryAcquire('k', 60_000);
    expect(site.records.all('ml_leases').map(({ _key }) => _key)).to.deep.equal(['k', 'remote_clocks.host-2']);
    const write = async (name: string) => {
      await things(site.process()).create(thing(name), {}, 'ann');
      await site.afterReplies();
    };
    site.clock.advance(120_000);
    await write('a');
    expect(site.records.all('ml_leases').map(({ _key }) => _key)).to.deep.equal(['remote_clocks.host-2']);
    site.clock.advance(3_500_000);
    await write('b');
    expect(site.records.all('ml_leases').map(({ _key }) => _key)).to.deep.equal([]);
  });

  it('two hosts that both write do not watch the notes of one another', async () => {
    const site = new MemoryPlatform();
    const there = site.clock.elsewhere('host-2', 600_000);
    const dying = site.process(new FaultPlan(4, 'crash'));
    await things(site.process()).create(thing('a'), {}, 'ann');
    await things(dying)
      .update('a', change({ mark: 'x' }))
      .catch(() => {});
    for (let round = 0; round < 8; round++) {
      await things(site.process(undefined, there)).create(thing(`there${round}`), {}, 'ann');
      await site.afterReplies();
      await things(site.process()).create(thing(`here${round}`), {}, 'ann');
      await site.afterReplies();
      site.clock.advance(30_000);
    }
    expect(site.records.all('ml_leases')).to.deep.equal([]);
  });
});

describe('a process that sleeps through its lease', () => {
  it('in the very call that writes: the write is not sent', async () => {
    const site = new MemoryPlatform();
    await things(site.process()).create(thing('a'), { token: 't' }, 'ann');
    const stores = site.process();
    const { replace } = stores.records;
    stores.records.replace = async (collection, doc, assertInTime) => {
      site.clock.advance(11_000);
      await things(site.process()).update('a', change({ mark: 'theirs' }));
      return replace(collection, doc, assertInTime);
    };
    const fault = await faultOf(things(stores).update('a', change({ mark: 'mine' })));
    expect([fault.status, fault.code]).to.deep.equal([503, 'store_unavailable']);
    const record = await things(site.process()).get('a');
    expect([record.version, record.mark]).to.deep.equal([2, 'theirs']);
  });

  it('after the write was sent: it fails if another writer may have come in between', async () => {
    const site = new MemoryPlatform();
    await things(site.process()).create(thing('a'), { token: 't' }, 'ann');
    const stores = site.process();
    const { replace } = stores.records;
    stores.records.replace = async (collection, doc, assertInTime) => {
      const done = await replace(collection, doc, assertInTime);
      site.clock.advance(11_000);
      await things(site.process()).update('a', change({ mark: 'theirs' }));
      return done;
    };
    expect((await faultOf(things(stores).update('a', change({ mark: 'mine' })))).code).to.equal('store_unavailable');
    expect(site.log.text()).to.include('late_write');
  });

  it('after the write was sent, without another writer: it succeeds', async () => {
    const site = new MemoryPlatform();
    await things(site.process()).create(thing('a'), {}, 'ann');
    const stores = site.process();
    const { replace } = stores.records;
    stores.records.replace = async (collection, doc, assertInTime) => {
      const done = await replace(collection, doc, assertInTime);
      site.clock.advance(11_000);
      return done;
    };
    expect((await things(stores).update('a', change({ mark: 'mine' }))).mark).to.equal('mine');
  });

  it('before its deletion: what somebody has written since then stays', async () => {
    const site = new MemoryPlatform();
    await things(site.process()).create(thing('a'), { token: 't' }, 'ann');
    const stores = site.process();
    const { remove } = stores.records;
    stores.records.remove = async (collection, key, match) => {
      if (collection === COLLECTION) {
        site.clock.advance(11_000);
        await things(site.process()).update('a', change({ mark: 'theirs' }, { token: 'theirs' }));
      }
      return remove(collection, key, match);
    };
    const removal = things(stores).remove('a', { condition: undefined, guard: () => undefined });
    expect((await faultOf(removal)).code).to.equal('store_unavailable');
    const record = await things(site.process()).get('a');
    expect((await things(site.process()).unseal(record)).secrets).to.deep.equal({ token: 'theirs' });
  });
});
