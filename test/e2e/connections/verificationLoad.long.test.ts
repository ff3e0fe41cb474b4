import { request as requestHttps } from 'node:https';
import { expect } from 'chai';
import { keyOf, VERIFIED, type VerifiedFamily } from '../../suites/verification/families.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { KeyedPeer } from '../../support/peers/keyed.ts';
import { eventually } from '../../support/time.ts';

const [OLD, NEW, BAD] = [keyOf('old'), keyOf('new'), keyOf('bad')] as const;
const CALLERS = 3;
const ROUNDS = 12;

describe('verify before replace under load', () => {
  let peer: KeyedPeer;
  let platform: TestPlatform;
  before(async () => {
    peer = await KeyedPeer.start();
    for (const key of [OLD, NEW, BAD]) peer.aws.add(key);
    platform = await startPlatform({ env: { ML_DRIVERS: '4', AWS_ENDPOINT_URL: peer.url } });
    await platform.createUser('anna', ['ml_admin']);
  });
  beforeEach(() => {
    peer.reset();
    peer.working.add(OLD).add(NEW);
  });
  after(() => Promise.all([platform.dispose(), peer.close()]));

  const NAME = 'under_load';
  const journal = () => platform.documents('ml_journal');
  const state = async (collection: string) => [
    await platform.documents(collection),
    await platform.secretRefs(),
    await journal(),
  ];

  for (const [what, { path, collection, update, completeBody: whole, rotation, test, secret }] of Object.entries(
    VERIFIED,
  )) {
    it(`${what}: rotations, refused or not, do not affect users of a working key`, async () => {
      const rotate = (key: string) => platform.ml('anna', update, `${path}?verify=true`, rotation(peer, NAME, key));
      const stored = async () => {
        const [ref] = (await platform.documents(collection)).map(({ secret_ref }) => String(secret_ref));
        return (await platform.secret(ref ?? ''))[secret];
      };
      expectStatus(await platform.ml('anna', 'POST', path, whole(peer, NAME, OLD)), 200, what);
      let isOver = false;
      const used: number[] = [];
      const failed: string[] = [];
      const use = async () => {
        let count = 0;
        for (; !isOver; count++) {
          const [at, body] = test(NAME);
          const { json, text } = await platform.ml('anna', 'POST', at, body);
          if (json.success !== true) failed.push(text);
        }
        used.push(count);
      };
      const callers = Array.from({ length: CALLERS }, use);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const { status, json, text } = await rotate(BAD);
          expect([status, json.error_code, json.cause], text).to.deep.equal([
            409,
            'verification_refused',
            'auth_failed',
          ]);
        }
        expect(await stored()).to.equal(OLD);
        for (const key of [NEW, OLD, NEW]) expectStatus(await rotate(key), 200, 'a key that works');
      } finally {
        isOver = true;
        await Promise.all(callers);
      }
      expect(failed).to.deep.equal([]);
      expect(Math.min(...used), 'every caller used it').to.be.greaterThan(0);
      expect(await stored()).to.equal(NEW);
      expect((await platform.documents(collection)).length).to.equal(1);
      await platform.removeDocuments(collection);
    });
  }

  describe('a client that disconnects during the test', () => {
    const { path, collection, completeBody: whole, rotation, secret } = VERIFIED['MCP connections'] as VerifiedFamily;
    beforeEach(async () => {
      expectStatus(await platform.ml('anna', 'POST', path, whole(peer, NAME, OLD)), 200, 'made');
    });
    afterEach(() => platform.removeDocuments(collection));

    /** Asks for a rotation and hangs up while the test is under way. */
    async function hangUp(key: string): Promise<void> {
      const held = peer.hold(key);
      const gone = new AbortController();
      const late = put(`${path}?verify=true`, rotation(peer, NAME, key), gone.signal);
      await held.arrived;
      gone.abort();
      expect(await late).to.equal('AbortError');
      held.release();
    }

    /** How it ends, on a connection of its own. */
    function put(at: string, body: object, signal: AbortSignal): Promise<string> {
      const { hostname, port } = new URL(platform.url);
      return new Promise((resolve) => {
        const sent = requestHttps({
          hostname,
          port,
          method: 'PUT',
          path: `/servicesNS/nobody/ml_extension/ml${at}`,
          headers: { Authorization: platform.basic('anna'), 'Content-Type': 'application/json' },
          rejectUnauthorized: false,
          agent: false,
          signal,
        });
        sent.on('error', ({ name }) => resolve(name));
        sent.on('response', () => resolve('a reply'));
        sent.end(JSON.stringify(body));
      });
    }

    it('changes nothing if the test fails', async () => {
      const before = await state(collection);
      const refusals = () => platform.log().split('verification_refused').length;
      const earlier = refusals();
      await hangUp(BAD);
      await eventually(() => refusals() > earlier, 10_000, 'the refusal in the log');
      expect(await state(collection)).to.deep.equal(before);
    });

    it('changes the complete record if it passes', async () => {
      const refs = await platform.secretRefs();
      await hangUp(NEW);
      const now = async () => (await platform.documents(collection))[0] as Record<string, unknown>;
      await eventually(async () => (await now()).version === 2, 10_000, 'the change');
      await eventually(async () => (await platform.secretRefs()).length === refs.length, 10_000, 'the old key to go');
      expect((await platform.secret(String((await now()).secret_ref)))[secret]).to.equal(NEW);
      expect((await now()).last_test).to.include({ status: 'success' });
      await eventually(async () => (await journal()).length === 0, 10_000, 'the journal to be closed');
    });

    it('keeps the former key if the driver is killed during the test', async () => {
      const before = await state(collection);
      const held = peer.hold(BAD);
      const late = platform.ml('anna', 'PUT', `${path}?verify=true`, rotation(peer, NAME, BAD));
      await held.arrived;
      for (const pid of platform.drivers()) process.kill(pid, 'SIGKILL');
      held.release();
      expect((await late).status).to.equal(500);
      expect(await state(collection)).to.deep.equal(before);
      const { json } = await platform.ml('anna', 'POST', `${path}/test`, { name: NAME });
      expect(json.success, 'the former key works').to.equal(true);
    });
  });
});
