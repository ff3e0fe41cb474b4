import { expect } from 'chai';
import { MASK } from '../../src/contract/basics.ts';
import { Resources } from '../../src/resources/resources.ts';
import { faultOf, fieldsOf } from '../support/fault.ts';
import { FaultPlan } from '../support/memory/faults.ts';
import { caller, MemoryPlatform } from '../support/memory/platform.ts';
import { NOTES, type Note, type NoteFields, noteKind, SECRET_PATHS } from './notes.ts';

const ANN = caller('ann');
const BEN = caller('ben');
const SHARED = { sharing: 'app' as const, perms: { read: ['*'], write: [] } };

describe('resources', () => {
  let site: MemoryPlatform;
  const notes = (faults?: FaultPlan) => new Resources(noteKind, site.process(faults), SECRET_PATHS);
  const create = async (body: NoteFields) => notes().create(ANN, 'a', await notes().draft(notes().parse(body)));
  const update = (body: NoteFields, who = ANN, condition?: number) =>
    notes().update(who, 'a', notes().parse(body), { condition });
  const stored = () => (site.records.all(NOTES)[0] ?? {}) as Partial<Note>;
  beforeEach(() => {
    site = new MemoryPlatform();
  });

  it('a read shows what the kind shows, the secret masked, and nothing of the inside', async () => {
    const made = await create({ text: 'x', url: 'https://a.example', token: ' canary\n' });
    await notes().sealed.amend('a', async () => ({ open: { seen: 'inside' } }));
    expect(await notes().show(ANN, 'a')).to.deep.equal({
      ...{ text: 'x', url: 'https://a.example', token: MASK },
      acl: { owner: 'ann', sharing: 'user', perms: { read: [], write: [] } },
      ...{ version: 1, created_at: made.created_at, created_by: 'ann' },
      ...{ last_updated_at: made.created_at, last_updated_by: 'ann' },
    });
    expect((await notes().unsealed(ANN, 'a')).secrets).to.deep.equal({ token: 'canary' });
    expect((await faultOf(notes().show(BEN, 'a'))).code).to.equal('not_found');
    expect((await notes().list(BEN, {})).result).to.deep.equal([]);
  });

  it('what the kind finds wrong is refused before anything is written', async () => {
    const refused = await faultOf(create({ text: 'bad', url: 'https://a.example', token: 'bad' }));
    expect([refused.code, fieldsOf(refused)]).to.deep.equal(['validation_failed', ['text', 'token']]);
    expect((await faultOf(create({ url: 'https://a.example', token: MASK }))).code).to.equal(
      'masked_value_without_stored_secret',
    );
    expect([site.records.dump(), site.secrets.values.size]).to.deep.equal(['', 0]);
  });

  it('an update keeps what the kind and the kernel keep, and the secret stays with its address', async () => {
    await create({ text: 'x', url: 'https://a.example', token: 'one', acl: SHARED });
    await notes().sealed.amend('a', async () => ({ open: { seen: 'inside' } }));
    await notes().recordTest(await notes().target(ANN, 'a', {}), 7, undefined);
    const { seen, last_test, acl } = await update({ text: 'y' });
    expect([seen, last_test?.status, acl.sharing]).to.deep.equal(['inside', 'success', 'app']);
    expect((await faultOf(update({ url: 'https://b.example' }))).code).to.equal('secret_required_for_new_host');
    const moved = await update({ url: 'https://b.example', token: 'two' });
    expect(moved).to.not.have.property('seen');
    expect((await faultOf(update({ text: 'z' }, BEN))).code).to.equal('acl_denied');
    expect((await faultOf(update({ text: 'z' }, ANN, 1))).code).to.equal('version_conflict');
    expect((await faultOf(update({ acl: { owner: 'ben' } }))).code).to.equal('acl_denied');
  });

  it('an update is decided on the record under its lease, whenever somebody else changes it', async () => {
    const versions = new Set<number | undefined>();
    for (let at = 1, changed = true; changed; at++) {
      site = new MemoryPlatform();
      await create({ text: 'x', url: 'https://a.example', token: 'one' });
      changed = false;
      const faults = new FaultPlan(at, async () => {
        changed = true;
        // Not while the lease is held: who waits for it would wait for ever.
        if (site.records.all('ml_leases').length === 0) await update({ text: 'theirs', token: 'theirs' });
      });
      const late = notes(faults);
      const seen = await late.get(ANN, 'a', 'write');
      await late.update(ANN, 'a', late.parse({ url: 'https://a.example/path' }), { condition: undefined, seen });
      const { text, url, version } = stored();
      const { secrets } = await notes().unsealed(ANN, 'a');
      expect([text, secrets.token], `a change before call ${at}`).to.deep.equal(
        version === 3 ? ['theirs', 'theirs'] : ['x', 'one'],
      );
      versions.add(version);
      expect(url).to.equal('https://a.example/path');
      expect(site.orphans(NOTES)).to.deep.equal([]);
    }
    expect([...versions], 'both were met').to.have.members([2, 3]);
  });

  it('a change that takes something away from a user of the record is refused or, when it is forced, warned about once', async () => {
    await create({ text: 'read', url: 'https://a.example', token: 'one' });
    const away = notes().parse({ url: 'https://b.example' });
    const [seen, warnings] = [await notes().get(ANN, 'a'), [] as string[]];
    const moves = (force?: boolean) => notes().update(ANN, 'a', away, { condition: undefined, force, warnings });
    const wouldBe = (force?: boolean) => notes().preview(seen, away, () => {}, force);
    for (const change of [moves, wouldBe]) {
      expect((await faultOf(change())).code).to.equal('in_use');
      expect((await faultOf(change(true))).code).to.equal('secret_required_for_new_host');
    }
    expect(warnings, 'of what was not done').to.deep.equal([]);
    away.submitted.token = 'two';
    expect((await wouldBe(true)).warnings).to.deep.equal(['a reader is lost']);
    expect((await moves(true)).url).to.equal('https://b.example');
    expect(warnings).to.deep.equal(['a reader is lost']);
  });

  it('what a test of a draft or a change has found is saved with it', async () => {
    const [failed, passed] = [
      { status: 'fail' as const, error_code: 'timeout', tested_at: 1, response_time_ms: 7 },
      { status: 'success' as const, error_code: null, tested_at: 2, response_time_ms: 8 },
    ];
    const draft = await notes().draft(notes().parse({ text: 'x', url: 'https://a.example' }));
    expect((await notes().create(ANN, 'a', draft, { last_test: failed })).last_test).to.deep.equal(failed);
    expect((await update({ text: 'y' })).last_test, 'of before').to.deep.equal(failed);
    const sent = notes().parse({ text: 'z' });
    const { last_test, version } = await notes().update(ANN, 'a', sent, { condition: 2, last_test: passed });
    expect([last_test, version]).to.deep.equal([passed, 3]);
  });

  describe('the target of a test', () => {
    beforeEach(() => create({ text: 'x', url: 'https://a.example', token: 'one', acl: SHARED }));

    it('is the saved record where nothing but its name is sent, for whoever may read it', async () => {
      const { record, secrets, saved } = await notes().target(BEN, 'a', {});
      expect([record.url, secrets, saved?._key]).to.deep.equal(['https://a.example', { token: 'one' }, 'a']);
      expect((await faultOf(notes().target(BEN, 'b', {}))).code).to.equal('not_found');
    });

    it('is what is sent, with the secret of the record of that name, for whoever may write it', async () => {
      const { record, secrets, saved, warnings } = await notes().target(ANN, 'a', { text: 'odd', token: MASK });
      expect([record.url, secrets, saved]).to.deep.equal(['https://a.example', { token: 'one' }, undefined]);
      expect(warnings).to.deep.equal(['an odd text']);
      expect((await faultOf(notes().target(BEN, 'a', { text: 'y' }))).code).to.equal('acl_denied');
      const elsewhere = notes().target(ANN, 'a', { url: 'https://b.example' });
      expect((await faultOf(elsewhere)).code).to.equal('secret_required_for_new_host');
    });

    it('is what is sent alone where there is no such record, if that is whole', async () => {
      for (const key of [undefined, 'b']) {
        const { record, secrets } = await notes().target(ANN, key, { url: 'https://b.example', token: 'two' });
        expect([record.url, secrets]).to.deep.equal(['https://b.example', { token: 'two' }]);
      }
      expect((await faultOf(notes().target(ANN, 'b', { text: 'y' }))).code).to.equal('not_found');
      const missing = await faultOf(notes().target(ANN, undefined, { text: 'y' }));
      expect([missing.code, fieldsOf(missing)]).to.deep.equal(['validation_failed', ['url']]);
    });

    it('hides all of its secrets, and gives none away as JSON', async () => {
      const target = await notes().target(ANN, 'a', {});
      expect(target.hidden).to.deep.equal(['one']);
      expect(JSON.stringify({ target })).to.not.include('one');
    });

    it('remembers its outcome if it is the saved record, and that is no new version of it', async () => {
      await notes().recordTest(await notes().target(BEN, 'a', {}), 7.4, { code: 'timeout' }, () => ({ seen: 'slow' }));
      const outcome = { status: 'fail', error_code: 'timeout', response_time_ms: 7, tested_at: site.clock.seconds() };
      expect(stored()).to.deep.include({ last_test: outcome, seen: 'slow', version: 1 });
      await notes().recordTest(await notes().target(ANN, 'a', { text: 'y' }), 7, undefined);
      expect(stored().last_test).to.deep.equal(outcome);
      const gone = await notes().target(BEN, 'a', {});
      await notes().remove(ANN, 'a', { condition: undefined });
      await notes().recordTest(gone, 7, undefined);
      expect(site.records.all(NOTES)).to.deep.equal([]);
    });
  });
});
