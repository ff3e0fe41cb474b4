import { readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { OutboundError } from '../../../../src/contract/codes/outbound.ts';
import { faultOf, rejection } from '../../../support/fault.ts';
import { document, KnowledgeSite, type Member } from '../../../support/knowledge/site.ts';

const A = [1, 0];
const B = [0, 1];

describe('the file of a store in the platform', () => {
  let site: KnowledgeSite;
  let one: Member;
  let two: Member;
  beforeEach(() => {
    site = new KnowledgeSite();
    one = site.member();
    two = site.member();
  });
  const filesOf = (member: Member) => readdirSync(member.folder).sort();
  const fileOf = (member: Member, ending: string) =>
    join(member.folder, filesOf(member).find((name) => name.endsWith(ending)) ?? 'none');

  it('is empty before the first write, and nothing is made', async () => {
    expect(await one.search({ text: 'x', vector: Float32Array.from(A) })).to.deep.equal([]);
    expect(await one.remove(['a'])).to.equal(0);
    expect(await one.remove('all')).to.equal(0);
    expect(site.platform.records.all('ml_document_stores')).to.deep.equal([]);
    expect(filesOf(one)).to.deep.equal([]);
  });

  it('follows what any member writes, replaces and removes, before each answer', async () => {
    await one.replace([document('a', ['old first', 'old second'], [A, B]), document('b', ['other'], [A])]);
    expect(await one.texts()).to.deep.equal(['old first', 'old second', 'other']);
    expect(await two.texts()).to.deep.equal(['old first', 'old second', 'other']);
    await two.replace([document('a', ['new'], [B])]);
    expect(await one.texts()).to.deep.equal(['new', 'other']);
    expect(await one.remove(['b', 'c'])).to.equal(1);
    expect(await two.texts()).to.deep.equal(['new']);
    await two.replace([document('b', ['again'], [A])]);
    expect(await one.texts()).to.deep.equal(['again', 'new']);
    expect(await two.remove('all')).to.equal(2);
    expect(await one.texts()).to.deep.equal([]);
    await one.replace([document('c', ['three'], [[1, 2, 3]])]);
    expect(await two.texts([1, 2, 3])).to.deep.equal(['three']);
  });

  it('answers in the form of all kinds', async () => {
    await one.replace([document('a', ['disk is full', 'look at inodes'], [A, [3, 4]], { team: 'ops', n: 1 })]);
    const [found] = await one.search({ vector: Float32Array.from([30, 40]), searchType: 'semantic', count: 1 });
    expect(found).to.deep.include({ id: 'a', text: 'look at inodes', metadata: { team: 'ops', n: 1 } });
    expect(found?.source).to.deep.equal({ type: 'built_in', uri: 'a' });
    expect(found?.score).to.be.closeTo(1, 1e-6);
  });

  it('finds identifiers as phrases, and any word of a question, by hybrid search', async () => {
    const lines = ['the code is ERR-4003 here', 'ERR is no 4003', 'Filesystems are running full', 'nothing of it'];
    await one.replace([document('a', lines, [A, A, A, B])]);
    const texts = async (text: string) => (await one.search({ text })).map((found) => found.text);
    expect(await texts('err-4003')).to.deep.equal([lines[0]]);
    expect(await texts('why does the "filesystem" run?')).to.include(lines[2]);
    expect(await texts('')).to.deep.equal([]);
    expect(await texts('!!! "" * ^ NEAR( AND OR -')).to.deep.equal([]);
    const fused = await one.search({ text: 'err-4003', vector: Float32Array.from(A) });
    expect(fused[0]?.text).to.equal(lines[0]);
    expect(fused[0]?.score).to.be.closeTo(2 / 6, 1e-9);
  });

  it('finds words of the headings above, before those of texts, and never returns them', async () => {
    const lines = ['nothing of it', 'an outage is here', 'other text here'];
    const written = document('a', lines, [A, A, A]);
    const passages = written.passages.map((passage, index) =>
      index === 2 ? { ...passage, context: 'Outage' } : passage,
    );
    await one.replace([{ ...written, passages }]);
    const texts = async (member: Member, text: string) => (await member.search({ text })).map((found) => found.text);
    expect(await texts(two, 'outages')).to.deep.equal([lines[2], lines[1]]);
    await two.replace([written]);
    expect(await texts(one, 'outages')).to.deep.equal([lines[1]]);
  });

  it('searches only documents whose metadata match, also for words', async () => {
    const many = Array.from({ length: 300 }, (_, n) => document(`d${n}`, [`word ${n}`], [[1, n / 1000]], { n }));
    await one.replace(many);
    const filter = { greaterThan: { key: 'n', value: 297 } };
    const found = await one.search({ text: 'word', vector: Float32Array.from(A), filter, count: 5 });
    expect(found.map(({ id }) => id).sort()).to.deep.equal(['d298', 'd299']);
  });

  it('refuses a vector of another length in words', async () => {
    await one.replace([document('a', ['x'], [A])]);
    const error = await rejection(one.search({ vector: Float32Array.from([1, 2, 3]) }), OutboundError);
    expect(error.code).to.equal('configuration_invalid');
    expect(error.message).to.match(/3 numbers .* have 2/);
    const write = await rejection(one.replace([document('b', ['x'], [[1, 2, 3]])]), OutboundError);
    expect(write.code).to.equal('configuration_invalid');
    expect(await two.texts()).to.deep.equal(['x']);
  });

  it('holds at most 100,000 passages: nothing of a write beyond is stored', async () => {
    const long = (id: string, count: number) => ({
      ...document(id, ['x'], [A]),
      passages: Array.from({ length: count }, () => ({ start: 0, end: 1, vector: Float32Array.from([1]) })),
    });
    await one.replace([long('a', 60_000)]);
    expect((await faultOf(one.replace([long('b', 40_001)]))).code).to.equal('store_full');
    await one.replace([long('a', 10)]);
    await one.replace([long('b', 40_001)]);
    expect(site.platform.records.all('ml_document_stores')[0]).to.include({ passages: 40_011 });
  });

  it('keeps long documents in parts, which one document of the store switches together', async () => {
    const line = 'word '.repeat(20_000);
    const lines = Array.from({ length: 10 }, (_, n) => `part ${n} ${line}`);
    await one.replace([document('a', lines, Array(10).fill(A))]);
    expect(site.platform.records.all('ml_document_parts').length).to.be.above(3);
    expect(await two.texts()).to.deep.equal(lines);
    await two.replace([document('a', ['short'], [A])]);
    expect(site.platform.records.all('ml_document_parts')).to.deep.equal([]);
    expect(await one.texts()).to.deep.equal(['short']);
    await two.replace([document('a', lines, Array(10).fill(A))]);
    expect(await one.remove(['a'])).to.equal(1);
    expect(site.platform.records.all('ml_document_parts')).to.deep.equal([]);
  });

  describe('is made again', () => {
    beforeEach(async () => {
      const lines = Array.from({ length: 200 }, (_, n) => `passage ${n}`);
      await one.replace([document('a', lines, Array(200).fill(A))]);
      expect(await one.texts()).to.have.length(100);
    });
    const DAMAGES: Record<string, (member: Member) => void> = {
      'when it is deleted': (member) => {
        for (const name of filesOf(member)) rmSync(join(member.folder, name));
      },
      'when its folder is deleted': ({ folder }) => rmSync(folder, { recursive: true }),
      'when its database is no database': (member) => writeFileSync(fileOf(member, '.db'), 'x'.repeat(100_000)),
      'when its database is empty': (member) => truncateSync(fileOf(member, '.db')),
      'when its database is cut': (member) => {
        const path = fileOf(member, '.db');
        truncateSync(path, 8192);
      },
      'when its vectors are deleted': (member) => rmSync(fileOf(member, '.f32')),
      'when its vectors are cut': (member) =>
        truncateSync(fileOf(member, '.f32'), statSync(fileOf(member, '.f32')).size - 4),
    };
    for (const [when, damage] of Object.entries(DAMAGES)) {
      it(`${when}, in the same process and in a new one`, async () => {
        // Its pages stand in the file itself, and no longer beside it.
        await one.replace([document('b', ['x'], [B])]);
        for (const member of [one, site.member(one.folder)]) {
          const before = await member.search({ vector: Float32Array.from(A), text: 'passage', count: 3 });
          await member.files.open('other');
          damage(member);
          const after = await member.search({ vector: Float32Array.from(A), text: 'passage', count: 3 });
          expect(after).to.deep.equal(before);
        }
      });
    }

    it('when a write follows the loss of vectors, without a gap', async () => {
      truncateSync(fileOf(one, '.f32'));
      await one.replace([document('b', ['added'], [B])]);
      const [first] = await one.search({ vector: Float32Array.from(B), searchType: 'semantic' });
      expect(first?.text).to.equal('added');
      const [other] = await one.search({ vector: Float32Array.from(A), searchType: 'semantic' });
      expect(other?.text).to.match(/^passage/);
      expect(other?.score).to.be.closeTo(1, 1e-6);
    });
  });

  it('a store that is deleted and made anew shows nothing old, whatever is left', async () => {
    await one.replace([document('a', ['old'], [A])]);
    await two.follow();
    site.delete();
    site.create();
    expect(await two.texts()).to.deep.equal([]);
    await one.replace([document('b', ['new'], [A])]);
    expect(await two.texts()).to.deep.equal(['new']);
    expect(await one.texts()).to.deep.equal(['new']);
    expect(site.platform.records.all('ml_documents')).to.have.length(1);
  });

  it('a deleted store leaves no document, and no file once a member sees that it is gone', async () => {
    await one.replace([document('a', ['old'], [A])]);
    await one.follow();
    await two.follow();
    expect(filesOf(two)).not.to.deep.equal([]);
    site.delete();
    await one.sweep();
    expect(filesOf(one)).to.deep.equal([]);
    for (const collection of ['ml_documents', 'ml_document_parts', 'ml_document_stores', 'ml_leases'])
      expect(site.platform.records.all(collection), collection).to.deep.equal([]);
    site.create();
    await two.replace([document('b', ['new'], [A])]);
    await two.follow();
    expect(new Set(filesOf(two).map((name) => name.split('.')[0])).size).to.equal(1);
  });

  it('a write whose store was deleted meanwhile stores nothing', async () => {
    site.delete();
    expect((await faultOf(one.replace([document('a', ['x'], [A])]))).code).to.equal('not_found');
    expect(site.platform.records.all('ml_documents')).to.deep.equal([]);
  });

  it('a file older than the last purge of marks compares all keys', async () => {
    await one.replace([document('a', ['first'], [A]), document('b', ['second'], [A])]);
    await two.follow();
    await one.remove(['a']);
    expect(site.platform.records.all('ml_documents')).to.have.length(2);
    site.platform.clock.advance(3 * 86_400_000);
    await one.replace([document('c', ['third'], [A])]);
    expect(site.platform.records.all('ml_documents')).to.have.length(2);
    expect(await two.texts()).to.deep.equal(['second', 'third']);
    const uid = site.platform.records.all('ml_document_stores')[0]?.uid as string;
    expect((await two.files.open(uid)).facts()).to.include({ passages: 2 });
  });

  it('takes no more room when documents are replaced again and again', async () => {
    const vector = Array(64).fill(1);
    const docs = (round: number) =>
      Array.from({ length: 30 }, (_, n) =>
        document(`d${n}`, Array(50).fill(`text ${round} ${n}`), Array(50).fill(vector)),
      );
    const sizes: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      await one.replace(docs(round));
      await one.follow();
      sizes.push(statSync(fileOf(one, '.f32')).size);
      expect(filesOf(one).filter((name) => name.endsWith('.f32'))).to.have.length(1);
    }
    expect(Math.max(...sizes)).to.be.at.most(2 * (sizes[0] as number));
    const found = await one.search({ text: 'text 7', vector: Float32Array.from(vector) });
    expect(found).to.have.length(100);
    expect(found.every(({ text }) => text.startsWith('text 7'))).to.equal(true);
  });
});
