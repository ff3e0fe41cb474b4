import { expect } from 'chai';
import { eventually } from '../../support/time.ts';
import type { Answer } from '../../support/worlds/world.ts';
import { expectOk, expectRefused, NEW, OLD, THEIRS, type VerificationKit } from './kit.ts';

const SOON_MS = 10_000;

/** What others do while the test takes its time. */
export function raceTests(kit: VerificationKit): void {
  const {
    world,
    servers,
    fresh,
    post,
    change,
    remove,
    completeBody: whole,
    rotation,
    get,
    keyOfRecord,
    state,
    made,
    secretRefs,
  } = kit;
  const { update, taken, remark, remarkOf } = kit.family;

  /** What somebody does between the question and its answer. */
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

  it('a change by somebody else stays, and the test is void', async () => {
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

  it('a key that somebody else has replaced stays theirs', async () => {
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

  it('a record that somebody deletes does not come back', async () => {
    const name = await made();
    const gone = async () => expectOk(await remove(name));
    const reply = await during(() => change(rotation(name, NEW)), gone);
    if (update === 'PUT') expectRefused(reply, 404, 'not_found');
    else expectRefused(reply, 409, 'version_conflict');
    expect(await state()).to.deep.equal([[], [], []]);
  });

  it('nor is another one of its name changed', async () => {
    const name = await made();
    const reply = await during(
      () => change(rotation(name, NEW)),
      async () => {
        expectOk(await remove(name));
        await world.later();
        expectOk(await post(whole(name, THEIRS)));
      },
    );
    expectRefused(reply, 409, 'version_conflict');
    expect(await keyOfRecord(name)).to.equal(THEIRS);
  });

  it('of two that take a name one wins', async () => {
    const name = fresh();
    const held = servers.peer.hold();
    const tries = [NEW, THEIRS].map((key) => post(whole(name, key)));
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
