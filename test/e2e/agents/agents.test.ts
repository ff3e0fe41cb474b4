import { expect } from 'chai';
import { connectCloud } from '../../support/e2e/agentCloud.ts';
import { startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { AgentCorePeer, CLOUD_KEYS } from '../../support/peers/aws/agentCore.ts';
import { containerDocument } from '../../support/records/container.ts';
import { eventually } from '../../support/time.ts';
import {
  commands,
  dispatch,
  finished,
  finishedSoon,
  job,
  restDrivers,
  results,
  searched,
  severalDrivers,
} from './agentSupport.ts';

describe('agents over HTTP, followed by searches', function () {
  this.timeout(180_000);
  let platform: TestPlatform;
  let cloud: AgentCorePeer;
  const ml = (method: string, path: string, body?: object, user = 'maker') => platform.ml(user, method, path, body);
  const create = (name: string, more: object = {}) => ml('POST', '/agents', { name, ...more });
  const state = async (name: string) => (await ml('GET', `/agents/${name}`)).json.state;
  const follow = (name: string, action: string, user = 'maker') =>
    searched(platform, user, `| agentstatus agent_name=${name} action=${action} interval=0.2`);
  const ended = (sid: string, user = 'maker') => finishedSoon(platform, user, sid);
  const agents = async () => (await platform.documents('ml_agents')).map((doc) => doc.name);

  /** Deletes it and follows that: at the end nothing is left, here or there. */
  async function vanish(name: string): Promise<void> {
    const reply = await ml('DELETE', `/agents/${name}`);
    expect(reply.status, reply.text).to.equal(200);
    if (reply.json.state !== 'Deleted') {
      await ended(reply.json.tracking_job_id);
      const rows = await results(platform, 'maker', reply.json.tracking_job_id);
      expect(rows.at(-1), JSON.stringify(rows)).to.include({ state: 'Deleted', outcome: 'success' });
    }
    expect(await agents()).to.not.include(name);
    expect([...cloud.runtimes.values()].map((runtime) => runtime.name)).to.not.include(name);
  }

  before(async () => {
    cloud = await AgentCorePeer.start();
    platform = await startPlatform({ movableClock: true });
    await platform.createUser('maker', ['ml_admin']);
    await platform.createUser('reader', ['ml_user']);
    await connectCloud(platform, cloud.url);
  });
  beforeEach(() => cloud.reset());
  after(async () => {
    await platform.dispose();
    await cloud.stop();
  });

  it('from creation to Available and from deletion to gone, by the searches that the requests start', async () => {
    cloud.readsToReady = 3;
    const made = await create('triage', { description: 'first', acl: { sharing: 'app', perms: { read: ['*'] } } });
    expect(made.status, made.text).to.equal(200);
    expect(made.json).to.include({ agent_name: 'triage', runtime_type: 'CLOUD_AGENT_CORE', state: 'Creating' });
    const sid = made.json.tracking_job_id;
    expect(sid).to.be.a('string');
    expect(made.json).to.not.have.property('warnings');
    const done = await finished(platform, 'maker', sid);
    expect([done.isFailed, done.messages.filter(({ type }) => type === 'ERROR')]).to.deep.equal([false, []]);
    const rows = await results(platform, 'maker', sid);
    expect(rows.map((row) => row.state)).to.deep.equal(['Creating', 'Available']);
    expect(rows.at(-1)).to.include({
      agent_name: 'triage',
      action: 'create',
      previous_state: 'Creating',
      runtime_id: 'triage-0000000001',
      runtime_status: 'READY',
      done: '1',
      outcome: 'success',
      error_code: '',
    });
    const record = (await ml('GET', '/agents/triage')).json;
    expect(record).to.include({ state: 'Available', version: 1 });
    expect(record.versions[0].runtime_params.runtime_id).to.equal('triage-0000000001');
    expect(record.tracking).to.include({ job_id: sid, action: 'create', attempts: 3 });

    const removed = await ml('DELETE', '/agents/triage');
    expect(removed.json).to.include({ agent_name: 'triage', state: 'Deleting', agent_status: 'DELETING' });
    expect((await finished(platform, 'maker', removed.json.tracking_job_id)).isFailed).to.equal(false);
    const last = (await results(platform, 'maker', removed.json.tracking_job_id)).at(-1);
    expect(last).to.include({ state: 'Deleted', outcome: 'success', done: '1' });
    expect((await ml('GET', '/agents/triage')).status).to.equal(404);
    expect(cloud.runtimes.size).to.equal(0);
    expect(await agents()).to.deep.equal([]);
    expect(await platform.documents('ml_leases')).to.deep.equal([]);
  });

  for (const [runtime_type, more] of [
    ['BUILT_IN', {}],
    ['CONTAINER', { runtime: { container: 'answers' } }],
  ] as const) {
    it(`${runtime_type}: a search has one row, and nothing else is started or left`, async () => {
      await platform.putDocument('ml_containers', containerDocument('answers'));
      const made = await create('local', { runtime_type, ...more });
      expect(made.json, made.text).to.include({ state: 'Available', tracking_job_id: null });
      const running = { agent_name: 'local', state: 'Available', done: '1', outcome: 'success', error_code: '' };
      for (const asked of ['', ' action=create']) {
        const { rows, job: search } = await searched(platform, 'maker', `| agentstatus agent_name=local${asked}`);
        expect(rows, asked).to.have.length(1);
        expect(rows[0], asked).to.include(running);
        expect(
          search.messages.filter(({ type }) => type === 'ERROR'),
          asked,
        ).to.deep.equal([]);
      }
      const wrong = await follow('local', 'delete');
      expect(wrong.rows).to.have.length(1);
      expect(wrong.rows[0]).to.include({ state: 'Available', done: '1', error_code: 'invalid_state' });
      const listed = await searched(platform, 'maker', '| agentstatus');
      expect(listed.rows.find((row) => row.agent_name === 'local')).to.include(running);
      const gone = await ml('DELETE', '/agents/local');
      expect(gone.json, gone.text).to.include({ state: 'Deleted', tracking_job_id: null });
      expect((await follow('local', 'delete')).rows[0]).to.include({ done: '1', error_code: 'not_found' });
      expect(await agents()).to.not.include('local');
      expect(cloud.calls).to.deep.equal([]);
    });
  }

  it('a failed creation: reason in the row, the record and a message of level ERROR; deletable', async () => {
    cloud.becomes = 'CREATE_FAILED';
    cloud.failureReason = 'no such image';
    const sid = (await create('broken')).json.tracking_job_id;
    const { messages } = await ended(sid);
    expect(messages.filter(({ type }) => type === 'ERROR').map(({ text }) => text)).to.have.length(1);
    expect(messages.find(({ type }) => type === 'ERROR')?.text).to.include('no such image');
    expect((await results(platform, 'maker', sid)).at(-1)).to.include({ state: 'Failed', outcome: 'fail', done: '1' });
    const record = (await ml('GET', '/agents/broken')).json;
    expect(record.state_reason).to.include('no such image');
    cloud.becomes = 'READY';
    cloud.failureReason = undefined;
    const again = await ml('POST', '/agents/broken/retry');
    expect(again.status, again.text).to.equal(200);
    await ended(again.json.tracking_job_id);
    expect(await state('broken')).to.equal('Available');
    await vanish('broken');
  });

  it('shows one agent and all readable ones; a reader follows shared agents without starting any', async () => {
    await ended((await create('private')).json.tracking_job_id);
    const acl = { sharing: 'app', perms: { read: ['*'] } };
    await ended((await create('shared', { acl })).json.tracking_job_id);
    const all = await searched(platform, 'maker', '| agentstatus');
    expect(all.rows.map((row) => [row.agent_name, row.state])).to.deep.equal([
      ['private', 'Available'],
      ['shared', 'Available'],
    ]);
    expect((await searched(platform, 'reader', '| agentstatus')).rows.map((row) => row.agent_name)).to.deep.equal([
      'shared',
    ]);
    const one = await searched(platform, 'reader', '| agentstatus agent_name = "shared"');
    expect(one.rows.map((row) => [row.agent_name, row.state, row.done])).to.deep.equal([['shared', 'Available', '1']]);
    expect((await follow('private', 'create', 'reader')).rows.at(-1)).to.include({ error_code: 'not_found' });
    const misfit = await follow('shared', 'delete', 'reader');
    expect(misfit.rows).to.have.length(1);
    expect(misfit.rows[0]).to.include({ error_code: 'invalid_state', done: '1', outcome: 'fail' });
    expect(await state('shared')).to.equal('Available');
    await vanish('private');
    await vanish('shared');
  });

  it('five monitors and a client in a loop poll the cloud no more often than one monitor', async () => {
    await severalDrivers(platform, 'admin');
    cloud.readsToReady = Number.POSITIVE_INFINITY;
    for (const name of ['one', 'five']) expect((await ml('POST', '/agents', { name }, 'admin')).status).to.equal(200);
    const search = '| agentstatus agent_name=five action=create';
    const others = await Promise.all([1, 2, 3, 4].map(() => dispatch(platform, 'admin', search)));
    expect(others.map(({ status }) => status)).to.deep.equal([201, 201, 201, 201]);
    const idOf = (name: string) => [...cloud.runtimes.values()].find((runtime) => runtime.name === name)?.id ?? '';
    const polls = (name: string) =>
      cloud.calls.filter(({ operation, path }) => operation === 'get' && path.includes(idOf(name))).length;
    await eventually(() => polls('one') >= 5, 40_000, 'five polls of one monitor');
    // Its own step may be in flight.
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(polls('five')).to.be.within(3, polls('one') + 1);
    // A client that does not wait gets the record, and the cloud at most one call in 0.8 s.
    const [before, started] = [polls('one'), Date.now()];
    const loops = [1, 2, 3, 4].map(async () => {
      while (Date.now() - started < 2500) {
        const step = await ml('POST', '/agents/one/status', { action: 'create' }, 'admin');
        expect(step.json, step.text).to.include({ state: 'Creating', done: 0 });
      }
    });
    await Promise.all(loops);
    expect(polls('one') - before).to.be.within(2, 2 + Math.floor((Date.now() - started) / 800));
    cloud.readsToReady = 1;
    const endings = ['one', 'five'].map(async (name) => {
      const end = await searched(platform, 'admin', `| agentstatus agent_name=${name} action=create interval=0.2`);
      expect(end.rows.at(-1)).to.include({ state: 'Available' });
      await ended((await ml('DELETE', `/agents/${name}`, undefined, 'admin')).json.tracking_job_id, 'admin');
    });
    await Promise.all(endings);
  });

  it('a cancelled search ends its process and stops polling; the agent continues', async () => {
    // On a busy machine the monitors of the test before may still be ending.
    await eventually(() => commands(platform).length === 0, 30_000, 'other monitors to end');
    cloud.readsToReady = Number.POSITIVE_INFINITY;
    const sid = (await create('endless')).json.tracking_job_id;
    await eventually(() => cloud.operations().includes('get'), 20_000, 'the first poll');
    expect(commands(platform)).to.have.length(1);
    const cancelled = await platform.call('maker', 'POST', `/services/search/jobs/${sid}/control`, 'action=cancel', {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expect(cancelled.status, cancelled.text).to.equal(200);
    await eventually(() => commands(platform).length === 0, 10_000, 'the process to end');
    await eventually(() => restDrivers(platform).length > 0, 1000, 'the drivers');
    // A poll that was under way may still arrive, on a busy machine a while later; a monitor would go on for ever.
    let before = -1;
    const quiet = async () => {
      const isQuiet = cloud.calls.length === before;
      before = cloud.calls.length;
      await new Promise((resolve) => setTimeout(resolve, isQuiet ? 0 : 3000));
      return isQuiet;
    };
    await eventually(quiet, 15_000, 'three seconds without a poll');
    expect(await state('endless')).to.equal('Creating');
    cloud.readsToReady = 1;
    expect((await follow('endless', 'create')).rows.at(-1)).to.include({ state: 'Available' });
    await vanish('endless');
  });

  it('kill -9 of the monitor: the stored state is right, and a new run continues', async () => {
    cloud.readsToReady = Number.POSITIVE_INFINITY;
    const sid = (await create('orphan')).json.tracking_job_id;
    await eventually(() => cloud.operations().includes('get'), 20_000, 'the first poll');
    for (const pid of commands(platform)) process.kill(pid, 'SIGKILL');
    expect((await ended(sid)).isFailed).to.equal(true);
    expect(await state('orphan')).to.equal('Creating');
    cloud.readsToReady = 1;
    expect((await follow('orphan', 'create')).rows.at(-1)).to.include({ state: 'Available', outcome: 'success' });
    await vanish('orphan');
  });

  it('kill -9 of the drivers in the middle of creations: the agents can be followed and deleted', async () => {
    // One creation has not even begun at the component, of the other the answer is on its way.
    cloud.plays.create = [{ kind: 'silent' }, { kind: 'slow', ms: 1500 }];
    const names = ['cut_one', 'cut_two'];
    const pending = names.map((name) => create(name));
    const isAsked = () => cloud.operations().filter((one) => one === 'create').length === 2;
    await eventually(isAsked, 20_000, 'the calls to arrive');
    for (const pid of restDrivers(platform)) process.kill(pid, 'SIGKILL');
    for (const reply of await Promise.all(pending)) expect(reply.status).to.equal(500);
    for (const name of names) expect(await state(name)).to.equal('Creating');
    // Their leases are those of dead processes: they run out by themselves, after a minute.
    platform.advance(60_000);
    for (const name of names) {
      const { rows } = await follow(name, 'create');
      expect(rows.at(-1), JSON.stringify(rows)).to.include({ state: 'Available' });
    }
    expect(cloud.runtimes.size).to.equal(2);
    for (const name of names) await vanish(name);
  });

  it('kill -9 of the platform in the middle of a creation and of a deletion', async () => {
    await ended((await create('half')).json.tracking_job_id);
    cloud.readsToGone = Number.POSITIVE_INFINITY;
    const { tracking_job_id: sid } = (await ml('DELETE', '/agents/half')).json;
    await eventually(() => cloud.operations().filter((one) => one === 'get').length > 2, 20_000, 'polls');
    cloud.plays.create = [{ kind: 'slow', ms: 1000 }];
    const pending = create('dark').catch(() => undefined);
    await eventually(() => cloud.operations().filter((one) => one === 'create').length === 2, 20_000, 'the call');
    await platform.kill9();
    await pending;
    await platform.start();
    expect(await state('half')).to.equal('Deleting');
    expect(await state('dark')).to.equal('Creating');
    cloud.readsToGone = 1;
    // The leases of the dead run out after a minute.
    platform.advance(60_000);
    const again = await ml('DELETE', '/agents/half');
    expect(again.status, again.text).to.equal(200);
    expect(again.json.tracking_job_id).to.not.equal(sid);
    // Deleted without ever having been followed.
    await vanish('dark');
    if (again.json.tracking_job_id) await ended(again.json.tracking_job_id);
    expect(await agents()).to.not.include('half');
    expect(cloud.runtimes.size).to.equal(0);
  });

  it('the keys of the cloud are only in the password storage', async () => {
    const found = platform.filesWith([CLOUD_KEYS.secret_access_key]).filter((file) => !/passwords/.test(file));
    expect(found).to.deep.equal([]);
    expect(platform.log()).to.not.include(CLOUD_KEYS.secret_access_key);
    expect(JSON.stringify(await platform.documents('ml_agents'))).to.not.include('canary');
    expect(await job(platform, 'reader', 'no-such-job')).to.equal(undefined);
  });
});
