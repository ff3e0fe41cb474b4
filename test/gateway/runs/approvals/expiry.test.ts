import { expect } from 'chai';
import { DECISIONS, RUNS } from '../../../../src/gateway/runs/documents/stored.ts';
import type { Json } from '../../../support/memory/app.ts';
import { FaultPlan } from '../../../support/memory/faults.ts';
import { type RunsApp, runsApp, statesOf } from '../runsApp.ts';

const DELETE = { name: 'Desk__delete', args: { id: 1 } };
const LLM = { service: 'General_Chat', connection_name: 'up', model: 'm1' };
const DEFINITION = { runtime_type: 'BUILT_IN', llm: LLM };
const LIMIT = { approval_timeout_s: 600, agent_timeout: 60 };
/** A moment before the limit, and from there beyond it. */
const BEFORE_MS = 599_000;
const BEYOND_MS = 2000;
const REJECTED = ['model done', 'tool Desk__delete rejected', 'model done'];

describe('calls that nobody decides about in time', () => {
  let runs: RunsApp;
  beforeEach(async () => {
    runs = await runsApp();
    runs.app.user('auditor', { capabilities: ['list_ml_audit'] });
    runs.app.user('boss', { capabilities: ['use_ai_gateway', 'run_agents', 'admin_all_objects'] });
  });
  const pass = (ms: number) => runs.app.site.clock.advance(ms);
  const calledTools = () => runs.app.peers.calls.map(({ name }) => name);
  const decisions = (id: string) => runs.stored(DECISIONS).filter(({ run_id }) => run_id === id);
  const entries = async (action: string): Promise<Json[]> =>
    (await runs.app.call('auditor', 'GET', `/audit?family=runs&count=0&action=${action}`)).json.result;
  const approve = (id: string, step = 1, user = 'asker') =>
    runs.call('POST', `/${id}/approve`, { step, decision: 'approve' }, user);
  /** A run whose calls wait, whose limit has not come yet. */
  async function waiting(more: Json = {}, ofRun: Json = {}, calls = [DELETE]): Promise<string> {
    runs.turns.push(calls, 'it was not deleted');
    const id = await runs.start(ofRun, { ...LIMIT, ...more });
    expect((await runs.work(id)).state).to.equal('waiting_for_approval');
    pass(BEFORE_MS);
    expect((await runs.read(id)).steps[1]).to.not.have.property('decided_by');
    return id;
  }
  async function expired(...args: Parameters<typeof waiting>): Promise<string> {
    const id = await waiting(...args);
    pass(BEYOND_MS);
    return id;
  }

  it('are rejected: the model is told, and goes on with the time that it had', async () => {
    const id = await expired();
    const seen = await runs.read(id);
    expect(seen.steps[1]).to.include({ state: 'rejected', decided_by: 'expiry' });
    expect(seen.steps[1].output).to.equal(
      'rejected: Nobody decided within 600 seconds about a call that waited for approval',
    );
    const run = await runs.work(id);
    expect(run).to.include({ state: 'succeeded', output: 'it was not deleted' });
    expect(statesOf(run)).to.deep.equal(REJECTED);
    expect(runs.asked.at(-1)?.messages.at(-1)).to.include({ role: 'tool', content: seen.steps[1].output });
    expect(calledTools()).to.deep.equal([]);
    const [entry, ...more] = await entries('reject');
    expect(more).to.deep.equal([]);
    expect(entry).to.include({ user: 'asker', run_id: id, outcome: 'success', via: 'worker', name: '' });
  });

  const READERS: Record<string, (id: string) => Promise<unknown>> = {
    'a reader': (id) => runs.call('GET', `/${id}`),
    'a list': () => runs.call('GET', ''),
    'a list of an administrator': () => runs.call('GET', '', undefined, 'boss'),
    'a step': (id) => runs.step(id),
    'an approval': (id) => approve(id),
    'a run that others start': () =>
      runs
        .call('POST', '', { definition: DEFINITION, input: 'x', worker: 'caller' }, 'other')
        .then(() => runs.app.site.afterReplies()),
  };
  for (const [who, look] of Object.entries(READERS)) {
    it(`are rejected by ${who}, whoever comes first`, async () => {
      const id = await expired();
      await look(id);
      expect(decisions(id).map(({ decision, decided_by }) => [decision, decided_by])).to.deep.equal([
        ['reject', 'expiry'],
      ]);
      expect(statesOf(await runs.work(id))).to.deep.equal(REJECTED);
    });
  }

  it('can be approved no more, although nobody has looked', async () => {
    const id = await expired();
    const late = await approve(id);
    expect([late.status, late.json.error_code]).to.deep.equal([400, 'invalid_state']);
    expect(statesOf(await runs.work(id))).to.deep.equal(REJECTED);
    expect(calledTools()).to.deep.equal([]);
    const inTime = await waiting();
    expect((await approve(inTime)).status).to.equal(200);
    pass(BEYOND_MS);
    runs.turns.splice(0, Number.POSITIVE_INFINITY, 'deleted');
    expect(await runs.work(inTime)).to.include({ state: 'succeeded' });
    expect(calledTools()).to.deep.equal(['delete']);
  });

  it('can be approved no more where the limit passes while the server is asked', async () => {
    const id = await waiting();
    const { tools } = runs.app.peers;
    Object.defineProperty(runs.app.peers, 'tools', {
      get: () => {
        pass(BEYOND_MS);
        return tools;
      },
    });
    const late = await approve(id);
    expect([late.status, late.json.error_code]).to.deep.equal([400, 'invalid_state']);
    expect(late.json.message).to.match(/^Nobody decided within 600 seconds/);
    expect(statesOf(await runs.work(id))).to.deep.equal(REJECTED);
  });

  it('cancel the run where the agent says so', async () => {
    const id = await expired({ on_approval_timeout: 'cancel' });
    const run = await runs.read(id);
    expect(run).to.include({
      state: 'cancelled',
      message: 'Nobody decided within 600 seconds about a call that waited for approval',
    });
    expect(run.steps[1]).to.include({ decided_by: 'expiry' });
    expect(await runs.read(id)).to.deep.equal(run);
    const [entry, ...more] = await entries('cancel');
    expect([entry?.user, entry?.run_id, more]).to.deep.equal(['asker', id, []]);
    expect((await approve(id)).json.error_code).to.equal('invalid_state');
    await runs.app.gateway.usage.flush();
    const told = runs.app.events.filter(({ sourcetype }) => sourcetype === 'ml_extension:run');
    expect(told.at(-1)?.event).to.include({ state: 'cancelled' });
  });

  it('are those alone that have waited so long', async () => {
    const id = await waiting({ approve_tools: 'always' }, {}, [
      DELETE,
      DELETE,
      { name: 'Desk__echo', args: { text: 'a' } as Json as never },
    ]);
    expect((await approve(id, 3)).status).to.equal(200);
    runs.app.peers.tools = runs.app.peers.tools.map((tool) =>
      tool.name === 'delete' ? { ...tool, description: 'Deletes it for good' } : tool,
    );
    expect((await approve(id, 2)).json.warnings).to.have.length(1);
    pass(BEYOND_MS);
    const { steps, state } = await runs.read(id);
    expect(state).to.equal('waiting_for_approval');
    expect(steps.map((step: Json) => [step.state, step.decided_by])).to.deep.equal([
      ['done', undefined],
      ['waiting', 'expiry'],
      // It was shown anew.
      ['waiting', undefined],
      ['waiting', 'asker'],
    ]);
    pass(BEFORE_MS);
    const run = await runs.work(id);
    expect(statesOf(run)).to.deep.equal([
      ...['model done', 'tool Desk__delete rejected', 'tool Desk__delete rejected', 'tool Desk__echo done'],
      'model done',
    ]);
  });

  it('may be calls whose outcome nobody knows', async () => {
    runs.turns.push([DELETE], 'so be it');
    const id = await runs.start({}, { ...LIMIT, approve_tools: 'never' });
    await runs.step(id);
    await runs.step(id, new FaultPlan(20)).catch(() => undefined);
    pass(11_000);
    await runs.step(id);
    const { steps } = await runs.read(id);
    expect(steps[1].state).to.equal('unknown');
    pass(BEFORE_MS);
    expect((await runs.read(id)).steps[1]).to.include({ state: 'unknown' });
    pass(BEYOND_MS);
    expect((await runs.read(id)).steps[1]).to.include({ state: 'rejected', decided_by: 'expiry' });
    expect(await runs.work(id)).to.include({ state: 'succeeded', output: 'so be it' });
  });

  it('wait for as long as before without a limit, and never longer than 30 days', async () => {
    const id = await waiting({ approval_timeout_s: 0 });
    pass(29 * 86_400_000);
    expect((await runs.read(id)).state).to.equal('waiting_for_approval');
    runs.turns.length = 0;
    const limited = await waiting();
    pass(31 * 86_400_000);
    for (const one of [id, limited]) {
      const run = await runs.read(one);
      expect(run).to.include({ state: 'cancelled' });
      expect(run.message).to.contain('30 days');
    }
  });

  it('let the run go on with a search, of who looks', async () => {
    const dispatched = () => runs.app.searches.dispatched;
    runs.turns.push([DELETE], 'done');
    const definition = { ...DEFINITION, mcps: [{ name: 'Desk' }], ...LIMIT };
    const { json } = await runs.call('POST', '', { definition, input: 'question', wait_s: 0 });
    await runs.work(json.run_id);
    runs.app.searches.active.clear();
    expect(dispatched()).to.have.length(1);
    pass(BEFORE_MS + BEYOND_MS);
    await runs.call('GET', '', undefined, 'other');
    expect(dispatched()).to.have.length(1);
    await runs.call('GET', `/${json.run_id}`);
    expect(dispatched().map(({ user }) => user)).to.deep.equal(['asker', 'asker']);
    const list = (await runs.call('GET', '')).json.result;
    expect(list[0]).to.include({ state: 'waiting_for_approval' });
    expect(dispatched()).to.have.length(2);
    expect(await runs.work(json.run_id)).to.include({ state: 'succeeded' });
    expect(runs.stored(RUNS)[0]).to.not.have.any.keys('expires_at', 'waits_since');
  });

  it('let the run go on with a search when its user starts another one', async () => {
    runs.turns.push([DELETE], 'done');
    const definition = { ...DEFINITION, mcps: [{ name: 'Desk' }], ...LIMIT };
    const { json } = await runs.call('POST', '', { definition, input: 'question', wait_s: 0 });
    await runs.work(json.run_id);
    runs.app.searches.active.clear();
    pass(BEFORE_MS + BEYOND_MS);
    await runs.call('POST', '', { definition: DEFINITION, input: 'x', worker: 'caller' });
    await runs.app.site.afterReplies();
    const searches = runs.app.searches.dispatched.map(({ search }) => search);
    expect(searches).to.deep.equal(Array(2).fill(`| mlagent run_id="${json.run_id}"`));
  });
});

describe('calls that nobody decides about in time, seen by several at once', function () {
  this.timeout(60_000);
  let runs: RunsApp;

  async function expired(more: Json = {}): Promise<string> {
    runs = await runsApp();
    runs.app.user('auditor', { capabilities: ['list_ml_audit'] });
    runs.turns.push([DELETE, DELETE], 'done', 'done', 'done');
    const id = await runs.start({}, { ...LIMIT, ...more });
    await runs.work(id);
    runs.app.site.clock.advance(BEFORE_MS + BEYOND_MS);
    return id;
  }
  const decisions = () => runs.stored(DECISIONS).map(({ decision, decided_by }) => `${decision} ${decided_by}`);
  async function entries(): Promise<unknown[]> {
    const { json } = await runs.app.call('auditor', 'GET', '/audit?family=runs&count=0');
    const decided = json.result.filter(({ action }: Json) => action === 'reject' || action === 'cancel');
    return decided.map(({ action, outcome }: Json) => `${action} ${outcome}`);
  }
  const get = (id: string, faults?: FaultPlan) =>
    runs.app.request({ method: 'GET', path: `/ai_gateway/runs/${id}`, sessionToken: 'asker' }, faults);

  for (const [how, decided, count] of [
    ['reject', 'reject expiry', 2],
    ['cancel', 'cancel expiry', 1],
  ] as const) {
    it(`lead to one decision for each (${how})`, async () => {
      const id = await expired({ on_approval_timeout: how });
      const approval = runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' });
      await Promise.all([get(id), get(id), runs.step(id), approval, runs.call('GET', ''), get(id)]);
      expect((await approval).json.error_code).to.equal('invalid_state');
      expect(decisions()).to.deep.equal(Array(count).fill(decided));
      expect(await entries()).to.deep.equal(Array(count).fill(`${how} success`));
      const run = await runs.work(id);
      expect(run.state).to.equal(how === 'cancel' ? 'cancelled' : 'succeeded');
    });

    it(`lead to one decision for each, whenever the other one comes (${how})`, async () => {
      for (let at = 1; ; at += 1) {
        const id = await expired({ on_approval_timeout: how });
        const faults = new FaultPlan(at, () => get(id));
        await get(id, faults);
        if (faults.calls < at) break;
        const where = faults.trace.slice(0, at).join(', ');
        expect(decisions(), where).to.deep.equal(Array(count).fill(decided));
        expect(await entries(), where).to.deep.equal(Array(count).fill(`${how} success`));
      }
    });

    for (const mode of ['crash', 'refused', 'lost'] as const) {
      it(`lead to one decision for each, whatever call of the store fails (${how}, ${mode})`, async () => {
        for (let at = 1; ; at += 1) {
          const id = await expired({ on_approval_timeout: how });
          const faults = new FaultPlan(at, mode);
          await get(id, faults).catch(() => undefined);
          if (faults.calls < at) break;
          // The lease of a process that died is no reason to wait.
          expect((await get(id)).status, faults.trace.join(', ')).to.equal(200);
          // Longer than a lease.
          runs.app.site.clock.advance(11_000);
          const run = await runs.work(id);
          const where = faults.trace.slice(0, at).join(', ');
          expect(run.state, where).to.equal(how === 'cancel' ? 'cancelled' : 'succeeded');
          expect(decisions(), where).to.deep.equal(Array(count).fill(decided));
          const successes = (await entries()).filter((entry) => entry === `${how} success`);
          expect(successes.length, where).to.be.within(count - 1, count);
        }
      });
    }
  }

  it('leave a decision that a person made in time, whoever stores theirs first', async () => {
    for (let at = 1; ; at += 1) {
      const id = await expired();
      // A person on a member whose clock is behind.
      const person = async () => {
        runs.app.site.clock.advance(-BEYOND_MS);
        const { status } = await runs.call('POST', `/${id}/approve`, { step: 1, decision: 'approve' });
        runs.app.site.clock.advance(BEYOND_MS);
        return status;
      };
      let status = 0;
      const faults = new FaultPlan(at, async () => {
        status = await person();
      });
      await get(id, faults);
      if (faults.calls < at) break;
      const run = await runs.work(id);
      const where = faults.trace.slice(0, at).join(', ');
      expect(run.steps[1], where).to.include(
        status === 200 ? { state: 'done', decided_by: 'asker' } : { state: 'rejected', decided_by: 'expiry' },
      );
      expect(decisions(), where).to.have.length(2);
    }
  });
});
