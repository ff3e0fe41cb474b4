import { expect } from 'chai';
import { remedyOf } from '../../../src/contract/codes.ts';
import { MASK } from '../../../src/contract/mask.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { expectCode, fieldsOf, told } from '../../support/replies.ts';
import { eventually } from '../../support/time.ts';
import type { Answer, OpenWorld } from '../../support/worlds/world.ts';
import { keyOf, VERIFIED, type VerifiedFamily } from './families.ts';

const [OLD, NEW, THEIRS, BAD] = [keyOf('old'), keyOf('new'), keyOf('theirs'), keyOf('bad')] as const;
const ALL_KEYS = [OLD, NEW, THEIRS, BAD];
const VERIFY = '?verify=true';
const SOON_MS = 10_000;

/** Verify before replace (contract 13) in every family that has it, in any world. */
export function verificationSuite(open: OpenWorld): void {
  let peer: KeyedPeer;
  let other: KeyedPeer;
  before(async () => {
    [peer, other] = [await KeyedPeer.start(), await KeyedPeer.start()];
    for (const key of ALL_KEYS) peer.aws.add(key);
  });
  const world = open({
    users: { anna: ['ml_admin'], bert: ['user', 'editors'], carl: ['user', 'readers'] },
    roles: { editors: ['edit_agent_connections', 'register_ml_models'] },
    collections: [...Object.values(VERIFIED).map(({ collection }) => collection), 'ml_journal'],
    servers: true,
    aws: () => peer.url,
    movesTime: true,
    processes: 4,
  });
  /** Of records that are gone with the test before: emptying a collection leaves them. */
  let left: string[] = [];
  const secretRefs = async () => (await world.secretRefs()).filter((ref) => !left.includes(ref));
  beforeEach(async () => {
    left = await world.secretRefs();
    for (const each of [peer, other]) each.reset();
    peer.working.add(OLD).add(NEW).add(THEIRS);
  });
  after(() => Promise.all([peer.close(), other.close()]));

  for (const [what, family] of Object.entries(VERIFIED)) {
    describe(what, () => familyTests(family));
  }

  it('a test of a registration stays a test', async () => {
    const { whole, path, collection } = VERIFIED['registered models'] as VerifiedFamily;
    const test = (key: string) =>
      world.call('anna', 'POST', `${path}${VERIFY}&test_connection=1`, whole(peer, 'tested', key));
    expect((await test(NEW)).json).to.include({ success: true, test_type: 'connection_test' });
    expect((await test(BAD)).json).to.include({ success: false, error_code: 'auth_failed' });
    expect(await world.records(collection)).to.deep.equal([]);
  });

  it('a test has the deadline that it has otherwise', async () => {
    const { path, collection, whole } = VERIFIED['LLM configurations'] as VerifiedFamily;
    const { servicesettings, ...rest } = whole(peer, 'slow', NEW);
    const held = peer.hold();
    const body = { ...rest, servicesettings: { ...(servicesettings as object), request_timeout: { value: 1 } } };
    const reply = await world.call('anna', 'POST', `${path}${VERIFY}`, body);
    held.release();
    expectCode(reply, 409, 'verification_refused');
    expect(reply.json.cause).to.equal('timeout');
    expect(await world.records(collection)).to.deep.equal([]);
  });

  function familyTests(family: VerifiedFamily): void {
    const {
      path,
      collection,
      update,
      taken,
      whole,
      rotation,
      remark,
      remarkOf,
      move,
      elsewhere,
      unready,
      malformed,
      one,
      secret,
      acl,
    } = family;
    let names = 0;
    const fresh = () => {
      names += 1;
      return `verified_${names}`;
    };
    const post = (body: object, query = VERIFY, user = 'anna') => world.call(user, 'POST', `${path}${query}`, body);
    const change = (body: object, query = VERIFY, user = 'anna', headers: Record<string, string> = {}) =>
      world.call(user, update, `${path}${query}`, body, headers);
    const get = async (name: string) => (await world.call('anna', 'GET', one(name))).json.config;
    const keyOfRecord = async (name: string) => (await world.secretsOf(collection, name))?.[secret];
    const state = async () => [await world.records(collection), await secretRefs(), await world.records('ml_journal')];

    function expectOk(reply: Answer): void {
      expect(reply.status, told(reply)).to.equal(200);
      for (const key of ALL_KEYS) expect(told(reply)).to.not.contain(key);
    }
    function expectRefused(reply: Answer, status: number, code: string): void {
      expectCode(reply, status, code);
      for (const key of ALL_KEYS) expect(JSON.stringify(reply.json)).to.not.contain(key);
    }
    function expectUnverified(reply: Answer, cause = 'auth_failed'): void {
      expectRefused(reply, 409, 'verification_refused');
      expect(reply.json).to.include({ cause, remedy: remedyOf('verification_refused') });
      expect(reply.json.message).to.match(/^Nothing was saved, because the test failed: .{10,}/);
    }
    /** A record with the old key, after a test of its own. */
    async function made(more: object = {}): Promise<string> {
      const name = fresh();
      expectOk(await post({ ...whole(peer, name, OLD), ...more }));
      await world.later();
      peer.asked.length = 0;
      return name;
    }
    /** Nothing was written and nobody was called while this was refused. */
    async function refusedBeforehand(call: () => Promise<Answer>, status: number, code: string): Promise<Answer> {
      const before = await state();
      const reply = await call();
      expectRefused(reply, status, code);
      expect([peer.asked, other.asked], `${code}: nobody was called`).to.deep.equal([[], []]);
      expect(await state(), code).to.deep.equal(before);
      return reply;
    }

    it('makes a record that works, with its test', async () => {
      const name = fresh();
      const earliest = world.now();
      expectOk(await post(whole(peer, name, NEW)));
      const config = await get(name);
      expect(config.version).to.equal(1);
      expect(config.last_test).to.include({ status: 'success', error_code: null });
      expect(config.last_test.tested_at).to.be.within(earliest, world.now());
      expect(await keyOfRecord(name)).to.equal(NEW);
      expect(new Set(peer.asked)).to.deep.equal(new Set([NEW]));
    });

    it('makes none that does not: the name stays free, and nothing is left', async () => {
      const before = await state();
      const name = fresh();
      expectUnverified(await post(whole(peer, name, BAD)));
      expect(peer.asked).to.include(BAD);
      expect(await state()).to.deep.equal(before);
      expect(await world.leaks(BAD)).to.deep.equal([]);
      expectOk(await post(whole(peer, name, NEW)));
      expect((await get(name)).version).to.equal(1);
    });

    it('replaces a key by one that works, in one write with its test', async () => {
      const name = await made();
      const refs = await secretRefs();
      expectOk(await change(rotation(peer, name, NEW)));
      const config = await get(name);
      expect(config.version).to.equal(2);
      expect(config.last_test.status).to.equal('success');
      expect(await keyOfRecord(name)).to.equal(NEW);
      expect((await secretRefs()).length, 'the old one is gone').to.equal(refs.length);
      expect(new Set(peer.asked)).to.deep.equal(new Set([NEW]));
      expect(await world.records('ml_journal')).to.deep.equal([]);
    });

    it('never replaces a key that works by one that does not', async () => {
      const name = await made();
      const before = await state();
      expectUnverified(await change(rotation(peer, name, BAD)));
      expect(await state()).to.deep.equal(before);
      expect(await keyOfRecord(name)).to.equal(OLD);
      expect(await world.leaks(BAD)).to.deep.equal([]);
    });

    if (elsewhere) {
      it('says that nobody answers, and leaves the outcome of the last test alone', async () => {
        const closed = await KeyedPeer.start();
        await closed.close();
        const name = await made();
        const before = await state();
        expectUnverified(await change(elsewhere(closed, name, NEW)), 'connection_refused');
        expect(await state()).to.deep.equal(before);
      });
    }

    if (unready) {
      it('refuses what is of no use although the key is good, even where nothing about it changes', async () => {
        const name = await made();
        const cause = unready(peer);
        const before = await state();
        expectUnverified(await change(rotation(peer, name, NEW)), cause);
        expectUnverified(await change(remark(name, 'new')), cause);
        expectUnverified(await post(whole(peer, fresh(), NEW)), cause);
        expect(await state()).to.deep.equal(before);
      });
    }

    it('tests masked and absent keys as they are stored', async () => {
      const name = await made();
      expectOk(await change(remark(name, 'one')));
      expectOk(await change(rotation(peer, name, MASK)));
      expect(new Set(peer.asked)).to.deep.equal(new Set([OLD]));
      expect(await keyOfRecord(name)).to.equal(OLD);
      expect((await get(name)).version).to.equal(3);
      peer.working.delete(OLD);
      const before = await state();
      expectUnverified(await change(remark(name, 'two')));
      expect(await state()).to.deep.equal(before);
    });

    it('does nothing of the kind unless it is asked for', async () => {
      const name = await made();
      for (const query of ['', '?verify=false']) expectOk(await change(remark(name, `with ${query}`), query));
      expect(peer.asked).to.deep.equal([]);
      if (path === '/register_model') return;
      expectOk(await change(rotation(peer, name, BAD), ''));
      expect([peer.asked, await keyOfRecord(name)]).to.deep.equal([[], BAD]);
    });

    it('refuses what needs no test before it calls anybody', async () => {
      const name = await made();
      for (const query of ['?verify=yes', '?verify=', '?verify=2', '?verify=true&verify=true']) {
        for (const call of [
          () => post(whole(peer, fresh(), NEW), query),
          () => change(rotation(peer, name, NEW), query),
        ]) {
          expect(fieldsOf(await refusedBeforehand(call, 400, 'validation_failed')), query).to.deep.equal(['verify']);
        }
      }
      const [body, field] = malformed(peer, name);
      expect(fieldsOf(await refusedBeforehand(() => change(body), 400, 'validation_failed'))).to.deep.equal([field]);
      await refusedBeforehand(() => post(whole(peer, fresh(), MASK)), 400, 'masked_value_without_stored_secret');
      await refusedBeforehand(() => change(move(other, name)), 400, 'secret_required_for_new_host');
      const stale = () => change({ ...rotation(peer, name, NEW), version: 7 });
      expect((await refusedBeforehand(stale, 409, 'version_conflict')).json.current_version).to.equal(1);
      const staleHeader = () => change(rotation(peer, name, NEW), VERIFY, 'anna', { 'If-Match': '"7"' });
      await refusedBeforehand(staleHeader, 409, 'version_conflict');
      await refusedBeforehand(() => post(whole(peer, fresh(), NEW), VERIFY, 'carl'), 403, 'missing_capability');
      await refusedBeforehand(() => change(rotation(peer, name, NEW), VERIFY, 'carl'), 403, 'missing_capability');
    });

    if (update === 'PUT') {
      it('refuses a taken name and an unknown one before it calls anybody', async () => {
        const name = await made();
        await refusedBeforehand(() => post(whole(peer, name.toUpperCase(), NEW)), 409, taken);
        await refusedBeforehand(() => change(rotation(peer, fresh(), NEW)), 404, 'not_found');
      });
    }

    if (acl) {
      it('asks the access list before it calls anybody', async () => {
        const hidden = await made();
        const readable = await made({ acl: { sharing: 'app', perms: { read: ['editors'], write: [] } } });
        const writable = await made({ acl: { sharing: 'app', perms: { read: [], write: ['editors'] } } });
        const byBert = (name: string, more: object = {}) =>
          change({ ...rotation(peer, name, NEW), ...more }, VERIFY, 'bert');
        await refusedBeforehand(() => byBert(hidden), 404, 'not_found');
        await refusedBeforehand(() => byBert(readable), 403, 'acl_denied');
        await refusedBeforehand(() => byBert(writable, { acl: { sharing: 'user' } }), 403, 'acl_denied');
        const foreign = { ...whole(peer, fresh(), NEW), acl: { owner: 'anna' } };
        await refusedBeforehand(() => post(foreign, VERIFY, 'bert'), 403, 'acl_denied');
        expectOk(await byBert(writable));
        expect(await keyOfRecord(writable)).to.equal(NEW);
      });
    }

    describe('while the test takes its time', () => {
      /** What somebody does between the question and its answer. */
      async function during(call: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer> {
        const held = peer.hold(NEW);
        try {
          const reply = call();
          await Promise.race([held.arrived, reply]);
          expect(peer.asked, 'a test is under way').to.include(NEW);
          await meanwhile();
          held.release();
          return await reply;
        } finally {
          held.release();
        }
      }

      it('a change by somebody else stays, and the test is void', async () => {
        const name = await made();
        const reply = await during(
          () => change(rotation(peer, name, NEW)),
          async () => expectOk(await change(remark(name, 'theirs'), '')),
        );
        expectRefused(reply, 409, 'version_conflict');
        expect(reply.json.current_version).to.equal(2);
        const config = await get(name);
        expect([config.version, remarkOf(config), await keyOfRecord(name)]).to.deep.equal([2, 'theirs', OLD]);
        expect(await world.records('ml_journal')).to.deep.equal([]);
      });

      it('a key that somebody else has replaced stays theirs', async () => {
        const name = await made();
        const theirs = () => change(rotation(peer, name, THEIRS));
        const reply = await during(
          () => change(rotation(peer, name, NEW)),
          async () => expectOk(await theirs()),
        );
        expectRefused(reply, 409, 'version_conflict');
        expect([(await get(name)).version, await keyOfRecord(name)]).to.deep.equal([2, THEIRS]);
        expect((await secretRefs()).length).to.equal(1);
      });

      it('a record that somebody deletes does not come back', async () => {
        const name = await made();
        const remove = async () => expectOk(await world.call('anna', 'DELETE', one(name)));
        const reply = await during(() => change(rotation(peer, name, NEW)), remove);
        if (update === 'PUT') expectRefused(reply, 404, 'not_found');
        else expectRefused(reply, 409, 'version_conflict');
        expect(await state()).to.deep.equal([[], [], []]);
      });

      it('nor is another one of its name changed', async () => {
        const name = await made();
        const reply = await during(
          () => change(rotation(peer, name, NEW)),
          async () => {
            expectOk(await world.call('anna', 'DELETE', one(name)));
            await world.later();
            expectOk(await post(whole(peer, name, THEIRS)));
          },
        );
        expectRefused(reply, 409, 'version_conflict');
        expect(await keyOfRecord(name)).to.equal(THEIRS);
      });

      it('of two that take a name one wins', async () => {
        const name = fresh();
        const held = peer.hold();
        const tries = [NEW, THEIRS].map((key) => post(whole(peer, name, key)));
        await eventually(() => new Set(peer.asked).size === 2, SOON_MS, 'both tests');
        held.release();
        const replies = await Promise.all(tries);
        const [won, lost] = replies.toSorted((a, b) => a.status - b.status);
        expectOk(won as Answer);
        expectRefused(lost as Answer, 409, taken);
        expect(await keyOfRecord(name)).to.equal(replies[0] === won ? NEW : THEIRS);
        expect([(await get(name)).version, (await secretRefs()).length]).to.deep.equal([1, 1]);
        expect(await world.records('ml_journal')).to.deep.equal([]);
      });
    });
  }
}
