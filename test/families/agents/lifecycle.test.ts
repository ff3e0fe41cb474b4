import { expect } from 'chai';
import { remedyOf } from '../../../src/contract/codes/codes.ts';
import { MAKER, oneAgent } from '../../support/memory/agent.ts';
import { MemoryApp } from '../../support/memory/app.ts';
import type { Trouble } from '../../support/memory/cloud.ts';

describe('life cycle of agents', () => {
  let app: MemoryApp;
  const { create, remove, retry, poll, send, state, record, tokenNow, followed } = oneAgent(() => app);

  beforeEach(() => {
    app = new MemoryApp();
    app.user('maker', MAKER);
  });

  it('polls from Creating until the cloud reports READY', async () => {
    await create();
    const first = await poll('create');
    expect(first).to.deep.include({
      agent_name: 'triage',
      action: 'create',
      state: 'Creating',
      previous_state: 'Creating',
      runtime_id: 'runtime-1',
      runtime_status: 'CREATING',
      attempt: 1,
      done: 0,
      outcome: '',
      error_code: '',
    });
    app.cloud.become('READY');
    app.site.clock.advance(3000);
    const last = await poll('create');
    expect(last).to.deep.include({
      state: 'Available',
      previous_state: 'Creating',
      runtime_status: 'READY',
      attempt: 2,
      elapsed_ms: 3000,
      done: 1,
      outcome: 'success',
    });
    expect(await poll('create')).to.deep.include({ state: 'Available', done: 1, outcome: 'success', attempt: 2 });
    expect(app.cloud.calls).to.deep.equal(['create', 'get', 'get']);
  });

  for (const [trouble, status, code, refused] of [
    ['refused', 502, 'permission_denied', true],
    ['throttled', 429, 'rate_limited', true],
    ['down', 504, 'timeout', false],
    ['lost', 502, 'connection_reset', false],
  ] as [Trouble, number, string, boolean][]) {
    it(`a creation that is ${trouble} answers ${status} and is Failed with its reason; a deletion leaves nothing`, async () => {
      app.cloud.troubles.create = [trouble];
      const reply = await create();
      expect([reply.status, reply.json.error_code]).to.deep.equal([status, code]);
      expect(reply.json).to.include({ agent_name: 'triage', state: 'Failed' });
      const view = (await send('GET', '/agents/triage')).json;
      expect([view.state, view.state_reason]).to.deep.equal(['Failed', `the cloud: ${code}`]);
      const failure = { error_code: code, remedy: remedyOf(code) };
      expect(failure.remedy).to.be.a('string');
      expect(view.config).to.include(failure);
      expect((await send('GET', '/agents')).json.result[0]).to.include(failure);
      expect(app.searches.dispatched).to.deep.equal([]);
      expect(await poll('create')).to.include({ done: 1, outcome: 'fail', ...failure });
      app.cloud.calls.length = 0;
      const removed = await remove();
      expect(removed.status).to.equal(200);
      if (refused) {
        expect(removed.json).to.include({ state: 'Deleted', agent_status: 'DELETING', tracking_job_id: null });
        expect(app.cloud.calls).to.deep.equal([]);
      } else expect(await followed('delete')).to.include({ state: 'Deleted', outcome: 'success' });
      expect(record()).to.equal(undefined);
      expect(app.cloud.runtimes.size).to.equal(0);
    });

    it(`a retry after ${trouble} uses ${refused ? 'a new' : 'the same'} token`, async () => {
      app.cloud.troubles.create = [trouble];
      await create();
      const before = tokenNow();
      const reply = await retry();
      expect(reply.json).to.include({ state: 'Creating', agent_name: 'triage' });
      expect(tokenNow() === before).to.equal(!refused);
      expect(app.cloud.runtimes.size).to.equal(1);
      app.cloud.become('READY');
      expect(await followed('create')).to.include({ state: 'Available' });
    });
  }

  it('CREATE_FAILED is Failed with the reason of the cloud; a retry deletes the runtime first and uses a new token', async () => {
    await create();
    app.cloud.become('CREATE_FAILED', 'no such image');
    expect(await poll('create')).to.include({
      state: 'Failed',
      outcome: 'fail',
      error_code: 'upstream_error',
      message: 'The runtime is CREATE_FAILED: no such image',
    });
    const token = tokenNow();
    app.cloud.dying = 'DELETING';
    app.cloud.calls.length = 0;
    expect((await retry()).json.state).to.equal('Creating');
    // The old runtime still has the name, so nothing is created yet.
    expect(await poll('create')).to.include({ state: 'Creating', done: 0 });
    expect(app.cloud.calls).to.deep.equal(['remove', 'get']);
    app.cloud.runtimes.clear();
    await poll('create');
    expect(app.cloud.tokens.at(-1)).to.not.equal(token);
    app.cloud.become('READY');
    expect(await followed('create')).to.include({ state: 'Available', runtime_id: 'runtime-2' });
  });

  it('a failed agent that is retried, then deleted before its old runtime is gone, leaves nothing', async () => {
    await create();
    app.cloud.become('CREATE_FAILED');
    await poll('create');
    app.cloud.troubles.remove = ['busy'];
    await retry();
    await remove();
    expect(await followed('delete').catch(() => 'gone')).to.satisfy(() => record() === undefined);
    expect(app.cloud.runtimes.size).to.equal(0);
  });

  it('a creation beyond its deadline is Failed, and a retry continues with the same runtime', async () => {
    await create();
    app.site.clock.advance(899_000);
    expect(await poll('create')).to.include({ state: 'Creating' });
    app.site.clock.advance(1000);
    expect(await poll('create')).to.include({ state: 'Failed', error_code: 'timeout', done: 1 });
    expect((await retry()).json.state).to.equal('Creating');
    app.cloud.become('READY');
    expect(await poll('create')).to.include({ state: 'Available', runtime_id: 'runtime-1' });
    expect(app.cloud.calls.filter((call) => call === 'create')).to.have.length(1);
  });

  it('a poll without an answer changes no state and reports that', async () => {
    await create();
    for (const trouble of ['down', 'throttled', 'refused'] as Trouble[]) {
      app.cloud.troubles.get = [trouble];
      const row = await poll('create');
      expect(row, trouble).to.include({ state: 'Creating', done: 0 });
      expect(row.error_code, trouble).to.not.equal('');
    }
    expect((await send('GET', '/agents/triage')).json.state_reason).to.equal('the cloud: permission_denied');
    app.cloud.become('READY');
    expect(await poll('create')).to.include({ state: 'Available', error_code: '' });
    const { config } = (await send('GET', '/agents/triage')).json;
    expect(config).to.not.have.any.keys('state_reason', 'error_code', 'remedy');
  });

  it('an agent whose runtime was deleted elsewhere is Failed and can be deleted', async () => {
    await create();
    app.cloud.runtimes.clear();
    expect(await poll('create')).to.include({ state: 'Failed', runtime_status: 'GONE' });
    expect((await remove()).json.state).to.equal('Deleted');
    expect(record()).to.equal(undefined);
  });

  describe('deletion', () => {
    const available = async () => {
      await create();
      app.cloud.become('READY');
      await poll('create');
      app.cloud.calls.length = 0;
    };

    it('is Deleting until the runtime is gone, then leaves nothing', async () => {
      await available();
      app.cloud.dying = 'DELETING';
      const reply = await remove();
      expect(reply.json).to.include({
        agent_name: 'triage',
        state: 'Deleting',
        agent_status: 'DELETING',
        tracking_job_id: 'sid-2',
      });
      expect(await poll('delete')).to.include({ state: 'Deleting', runtime_status: 'DELETING', done: 0 });
      app.cloud.runtimes.clear();
      expect(await poll('delete')).to.include({
        state: 'Deleted',
        previous_state: 'Deleting',
        runtime_status: 'GONE',
        done: 1,
        outcome: 'success',
      });
      expect(record()).to.equal(undefined);
      expect(app.site.records.all('ml_leases')).to.deep.equal([]);
    });

    it('answers a repeated DELETE with the same job while it runs, else with a new one', async () => {
      await available();
      app.cloud.dying = 'DELETING';
      expect((await remove()).json.tracking_job_id).to.equal('sid-2');
      expect((await remove()).json.tracking_job_id).to.equal('sid-2');
      app.searches.active.clear();
      expect((await remove()).json.tracking_job_id).to.equal('sid-3');
      expect(app.cloud.calls.filter((call) => call === 'remove')).to.have.length(1);
      app.cloud.runtimes.clear();
      expect((await remove()).json).to.include({ state: 'Deleted', tracking_job_id: null });
      expect((await remove()).status).to.equal(404);
    });

    it('stays Deleting after a ConflictException, and polling repeats it', async () => {
      await available();
      app.cloud.troubles.remove = ['busy', 'busy'];
      expect((await remove()).json.state).to.equal('Deleting');
      expect(await poll('delete')).to.include({ state: 'Deleting' });
      await poll('delete');
      expect(await poll('delete')).to.include({ state: 'Deleted' });
      expect(app.cloud.runtimes.size).to.equal(0);
    });

    for (const [trouble, status] of [
      ['refused', 502],
      ['throttled', 429],
      ['down', 504],
      ['lost', 502],
    ] as [Trouble, number][]) {
      it(`that is ${trouble} answers ${status}, is Delete Failed with its reason, and can be repeated`, async () => {
        await available();
        app.cloud.troubles.remove = [trouble];
        const reply = await remove();
        expect(reply.status).to.equal(status);
        expect(reply.json).to.include({ agent_name: 'triage', state: 'Delete Failed' });
        const row = await poll('delete');
        expect(row).to.include({ state: 'Delete Failed', done: 1, outcome: 'fail' });
        expect(row.error_code).to.equal(reply.json.error_code);
        expect((await remove()).status).to.equal(200);
        await followed('delete');
        expect(record()).to.equal(undefined);
        expect(app.cloud.runtimes.size).to.equal(0);
      });
    }

    it('is Delete Failed after DELETE_FAILED and after the deadline', async () => {
      await available();
      app.cloud.dying = 'DELETE_FAILED';
      await remove();
      expect(await poll('delete')).to.include({ state: 'Delete Failed', outcome: 'fail' });
      app.cloud.dying = 'DELETING';
      await remove();
      app.site.clock.advance(900_000);
      expect(await poll('delete')).to.include({ state: 'Delete Failed', error_code: 'timeout' });
    });

    it('during a creation also deletes the runtime that is created', async () => {
      await create();
      app.cloud.troubles.remove = ['busy'];
      expect((await remove()).json.state).to.equal('Deleting');
      await followed('delete');
      expect(app.cloud.runtimes.size).to.equal(0);
      expect(record()).to.equal(undefined);
    });

    it('lets a new agent of the same name use a new token', async () => {
      await available();
      await remove();
      await followed('delete');
      await create();
      expect(new Set(app.cloud.tokens).size).to.equal(2);
    });
  });

  it('an unanswered creation that the cloud does not list is repeated with its token', async () => {
    app.cloud.lists = false;
    app.cloud.troubles.create = ['lost'];
    await create();
    expect(app.cloud.runtimes.size).to.equal(1);
    await remove();
    expect(app.cloud.tokens).to.have.length(2);
    expect(new Set(app.cloud.tokens).size).to.equal(1);
    await followed('delete');
    expect(app.cloud.runtimes.size).to.equal(0);
  });

  it('a deletion after an unanswered creation is Delete Failed while the cloud does not answer, and keeps its record', async () => {
    app.cloud.troubles.create = ['lost'];
    await create();
    app.cloud.always = { find: 'down', create: 'down' };
    expect((await remove()).status).to.equal(504);
    expect(await state()).to.equal('Delete Failed');
    app.cloud.always = {};
    await remove();
    await followed('delete');
    expect(app.cloud.runtimes.size).to.equal(0);
  });

  it('does not touch a runtime of the same name that it did not create', async () => {
    app.cloud.runtimes.set('theirs', { id: 'theirs', name: 'triage', token: 'theirs', status: 'READY' });
    expect((await create()).status).to.equal(502);
    expect(await state()).to.equal('Failed');
    expect((await remove()).json.state).to.equal('Deleted');
    expect([...app.cloud.runtimes.keys()]).to.deep.equal(['theirs']);
  });

  it('uses the location where the runtime was created, not the current setting', async () => {
    await create();
    app.cloud.location = 'us-east-1';
    await poll('create');
    expect(new Set(app.cloud.locations)).to.deep.equal(new Set(['eu-central-1']));
  });

  it('an action that does not fit the state answers one final row and starts nothing', async () => {
    await create();
    app.cloud.calls.length = 0;
    expect(await poll('delete')).to.include({
      state: 'Creating',
      done: 1,
      outcome: 'fail',
      error_code: 'invalid_state',
    });
    app.cloud.become('READY');
    await poll('create');
    expect(await poll('delete')).to.include({ state: 'Available', error_code: 'invalid_state' });
    expect(app.cloud.calls).to.not.include('remove');
  });

  it('reports a search that cannot be started as a warning', async () => {
    app.searches.failure = 'the quota is used up';
    const reply = await create();
    expect(reply.status).to.equal(200);
    expect(reply.json.tracking_job_id).to.equal(null);
    expect(reply.json.warnings.join()).to.include('the quota is used up').and.include('| agentstatus');
    expect((await send('GET', '/agents/triage')).json.tracking.job_id).to.equal(null);
  });
});
