import { expect } from 'chai';
import { Fault } from '../../../../src/contract/codes/faults.ts';
import { SID_HEADER } from '../../../../src/contract/families/usage.ts';
import { CLAIMS } from '../../../../src/gateway/runs/documents/stored.ts';
import type { Json } from '../../../support/memory/app.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { EVERYONE, publish, TOOL } from '../../search/searchApp.ts';
import { type RunsApp, runsApp } from '../runsApp.ts';

const CAPABILITIES = ['list_ai_commander_config', 'use_ai_gateway', 'run_agents', 'edit_agents'];
const DELETE = [{ name: 'Desk__delete', args: { id: 1 } }];
const ERRORS = [{ name: 'search__errors', args: { host: 'web-1' } }];

describe('the workers of runs that name search tools', () => {
  let runs: RunsApp;
  const dispatched = () => runs.app.searches.dispatched;
  const active = () => runs.app.searches.active;
  const get = (id: string, user = 'ann') => runs.call('GET', `/${id}`, undefined, user);
  const approve = (id: string, user = 'ann') =>
    runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' }, user);

  beforeEach(async () => {
    runs = await runsApp();
    runs.app.user('anna', { capabilities: ['edit_search_tools'] });
    for (const user of ['ann', 'bert']) runs.app.user(user, { capabilities: CAPABILITIES });
    runs.app.user('root', { capabilities: [...CAPABILITIES, 'admin_all_objects'] });
    await publish(runs.app, TOOL);
    const agent = { runtime_type: 'BUILT_IN', llm: { model: 'up/m1' }, mcps: [{ name: 'Desk' }], acl: EVERYONE };
    for (const [name, search_tools] of [
      ['seeker', ['errors']],
      ['clerk', []],
    ] as const) {
      const saved = await runs.app.call('root', 'POST', '/agents', { ...agent, name, search_tools });
      expect(saved.status, JSON.stringify(saved.json)).to.equal(200);
    }
  });

  async function start(user = 'ann', agent = 'seeker'): Promise<string> {
    const { status, json } = await runs.call('POST', '', { agent, input: 'x', wait_s: 0 }, user);
    expect([status, json.warnings], JSON.stringify(json)).to.deep.equal([200, undefined]);
    // Runs that begin in the same millisecond have no order.
    runs.app.site.clock.advance(10);
    return json.run_id;
  }

  const step = (sid: string, id: string, user = 'ann', faults?: FaultPlan) => {
    const request = { method: 'POST', path: `/ai_gateway/runs/${id}/step`, sessionToken: user };
    return runs.app.request({ ...request, headers: [[SID_HEADER, sid]] }, faults);
  };

  /** Takes the steps of one run as a search does. @returns the run that it goes on with */
  async function work(sid: string, id: string, user = 'ann'): Promise<string | undefined> {
    for (let count = 0; count < 10; count += 1) {
      const { status, json } = await step(sid, id, user);
      expect(status, JSON.stringify(json)).to.equal(200);
      if (!['queued', 'running'].includes(json.state)) return json.next_run_id;
    }
    throw new Error('the run does not end');
  }

  /** Ends a search. */
  const end = (sid: string) => active().delete(sid);

  it('are one for each user, which goes on with the others, oldest first', async () => {
    const own = [await start(), await start(), await start()];
    const other = await start('bert');
    expect(dispatched().map(({ user }) => user)).to.deep.equal(['ann', 'bert']);
    expect((await get(own[1] as string)).json.config).to.include({ state: 'queued' });
    expect((await get(own[1] as string)).json.config.job_id).to.equal(undefined);
    expect(dispatched()).to.have.length(2);
    expect(await work('sid-1', own[0] as string)).to.equal(own[1]);
    expect((await get(own[1] as string)).json.config.job_id).to.equal('sid-1');
    expect(await work('sid-1', own[1] as string)).to.equal(own[2]);
    expect(await work('sid-1', own[2] as string)).to.equal(undefined);
    expect((await get(other, 'bert')).json.config.state).to.equal('queued');
    expect(dispatched()).to.have.length(2);
  });

  it('are one, whichever of several processes start runs at once', async () => {
    const body = { agent: 'seeker', input: 'x', wait_s: 0 };
    const started = await Promise.all(
      ['ann', 'bert', 'ann', 'bert', 'ann', 'bert'].map((user) => runs.call('POST', '', body, user)),
    );
    expect(started.map(({ status }) => status)).to.deep.equal([200, 200, 200, 200, 200, 200]);
    expect(
      dispatched()
        .map(({ user }) => user)
        .toSorted(),
    ).to.deep.equal(['ann', 'bert']);
    await Promise.all(started.map(({ json }, index) => get(json.run_id, index % 2 === 0 ? 'ann' : 'bert')));
    expect(dispatched()).to.have.length(2);
    active().clear();
    await Promise.all(started.map(({ json }, index) => get(json.run_id, index % 2 === 0 ? 'ann' : 'bert')));
    expect(dispatched(), 'of readers at once, after the end of the workers').to.have.length(4);
  });

  it('do not keep runs from a worker that name no search tools', async () => {
    await start();
    await start('ann', 'clerk');
    await start('ann', 'clerk');
    expect(dispatched()).to.have.length(3);
    const waits = await start();
    expect(dispatched()).to.have.length(3);
    end('sid-1');
    await get(waits);
    expect(dispatched()).to.have.length(4);
  });

  it('count as gone once they were told that nothing is due, though their search has not ended', async () => {
    const first = await start();
    expect(await work('sid-1', first)).to.equal(undefined);
    const second = await start();
    expect(active().has('sid-1')).to.equal(true);
    expect(dispatched()).to.have.length(2);
    expect((await get(second)).json.config.job_id).to.equal('sid-2');
    const third = await start();
    expect(await work('sid-1', first), 'asked once more').to.equal(undefined);
    expect(await work('sid-2', second)).to.equal(third);
  });

  it('go on with a run that was approved while its user had another worker', async () => {
    runs.turns.push(DELETE);
    const first = await start();
    expect(await work('sid-1', first)).to.equal(undefined);
    end('sid-1');
    const second = await start();
    expect((await approve(first)).json.warnings).to.equal(undefined);
    expect(dispatched()).to.have.length(2);
    expect(await work('sid-2', second)).to.equal(first);
    await work('sid-2', first);
    expect((await get(first)).json.state).to.equal('succeeded');
  });

  it('go on with a run whose search could not be started, whether or not it searches', async () => {
    const first = await start('ann', 'clerk');
    runs.app.searches.failure = 'too many searches';
    const refused: string[] = [];
    for (const agent of ['seeker', 'clerk']) {
      const { json } = await runs.call('POST', '', { agent, input: 'x', wait_s: 0 }, 'ann');
      expect(String(json.warnings)).to.contain('too many searches');
      refused.push(json.run_id);
      runs.app.site.clock.advance(10);
    }
    expect(await work('sid-1', first)).to.equal(refused[0]);
    expect(await work('sid-1', refused[0] as string)).to.equal(refused[1]);
    expect(await work('sid-1', refused[1] as string)).to.equal(undefined);
  });

  it('are told nothing where the store fails, and the next run where they ask again', async () => {
    const first = await start();
    const second = await start();
    await runs.call('POST', `/${first}/step`, undefined, 'ann');
    const faults = new FaultPlan();
    const { call } = faults;
    let leases = 0;
    faults.call = async <T>(name: string, effect: () => T): Promise<T> => {
      // The first lease is that of the run, the second that of the workers.
      if (name === 'insert ml_leases' && ++leases > 1) throw new Fault('store_unavailable', 'The store is busy');
      return (await call.call(faults, name, effect)) as T;
    };
    const { status, json } = await step('sid-1', first, 'ann', faults);
    expect([status, json.state, json.next_run_id]).to.deep.equal([200, 'succeeded', undefined]);
    expect(runs.app.site.log.text()).to.contain('run_worker_not_kept');
    expect(await work('sid-1', first)).to.equal(second);
  });

  it('go on with no run that waits, has ended, is stepped by its caller or belongs to somebody else', async () => {
    runs.turns.push(DELETE);
    const waits = await start();
    await work('sid-1', waits);
    await runs.call('POST', '', { agent: 'seeker', input: 'x', worker: 'caller' }, 'ann');
    await start('bert');
    const last = await start();
    expect(await work('sid-3', last)).to.equal(undefined);
  });

  it('of a reader leave a search that is due to the user of the run', async () => {
    runs.turns.push(ERRORS, 'done', 'nothing');
    const due = await start();
    await step('sid-1', due);
    const other = await start();
    end('sid-1');
    await get(other, 'root');
    expect(dispatched().at(-1)?.user).to.equal('root');
    expect(await work('sid-2', other, 'root')).to.equal(undefined);
    end('sid-2');
    await get(due);
    expect(dispatched().at(-1)?.user).to.equal('ann');
    await work('sid-3', due);
    expect((await get(due)).json.state).to.equal('succeeded');
  });

  it('are replaced where the search could not be started, and where its start broke off', async () => {
    runs.app.searches.failure = 'too many searches';
    const refused = await runs.call('POST', '', { agent: 'seeker', input: 'x', wait_s: 0 }, 'ann');
    expect(String(refused.json.warnings)).to.contain('too many searches');
    runs.app.searches.failure = undefined;
    await get(refused.json.run_id);
    expect(dispatched()).to.have.length(1);
    end('sid-1');
    // A process that died after it had claimed a worker has noted no search.
    const claims = runs.stored(CLAIMS).map(({ job_id: _, ...claim }: Json) => claim);
    for (const claim of claims) runs.app.site.records.collection(CLAIMS).set(String(claim._key), JSON.stringify(claim));
    const next = await start();
    expect(dispatched()).to.have.length(1);
    runs.app.site.clock.advance(31_000);
    await get(next);
    expect(dispatched()).to.have.length(2);
  });
});
