import { expect } from 'chai';
import { isDying } from '../../src/drivers/dyingProcess.ts';
import { encodePacket } from '../../src/drivers/frames.ts';
import { type DriverPoolOptions, DriverPools } from '../../src/drivers/pool.ts';
import { DriverBusy } from '../../src/drivers/process.ts';
import type { DriverConfig } from '../../src/drivers/restmap.ts';
import { createFakeDriver, type Echo, type FakeDriver, failure, MemoryLog } from '../support/fakeDriver.ts';
import { eventually, patience } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';

describe('driver pools', () => {
  let fake: FakeDriver;
  let log: MemoryLog;
  let pools: DriverPools[];
  const open = (options: Partial<DriverPoolOptions> = {}): DriverPools => {
    const pool = new DriverPools({ env: process.env, cwd: '/', log, ...options });
    pools.push(pool);
    return pool;
  };
  const ask = async (
    pool: DriverPools,
    block: unknown = {},
    config?: DriverConfig,
    signal?: AbortSignal,
    user?: string,
  ): Promise<Echo> => {
    const packet = encodePacket([], '', JSON.stringify(block));
    const reply = await pool.request(config ?? fake.config(), packet, signal, user);
    return JSON.parse(reply.toString('utf8')).payload;
  };
  const pids = (pool: DriverPools) => pool.snapshot().flatMap((one) => one.processes.map(({ pid }) => pid));

  before(() => {
    fake = createFakeDriver();
  });
  after(() => fake.remove());
  beforeEach(() => {
    log = new MemoryLog();
    pools = [];
  });
  afterEach(() => Promise.all(pools.map((pool) => pool.close())));

  it('start at most maxDrivers processes and queue the rest', async () => {
    const pool = open({ maxDrivers: 2 });
    const all = Promise.all([1, 2, 3, 4, 5, 6].map(() => ask(pool, { do: 'slow', ms: 30 })));
    await eventually(() => pool.snapshot()[0]?.queued === 4);
    expect(pool.snapshot()[0]?.processes.map(({ busy }) => busy)).to.deep.equal([true, true]);
    expect(new Set((await all).map(({ pid }) => pid)).size).to.equal(2);
  });

  it('keep drivers of different config apart and share those of equal config', async () => {
    const pool = open();
    const one = await ask(pool, {}, { ...fake.config('x'), env: { A: '1', B: '2' } });
    const same = await ask(pool, { env: ['A', 'B'] }, { ...fake.config('x'), env: { B: '2', A: '1' } });
    const otherArgs = await ask(pool, {}, { ...fake.config('y'), env: { A: '1', B: '2' } });
    const otherEnv = await ask(pool, {}, { ...fake.config('x'), env: { A: '2', B: '2' } });
    expect(same).to.deep.include({ pid: one.pid, env: { A: '1', B: '2' }, argv: ['x'] });
    expect(new Set([one.pid, otherArgs.pid, otherEnv.pid]).size).to.equal(3);
    expect(pool.snapshot().length).to.equal(3);
  });

  it('end an idle process and start another for the next request', async () => {
    const pool = open({ idleSeconds: 0.1 });
    const first = await ask(pool);
    await eventually(() => pids(pool).length === 0);
    await eventually(() => !isAlive(first.pid));
    expect((await ask(pool)).pid).to.not.equal(first.pid);
  });

  it('do not end a process that gets a request in time', async () => {
    const pool = open({ idleSeconds: 0.3 });
    const first = await ask(pool);
    for (let count = 0; count < 4; count += 1) {
      await new Promise((resolve_) => setTimeout(resolve_, 100));
      expect((await ask(pool)).pid).to.equal(first.pid);
    }
    expect((await ask(pool, { do: 'slow', ms: 500 })).pid).to.equal(first.pid);
  });

  it('kill an idle process that does not end', async () => {
    const pool = open({ idleSeconds: 0.05, lingerMs: 100 });
    const { pid } = await ask(pool, {}, fake.config('--linger'));
    await eventually(() => !isAlive(pid));
  });

  it('replace a process that died, idle or at work', async () => {
    const pool = open({ maxDrivers: 1 });
    const first = await ask(pool);
    process.kill(first.pid, 'SIGKILL');
    // Until it is reaped it looks alive.
    await eventually(() => !isAlive(first.pid));
    const second = await ask(pool);
    expect(second.pid).to.not.equal(first.pid);
    const dying = failure(ask(pool, { do: 'kill' }));
    const waiting = ask(pool);
    expect((await dying).message).to.match(/SIGKILL/);
    expect((await waiting).pid).to.not.equal(second.pid);
    expect((await failure(ask(pool, { do: 'raw', bytes: 'x' }))).message).to.equal('bad character (120) in reply size');
    expect((await ask(pool)).served).to.equal(1);
  });

  it('do not give a request to a process that was just killed', async function () {
    if (process.platform !== 'linux') this.skip();
    const pool = open({ maxDrivers: 1 });
    for (let round = 0; round < 10; round += 1) {
      const { pid } = await ask(pool);
      expect(isDying(pid)).to.equal(false);
      process.kill(pid, 'SIGKILL');
      expect(isDying(pid)).to.equal(true);
      expect((await ask(pool)).served).to.equal(1);
    }
    expect(isDying(undefined)).to.equal(false);
  });

  it('limit the time in the queue, without blocking later requests', async () => {
    const pool = open({ maxDrivers: 1, maxWaitMs: 200 });
    const held = ask(pool, { do: 'slow', ms: 500 });
    const started = Date.now();
    const error = await failure(ask(pool));
    expect(error).to.be.instanceOf(DriverBusy);
    expect(error.message).to.equal('All driver processes were busy for 0.2 s. Please try again later.');
    expect(Date.now() - started).to.be.within(150, patience(450));
    const next = ask(pool, {});
    await failure(next);
    await held;
    expect((await ask(pool)).served).to.equal(2);
    expect(pool.snapshot()[0]?.queued).to.equal(0);
  });

  it('refuse a request at once if too many wait: in total, per user or in bytes', async () => {
    const pool = open({ maxDrivers: 1, maxQueued: 3, maxQueuedPerUser: 2, maxQueuedBytes: 1000 });
    const by = (user: string, block: unknown = {}) => ask(pool, block, undefined, undefined, user);
    const held = by('a', { do: 'slow', ms: 300 });
    const waiting = [by('a'), by('a')];
    await eventually(() => pool.snapshot()[0]?.queued === 2);
    expect((await failure(by('a'))).message).to.match(/^Too many requests of one user wait/);
    expect((await failure(by('b', { filler: 'x'.repeat(1000) }))).message).to.match(/^Too many requests wait/);
    waiting.push(by('b'));
    expect((await failure(by('c'))).message).to.match(/^Too many requests wait/);
    await Promise.all([held, ...waiting]);
    // A single large one is accepted.
    const busy = by('a', { do: 'slow', ms: 50 });
    expect((await by('b', { filler: 'x'.repeat(2000) })).block).to.have.property('filler');
    await busy;
  });

  it('serve users in turn', async () => {
    const pool = open({ maxDrivers: 1 });
    const order: string[] = [];
    const by = (user: string) => ask(pool, {}, undefined, undefined, user).then(() => order.push(user));
    const held = ask(pool, { do: 'slow', ms: 100 });
    await Promise.all([held, by('a'), by('a'), by('a'), by('b'), by('c'), by('b')]);
    expect(order.join('')).to.equal('abcaba');
  });

  it('fail every request to a driver that cannot be started', async () => {
    const pool = open({ maxDrivers: 1 });
    const config = { path: '/no/such/driver', args: [], env: {} };
    const errors = await Promise.all([1, 2, 3].map(() => failure(ask(pool, {}, config))));
    for (const error of errors) expect(error.message).to.equal('Cannot start driver /no/such/driver: ENOENT');
    expect(pool.snapshot()).to.deep.equal([{ driver: '/no/such/driver', queued: 0, processes: [] }]);
  });

  it('end a process that does not reply after its client has left', async () => {
    const pool = open({ maxDrivers: 1, abandonedTimeoutMs: 300 });
    const { pid } = await ask(pool);
    const leaving = new AbortController();
    const hanging = failure(ask(pool, { do: 'hang' }, undefined, leaving.signal));
    await eventually(() => pool.snapshot()[0]?.processes[0]?.busy === true);
    const next = ask(pool);
    leaving.abort();
    expect((await hanging).message).to.match(/did not reply within 0\.3 s/);
    expect((await next).pid).to.not.equal(pid);
    expect(isAlive(pid)).to.equal(false);
  });

  it('keep a process whose client waits, or that replies in time', async () => {
    const pool = open({ maxDrivers: 1, abandonedTimeoutMs: 300 });
    const { pid } = await ask(pool, { do: 'slow', ms: 600 });
    const leaving = new AbortController();
    const left = ask(pool, { do: 'slow', ms: 150 }, undefined, leaving.signal);
    await eventually(() => pool.snapshot()[0]?.processes[0]?.busy === true);
    leaving.abort();
    expect((await left).pid).to.equal(pid);
    expect((await ask(pool, { do: 'slow', ms: 600 })).pid).to.equal(pid);
  });

  it('take an aborted request out of the queue and finish one that runs', async () => {
    const pool = open({ maxDrivers: 1 });
    const running = new AbortController();
    const queued = new AbortController();
    const first = ask(pool, { do: 'slow', ms: 100 }, undefined, running.signal);
    const second = failure(ask(pool, {}, undefined, queued.signal));
    const third = ask(pool);
    await eventually(() => pool.snapshot()[0]?.queued === 2);
    running.abort();
    queued.abort();
    expect((await second).message).to.equal('The client closed the connection.');
    expect((await first).served).to.equal(1);
    expect((await third).served).to.equal(2);
    expect((await failure(ask(pool, {}, undefined, AbortSignal.abort()))).message).to.match(/client closed/);
    expect((await ask(pool)).served).to.equal(3);
  });

  it('on close fail waiting requests, end running ones and refuse new ones', async () => {
    const pool = open({ maxDrivers: 1, closeMs: 100 });
    const running = failure(ask(pool, { do: 'hang' }));
    const waiting = failure(ask(pool));
    await eventually(() => pool.snapshot()[0]?.queued === 1);
    const [pid] = pids(pool);
    await pool.close();
    expect(isAlive(pid)).to.equal(false);
    expect((await waiting).message).to.match(/shutting down/);
    expect((await running).message).to.match(/SIGKILL/);
    expect((await failure(ask(pool))).message).to.match(/shutting down/);
  });
});
