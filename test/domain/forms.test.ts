import { expect } from 'chai';
import type { FormedRecords, Forms, StoredDoc } from '../../src/domain/forms.ts';
import { FORMS } from '../../src/forms.ts';
import type { Doc } from '../../src/ports/recordStore.ts';
import { collections } from '../../src/table.ts';
import { faultOf } from '../support/fault.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { MemoryPlatform } from '../support/memory/platform.ts';
import { COLLECTION, change, thing, things } from './things.ts';

interface Note extends Doc {
  text?: string;
  at?: number;
  words?: string[];
}

/** Form 2 has renamed a field, form 3 has split it. */
const upgrades = [
  ({ content, ...doc }: StoredDoc): StoredDoc => ({ ...doc, text: content }),
  (doc: StoredDoc): StoredDoc => ({ ...doc, words: String(doc.text).split(' ') }),
];
const ONE: Forms = { notes: { called: 'Notes', fields: ['content', 'at'] } };
const TWO: Forms = { notes: { called: 'Notes', fields: ['text', 'at'], upgrades: upgrades.slice(0, 1) } };
const THREE: Forms = { notes: { called: 'Notes', fields: ['text', 'words', 'at'], upgrades } };

describe('forms of stored documents', () => {
  let site: MemoryPlatform;
  let faults: FaultPlan;
  beforeEach(() => {
    site = new MemoryPlatform();
    faults = new FaultPlan();
  });

  const app = (forms: Forms): FormedRecords => site.process(faults, undefined, forms).records;
  const put = (...docs: StoredDoc[]) => {
    for (const doc of docs) site.records.collection('notes').set(doc._key, JSON.stringify(doc));
  };
  const stored = (key: string) => site.records.all('notes').find(({ _key }) => _key === key);

  it('are declared for every collection of the table, and for no other', () => {
    expect(Object.keys(FORMS).sort()).to.deep.equal(Object.keys(collections).sort());
  });

  it('leases and the journal are what two versions share: theirs is the first for good', () => {
    for (const name of ['ml_leases', 'ml_journal', 'ml_containers_installation']) {
      expect(FORMS[name]?.upgrades ?? [], name).to.deep.equal([]);
    }
  });

  it('older documents are read as today, and rewritten when they are written, not when they are read', async () => {
    const old = { _key: 'a', content: 'one two', at: 1 };
    put(old, { _key: 'b', text: 'three', at: 2, form: 2 });
    const records = app(THREE);
    expect(await records.get('notes', 'a')).to.deep.equal({ _key: 'a', text: 'one two', words: ['one', 'two'], at: 1 });
    const all = await records.find<Note>('notes', { sort: 'at:1' });
    expect(all.map(({ words }) => words)).to.deep.equal([['one', 'two'], ['three']]);
    // Of the stored document the upgrades need more than the caller does.
    const rows: Note[] = [];
    for await (const chunk of records.chunks<Note>('notes', { fields: ['words'] })) rows.push(...chunk);
    expect(rows).to.deep.equal([
      { _key: 'a', words: ['one', 'two'] },
      { _key: 'b', words: ['three'] },
    ]);
    expect(stored('a')).to.deep.equal(old);
    await records.replace<Note>('notes', { _key: 'a', text: 'new', words: ['new'] });
    expect(stored('a')).to.deep.equal({ _key: 'a', text: 'new', words: ['new'], form: 3 });
    await records.insert<Note>('notes', { _key: 'c', text: 'x' });
    expect(stored('c')).to.deep.equal({ _key: 'c', text: 'x', form: 3 });
  });

  it('the first form is not written down', async () => {
    await app(ONE).insert<Note>('notes', { _key: 'a', at: 1 });
    expect(stored('a')).to.deep.equal({ _key: 'a', at: 1 });
  });

  it('newer documents are refused, left out and left alone, whatever is done', async () => {
    const newer = { _key: 'b', words: ['x'], at: 2, form: 3 };
    const newest = { _key: 'd', words: ['y'], at: 4, form: 7 };
    put({ _key: 'a', content: 'one', at: 1 }, newer, { _key: 'c', text: 'three', at: 3, form: 2 }, newest);
    const records = app(TWO);
    for (const attempt of [
      () => records.get('notes', 'b'),
      () => records.replace('notes', { _key: 'b', text: 'mine' }),
      () => records.insert('notes', { _key: 'b', text: 'mine' }),
      () => records.find('notes', { newer: 'refuse', query: { at: 1 } }),
      async () => {
        for await (const _ of records.chunks('notes', { newer: 'refuse' })) expect.fail('refused before');
      },
    ]) {
      const { code, status } = await faultOf(attempt());
      expect([status, code]).to.deep.equal([409, 'newer_form']);
    }
    const keys = async (options: object) => (await records.find('notes', options)).map(({ _key }) => _key);
    expect(await keys({ sort: 'at:1' })).to.deep.equal(['a', 'c']);
    expect(await keys({ sort: 'at:1', limit: 2 })).to.deep.equal(['a', 'c']);
    expect(await keys({ sort: 'at:1', limit: 1, skip: 1 })).to.deep.equal(['c']);
    expect(await keys({ sort: 'at:-1', limit: 1 })).to.deep.equal(['c']);
    expect(await keys({ query: { form: 3 }, newer: 'give' })).to.deep.equal(['b']);
    expect(await records.count('notes')).to.equal(2);
    expect(await records.count('notes', { at: { $gte: 2 } })).to.equal(1);
    await records.remove('notes', 'b');
    await records.remove('notes', 'd', { at: 4 });
    await records.removeWhere('notes', { at: { $gte: 2 } });
    expect(site.records.all('notes')).to.deep.equal([{ _key: 'a', content: 'one', at: 1 }, newer, newest]);
    expect(records.warnings()).to.have.length(1);
    expect(records.warnings()[0]).to.match(/^Notes that a newer version/);
  });

  it('a newer document that comes while a request runs is refused as well', async () => {
    put({ _key: 'a', content: 'one' });
    const records = app(ONE);
    expect(await records.find('notes', { limit: 1 })).to.have.length(1);
    put({ _key: 'a', words: ['one'], form: 3 });
    expect(await records.find('notes', { limit: 1 })).to.deep.equal([]);
    expect((await faultOf(records.get('notes', 'a'))).code).to.equal('newer_form');
  });

  it('fields that only a newer version knows survive a write; those that this one takes away are gone', async () => {
    for (const withRead of [true, false]) {
      put({ _key: 'a', content: 'one', at: 1, added: { x: 1 } });
      const records = app(ONE);
      if (withRead) await records.get('notes', 'a');
      expect(await records.replace('notes', { _key: 'a', content: 'two' } as Doc)).to.equal(true);
      expect(stored('a')).to.deep.equal({ _key: 'a', content: 'two', added: { x: 1 } });
    }
    const records = app(ONE);
    await records.remove('notes', 'a');
    await records.insert('notes', { _key: 'a', content: 'another' } as Doc);
    await records.replace('notes', { _key: 'a', content: 'again' } as Doc);
    expect(stored('a')).to.deep.equal({ _key: 'a', content: 'again' });
    expect(await records.replace('notes', { _key: 'gone' })).to.equal(false);
  });

  it('where there is nothing newer, reading, changing and whole lists cost what they did', async () => {
    put({ _key: 'a', content: 'one', at: 1 });
    const records = app(ONE);
    await records.get('notes', 'a');
    await records.replace('notes', { _key: 'a' });
    await records.find('notes', { sort: 'at:1' });
    await records.find('notes', { limit: 5 });
    await records.remove('notes', 'a', { at: 1 });
    await records.insert('notes', { _key: 'n' });
    const find = 'find notes';
    expect(faults.trace).to.deep.equal(['get notes', 'replace notes', find, find, 'remove notes', 'insert notes']);
  });

  it('the secret of a newer record is in use, whatever a dead writer had in play', async () => {
    const sealed = things(site.process());
    const { secret_ref } = await sealed.create(thing('a'), { token: 'kept' }, 'ann');
    const doc = site.records.all(COLLECTION)[0];
    site.records.collection(COLLECTION).set('a', JSON.stringify({ ...doc, form: 2 }));
    const { domain } = site.clock;
    const entry = { _key: 'left', family: 'things', refs: [secret_ref], at: 0, domain, since: 0 };
    site.records.collection('ml_journal').set('left', JSON.stringify(entry));
    site.clock.advance(3_600_000);
    await sealed.create(thing('b'), { token: 'other' }, 'ann');
    await sealed.update('b', change({ mark: 'new' }));
    expect(site.records.all('ml_journal')).to.deep.equal([]);
    expect(site.secrets.values.get(String(secret_ref))).to.equal('{"token":"kept"}');
  });

  it('two versions at once: what the older one may, both may; what the newer one has renewed, it alone', async () => {
    const [older, newer] = [app(ONE), app(TWO)];
    await older.insert('notes', { _key: 'a', content: 'of the old' } as Doc);
    expect(await newer.get('notes', 'a')).to.deep.equal({ _key: 'a', text: 'of the old' });
    await older.replace('notes', { _key: 'a', content: 'once more' } as Doc);
    expect(await newer.replace('notes', { _key: 'a', text: 'renewed' } as Doc)).to.equal(true);
    expect((await faultOf(app(ONE).get('notes', 'a'))).code).to.equal('newer_form');
    expect(stored('a')).to.deep.equal({ _key: 'a', text: 'renewed', form: 2 });
  });
});
