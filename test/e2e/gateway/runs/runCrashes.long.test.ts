import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import { call as callUrl } from '../../../../platform/test/support/platform.ts';
import {
  ADMIN_PASSWORD,
  expectStatus,
  type Reply,
  startPlatform,
  type TestPlatform,
} from '../../../support/e2e/platform.ts';
import { type ScriptedProvider, startProvider } from '../../../support/peers/llm.ts';
import { type RpcMessage, rpcResult, type ScriptedPeer, startScripted } from '../../../support/peers/mcp/scripted.ts';
import { childrenOf, commandLine } from '../../../support/programs/processes.ts';
import { eventually } from '../../../support/time.ts';
import { dispatch, finished } from '../../agents/agentSupport.ts';
import { completionOf, configure, MOUNT, toolCallsOf } from '../gatewayPlatform.ts';

/** Longer than the lease of a run. */
const LATER_MS = 11_000;
const SCHEMA = { type: 'object', properties: { host: { type: 'string' } }, required: ['host'] };
const TOOLS = [
  { name: 'look', description: 'Looks at a host', inputSchema: SCHEMA, annotations: { readOnlyHint: true } },
  { name: 'restart', description: 'Restarts a host', inputSchema: SCHEMA },
];
/** A user may have three at a time. */
const SEARCHES = 2;
/** What a server is held back before: a method of the protocol, or the answer of the model. */
type Hold = 'initialize' | 'tools/call' | 'model';

interface Asking {
  messages: { role: string; content: string }[];
}

/** `restart 3`: three calls of the tool in one answer; then the end. */
function answerTo({ messages }: Asking) {
  const [name = '', count = '1'] = (messages.find(({ role }) => role === 'user')?.content ?? '').split(' ');
  if (messages.at(-1)?.role === 'tool') return completionOf('done');
  return toolCallsOf(Array.from({ length: Number(count) }, (_, at) => [`Desk__${name}`, { host: `h${at}` }]));
}

/** A model and a tool server that count what reaches them, and can be held back. */
class Peers {
  readonly provider: ScriptedProvider;
  readonly server: ScriptedPeer;
  hold: Hold | undefined;
  /** Hosts of the calls, in order. */
  calls: string[] = [];
  asked = 0;
  #waiting: (() => void)[] = [];

  private constructor(provider: ScriptedProvider, server: ScriptedPeer) {
    this.provider = provider;
    this.server = server;
  }

  static async start(): Promise<Peers> {
    const provider = await startProvider(async ({ body }) => {
      peers.asked += 1;
      await peers.#passing('model');
      return { status: 200, body: answerTo(body as unknown as Asking) };
    });
    const server = await startScripted(
      (_request, response, message) => peers.#answers(response, message),
      () => ({ tools: TOOLS }),
    );
    const peers = new Peers(provider, server);
    return peers;
  }

  #answers(response: ServerResponse, message: RpcMessage | undefined): boolean {
    if (message?.method === 'initialize' && this.hold === 'initialize') {
      this.#waiting.push(() => response.destroy());
      return true;
    }
    if (message?.method !== 'tools/call') return false;
    const { arguments: args } = message.params as { arguments: { host: string } };
    const { host } = args;
    this.calls.push(host);
    const body = JSON.stringify(rpcResult(message, { content: [{ type: 'text', text: `${host} is up` }] }));
    void this.#passing('tools/call').then(() => {
      response.setHeader('content-type', 'application/json');
      response.end(body);
    });
    return true;
  }

  #passing(point: Hold): Promise<void> {
    if (this.hold !== point) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  get held(): number {
    return this.#waiting.length;
  }

  release(): void {
    this.hold = undefined;
    for (const go of this.#waiting.splice(0)) go();
  }

  reset(): void {
    this.release();
    this.calls = [];
    this.asked = 0;
  }

  async close(): Promise<void> {
    this.release();
    await Promise.all([this.provider.close(), this.server.close()]);
  }
}

async function prepare(platform: TestPlatform, peers: Peers): Promise<void> {
  await platform.createUser('anna', ['ml_admin']);
  await platform.createUser('bob', ['ml_admin']);
  await configure(platform, 'up', peers.provider.url);
  const acl = { sharing: 'app', perms: { read: ['ml_admin'], write: [] } };
  const body = { name: 'Desk', type: 'PLATFORM', details: { url: peers.server.url }, acl };
  expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', body), 200, 'a connection');
}

const definitionOf = (approve_tools: string) => ({
  ...{ runtime_type: 'BUILT_IN', llm: { model: 'up/m' }, mcps: [{ name: 'Desk' }], approve_tools },
  agent_timeout: 3600,
});

describe('runs whose processes are killed, by the lines of ADR 32', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let peers: Peers;

  before(async () => {
    peers = await Peers.start();
    platform = await startPlatform({ movableClock: true });
    await prepare(platform, peers);
  });
  after(async () => {
    await peers?.close();
    await platform?.dispose();
  });
  beforeEach(() => peers.reset());

  const runs = (method: string, path: string, body?: object): Promise<Reply> =>
    platform.call('bob', method, `${MOUNT}/runs${path}`, body);
  async function start(input: string, approve = 'never', more: object = {}): Promise<string> {
    const definition = definitionOf(approve);
    const reply = await runs('POST', '', { definition, input, worker: 'caller', ...more });
    expectStatus(reply, 200, 'a run');
    return reply.json.run_id;
  }
  const step = (id: string): Promise<Reply> => runs('POST', `/${id}/step`);
  const read = async (id: string) => (await runs('GET', `/${id}`)).json?.config;
  const approve = async (id: string, more: object = {}) =>
    expectStatus(await runs('POST', `/${id}/approve`, { step: 1, decision: 'approve', ...more }), 200, 'a decision');
  const statesOf = async (id: string) =>
    (await read(id)).steps.map(({ kind, state }: { kind: string; state: string }) => `${kind} ${state}`);

  /** Takes steps until the run is idle. */
  async function work(id: string) {
    await eventually(async () => !['queued', 'running'].includes((await step(id)).json.state), 60_000);
    return read(id);
  }

  /** Kills the driver that takes a step once the peers hold it back there, and lets its lease end. */
  async function killDriverAt(id: string, hold: Hold): Promise<void> {
    peers.hold = hold;
    const stepping = step(id).catch(() => undefined);
    await eventually(() => peers.held === 1, 30_000, `the step to be held at ${hold}`);
    for (const pid of platform.drivers('ml_gateway.mjs')) process.kill(pid, 'SIGKILL');
    await stepping;
    peers.release();
    platform.advance(LATER_MS);
  }

  it('lines 2 and 3: the model is asked again, and its calls are made once', async () => {
    const id = await start('restart');
    await killDriverAt(id, 'model');
    expect(await statesOf(id)).to.deep.equal(['model started']);
    expect(await work(id)).to.include({ state: 'succeeded', output: 'done' });
    expect(peers.asked).to.equal(3);
    expect(peers.calls).to.deep.equal(['h0']);
  });

  for (const [tool, ends] of [
    ['look', 'succeeded'],
    ['restart', 'waiting_for_approval'],
  ] as const) {
    it(`lines 6 and 7: ${tool}, whose call was not sent`, async () => {
      const id = await start(tool);
      await step(id);
      await killDriverAt(id, 'initialize');
      // Where the server is asked for its tools first, no step is stored yet.
      const [, begun] = await statesOf(id);
      expect(peers.calls).to.deep.equal([]);
      const { state } = await work(id);
      expect(state).to.equal(begun === 'tool started' ? ends : 'succeeded');
      if (state !== 'waiting_for_approval') return expect(peers.calls).to.deep.equal(['h0']);
      expect(peers.calls).to.deep.equal([]);
      await approve(id);
      expect((await work(id)).state).to.equal('succeeded');
      return expect(peers.calls).to.deep.equal(['h0']);
    });
  }

  it('line 7: a call that only reads is made again', async () => {
    const id = await start('look');
    await step(id);
    await killDriverAt(id, 'tools/call');
    expect(await statesOf(id)).to.deep.equal(['model done', 'tool started']);
    expect(await work(id)).to.include({ state: 'succeeded' });
    expect(peers.calls).to.deep.equal(['h0', 'h0']);
  });

  it('line 7: a call with effects is never made again, whoever steps', async () => {
    const id = await start('restart');
    await step(id);
    await killDriverAt(id, 'tools/call');
    await Promise.all(Array.from({ length: 5 }, () => step(id)));
    expect((await work(id)).state).to.equal('waiting_for_approval');
    expect(await statesOf(id)).to.deep.equal(['model done', 'tool unknown']);
    await approve(id, { result: 'I looked' });
    expect((await work(id)).state).to.equal('succeeded');
    expect(peers.calls).to.deep.equal(['h0']);
  });

  it('line 12: an approved call with effects is asked about again, with the arguments that were edited', async () => {
    const id = await start('restart', 'always');
    expect((await work(id)).state).to.equal('waiting_for_approval');
    await approve(id, { arguments: { host: 'edited' } });
    await killDriverAt(id, 'tools/call');
    const asked = await work(id);
    expect(asked.steps[1]).to.deep.include({ state: 'unknown', input: { host: 'edited' } });
    expect(peers.calls).to.deep.equal(['edited']);
    await approve(id);
    expect((await work(id)).state).to.equal('succeeded');
    expect(peers.calls, 'the second one was allowed by a person').to.deep.equal(['edited', 'edited']);
  });

  it('line 12: an approved call that only reads is made again with the arguments that were edited', async () => {
    const id = await start('look', 'always');
    await work(id);
    await approve(id, { arguments: { host: 'edited' } });
    await killDriverAt(id, 'tools/call');
    expect((await work(id)).state).to.equal('succeeded');
    expect(peers.calls).to.deep.equal(['edited', 'edited']);
  });

  it('line 15: of many readers of a run whose search was killed, one starts the next', async () => {
    peers.hold = 'model';
    const id = await start('restart', 'never', { worker: 'job', wait_s: 0 });
    await eventually(() => peers.held === 1, 60_000);
    const jobs = async () => (await platform.documents('ml_run_claims')).filter((claim) => claim.run_id === id);
    const [first] = await jobs();
    const pids = childrenOf(platform.pid).filter((pid) => commandLine(pid).includes('mlagent'));
    expect(pids.length).to.equal(1);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    await finished(platform, 'bob', String(first?.job_id));
    await Promise.all(Array.from({ length: 6 }, () => read(id)));
    await eventually(async () => (await jobs()).every(({ job_id }) => job_id !== undefined));
    expect((await jobs()).length).to.equal(2);
    peers.release();
    await eventually(async () => (await read(id)).state === 'succeeded', 60_000);
    expect(peers.calls).to.deep.equal(['h0']);
    expect((await jobs()).length).to.equal(2);
  });

  it('a search that ends goes on with a run for which the quota left none, though nobody reads it', async () => {
    peers.hold = 'model';
    const job = { worker: 'job', wait_s: 0, definition: definitionOf('never'), input: 'restart' };
    // Otherwise the search waits in the queue of the platform.
    const limits = '/servicesNS/nobody/search/configs/conf-limits';
    expectStatus(await platform.admin('POST', limits, { name: 'search', default_allow_queue: '0' }), 201, 'the limits');
    const ids: string[] = [];
    let warnings: string[] | undefined;
    // One more than the quota allows.
    while (!warnings && ids.length < 10) {
      const { json } = await runs('POST', '', job);
      ids.push(json.run_id);
      warnings = json.warnings;
    }
    expect(String(warnings)).to.contain('could not be started');
    expectStatus(await platform.admin('DELETE', `${limits}/search`), 200, 'the limits');
    await eventually(() => peers.held === ids.length - 1, 60_000);
    peers.release();
    const ended = async () =>
      (await platform.documents('ml_runs')).filter(
        ({ run_id, state }) => ids.includes(String(run_id)) && state === 'succeeded',
      );
    await eventually(async () => (await ended()).length === ids.length, 60_000);
    expect(peers.calls).to.deep.equal(ids.map(() => 'h0'));
  });

  for (const workers of [2, 10]) {
    it(`${workers} workers at once, two of them searches, make each of eight calls once`, async () => {
      const id = await start('restart 8');
      const sids = await Promise.all(
        Array.from({ length: SEARCHES }, async () => {
          // Searches of earlier tests may not have ended yet.
          let sid: unknown;
          const isStarted = async () => {
            const { status, json } = await dispatch(platform, 'bob', `| mlagent run_id="${id}"`);
            sid = json?.sid;
            return status === 201;
          };
          await eventually(isStarted, 60_000, 'a worker within the quota');
          return String(sid);
        }),
      );
      await Promise.all([
        ...Array.from({ length: workers - SEARCHES }, () => work(id)),
        ...sids.map((sid) => finished(platform, 'bob', sid)),
      ]);
      expect(await read(id)).to.include({ state: 'succeeded', output: 'done' });
      expect(peers.calls.toSorted()).to.deep.equal(Array.from({ length: 8 }, (_, at) => `h${at}`));
      expect(peers.asked).to.equal(2);
    });
  }

  describe('killed at many moments of a run whose store is slow, so that each falls between other writes', function () {
    this.timeout(400_000);
    const MOMENTS = 14;
    const SLOW = 'slow:60';
    const ENDS = ['succeeded', 'failed', 'cancelled'];
    afterEach(() => platform.faults({ kvstore: 'ok' }));

    /** Kills all drivers of the gateway after so long, and lets their leases end. */
    async function killAfter(ms: number): Promise<void> {
      await delay(ms);
      for (const pid of platform.drivers('ml_gateway.mjs')) process.kill(pid, 'SIGKILL');
      platform.advance(LATER_MS);
    }

    const find = async (input: string): Promise<string | undefined> => {
      const { result = [] } = (await runs('GET', '?count=100')).json ?? {};
      return result.find((run: { input: string }) => run.input === input)?.run_id;
    };

    /** What a person and a program do with a run until it ends: what fails they try again; an unknown call they do not repeat. */
    async function drive(input: string, more: object): Promise<string> {
      let id: string | undefined;
      for (let state = ''; !ENDS.includes(state); ) {
        id ??= await find(input);
        if (!id) {
          await runs('POST', '', { definition: definitionOf('always'), input, wait_s: 0, ...more });
          continue;
        }
        const reply = 'worker' in more ? await step(id) : await runs('GET', `/${id}`);
        state = reply.json?.state ?? state;
        if (state !== 'waiting_for_approval') continue;
        for (const one of (await read(id))?.steps ?? []) {
          if (one.decided_by !== undefined) continue;
          const decision = { step: one.index, decision: 'approve' };
          if (one.state === 'waiting') await runs('POST', `/${id}/approve`, decision);
          if (one.state === 'unknown') await runs('POST', `/${id}/approve`, { ...decision, result: 'I looked' });
        }
      }
      return id ?? '';
    }

    async function expectOnce(id: string, about: string): Promise<void> {
      expect(await read(id), about).to.include({ state: 'succeeded', output: 'done' });
      expect(peers.calls.length, `${about}: ${peers.calls}`).to.equal(new Set(peers.calls).size);
      expect(peers.asked, `${about}: requests to the model`).to.be.within(2, 3);
    }

    it('lines 1 to 13: no call with effects is made twice, and the model is asked again once at most', async () => {
      await platform.faults({ kvstore: SLOW });
      const begin = performance.now();
      await drive('restart 2 whole', { worker: 'caller' });
      const whole = performance.now() - begin;
      for (let moment = 0; moment < MOMENTS; moment += 1) {
        peers.reset();
        const killing = killAfter((whole * (moment + 0.5)) / MOMENTS);
        const [id] = await Promise.all([drive(`restart 2 at moment ${moment}`, { worker: 'caller' }), killing]);
        await expectOnce(id, `moment ${moment}`);
      }
    });

    it('line 14: a cancelled run ends, and its call is not made', async () => {
      const MOST = 5;
      for (let moment = 0; moment < MOST; moment += 1) {
        const id = await start(`restart 1 cancelled at ${moment}`, 'always');
        expect((await work(id)).state).to.equal('waiting_for_approval');
        await platform.faults({ kvstore: SLOW });
        await Promise.all([runs('POST', `/${id}/cancel`, {}), killAfter(120 * moment)]);
        await platform.faults({ kvstore: 'ok' });
        const cancelled = async () => {
          await runs('POST', `/${id}/cancel`, {});
          return (await read(id))?.state === 'cancelled';
        };
        await eventually(cancelled, 30_000, `the end of the run of moment ${moment}`);
      }
      expect(peers.calls).to.deep.equal([]);
    });

    it('line 16: a worker is started again after the driver died while it started one', async () => {
      const MOST = 5;
      for (let moment = 0; moment < MOST; moment += 1) {
        peers.reset();
        const input = `restart 2 started at ${moment}`;
        await platform.faults({ kvstore: SLOW });
        const body = { definition: definitionOf('always'), input, wait_s: 0 };
        await Promise.all([runs('POST', '', body), killAfter(150 + 150 * moment)]);
        await platform.faults({ kvstore: 'ok' });
        platform.advance(31_000);
        await expectOnce(await drive(input, {}), `moment ${moment}`);
      }
      const searches = () => childrenOf(platform.pid).filter((pid) => commandLine(pid).includes('mlagent'));
      await eventually(() => searches().length === 0, 60_000, 'the end of the searches');
    });
  });
});

describe('a run of a member that is killed, line 18 of ADR 32', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let peers: Peers;

  before(async () => {
    peers = await Peers.start();
    platform = await startPlatform({ env: { ML_MEMBERS: '2', ML_MEMBER_RESTART_MS: '120000' } });
    await prepare(platform, peers);
  });
  after(async () => {
    await peers?.close();
    await platform?.dispose();
  });

  it('goes on at another one, which makes no call with effects again', async () => {
    const as = `admin:${ADMIN_PASSWORD}`;
    const { json: list } = await platform.admin('GET', '/services/embedded/members');
    const [one, two] = list.members as { url: string; pid: number }[];
    const headers = { 'Content-Type': 'application/json' };
    const on = (url: string | undefined, method: string, path: string, body: object = {}) =>
      callUrl(url ?? '', method, `${MOUNT}/runs${path}`, {
        ...{ as, headers },
        ...(method === 'GET' ? {} : { body: JSON.stringify(body) }),
      });
    const start = { definition: definitionOf('never'), input: 'restart', worker: 'caller' };
    const started = await on(one?.url, 'POST', '', start);
    expect(started.status, started.text).to.equal(200);
    const id = started.json.run_id;
    await on(two?.url, 'POST', `/${id}/step`);
    peers.hold = 'tools/call';
    const stepping = on(two?.url, 'POST', `/${id}/step`).catch(() => undefined);
    await eventually(() => peers.held === 1, 30_000);
    process.kill(two?.pid ?? 0, 'SIGKILL');
    await stepping;
    peers.release();
    const state = async () => (await on(one?.url, 'POST', `/${id}/step`)).json.state;
    await eventually(async () => (await state()) === 'waiting_for_approval', 60_000);
    const { json } = await on(one?.url, 'GET', `/${id}`);
    expect(json.config.steps[1].state).to.equal('unknown');
    await on(one?.url, 'POST', `/${id}/approve`, { step: 1, decision: 'approve', result: 'I looked' });
    await eventually(async () => (await state()) === 'succeeded', 30_000);
    expect(peers.calls).to.deep.equal(['h0']);
  });
});
