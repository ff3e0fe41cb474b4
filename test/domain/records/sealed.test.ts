import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import type { Doc } from '../../../src/ports/stores/recordStore.ts';
import { faultOf } from '../../support/fault.ts';
import { FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';
import { COLLECTION, change, thing, things } from './things.ts';

describe('sealed records', () => {
  let site: MemoryPlatform;
  let sealed: ReturnType<typeof things>;
  beforeEach(() => {
    site = new MemoryPlatform();
    sealed = things(site.process());
  });

  it('keep no secret in the record and no trace of the write beside it', async () => {
    const made = await sealed.create(thing('a'), { token: 'canary-1' }, 'ann');
    expect(made.version).to.equal(1);
    expect(made.created_by).to.equal('ann');
    expect(made.last_updated_by).to.equal('ann');
    expect(made.created_at).to.equal(site.clock.seconds());
    expect(made.secret_fields).to.deep.equal(['token']);
    expect((await sealed.unseal(made)).secrets).to.deep.equal({ token: 'canary-1' });
    expect(site.records.dump()).not.to.include('canary-1');
    expect(site.log.text()).not.to.include('canary-1');
    expect(site.records.all('ml_journal')).to.have.length(0);
    expect(site.records.all('ml_leases')).to.have.length(0);
  });

  it('are not removed by a process that read an earlier record of the same name and version', async () => {
    await sealed.create(thing('a'), {}, 'ann');
    const trial = new FaultPlan();
    const remove = (faults: FaultPlan) =>
      things(site.process(faults)).remove('a', { condition: undefined, guard: () => {} });
    await remove(trial);
    await sealed.create(thing('a'), {}, 'ann');
    const at = trial.trace.indexOf(`remove ${COLLECTION}`) + 1;
    await remove(
      new FaultPlan(at, async () => {
        site.records.collection(COLLECTION).delete('a');
        const later = { ...thing('a'), version: 1, created_at: site.clock.seconds() + 20, created_by: 'bert' };
        site.records.collection(COLLECTION).set('a', JSON.stringify(later));
      }),
    );
    expect(site.records.all(COLLECTION).map(({ created_by }) => created_by)).to.deep.equal(['bert']);
  });

  it('count versions from 1, and the reference changes with every write of a secret', async () => {
    const first = await sealed.create(thing('a'), { token: 'one' }, 'ann');
    const second = await sealed.update('a', change({ mark: 'new' }, { token: 'two' }));
    expect(second.version).to.equal(2);
    expect(second.secret_ref).not.to.equal(first.secret_ref);
    expect((await sealed.unseal(second)).secrets).to.deep.equal({ token: 'two' });
    expect([...site.secrets.values.keys()]).to.deep.equal([second.secret_ref]);
    expect(second.created_by).to.equal('ann');
    expect(second.last_updated_by).to.equal('writer');
  });

  it('keep masked and absent secrets, delete empty ones, and hold no entry when none is left', async () => {
    await sealed.create(thing('a'), { token: 't', key: 'k' }, 'ann');
    const kept = await sealed.update('a', change({ mark: 'x' }, { token: MASK }));
    expect((await sealed.unseal(kept)).secrets).to.deep.equal({ token: 't', key: 'k' });
    const one = await sealed.update('a', change({}, { token: null }));
    expect((await sealed.unseal(one)).secrets).to.deep.equal({ key: 'k' });
    expect(one.secret_fields).to.deep.equal(['key']);
    const none = await sealed.update('a', change({}, { key: null }));
    expect(none.secret_ref).to.equal(null);
    expect(none.secret_fields).to.deep.equal([]);
    expect(site.secrets.values.size).to.equal(0);
  });

  it('keep a field that the change leaves out, and lose one that it sets to undefined', async () => {
    await sealed.create(thing('a'), {}, 'ann');
    const update = change({});
    update.next = ({ mark: _, ...rest }) => rest;
    expect(await sealed.update('a', update)).to.have.property('mark', 'old');
    update.next = (record) => ({ ...record, mark: undefined });
    expect(await sealed.update('a', update)).not.to.have.property('mark');
    expect(await sealed.get('a')).not.to.have.property('mark');
  });

  it('read the new secret when the old one was replaced between two reads', async () => {
    const before = await sealed.create(thing('a'), { token: 'old' }, 'ann');
    await sealed.update('a', change({}, { token: 'new' }));
    expect((await sealed.unseal(before)).secrets).to.deep.equal({ token: 'new' });
  });

  it('amend leaves version and last_updated alone, and a record that is gone is no error', async () => {
    const made = await sealed.create(thing('a'), { token: 't', refresh: 'r' }, 'ann');
    site.clock.advance(5000);
    const amended = await sealed.amend('a', async () => ({ open: { mark: 'learned' }, secrets: { token: 't2' } }));
    expect(amended?.version).to.equal(1);
    expect(amended?.last_updated_at).to.equal(made.last_updated_at);
    expect(amended?.last_updated_by).to.equal('ann');
    expect((await sealed.unseal(await sealed.get('a'))).secrets).to.deep.equal({ token: 't2', refresh: 'r' });
    expect(await sealed.amend('gone', async () => ({ open: { mark: 'x' } }))).to.equal(undefined);
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
  });

  it('a caller whom the guard refuses never takes the lease', async () => {
    await sealed.create(thing('a'), {}, 'ann');
    const refused = change({});
    refused.guard = () => {
      throw sealed.notFound();
    };
    const writes: string[] = [];
    const stores = site.process();
    const insert = stores.records.insert;
    stores.records.insert = (collection, doc) => {
      writes.push(collection);
      return insert(collection, doc);
    };
    expect((await faultOf(things(stores).update('a', refused))).code).to.equal('not_found');
    expect(writes).to.deep.equal([]);
  });

  /** A process that does something when it has read a record under its lease. */
  function underLease(act: () => void) {
    const stores = site.process();
    const { get } = stores.records;
    stores.records.get = async <T extends Doc>(collection: string, key: string) => {
      const record = await get<T>(collection, key);
      if (collection === COLLECTION && site.records.all('ml_leases').length > 0) act();
      return record;
    };
    return stores;
  }

  it('an update is merged once, and again only if the record has changed before its lease', async () => {
    const merges = async (meanwhile: () => Promise<unknown>) => {
      let count = 0;
      const counted = change({});
      counted.next = (record) => {
        count += 1;
        return { ...record, mark: 'mine' };
      };
      const plan = await sealed.plan(await sealed.get('a'), counted);
      await meanwhile();
      await sealed.apply(plan, counted);
      return count;
    };
    await sealed.create(thing('a'), { token: 't' }, 'ann');
    expect(await merges(async () => undefined)).to.equal(1);
    expect(await merges(() => sealed.update('a', change({ mark: 'theirs' })))).to.equal(2);
    const learns = () => sealed.amend('a', async () => ({ open: { url: 'https://a.example/learned' } }));
    expect(await merges(learns), 'a change without a new version').to.equal(2);
    expect(await sealed.get('a')).to.include({ url: 'https://a.example/learned', mark: 'mine', version: 5 });
  });

  it('the guard looks at the record as it is under the lease, not as it was before', async () => {
    await sealed.create(thing('a'), { token: 't' }, 'ann');
    const guarded = {
      ...change({ mark: 'mine' }),
      guard: (record: { mark?: string | undefined }) => {
        if (record.mark === 'locked') throw sealed.notFound();
      },
    };
    let others: Promise<PromiseSettledResult<unknown>[]> | undefined;
    const stores = underLease(() => {
      others = Promise.allSettled([
        things(site.process()).update('a', guarded),
        things(site.process()).remove('a', { condition: undefined, guard: guarded.guard }),
      ]);
    });
    const [one] = await Promise.allSettled([things(stores).update('a', change({ mark: 'locked' }))]);
    const [two, three] = (await others) ?? [];
    expect([one.status, two?.status, three?.status]).to.deep.equal(['fulfilled', 'rejected', 'rejected']);
    expect((await sealed.get('a')).mark).to.equal('locked');
  });

  it('a writer who slept past its lease changes nothing', async () => {
    await sealed.create(thing('a'), { token: 't' }, 'ann');
    const stores = underLease(() => site.clock.advance(9_500));
    const fault = await faultOf(things(stores).update('a', change({ mark: 'late' }, { token: 'late' })));
    expect([fault.status, fault.code]).to.deep.equal([503, 'store_unavailable']);
    const record = await sealed.get('a');
    expect([record.version, record.mark]).to.deep.equal([1, 'old']);
    expect((await sealed.unseal(record)).secrets).to.deep.equal({ token: 't' });
  });

  it('a create that slept longer than its secret is safe from sweeping creates nothing', async () => {
    const stores = site.process();
    const put = stores.secrets.put;
    stores.secrets.put = async (ref, value) => {
      await put(ref, value);
      site.clock.advance(31_000);
    };
    expect((await faultOf(things(stores).create(thing('a'), { token: 't' }, 'ann'))).code).to.equal(
      'store_unavailable',
    );
    expect(site.records.all(COLLECTION)).to.have.length(0);
    site.clock.advance(60_001);
    await sealed.create(thing('b'), { token: 'b' }, 'ann');
    expect(site.orphans(COLLECTION)).to.deep.equal([]);
  });
});
