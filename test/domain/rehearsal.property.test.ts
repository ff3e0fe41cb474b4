import { expect } from 'chai';
import fc from 'fast-check';
import { RehearsedStores } from '../../src/domain/rehearsal/stores.ts';
import type { Doc, RecordStore } from '../../src/ports/recordStore.ts';
import { MemoryPlatform } from '../support/memory/platform.ts';
import { memoryRecords, RecordData } from '../support/memory/recordStore.ts';
import { holdsAsync } from '../support/property.ts';

const THINGS = 'things';
interface Thing extends Doc {
  n: number;
}
type Step = [
  does: 'insert' | 'replace' | 'remove' | 'removeIf' | 'removeWhere' | 'begin' | 'undo',
  key: string,
  n: number,
];
const steps = fc.array(
  fc.tuple(
    fc.constantFrom<Step[0]>('insert', 'replace', 'remove', 'removeIf', 'removeWhere', 'begin', 'undo'),
    fc.constantFrom('a', 'b', 'c', 'd'),
    fc.nat(2),
  ),
  { maxLength: 25 },
);

/** What a store answers to a step that writes. */
async function write(store: RecordStore, [does, _key, n]: Step): Promise<unknown> {
  if (does === 'insert') return store.insert<Thing>(THINGS, { _key, n });
  if (does === 'replace') return store.replace<Thing>(THINGS, { _key, n });
  if (does === 'remove') return store.remove(THINGS, _key);
  if (does === 'removeIf') return store.remove(THINGS, _key, { n });
  return store.removeWhere(THINGS, { n });
}

async function read(store: RecordStore): Promise<unknown> {
  const found = await store.find<Thing>(THINGS);
  const chunks: Thing[] = [];
  for await (const chunk of store.chunks<Thing>(THINGS)) chunks.push(...chunk);
  const sorted = (docs: Thing[]) => docs.toSorted((a, b) => (a._key < b._key ? -1 : 1));
  const single = await Promise.all(['a', 'b', 'c', 'd'].map((key) => store.get<Thing>(THINGS, key)));
  const ones = await store.find<Thing>(THINGS, { query: { n: 1 } });
  return [sorted(found), sorted(chunks), single, sorted(ones), await store.count(THINGS, { n: 1 })];
}

const filled = (): RecordData => {
  const data = new RecordData();
  for (const [key, n] of Object.entries({ a: 0, b: 1 }))
    data.collection(THINGS).set(key, JSON.stringify({ _key: key, n }));
  return data;
};

describe('a rehearsal, whatever is done in it', () => {
  it('is to its calls what the store would be, can be taken back, and leaves the store alone', async () => {
    await holdsAsync(
      fc.asyncProperty(steps, fc.boolean(), async (all, isAhead) => {
        const data = filled();
        const stage = new RehearsedStores({ ...new MemoryPlatform().process(), records: memoryRecords(data) });
        const { records } = stage.stores;
        if (isAhead) await stage.readAhead(THINGS, ['a', 'c']);
        let model = filled();
        let marked = structuredClone(model.collections);
        for (const step of all) {
          if (step[0] === 'begin') {
            stage.begin();
            marked = structuredClone(model.collections);
          } else if (step[0] === 'undo') {
            stage.undo();
            model = new RecordData();
            for (const [name, docs] of marked) for (const [key, text] of docs) model.collection(name).set(key, text);
          } else expect(await write(records, step)).to.equal(await write(memoryRecords(model), step));
          expect(await read(records)).to.deep.equal(await read(memoryRecords(model)));
        }
        expect(data.dump()).to.equal(filled().dump());
      }),
    );
  });

  it('tells which secrets would be others, and neither waits nor holds anybody up', async () => {
    const site = new MemoryPlatform();
    const real = site.process();
    await real.secrets.put('old', JSON.stringify({ 'details/a': 'same', 'details/b': 'before', 'details/gone': 'x' }));
    await real.records.insert(THINGS, { _key: 'one', secret_ref: 'old' } as Doc);
    await real.records.insert('ml_leases', { _key: 'held' });
    const stage = new RehearsedStores(real);
    const { records, secrets, clock } = stage.stores;
    stage.begin();
    await secrets.put('new', JSON.stringify({ 'details/a': 'same', 'details/b': 'after', 'details/c': 'y' }));
    await records.replace(THINGS, { _key: 'one', secret_ref: 'new' } as Doc);
    await secrets.remove('old');
    expect(await stage.changedSecrets()).to.deep.equal(['details/b', 'details/c', 'details/gone']);
    stage.undo();
    expect(await stage.changedSecrets()).to.deep.equal([]);
    expect(await records.insert('ml_leases', { _key: 'held' })).to.equal(true);
    const [began, real0] = [clock.monotonic(), real.clock.monotonic()];
    await clock.sleep(60_000);
    expect([clock.monotonic() - began, real.clock.monotonic() - real0]).to.deep.equal([60_000, 0]);
    expect([...site.secrets.values.keys()]).to.deep.equal(['old']);
  });
});
