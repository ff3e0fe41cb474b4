import { expect } from 'chai';
import { MASK } from '../../../src/contract/basics.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { fieldsOf } from '../../support/replies.ts';
import { BAD, expectOk, expectUnverified, NEW, OLD, VERIFY, type VerificationKit } from './kit.ts';

export function saveTests(kit: VerificationKit): void {
  const {
    world,
    servers,
    fresh,
    post,
    change,
    completeBody,
    rotation,
    get,
    keyOfRecord,
    state,
    made,
    refusedBeforehand,
    secretRefs,
  } = kit;
  const { path, update, taken, remark, move, elsewhere, unready, malformed, acl } = kit.family;

  it('makes a record that works, with its test', async () => {
    const name = fresh();
    const earliest = world.now();
    expectOk(await post(completeBody(name, NEW)));
    const config = await get(name);
    expect(config.version).to.equal(1);
    expect(config.last_test).to.include({ status: 'success', error_code: null });
    expect(config.last_test.tested_at).to.be.within(earliest, world.now());
    expect(await keyOfRecord(name)).to.equal(NEW);
    expect(new Set(servers.peer.asked)).to.deep.equal(new Set([NEW]));
  });

  it('a failed test creates nothing and leaves the name free', async () => {
    const before = await state();
    const name = fresh();
    expectUnverified(await post(completeBody(name, BAD)));
    expect(servers.peer.asked).to.include(BAD);
    expect(await state()).to.deep.equal(before);
    expect(await world.leaks(BAD)).to.deep.equal([]);
    expectOk(await post(completeBody(name, NEW)));
    expect((await get(name)).version).to.equal(1);
  });

  it('replaces a key by one that works, in one write with its test', async () => {
    const name = await made();
    const refs = await secretRefs();
    expectOk(await change(rotation(name, NEW)));
    const config = await get(name);
    expect(config.version).to.equal(2);
    expect(config.last_test.status).to.equal('success');
    expect(await keyOfRecord(name)).to.equal(NEW);
    expect((await secretRefs()).length, 'the old one is gone').to.equal(refs.length);
    expect(new Set(servers.peer.asked)).to.deep.equal(new Set([NEW]));
    expect(await world.records('ml_journal')).to.deep.equal([]);
  });

  it('never replaces a key that works by one that does not', async () => {
    const name = await made();
    const before = await state();
    expectUnverified(await change(rotation(name, BAD)));
    expect(await state()).to.deep.equal(before);
    expect(await keyOfRecord(name)).to.equal(OLD);
    expect(await world.leaks(BAD)).to.deep.equal([]);
  });

  if (elsewhere) {
    it('reports a refused connection and keeps the outcome of the last test', async () => {
      const closed = await KeyedPeer.start();
      await closed.close();
      const name = await made();
      const before = await state();
      expectUnverified(await change(elsewhere(closed, name, NEW)), 'connection_refused');
      expect(await state()).to.deep.equal(before);
    });
  }

  if (unready) {
    it('refuses a server that is not ready although the key is good', async () => {
      const name = await made();
      const cause = unready(servers.peer);
      const before = await state();
      expectUnverified(await change(rotation(name, NEW)), cause);
      expectUnverified(await change(remark(name, 'new')), cause);
      expectUnverified(await post(completeBody(fresh(), NEW)), cause);
      expect(await state()).to.deep.equal(before);
    });
  }

  it('tests masked and absent keys as they are stored', async () => {
    const name = await made();
    expectOk(await change(remark(name, 'one')));
    expectOk(await change(rotation(name, MASK)));
    expect(new Set(servers.peer.asked)).to.deep.equal(new Set([OLD]));
    expect(await keyOfRecord(name)).to.equal(OLD);
    expect((await get(name)).version).to.equal(3);
    servers.peer.working.delete(OLD);
    const before = await state();
    expectUnverified(await change(remark(name, 'two')));
    expect(await state()).to.deep.equal(before);
  });

  it('tests nothing without verify=true', async () => {
    const name = await made();
    for (const query of ['', '?verify=false']) expectOk(await change(remark(name, `with ${query}`), query));
    expect(servers.peer.asked).to.deep.equal([]);
    if (path === '/register_model') return;
    expectOk(await change(rotation(name, BAD), ''));
    expect([servers.peer.asked, await keyOfRecord(name)]).to.deep.equal([[], BAD]);
  });

  it('validates before it calls the server', async () => {
    const name = await made();
    for (const query of ['?verify=yes', '?verify=', '?verify=2', '?verify=true&verify=true']) {
      for (const call of [() => post(completeBody(fresh(), NEW), query), () => change(rotation(name, NEW), query)]) {
        expect(fieldsOf(await refusedBeforehand(call, 400, 'validation_failed')), query).to.deep.equal(['verify']);
      }
    }
    const [body, field] = malformed(servers.peer, name);
    expect(fieldsOf(await refusedBeforehand(() => change(body), 400, 'validation_failed'))).to.deep.equal([field]);
    await refusedBeforehand(() => post(completeBody(fresh(), MASK)), 400, 'masked_value_without_stored_secret');
    await refusedBeforehand(() => change(move(servers.other, name)), 400, 'secret_required_for_new_host');
    const stale = () => change({ ...rotation(name, NEW), version: 7 });
    expect((await refusedBeforehand(stale, 409, 'version_conflict')).json.current_version).to.equal(1);
    const staleHeader = () => change(rotation(name, NEW), VERIFY, 'anna', { 'If-Match': '"7"' });
    await refusedBeforehand(staleHeader, 409, 'version_conflict');
    await refusedBeforehand(() => post(completeBody(fresh(), NEW), VERIFY, 'carl'), 403, 'missing_capability');
    await refusedBeforehand(() => change(rotation(name, NEW), VERIFY, 'carl'), 403, 'missing_capability');
  });

  if (update === 'PUT') {
    it('refuses a taken name and an unknown one before it calls the server', async () => {
      const name = await made();
      await refusedBeforehand(() => post(completeBody(name.toUpperCase(), NEW)), 409, taken);
      await refusedBeforehand(() => change(rotation(fresh(), NEW)), 404, 'not_found');
    });
  }

  if (acl) {
    it('checks the access list before it calls the server', async () => {
      const hidden = await made();
      const readable = await made({ acl: { sharing: 'app', perms: { read: ['editors'], write: [] } } });
      const writable = await made({ acl: { sharing: 'app', perms: { read: [], write: ['editors'] } } });
      const byBert = (name: string, more: object = {}) => change({ ...rotation(name, NEW), ...more }, VERIFY, 'bert');
      await refusedBeforehand(() => byBert(hidden), 404, 'not_found');
      await refusedBeforehand(() => byBert(readable), 403, 'acl_denied');
      await refusedBeforehand(() => byBert(writable, { acl: { sharing: 'user' } }), 403, 'acl_denied');
      const foreign = { ...completeBody(fresh(), NEW), acl: { owner: 'anna' } };
      await refusedBeforehand(() => post(foreign, VERIFY, 'bert'), 403, 'acl_denied');
      expectOk(await byBert(writable));
      expect(await keyOfRecord(writable)).to.equal(NEW);
    });
  }
}
