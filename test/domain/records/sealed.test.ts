import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import type { Doc } from '../../../src/ports/stores/recordStore.ts';
import { faultOf, fieldsOf } from '../../support/fault.ts';
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

  it('refuse the mask where nothing is stored, naming the field', async () => {
    const fault = await faultOf(sealed.create(thing('a'), { token: MASK }, 'ann'));
    expect([fault.status, fault.code]).to.deep.equal([400, 'masked_value_without_stored_secret']);
    expect(fieldsOf(fault)).to.deep.equal(['token']);
    expect(site.records.all(COLLECTION)).to.have.length(0);
  });

  it('refuse another version with the present one', async () => {
    await sealed.create(thing('a'), {}, 'ann');
    await sealed.update('a', change({ mark: 'two' }, {}, 1));
    const fault = await faultOf(sealed.update('a', change({ mark: 'three' }, {}, 1)));
    expect([fault.status, fault.code, fault.extra.current_version]).to.deep.equal([409, 'version_conflict', 2]);
    const removal = await faultOf(sealed.remove('a', { condition: 1, guard: () => undefined }));
    expect([removal.status, removal.code, removal.extra.current_version]).to.deep.equal([409, 'version_conflict', 2]);
    expect((await sealed.get('a')).mark).to.equal('two');
  });

  it('refuse a new host unless every stored secret is sent anew or deleted', async () => {
    await sealed.create(thing('a'), { token: 't', key: 'k' }, 'ann');
    const elsewhere = { url: 'https://evil.example' };
    for (const given of [{}, { token: MASK, key: MASK }, { token: 'new' }, { token: 'new', key: MASK }]) {
      const fault = await faultOf(sealed.update('a', change(elsewhere, given)));
      expect([fault.status, fault.code]).to.deep.equal([400, 'secret_required_for_new_host']);
    }
    const moved = await sealed.update('a', change(elsewhere, { token: 'new', key: null }));
    expect((await sealed.unseal(moved)).secrets).to.deep.equal({ token: 'new' });
    // The path is no part of the host.
    await sealed.update('a', change({ url: 'https://EVIL.example:443/other' }));
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

  it('20 updates at once end with version 21 and one of the 20 states, whole', async () => {
    await sealed.create(thing('a', '0'), { token: '0' }, 'ann');
    const writers = Array.from({ length: 20 }, (_, index) => String(index + 1));
    const results = await Promise.allSettled(
      writers.map((mark) => things(site.process()).update('a', change({ mark }, { token: mark }))),
    );
    expect(results.map((result) => result.status)).to.deep.equal(writers.map(() => 'fulfilled'));
    const last = await sealed.get('a');
    expect(last.version).to.equal(21);
    expect(writers).to.include(last.mark);
    expect((await sealed.unseal(last)).secrets).to.deep.equal({ token: last.mark });
    expect([...site.secrets.values.keys()]).to.deep.equal([last.secret_ref]);
    expect(site.records.all('ml_journal')).to.have.length(0);
    expect(site.records.all('ml_leases')).to.have.length(0);
  });

  it('of 20 creates at once one wins, and no loser leaves a secret', async () => {
    const writers = Array.from({ length: 20 }, (_, index) => String(index));
    const results = await Promise.allSettled(
      writers.map((mark) => things(site.process()).create(thing('a', mark), { token: mark }, 'ann')),
    );
    const lost = results.filter((result) => result.status === 'rejected').map((result) => result.reason);
    expect(lost).to.have.length(19);
    expect(lost.map((fault) => [fault.status, fault.code])).to.deep.equal(lost.map(() => [409, 'duplicate_name']));
    const winner = await sealed.get('a');
    expect((await sealed.unseal(winner)).secrets).to.deep.equal({ token: winner.mark });
    expect([...site.secrets.values.keys()]).to.deep.equal([winner.secret_ref]);
    expect(site.records.all('ml_journal')).to.have.length(0);
  });

  it('updates and a delete at once leave neither half a record nor a secret', async () => {
    await sealed.create(thing('a'), { token: 't' }, 'ann');
    await Promise.allSettled([
      ...['1', '2', '3'].map((mark) => things(site.process()).update('a', change({ mark }, { token: mark }))),
      things(site.process()).remove('a', { condition: undefined, guard: () => undefined }),
      ...['4', '5', '6'].map((mark) => things(site.process()).update('a', change({ mark }, { token: mark }))),
    ]);
    expect(site.records.all(COLLECTION)).to.have.length(0);
    expect(site.secrets.values.size).to.equal(0);
    expect(site.records.all('ml_leases')).to.have.length(0);
  });

  it('a caller whom the guard refuses never takes the lease', async () => {
    await sealed.create(thing('a'), {}, 'ann');
    const refused = change({});
    refused.guard = () => {
      throw sealed.missing();
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
        if (record.mark === 'locked') throw sealed.missing();
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
