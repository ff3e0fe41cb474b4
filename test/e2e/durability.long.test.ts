import { expect } from 'chai';
import { isAlive } from '../../platform/test/support/processes.ts';
import { expectStatus, type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { startSilent } from '../support/peers/mcp/scripted.ts';
import { eventually, patience } from '../support/time.ts';

const URL = 'https://mcp.example/mcp';
const COLLECTION = 'ml_mcp_connections';

interface Stored {
  _key: string;
  name: string;
  version: number;
  secret_ref: string | null;
  secret_fields: string[];
}

interface State {
  /** Name (lower case) -> token in the clear. */
  tokens: Map<string, string>;
  /** Secret references that no record points at. */
  orphans: string[];
}

/** Reads both stores behind the app's back; throws where a record points at a secret that is not whole. */
async function stateOf(platform: TestPlatform): Promise<State> {
  const records = (await platform.documents(COLLECTION)) as unknown as Stored[];
  const reply = await platform.admin('GET', '/servicesNS/nobody/ml_extension/storage/passwords?count=0');
  expectStatus(reply, 200, 'storage/passwords');
  const parts = new Map<string, string>(
    reply.json.entry.map(({ content }: { content: { username: string; clear_password: string } }) => [
      content.username,
      content.clear_password,
    ]),
  );
  const used = new Set<string>();
  const tokens = new Map<string, string>();
  for (const { name, secret_ref } of records) {
    if (secret_ref === null) continue;
    const [base, count] = secret_ref.split('~');
    const texts = Array.from({ length: Number(count) }, (_, index) => parts.get(`${base}.${index + 1}`));
    if (texts.includes(undefined)) throw new Error(`the secret of ${name} is not whole`);
    used.add(base ?? '');
    const secrets = JSON.parse(Buffer.from(texts.join(''), 'base64').toString()) as Record<string, string>;
    tokens.set(name.toLowerCase(), secrets['details/token'] ?? '');
  }
  const refs = [...new Set([...parts.keys()].map((name) => name.replace(/\.\d+$/, '')))];
  return { tokens, orphans: refs.filter((ref) => !used.has(ref)) };
}

/** Makes what a dead writer left look a minute older. */
async function age(platform: TestPlatform): Promise<void> {
  for (const entry of await platform.documents('ml_journal')) {
    await platform.putDocument('ml_journal', { ...entry, since: Number(entry.since) - 61_000 });
  }
}

/** A write sweeps after its reply, for half a second; what a slow machine has not reached by then is left to the next one. */
const sweptBy = (write: () => Promise<Reply>, platform: TestPlatform) =>
  eventually(
    async () => {
      const reply = await write();
      expect(reply.status, reply.text).to.equal(200);
      return (await stateOf(platform)).orphans.length === 0 && (await platform.documents('ml_journal')).length === 0;
    },
    5000,
    'the leftovers to be swept',
  );

/** A dead writer's lease runs out by itself after 10 s; here there is no time to wait for it. */
async function dropLeases(platform: TestPlatform): Promise<void> {
  for (const lease of await platform.documents('ml_leases')) {
    await platform.removeDocument('ml_leases', encodeURIComponent(String(lease._key)));
  }
}

const connection = (name: string, token = 'a-token') => ({ name, type: 'PLATFORM', details: { url: URL, token } });

describe('durability', () => {
  describe('restart and kill -9 of the platform', () => {
    let platform: TestPlatform;
    before(async () => {
      platform = await startPlatform();
    });
    after(() => platform.dispose());

    it('keeps records, secrets, users, roles, capabilities and settings', async () => {
      await platform.createRole('keepers', ['user'], ['edit_agent_connections']);
      await platform.createUser('kim', ['keepers']);
      await platform.createUser('lou', ['user']);
      const acl = { sharing: 'app', perms: { read: ['user'], write: ['keepers'] } };
      const made = await platform.ml('kim', 'POST', '/mcp_connection', { ...connection('kept', 'kept-token'), acl });
      expect(made.status, made.text).to.equal(200);
      await platform.setFlag('ctsm', '0');
      for (const end of ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGKILL'] as const) {
        const before = await platform.ml('kim', 'GET', '/mcp_connection/kept');
        await platform.stop(end);
        await platform.start();
        const after = await platform.ml('kim', 'GET', '/mcp_connection/kept');
        expect(after.json.config, end).to.deep.equal(before.json.config);
        expect((await stateOf(platform)).tokens.get('kept')).to.equal('kept-token');
        expect((await platform.ml('lou', 'PUT', '/mcp_connection', { name: 'kept' })).json.error_code).to.equal(
          'missing_capability',
        );
        const flags = await platform.ml('lou', 'GET', '/ml_feature_flags');
        expect(flags.json.flags.ctsm).to.equal(false);
        expect(flags.json.source.ctsm).to.equal('conf');
        const update = { name: 'kept', description: end, version: after.json.config.version };
        expect((await platform.ml('kim', 'PUT', '/mcp_connection', update)).status).to.equal(200);
      }
    });

    it('keeps every acknowledged write through a kill -9', async () => {
      const answered: string[] = [];
      let running = true;
      const writers = Array.from({ length: 4 }, async (_, writer) => {
        for (let index = 0; running; index += 1) {
          const name = `w${writer}-${index}`;
          try {
            const reply = await platform.ml('admin', 'POST', '/mcp_connection', connection(name, `token-of-${name}`));
            if (reply.status === 200) answered.push(name);
          } catch {
            return;
          }
        }
      });
      await eventually(() => answered.length >= 20, 20_000, 'some writes');
      await platform.kill9();
      running = false;
      await Promise.all(writers);
      await platform.start();
      const { tokens } = await stateOf(platform);
      for (const name of answered) expect(tokens.get(name), name).to.equal(`token-of-${name}`);
      await age(platform);
      expect((await platform.ml('admin', 'POST', '/mcp_connection', connection('sweeper'))).status).to.equal(200);
      const write = () => platform.ml('admin', 'PUT', '/mcp_connection', { name: 'sweeper', description: 'next' });
      await sweptBy(write, platform);
    });
  });

  describe('drivers', () => {
    let platform: TestPlatform;
    let silent: Awaited<ReturnType<typeof startSilent>>;
    before(async () => {
      platform = await startPlatform({ env: { ML_DRIVERS: '2' } });
      silent = await startSilent();
    });
    after(async () => {
      await silent.close();
      await platform.dispose();
    });

    const hang = () =>
      platform.ml('admin', 'POST', '/mcp_connection/test', { type: 'PLATFORM', details: { url: silent.url } });
    const pidOf = (reply: Reply): number => reply.json.drivers[0].pid;

    it('kill -9 in the middle of a request: that one is a 500 at once, the others are not affected', async () => {
      expect((await platform.ml('admin', 'GET', '/health')).status).to.equal(200);
      const before = silent.log.length;
      const held = hang();
      await eventually(() => silent.log.length > before, 5000, 'the request to arrive');
      const other = pidOf(await platform.ml('admin', 'GET', '/health'));
      const busy = platform.drivers().filter((pid) => pid !== other);
      expect(busy).to.have.length(1);
      const killed = Date.now();
      process.kill(busy[0] as number, 'SIGKILL');
      const reply = await held;
      expect(Date.now() - killed).to.be.lessThan(patience(1000));
      expect(reply.status).to.equal(500);
      expect(reply.text).to.match(/<msg type="ERROR">.+<\/msg>/);
      for (let index = 0; index < 5; index += 1) {
        expect((await platform.ml('admin', 'GET', '/mcp_connection')).status).to.equal(200);
      }
      expect(platform.drivers()).to.include(other);
    });

    it('an idle driver that was killed costs no request', async () => {
      for (let round = 0; round < 3; round += 1) {
        for (const pid of platform.drivers()) process.kill(pid, 'SIGKILL');
        expect((await platform.ml('admin', 'GET', '/mcp_connection')).status).to.equal(200);
      }
    });

    it('end within seconds of the platform’s death, also when busy', async () => {
      const before = silent.log.length;
      const held = hang().catch(() => undefined);
      await eventually(() => silent.log.length > before, 5000, 'the request to arrive');
      await platform.ml('admin', 'GET', '/health');
      const drivers = platform.drivers();
      expect(drivers.length).to.be.greaterThan(1);
      await platform.kill9();
      await held;
      await eventually(() => drivers.every((pid) => !isAlive(pid)), 5000, 'the drivers to end');
      await platform.start();
      for (const signal of ['SIGTERM', 'SIGINT'] as const) {
        await platform.ml('admin', 'GET', '/health');
        const alive = platform.drivers();
        expect(alive).to.have.length(1);
        await platform.stop(signal);
        await eventually(() => alive.every((pid) => !isAlive(pid)), 3000, `the drivers to end after ${signal}`);
        await platform.start();
      }
    });

    it('end after their idle time', async () => {
      const quick = await startPlatform({ env: { ML_DRIVER_IDLE_S: '1' } });
      try {
        await quick.ml('admin', 'GET', '/health');
        const [pid = 0] = quick.drivers();
        await eventually(() => !isAlive(pid), 4000, 'the idle driver to end');
        expect((await quick.ml('admin', 'GET', '/health')).status).to.equal(200);
      } finally {
        await quick.dispose();
      }
    });
  });

  describe('stores that fail', () => {
    let platform: TestPlatform;
    before(async () => {
      platform = await startPlatform({ env: { ML_DRIVERS: '1' } });
      expect((await create('there', 'old-token')).status).to.equal(200);
      expect((await create('bare', undefined)).status).to.equal(200);
    });
    afterEach(async () => {
      await platform.faults({ kvstore: 'ok', passwords: 'ok' });
      await dropLeases(platform);
    });
    after(() => platform.dispose());

    const create = (name: string, token: string | undefined) =>
      platform.ml('admin', 'POST', '/mcp_connection', {
        name,
        type: 'PLATFORM',
        details: { url: URL, ...(token ? { token } : {}) },
      });
    const update = (name: string, token: string) =>
      platform.ml('admin', 'PUT', '/mcp_connection', { name, details: { token }, description: token });
    const remove = (name: string) => platform.ml('admin', 'DELETE', `/mcp_connection/${name}`);
    const get = (name: string) => platform.ml('admin', 'GET', `/mcp_connection/${name}`);

    function expectUnavailable(reply: Reply): void {
      expect(`${reply.status} ${reply.json?.error_code}`, reply.text).to.equal('503 store_unavailable');
      expect(reply.json.message).to.be.a('string').and.not.equal('');
    }

    async function expectUntouched(before: State): Promise<void> {
      await platform.faults({ kvstore: 'ok', passwords: 'ok' });
      expect(await stateOf(platform)).to.deep.equal(before);
      expect((await get('there')).json.config.version).to.equal(1);
      expect((await get('new')).status).to.equal(404);
    }

    it('KV store down: 503 for all, nothing written, recovers without a restart', async () => {
      const before = await stateOf(platform);
      const drivers = platform.drivers();
      await platform.faults({ kvstore: 'down' });
      expectUnavailable(await platform.ml('admin', 'GET', '/mcp_connection'));
      expectUnavailable(await get('there'));
      expectUnavailable(await create('new', 'x-token'));
      expectUnavailable(await update('there', 'x-token'));
      expectUnavailable(await remove('there'));
      for (const action of ['test', 'tools']) {
        expectUnavailable(await platform.ml('admin', 'POST', `/mcp_connection/${action}`, { name: 'there' }));
      }
      const health = await platform.ml('admin', 'GET', '/health');
      expect(health.status, health.text).to.equal(200);
      expect(health.json.store).to.not.equal('ready');
      await expectUntouched(before);
      expect((await platform.ml('admin', 'GET', '/health')).json.store).to.equal('ready');
      expect(platform.drivers()).to.deep.equal(drivers);
    });

    it('KV store read-only: reads work, writes are 503 without effect', async () => {
      const before = await stateOf(platform);
      await platform.faults({ kvstore: 'read_only' });
      expect((await get('there')).status).to.equal(200);
      expect((await platform.ml('admin', 'GET', '/mcp_connection')).json.pagination.total).to.equal(2);
      expectUnavailable(await create('new', 'x-token'));
      expectUnavailable(await create('new', undefined));
      expectUnavailable(await update('there', 'x-token'));
      expectUnavailable(await remove('there'));
      await expectUntouched(before);
      expect(await platform.documents('ml_journal')).to.deep.equal([]);
    });

    for (const fault of ['down', 'read_only']) {
      it(`password storage ${fault}: calls without secrets work, the others are 503 and keep the old state`, async () => {
        const before = await stateOf(platform);
        await platform.faults({ passwords: fault });
        expect((await get('there')).json.config.details.token).to.equal('***MASKED***');
        expect((await platform.ml('admin', 'GET', '/mcp_connection')).status).to.equal(200);
        expectUnavailable(await create('new', 'x-token'));
        expectUnavailable(await update('there', 'x-token'));
        if (fault === 'down') {
          expectUnavailable(await platform.ml('admin', 'POST', '/mcp_connection/test', { name: 'there' }));
          expect((await platform.ml('admin', 'GET', '/health')).json.secrets).to.not.equal('ready');
        }
        expect((await create(`free-${fault}`, undefined)).status).to.equal(200);
        expect((await remove(`free-${fault}`)).status).to.equal(200);
        await expectUntouched(before);
        expect((await platform.ml('admin', 'GET', '/health')).json.secrets).to.equal('ready');
      });
    }

    it('password storage down during a delete: the record is gone, its secret is swept later', async () => {
      expect((await create('leaving', 'leaving-token')).status).to.equal(200);
      await platform.faults({ passwords: 'down' });
      expect((await remove('leaving')).status).to.equal(200);
      expect((await get('leaving')).status).to.equal(404);
      await platform.faults({ passwords: 'ok' });
      expect((await stateOf(platform)).orphans).to.have.length(1);
      // Younger than a minute: it may belong to a writer at work.
      await update('bare', 'one');
      await new Promise((resolve) => setTimeout(resolve, 300));
      expect((await stateOf(platform)).orphans).to.have.length(1);
      await age(platform);
      await sweptBy(() => update('bare', 'two'), platform);
    });

    it('slow stores: slower replies, the same result', async () => {
      await platform.faults({ kvstore: 'slow:60', passwords: 'slow:60' });
      expect((await create('slow', 'slow-token')).status).to.equal(200);
      expect((await update('slow', 'slower-token')).status).to.equal(200);
      await platform.faults({ kvstore: 'ok', passwords: 'ok' });
      expect((await stateOf(platform)).tokens.get('slow')).to.equal('slower-token');
      expect((await remove('slow')).status).to.equal(200);
      expect((await stateOf(platform)).orphans).to.deep.equal([]);
    });

    it('a secret of a hundred parts is saved on slow stores without blocking others', async () => {
      const headers = Object.fromEntries(
        Array.from({ length: 20 }, (_, n) => [`X-Key-${n}`, `${n % 10}`.repeat(1500)]),
      );
      const put = (description: string) =>
        platform.ml('admin', 'PUT', '/mcp_connection', { name: 'bare', description, details: { headers } });
      await platform.faults({ passwords: 'slow:40' });
      expect((await put('first')).status).to.equal(200);
      expect((await put('second')).status).to.equal(200);
      expect((await platform.ml('admin', 'POST', '/mcp_connection/test', { name: 'bare' })).status).to.equal(200);
      const emptied = { name: 'bare', details: { headers: null } };
      expect((await platform.ml('admin', 'PUT', '/mcp_connection', emptied)).status).to.equal(200);
      await platform.faults({ passwords: 'ok' });
      expect((await stateOf(platform)).orphans).to.deep.equal([]);
    });

    it('a store that does not answer: 503 after 10 s, the old state stays', async () => {
      const before = await stateOf(platform);
      await platform.faults({ passwords: 'slow:30000' });
      const started = Date.now();
      expectUnavailable(await update('there', 'x-token'));
      expect((Date.now() - started) / 1000).to.be.within(9, patience(14));
      await expectUntouched(before);
    });
  });

  describe('kill -9 of the driver in the middle of writes', () => {
    let platform: TestPlatform;
    before(async () => {
      platform = await startPlatform({ env: { ML_DRIVERS: '1' } });
    });
    after(() => platform.dispose());

    const call = (method: string, path: string, body?: object) => platform.ml('admin', method, path, body);

    /** Has work done while the stores are slow. */
    async function onSlowStores<T>(work: () => Promise<T>): Promise<T> {
      await platform.faults({ kvstore: 'slow:25', passwords: 'slow:25' });
      const result = await work();
      await platform.faults({ kvstore: 'ok', passwords: 'ok' });
      return result;
    }

    /** Starts a write on slow stores and kills its driver after some time. */
    async function interrupted(write: () => Promise<Reply>, after: number): Promise<number> {
      const { status } = await onSlowStores(async () => {
        const reply = write();
        await new Promise((resolve) => setTimeout(resolve, after));
        for (const pid of platform.drivers()) process.kill(pid, 'SIGKILL');
        return reply;
      });
      await dropLeases(platform);
      return status;
    }

    const create = (token: string) => call('POST', '/mcp_connection', connection('victim', token));
    const update = () =>
      call('PUT', '/mcp_connection', { name: 'victim', details: { token: 'two' }, description: 'two' });
    const remove = () => call('DELETE', '/mcp_connection/victim');

    /** How long a write takes that nothing interrupts, on this machine as it is now. */
    const durationOf = (write: () => Promise<Reply>): Promise<number> =>
      onSlowStores(async () => {
        const began = performance.now();
        expect((await write()).status).to.equal(200);
        return performance.now() - began;
      });

    const BOTH_OUTCOMES = ['create new', 'create old', 'delete new', 'delete old', 'update one', 'update two'];
    const MOMENTS = 12;

    it('create, update and delete: the old or the new state, and leftovers are swept', async () => {
      await call('GET', '/health');
      const took = {
        create: await durationOf(() => create('one')),
        update: await durationOf(update),
        delete: await durationOf(remove),
      };
      const seen = new Set<string>();
      // From the first moment of a write to the last; further rounds are for a machine that was slower meanwhile.
      for (let round = 0; round < MOMENTS || (seen.size < BOTH_OUTCOMES.length && round < 3 * MOMENTS); round += 1) {
        const part = (round + 1) / MOMENTS;
        // A driver that runs already, so that the moments fall into the write.
        await call('GET', '/health');
        const created = await interrupted(() => create('one'), part * took.create);
        const made = (await stateOf(platform)).tokens.get('victim');
        seen.add(`create ${made === undefined ? 'old' : 'new'}`);
        if (created === 200) expect(made).to.equal('one');
        const shown = await call('GET', '/mcp_connection/victim');
        expect(shown.status).to.equal(made === undefined ? 404 : 200);
        if (made === undefined) expect((await create('one')).status).to.equal(200);
        else expect((await create('x')).status).to.equal(409);

        await call('GET', '/health');
        const updated = await interrupted(update, part * took.update);
        const { config } = (await call('GET', '/mcp_connection/victim')).json;
        const token = (await stateOf(platform)).tokens.get('victim');
        seen.add(`update ${token}`);
        expect([config.version, config.description, token]).to.be.deep.oneOf([
          [1, '', 'one'],
          [2, 'two', 'two'],
        ]);
        if (updated === 200) expect(token).to.equal('two');

        await call('GET', '/health');
        await interrupted(remove, part * took.delete);
        const rest = (await stateOf(platform)).tokens.get('victim');
        seen.add(`delete ${rest === undefined ? 'new' : 'old'}`);
        if (rest !== undefined) {
          expect(rest).to.equal(token);
          expect((await remove()).status).to.equal(200);
        }
      }
      expect([...seen].sort(), 'the moments cover both outcomes').to.deep.equal(BOTH_OUTCOMES);
      expect((await stateOf(platform)).orphans.length, 'something was left over').to.be.greaterThan(0);
      await age(platform);
      expect((await call('POST', '/mcp_connection', connection('later', 'later'))).status).to.equal(200);
      await sweptBy(() => call('PUT', '/mcp_connection', { name: 'later', description: 'next' }), platform);
      expect([...(await stateOf(platform)).tokens]).to.deep.equal([['later', 'later']]);
    });

    it('the lease of a dead writer is taken over when it runs out', async () => {
      await call('POST', '/mcp_connection', connection('leased', 'one'));
      // Secrets are written before the lease is taken: what has to be slow is the record.
      await platform.faults({ kvstore: 'slow:700' });
      const began = Date.now();
      const held = call('PUT', '/mcp_connection', { name: 'leased', description: 'two' });
      await eventually(async () => (await platform.documents('ml_leases')).length === 1, 6000, 'the lease');
      for (const pid of platform.drivers()) process.kill(pid, 'SIGKILL');
      expect((await held).status).to.equal(500);
      await platform.faults({ kvstore: 'ok' });
      const reply = await call('PUT', '/mcp_connection', { name: 'leased', details: { token: 'three' } });
      expect(reply.status, reply.text).to.equal(200);
      expect((Date.now() - began) / 1000).to.be.within(9, patience(14));
      expect((await stateOf(platform)).tokens.get('leased')).to.equal('three');
      expect(await platform.documents('ml_leases')).to.deep.equal([]);
    });
  });
});
