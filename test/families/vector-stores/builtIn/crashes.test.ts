import { expect } from 'chai';
import { document, KnowledgeSite, type Member } from '../../../support/knowledge/site.ts';
import { Crashed, type FaultMode, FaultPlan } from '../../../support/memory/faults.ts';

const A = [1, 0];
const LONG = 'long '.repeat(30_000);
const OLD = [
  document('a', ['old a 1', 'old a 2'], [A, A]),
  document('b', [`old b ${LONG}`, `old b 2 ${LONG}`], [A, A]),
];
const NEW = [
  document('a', ['new a'], [A]),
  document('b', [`new b ${LONG}`, `new b 2 ${LONG}`], [A, A]),
  document('c', ['new c'], [A]),
];

type Texts = Record<string, string[]>;

const textsById = (found: readonly { id?: string; text: string }[]): Texts => {
  const texts: Texts = {};
  for (const { id = '', text } of found) texts[id] = [...(texts[id] ?? []), text.slice(0, 10)].sort();
  return texts;
};
const lines = (documents: typeof OLD): Texts =>
  Object.fromEntries(
    documents.map(({ id, text }) => [
      id,
      text
        .split('\n')
        .map((line) => line.slice(0, 10))
        .sort(),
    ]),
  );

const WRITES: Record<string, { write(member: Member, faults: FaultPlan): Promise<unknown>; after: Texts }> = {
  replace: { write: (member, faults) => member.replace(NEW, faults), after: lines(NEW) },
  remove: { write: (member, faults) => member.remove(['a', 'b'], faults), after: {} },
  'remove all': { write: (member, faults) => member.remove('all', faults), after: {} },
};

describe('a write of documents that ends at any call of the store', () => {
  const before = lines(OLD);
  const found = async (member: Member) =>
    textsById(await member.search({ vector: Float32Array.from(A), searchType: 'semantic' }));

  async function passagesStored(site: KnowledgeSite): Promise<number> {
    const [state] = site.platform.records.all('ml_document_stores');
    const sum = site.platform.records
      .all('ml_documents')
      .filter((doc) => doc.store === state?.uid)
      .reduce((total, doc) => total + (doc.passages as number), 0);
    expect(state?.passages).to.equal(sum);
    return sum;
  }

  for (const [name, { write, after }] of Object.entries(WRITES))
    for (const mode of ['crash', 'refused', 'lost'] as const satisfies readonly FaultMode[]) {
      it(`${name}, ${mode}: each document is old or new on all members, and the next write goes on`, async () => {
        let [hadOld, hadNew] = [false, false];
        for (let call = 1; ; call += 1) {
          const site = new KnowledgeSite();
          const [one, two, three] = [site.member(), site.member(), site.member()];
          await one.replace(OLD);
          await one.follow();
          const faults = new FaultPlan(call, mode);
          const failure = await write(two, faults).then(
            () => undefined,
            (error: Error) => error,
          );
          const isWhole = call > faults.calls;
          if (mode === 'crash') expect(failure === undefined || failure instanceof Crashed).to.equal(true);
          const seen = await found(one);
          const where = `${name} ${mode} at ${call}: ${faults.trace.at(call - 1)}`;
          for (const id of ['a', 'b', 'c']) {
            const states = [before[id], after[id]].map((texts) => JSON.stringify(texts));
            expect(states, where).to.include(JSON.stringify(seen[id]));
            hadOld ||= JSON.stringify(seen[id]) === states[0];
            hadNew ||= JSON.stringify(seen[id]) === states[1];
          }
          expect(await found(three), where).to.deep.equal(seen);
          // The lease of a dead process has to expire.
          site.platform.clock.advance(20_000);
          await three.replace([document('d', ['next'], [A])]);
          expect(await found(one), where).to.deep.equal({ ...seen, d: ['next'] });
          expect(await found(site.member()), where).to.deep.equal({ ...seen, d: ['next'] });
          await passagesStored(site);
          const parts = site.platform.records.all('ml_document_parts');
          expect(parts.length, where).to.equal(seen.b ? 1 : 0);
          if (isWhole) break;
        }
        expect([hadOld, hadNew]).to.deep.equal([true, true]);
      });
    }

  it('searches between all steps of a write find each document, old or new', async () => {
    const site = new KnowledgeSite();
    const [one, two] = [site.member(), site.member()];
    const texts = (version: string) =>
      Array.from({ length: 60 }, (_, n) => document(`d${n}`, [`${version} ${n}`], [A]));
    await one.replace(texts('old'));
    await two.follow();
    const counts: number[] = [];
    class Watched extends FaultPlan {
      override async call<T>(name: string, effect: () => T): Promise<T> {
        counts.push((await two.search({ vector: Float32Array.from(A), searchType: 'semantic' })).length);
        return super.call(name, effect);
      }
    }
    await one.replace(texts('new'), new Watched());
    expect(new Set(counts)).to.deep.equal(new Set([60]));
  });

  it('a search while a write is under way answers, and the next one finds what was written', async () => {
    const site = new KnowledgeSite();
    const [one, two] = [site.member(), site.member()];
    await one.replace(OLD);
    await two.follow();
    for (let call = 1; ; call += 1) {
      const faults = new FaultPlan(call, async () => {
        const seen = await found(two);
        expect(Object.keys(seen)).to.include.members(['a', 'b']);
      });
      await one.replace(call % 2 ? NEW : OLD, faults);
      expect(await found(two)).to.deep.include(lines(call % 2 ? NEW : OLD));
      if (call > faults.calls) break;
    }
  });
});
