import { expect } from 'chai';
import { eventually } from '../../support/time.ts';
import type { Answer } from '../../support/worlds/world.ts';
import { expectOk, expectRefused, NEW, OLD, THEIRS, type VerificationKit } from './kit.ts';

const SOON_MS = 10_000;

export function raceTests(kit: VerificationKit): void {
  const {
    world,
    servers,
    fresh,
    post,
    change,
    remove,
    completeBody,
    rotation,
    get,
    keyOfRecord,
    state,
    made,
    secretRefs,
  } = kit;
  const { update, taken, remark, remarkOf } = kit.family;

  async function during(call: () => Promise<Answer>, meanwhile: () => Promise<unknown>): Promise<Answer> {
    const held = servers.peer.hold(NEW);
    try {
      const reply = call();
      await Promise.race([held.arrived, reply]);
      expect(servers.peer.asked, 'a test is under way').to.include(NEW);
      await meanwhile();
      held.release();
      return await reply;
    } finally {
      held.release();
    }
  }

  it('a concurrent change wins over the tested one', async () => {
    const name = await made();
    const reply = await during(
      () => change(rotation(name, NEW)),
      async () => expectOk(await change(remark(name, 'theirs'), '')),
    );
    expectRefused(reply, 409, 'version_conflict');
    expect(reply.json.current_version).to.equal(2);
    const config = await get(name);
    expect([config.version, remarkOf(config), await keyOfRecord(name)]).to.deep.equal([2, 'theirs', OLD]);
    expect(await world.records('ml_journal')).to.deep.equal([]);
  });

  it('a concurrently replaced key stays', async () => {
    const name = await made();
    const theirs = () => change(rotation(name, THEIRS));
    const reply = await during(
      () => change(rotation(name, NEW)),
      async () => expectOk(await theirs()),
    );
    expectRefused(reply, 409, 'version_conflict');
    expect([(await get(name)).version, await keyOfRecord(name)]).to.deep.equal([2, THEIRS]);
    expect((await secretRefs()).length).to.equal(1);
  });

  it('a record deleted meanwhile is not restored', async () => {
    const name = await made();
    const gone = async () => expectOk(await remove(name));
    const reply = await during(() => change(rotation(name, NEW)), gone);
    if (update === 'PUT') expectRefused(reply, 404, 'not_found');
    else expectRefused(reply, 409, 'version_conflict');
    expect(await state()).to.deep.equal([[], [], []]);
  });

  it('a new record of the same name is not changed', async () => {
    const name = await made();
    const reply = await during(
      () => change(rotation(name, NEW)),
      async () => {
        expectOk(await remove(name));
        await world.later();
        expectOk(await post(completeBody(name, THEIRS)));
      },
    );
    expectRefused(reply, 409, 'version_conflict');
    expect(await keyOfRecord(name)).to.equal(THEIRS);
  });

  it('one of two concurrent creates wins', async () => {
    const name = fresh();
    const held = servers.peer.hold();
    const tries = [NEW, THEIRS].map((key) => post(completeBody(name, key)));
    await eventually(() => new Set(servers.peer.asked).size === 2, SOON_MS, 'both tests');
    held.release();
    const replies = await Promise.all(tries);
    const [won, lost] = replies.toSorted((a, b) => a.status - b.status);
    expectOk(won as Answer);
    expectRefused(lost as Answer, 409, taken);
    expect(await keyOfRecord(name)).to.equal(replies[0] === won ? NEW : THEIRS);
    expect([(await get(name)).version, (await secretRefs()).length]).to.deep.equal([1, 1]);
    expect(await world.records('ml_journal')).to.deep.equal([]);
  });
}
