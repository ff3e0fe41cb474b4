import { expect } from 'chai';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { expectCode } from '../../support/replies.ts';
import type { OpenWorld } from '../../support/worlds/world.ts';
import { VERIFIED, type VerifiedFamily } from './families.ts';
import { ALL_KEYS, BAD, NEW, OLD, type Servers, THEIRS, VERIFY, VerificationKit } from './kit.ts';
import { raceTests } from './races.ts';
import { saveTests } from './saves.ts';

/** Verify before replace (contract 13) in every family that has it, in any world. */
export function verificationSuite(open: OpenWorld): void {
  const servers = {} as Servers;
  before(async () => {
    Object.assign(servers, { peer: await KeyedPeer.start(), other: await KeyedPeer.start() });
    for (const key of ALL_KEYS) servers.peer.aws.add(key);
  });
  const world = open({
    users: { anna: ['ml_admin'], bert: ['user', 'editors'], carl: ['user', 'readers'] },
    roles: { editors: ['edit_agent_connections', 'register_ml_models'] },
    collections: [...Object.values(VERIFIED).map(({ collection }) => collection), 'ml_journal'],
    servers: true,
    aws: () => servers.peer.url,
    movesTime: true,
    processes: 4,
  });
  /** Of records that are gone with the test before: emptying a collection leaves them. */
  let left: string[] = [];
  const secretRefs = async () => (await world.secretRefs()).filter((ref) => !left.includes(ref));
  beforeEach(async () => {
    left = await world.secretRefs();
    for (const each of [servers.peer, servers.other]) each.reset();
    servers.peer.working.add(OLD).add(NEW).add(THEIRS);
  });
  after(() => Promise.all([servers.peer.close(), servers.other.close()]));

  for (const [what, family] of Object.entries(VERIFIED)) {
    describe(what, () => {
      const kit = new VerificationKit(family, world, servers, secretRefs);
      saveTests(kit);
      describe('during the test', () => raceTests(kit));
    });
  }

  it('a test of a registration stays a test', async () => {
    const { completeBody, path, collection } = VERIFIED['registered models'] as VerifiedFamily;
    const test = (key: string) =>
      world.call('anna', 'POST', `${path}${VERIFY}&test_connection=1`, completeBody(servers.peer, 'tested', key));
    expect((await test(NEW)).json).to.include({ success: true, test_type: 'connection_test' });
    expect((await test(BAD)).json).to.include({ success: false, error_code: 'auth_failed' });
    expect(await world.records(collection)).to.deep.equal([]);
  });

  it('a verification has the deadline of a test', async () => {
    const { path, collection, completeBody } = VERIFIED['LLM configurations'] as VerifiedFamily;
    const { servicesettings, ...rest } = completeBody(servers.peer, 'slow', NEW);
    const held = servers.peer.hold();
    const body = { ...rest, servicesettings: { ...(servicesettings as object), request_timeout: { value: 1 } } };
    const reply = await world.call('anna', 'POST', `${path}${VERIFY}`, body);
    held.release();
    expectCode(reply, 409, 'verification_refused');
    expect(reply.json.cause).to.equal('timeout');
    expect(await world.records(collection)).to.deep.equal([]);
  });
}
