import { expect } from 'chai';
import { type Migration, StoreSchema } from '../../../src/domain/records/storeSchema.ts';
import type { Doc } from '../../../src/ports/stores/recordStore.ts';
import { faultOf } from '../../support/fault.ts';
import { Crashed, type FaultMode, FaultPlan } from '../../support/memory/faults.ts';
import { MemoryPlatform } from '../../support/memory/platform.ts';

interface Note extends Doc {
  text: string;
  words?: string[];
}

/** Splits texts into words, note by note. */
const split: Migration = async ({ records }) => {
  for (const note of await records.find<Note>('notes')) {
    if (!note.words) await records.replace<Note>('notes', { ...note, words: note.text.split(' ') });
  }
};
const empty: Migration = async () => {};

describe('the schema of the store', () => {
  let site: MemoryPlatform;
  beforeEach(() => {
    site = new MemoryPlatform();
  });

  const write = (version: unknown) =>
    site.records.collection('ml_schema').set('store', JSON.stringify({ _key: 'store', version }));
  const versions = () => site.records.all('ml_schema').map(({ version }) => version);
  const note = (_key: string, text: string) =>
    site.records.collection('notes').set(_key, JSON.stringify({ _key, text }));
  const words = () => site.records.all('notes').map((one) => one.words);

  it('of a store without a version is migrated step by step', async () => {
    note('a', 'one two');
    note('b', 'three');
    await new StoreSchema([empty, split]).assertCurrent(site.process());
    expect(words()).to.deep.equal([['one', 'two'], ['three']]);
    expect(versions()).to.deep.equal([3]);
    expect(site.records.all('ml_leases')).to.deep.equal([]);
  });

  it('of a new store is that of the first release, where nothing is to be migrated', async () => {
    await new StoreSchema([]).assertCurrent(site.process());
    expect(versions()).to.deep.equal([1]);
    await new StoreSchema([]).assertCurrent(site.process());
    note('a', 'one two');
    await new StoreSchema([split]).assertCurrent(site.process());
    expect([words(), versions()]).to.deep.equal([[['one', 'two']], [2]]);
  });

  it('is read once in two seconds, and a current store is not written', async () => {
    write(2);
    const schema = new StoreSchema([split]);
    const faults = new FaultPlan();
    for (const ms of [0, 1999, 1, 1000]) {
      site.clock.advance(ms);
      await schema.assertCurrent(site.process(faults));
    }
    expect(faults.trace).to.deep.equal(['get ml_schema', 'get ml_schema']);
  });

  it('is noticed within two seconds when another process makes it newer', async () => {
    const schema = new StoreSchema([split]);
    await schema.assertCurrent(site.process());
    write(3);
    site.clock.advance(2000);
    const faults = new FaultPlan();
    for (let round = 0; round < 2; round += 1) {
      const fault = await faultOf(schema.assertCurrent(site.process(faults)));
      expect([fault.status, fault.code]).to.deep.equal([503, 'newer_schema']);
    }
    expect(await schema.isNewer(site.process().records)).to.equal(true);
    // Every request asks again: an upgrade or a restored backup needs no restart.
    expect(faults.trace).to.deep.equal(['get ml_schema', 'get ml_schema']);
    write(2);
    await schema.assertCurrent(site.process(faults));
  });

  it('is newer when its version is not a number', async () => {
    for (const version of ['two', '1', {}, []]) {
      write(version);
      const fault = await faultOf(new StoreSchema([split]).assertCurrent(site.process()));
      expect(fault.code, JSON.stringify(version)).to.equal('newer_schema');
    }
  });

  it('is migrated by one of several processes at once, and the others wait for it', async () => {
    let runs = 0;
    const counted: Migration = async (stores) => {
      runs += 1;
      await split(stores);
    };
    for (let index = 0; index < 20; index += 1) note(`n${index}`, 'a b');
    await Promise.all([1, 2, 3].map(() => new StoreSchema([counted]).assertCurrent(site.process())));
    expect(runs).to.equal(1);
    expect(words()).to.deep.equal(Array(20).fill(['a', 'b']));
  });

  for (const mode of ['crash', 'refused', 'lost'] as FaultMode[]) {
    it(`is migrated to the end by the next request after any call fails (${mode})`, async () => {
      const fill = () => {
        site = new MemoryPlatform();
        for (const key of ['a', 'b', 'c']) note(key, 'x y');
      };
      fill();
      const counting = new FaultPlan();
      await new StoreSchema([empty, split]).assertCurrent(site.process(counting));
      expect(counting.calls).to.be.greaterThan(8);
      for (let at = 1; at <= counting.calls; at += 1) {
        fill();
        const broken = new StoreSchema([empty, split]).assertCurrent(site.process(new FaultPlan(at, mode)));
        await broken.catch((error) => {
          if (!(error instanceof Crashed))
            expect(error, counting.trace[at - 1]).to.have.property('code', 'store_unavailable');
        });
        // A dead process holds its lease for ten seconds.
        site.clock.advance(10_000);
        await new StoreSchema([empty, split]).assertCurrent(site.process());
        expect([words(), versions()], `${mode} at ${at}: ${counting.trace[at - 1]}`).to.deep.equal([
          Array(3).fill(['x', 'y']),
          [3],
        ]);
      }
    });
  }
});
