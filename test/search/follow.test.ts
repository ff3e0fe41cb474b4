import { expect } from 'chai';
import { Fault } from '../../src/contract/codes/faults.ts';
import type { AgentsApi, ApiAnswer } from '../../src/ports/platform/ownApi.ts';
import { agentStatus } from '../../src/search/agentStatus.ts';
import { planOf } from '../../src/search/arguments.ts';
import { type Output, SearchError } from '../../src/search/command.ts';
import type { Row } from '../../src/search/rows.ts';
import { ManualClock } from '../support/memory/clock.ts';

const INFO = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };
const step = (more: Record<string, unknown> = {}): ApiAnswer => ({
  status: 200,
  body: {
    status: 'success',
    agent_name: 'triage',
    action: 'create',
    state: 'Creating',
    previous_state: 'Creating',
    runtime_id: 'r-1',
    runtime_status: 'CREATING',
    attempt: 1,
    elapsed_ms: 10,
    done: 0,
    outcome: '',
    error_code: '',
    message: 'being created',
    ...more,
  },
});
const READY = { state: 'Available', runtime_status: 'READY', done: 1, outcome: 'success', message: 'available' };
const refusal = (status: number, error_code: string, more = {}): ApiAnswer => ({
  status,
  body: { status: 'fail', error_code, message: `because ${error_code}`, ...more },
});

describe('agentstatus', () => {
  let clock: ManualClock;
  let asked: number[];
  let answers: (() => ApiAnswer | Promise<ApiAnswer>)[];
  const api: AgentsApi = {
    list: async () => (answers.shift() ?? expect.fail('one call too many'))(),
    read: async () => (answers.shift() ?? expect.fail('one call too many'))(),
    follow: async () => {
      asked.push(clock.now());
      const next = answers.length > 1 ? answers.shift() : answers[0];
      return (next ?? expect.fail('no answer'))();
    },
  };

  beforeEach(() => {
    clock = new ManualClock();
    asked = [];
    answers = [];
  });

  const unused = async () => expect.fail('not asked for');
  const start = (args: string, maxRows = INFO.maxRows) => {
    return planOf(agentStatus, args).generate(
      { ...INFO, maxRows },
      {
        agents: async () => api,
        health: unused,
        usage: unused,
        gateway: unused,
        models: unused,
        runs: unused,
        catalogue: unused,
        clock,
      },
    );
  };
  async function run(args: string): Promise<{ rows: Row[]; outputs: Output[]; messages: string[] }> {
    const outputs: Output[] = [];
    for await (const output of start(args)) outputs.push(output);
    expect(outputs.map((output) => output.last === true)).to.deep.equal(
      outputs.map((_, at) => at === outputs.length - 1),
    );
    const messages = outputs.flatMap((output) => output.messages ?? []).map(([level, text]) => `${level} ${text}`);
    return { rows: outputs.flatMap((output) => output.rows), outputs, messages };
  }
  const CREATE = 'agent_name=triage action=create';

  it('emits a row at start and end, and none without a change', async () => {
    answers = [
      () => step(),
      () => step({ attempt: 2 }),
      () => step({ attempt: 3 }),
      () => step({ attempt: 4, ...READY }),
    ];
    const { rows, messages } = await run(CREATE);
    expect(rows).to.have.length(2);
    expect(Object.keys(rows[0] ?? {})).to.deep.equal([
      '_time',
      'agent_name',
      'action',
      'state',
      'previous_state',
      'runtime_id',
      'runtime_status',
      'attempt',
      'elapsed_ms',
      'done',
      'outcome',
      'error_code',
      'message',
    ]);
    expect(rows[0]).to.include({ state: 'Creating', done: 0, outcome: '' });
    expect(rows[1]).to.include({ state: 'Available', previous_state: 'Creating', done: 1, outcome: 'success' });
    expect(messages).to.deep.equal([]);
    expect(asked).to.have.length(4);
  });

  it('emits a row on each change', async () => {
    answers = [
      () => step({ runtime_id: '', runtime_status: '' }),
      () => step({ runtime_id: 'r-1' }),
      () => step({ runtime_status: 'UPDATING' }),
      () => step({ runtime_status: 'UPDATING', error_code: 'timeout', message: 'no answer' }),
      () => step(READY),
    ];
    expect((await run(CREATE)).rows).to.have.length(5);
  });

  it('emits at least one row a minute, even while waiting for an answer', async () => {
    let calls = 0;
    answers = [
      () => step(),
      async () => {
        calls += 1;
        await clock.sleep(150_000);
        return step(READY);
      },
    ];
    const { rows } = await run(CREATE);
    const times = rows.map((row) => Number(row._time));
    expect(rows.length).to.be.at.least(4);
    for (const [at, time] of times.entries()) {
      if (at > 0) expect(time - (times[at - 1] ?? 0)).to.be.at.most(60.001);
    }
    expect(calls).to.equal(1);
    expect(Number(rows[1]?.elapsed_ms)).to.be.above(Number(rows[0]?.elapsed_ms));
  });

  it('backs off up to the interval, with jitter', async () => {
    answers = [...Array.from({ length: 12 }, () => () => step()), () => step(READY)];
    await run(`${CREATE} interval=10`);
    const waits = asked.slice(1).map((time, at) => time - (asked[at] ?? 0));
    expect(waits[0]).to.be.within(800, 1200);
    for (const [at, wait] of waits.entries()) {
      expect(wait).to.be.at.most(12_000);
      if (at > 0 && (waits[at - 1] ?? 0) < 8000) expect(wait).to.be.above(waits[at - 1] ?? 0);
    }
    expect(waits.at(-1)).to.be.above(7999);
  });

  it('reports a failure as a row and an ERROR message', async () => {
    const failed = {
      state: 'Failed',
      done: 1,
      outcome: 'fail',
      error_code: 'upstream_error',
      message: 'no such image',
    };
    answers = [() => step(), () => step(failed)];
    const { rows, messages } = await run(CREATE);
    expect(rows.at(-1)).to.include({ ...failed, previous_state: 'Creating' });
    expect(messages).to.deep.equal([
      'ERROR agentstatus: create of agent triage failed: no such image (upstream_error)',
    ]);
  });

  it('ends the search on timeout, but not the action', async () => {
    answers = [() => step()];
    const { rows, messages } = await run(`${CREATE} timeout=100`);
    expect(rows.at(-1)).to.include({ state: 'Creating', done: 1, outcome: 'fail', error_code: 'timeout' });
    expect(messages).to.have.length(1);
    const took = Number(rows.at(-1)?._time) - Number(rows[0]?._time);
    expect(took).to.be.within(99.9, 100.1);
  });

  it('ends the search on timeout without an answer', async () => {
    answers = [() => new Promise(() => {})];
    const { rows } = await run(`${CREATE} timeout=70`);
    expect(rows).to.have.length(2);
    expect(rows[0]).to.include({ state: '', done: 0, message: 'Waiting for an answer' });
    expect(rows.at(-1)).to.include({ error_code: 'timeout', done: 1 });
  });

  it('reports platform errors and retries with longer pauses', async () => {
    answers = [
      () => step(),
      () => refusal(503, 'store_unavailable'),
      () => {
        throw new Fault('store_unavailable', 'no platform');
      },
      () => refusal(500, 'internal_error'),
      () => step(READY),
    ];
    const { rows, messages } = await run(CREATE);
    expect(rows.map((row) => row.error_code)).to.deep.equal([
      '',
      'store_unavailable',
      'store_unavailable',
      'internal_error',
      '',
    ]);
    expect(rows.slice(0, 4).every((row) => row.state === 'Creating' && row.done === 0)).to.equal(true);
    expect(messages).to.deep.equal([]);
    const waits = asked.slice(1).map((time, at) => time - (asked[at] ?? 0));
    expect(waits[2]).to.be.above((waits[1] ?? 0) * 1.5);
  });

  for (const [what, answer, code] of [
    ['an agent that is not there', refusal(404, 'not_found'), 'not_found'],
    ['a session that has ended', { status: 401, body: { messages: [] } }, 'not_authenticated'],
    ['a refusal', refusal(403, 'missing_capability'), 'missing_capability'],
  ] as [string, ApiAnswer, string][]) {
    it(`ends at once on ${what}`, async () => {
      answers = [() => answer];
      const { rows, messages } = await run(CREATE);
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({ agent_name: 'triage', done: 1, outcome: 'fail', error_code: code });
      expect(messages[0]).to.match(/^ERROR /);
    });
  }

  it('treats a missing agent as deleted while following a deletion', async () => {
    const deleting = { action: 'delete', state: 'Deleting', previous_state: 'Available' };
    answers = [() => step(deleting), () => refusal(404, 'not_found')];
    const { rows, messages } = await run('agent_name=triage action=delete');
    expect(rows.at(-1)).to.include({
      state: 'Deleted',
      previous_state: 'Deleting',
      done: 1,
      outcome: 'success',
      error_code: '',
    });
    expect(messages).to.deep.equal([]);
  });

  it('reports transitions as this search saw them', async () => {
    answers = [() => step(), () => step({ ...READY, previous_state: 'Available' })];
    expect((await run(CREATE)).rows.at(-1)).to.include({ state: 'Available', previous_state: 'Creating' });
  });

  const agent = (name: string, state: string, more = {}) => ({
    name,
    state,
    versions: [{ runtime_params: { runtime_id: `r-${name}` } }],
    tracking: { job_id: null, action: 'create', started_at: clock.seconds() - 5, last_polled_at: null, attempts: 3 },
    ...more,
  });

  it('emits one row of the record for agent_name alone', async () => {
    answers = [() => ({ status: 200, body: { config: agent('triage', 'Failed', { state_reason: 'why' }) } })];
    const { rows, messages } = await run('agent_name = "triage"');
    expect(rows).to.have.length(1);
    expect(rows[0]).to.include({
      agent_name: 'triage',
      state: 'Failed',
      runtime_id: 'r-triage',
      done: 1,
      outcome: 'fail',
      message: 'why',
    });
    expect(messages).to.deep.equal([]);
    expect(asked).to.deep.equal([]);
    answers = [() => refusal(404, 'not_found')];
    expect((await run('agent_name=gone')).rows[0]).to.include({ agent_name: 'gone', error_code: 'not_found' });
  });

  it('lists all readable agents in chunks without arguments', async () => {
    const all = [agent('a', 'Creating'), agent('b', 'Available'), agent('c', 'Delete Failed')];
    const list = () => ({ status: 200, body: { result: all } });
    answers = [list];
    const { rows } = await run('');
    expect(rows.map((row) => [row.agent_name, row.state, row.done, row.outcome])).to.deep.equal([
      ['a', 'Creating', 0, ''],
      ['b', 'Available', 1, 'success'],
      ['c', 'Delete Failed', 1, 'fail'],
    ]);
    expect(rows[0]).to.include({ elapsed_ms: 5000, attempt: 3 });
    answers = [list];
    const sizes: number[] = [];
    for await (const output of start('', 2)) sizes.push(output.rows.length);
    expect(sizes).to.deep.equal([2, 1]);
    answers = [() => ({ status: 200, body: { result: [] } })];
    expect([...(await run2(''))]).to.deep.equal([]);
  });

  it('reads all pages of the list without arguments', async () => {
    const tracking = { action: 'create', started_at: 1, last_polled_at: 2, attempts: 3 };
    const page = (from: number, next_offset: number | null) => () => ({
      status: 200,
      body: {
        result: [from, from + 1].map((n) => ({ name: `a${n}`, state: 'Available', tracking })),
        pagination: { next_offset },
      },
    });
    answers = [page(0, 2), page(2, 4), page(4, null)];
    const { rows } = await run('');
    expect(rows.map(({ agent_name }) => agent_name)).to.deep.equal(['a0', 'a1', 'a2', 'a3', 'a4', 'a5']);
  });
  async function run2(args: string): Promise<Row[]> {
    const rows: Row[] = [];
    for await (const output of start(args)) rows.push(...output.rows);
    return rows;
  }

  for (const args of [
    'action=create',
    'timeout=5',
    'agent_name=triage action=run',
    'agent_name=triage action=""',
    'agent_name=triage timeout=5',
    'agent_name=triage action=create timeout=0',
    'agent_name=triage action=create timeout=1e3',
    'agent_name=triage action=create timeout=-1',
    'agent_name=triage action=create interval=0',
    'agent_name=triage action=create interval=61',
    'agent_name=triage action=create interval=NaN',
    'agent_name="a b" action=create',
    'agent_name="../x"',
    'agent_name="a%2fb"',
    'agent_name="a\\"|delete"',
    `agent_name=${'a'.repeat(49)}`,
    'owner=admin agent_name=triage',
    'session_key=x agent_name=triage',
  ]) {
    it(`refuses ${args.slice(0, 60)} before any call`, () => {
      expect(() => start(args)).to.throw(SearchError);
      expect(asked).to.deep.equal([]);
    });
  }
});
