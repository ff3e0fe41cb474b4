import { expect } from 'chai';
import { MASK } from '../../src/contract/basics.ts';
import { Resources } from '../../src/resources/resources.ts';
import { createRecord, type Test, updateRecord } from '../../src/resources/verified.ts';
import { faultOf } from '../support/fault.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';
import { NOTES, type Note, type NoteFields, noteKind, SECRET_PATHS } from './notes.ts';

const ANN = caller('ann');
const A = { text: 'x', url: 'https://a.example', token: 'one' };
const PASSES: Test<Note> = async () => ({ elapsedMs: 7.4 });
const FAILS: Test<Note> = async () => ({
  elapsedMs: 7,
  failure: { code: 'auth_failed', message: 'the key is not known' },
});

describe('records that are verified before they are saved', () => {
  let site: MemoryPlatform;
  const notes = (faults?: FaultPlan) => new Resources(noteKind, site.process(faults), SECRET_PATHS);
  const save = (body: NoteFields) => ({ caller: ANN, key: 'a', body: notes().parse(body) });
  const create = (body: NoteFields, test: Test<Note>, faults?: FaultPlan) =>
    createRecord(notes(faults), save(body), test);
  const update = (body: NoteFields, test: Test<Note>, faults?: FaultPlan) =>
    updateRecord(notes(faults), { ...save(body), condition: undefined }, test);
  const secret = () => [...site.secrets.values.values()].map((text) => JSON.parse(text).token);
  beforeEach(() => {
    site = new MemoryPlatform();
  });

  it('the test is saved with the record, in the same write', async () => {
    const made = await create(A, PASSES);
    const tested = { status: 'success', error_code: null, tested_at: site.clock.seconds(), response_time_ms: 7 };
    expect([made.version, made.last_test]).to.deep.equal([1, tested]);
    site.clock.advance(5000);
    const changed = await update({ text: 'y' }, PASSES);
    expect([changed.version, changed.last_test?.tested_at]).to.deep.equal([2, tested.tested_at + 5]);
  });

  it('a test that fails is told in its own words; the stores were only read', async () => {
    for (const write of [create, update]) {
      if (write === update) await create(A, PASSES);
      const before = [site.records.dump(), secret()];
      const faults = new FaultPlan();
      const { code, status, message, extra } = await faultOf(write({ ...A, token: 'two' }, FAILS, faults));
      expect([code, status, extra]).to.deep.equal(['verification_refused', 409, { cause: 'auth_failed' }]);
      expect(message).to.equal('Nothing was saved, because the test failed: the key is not known');
      expect(
        faults.trace.filter((call) => !call.startsWith('get ')),
        'calls that are no reads',
      ).to.deep.equal([]);
      expect([site.records.dump(), secret()]).to.deep.equal(before);
    }
  });

  it('a test sees the record as it would be, with the secrets that it would have', async () => {
    await create(A, PASSES);
    await notes().sealed.amend('a', async () => ({ open: { seen: 'inside' } }));
    const seen: unknown[] = [];
    const look: Test<Note> = async ({ target, before, submitted: given }) => {
      const { text, url, seen: inside } = target.record;
      seen.push([text, url, inside, target.secrets.token, given.token, before?.version]);
      return PASSES({ target, before, submitted: given, targetAfter: async () => target });
    };
    await update({ text: 'y', token: MASK }, look);
    await update({ url: 'https://b.example', token: 'two' }, look);
    expect(seen).to.deep.equal([
      ['y', 'https://a.example', 'inside', 'one', MASK, 1],
      ['y', 'https://b.example', undefined, 'two', 'two', 2],
    ]);
  });

  it('what the test has learned is saved, and secrets that it had to use up are replaced', async () => {
    const learns: Test<Note> = async () => ({
      elapsedMs: 1,
      discovered: ({ text }) => ({ seen: `of ${text}` }),
      secrets: { token: 'fresh' },
    });
    expect(await create(A, learns)).to.include({ text: 'x', seen: 'of x' });
    expect(secret()).to.deep.equal(['fresh']);
    expect(await update({ text: 'y', token: 'spent' }, learns)).to.include({ text: 'y', seen: 'of y', version: 2 });
    expect(secret()).to.deep.equal(['fresh']);
    expect(site.orphans(NOTES)).to.deep.equal([]);
  });

  it('a newer reading counts if only the server has changed the record since', async () => {
    await create(A, PASSES);
    const reads =
      (meanwhile: () => Promise<unknown>): Test<Note> =>
      async ({ targetAfter: again }) => {
        await meanwhile();
        const { secrets } = await again(await notes().get(ANN, 'a'));
        return { elapsedMs: 1, discovered: () => ({ seen: secrets.token ?? '' }) };
      };
    const upkeep = () => notes().sealed.amend('a', async () => ({ open: {}, secrets: { token: 'kept fresh' } }));
    expect(await update({ text: 'y' }, reads(upkeep))).to.include({ version: 2, seen: 'kept fresh' });
    const theirs = () => notes().update(ANN, 'a', notes().parse({ text: 'theirs' }), { condition: undefined });
    const { code, extra } = await faultOf(update({ text: 'z' }, reads(theirs)));
    expect([code, extra.current_version]).to.deep.equal(['version_conflict', 3]);
    expect((await notes().get(ANN, 'a')).text).to.equal('theirs');
  });
});
