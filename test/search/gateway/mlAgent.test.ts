import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import type { ApiAnswer, RunsApi } from '../../../src/ports/platform/ownApi.ts';
import { planOf } from '../../../src/search/arguments.ts';
import type { CommandParts, Output, RowSource, RowTransform } from '../../../src/search/command.ts';
import { mlAgent } from '../../../src/search/gateway/agent/mlAgent.ts';
import type { Row } from '../../../src/search/rows.ts';
import { ManualClock } from '../../support/memory/clock.ts';
import { searchErrorOf, tableOf } from './fakeGateway.ts';

type Json = Record<string, unknown>;
const INFO = { sessionKey: 'key', serverUri: 'https://127.0.0.1:8089', sid: '', maxRows: 50_000 };

/** Runs whose steps are answered from a list; the last answer stays. */
class FakeRuns implements RunsApi {
  readonly started: Json[] = [];
  readonly cancelled: string[] = [];
  atOnce = 0;
  mostAtOnce = 0;
  /** States after each step, by input. */
  states: Record<string, string[]> = {};
  final: (input: string) => Json = (input) => ({ output: `re: ${input}` });
  refuseStep: (id: string) => ApiAnswer | undefined = () => undefined;
  readonly #taken = new Map<string, number>();

  async start(body: Json): Promise<ApiAnswer> {
    this.started.push(body);
    this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
    const id = String(this.started.length);
    return { status: 200, body: { run_id: id, state: 'queued' } };
  }

  async step(id: string): Promise<ApiAnswer> {
    const refusal = this.refuseStep(id);
    if (refusal) return refusal;
    await new Promise(setImmediate);
    const taken = this.#taken.get(id) ?? 0;
    this.#taken.set(id, taken + 1);
    const states = this.#statesOf(id);
    const state = states[Math.min(taken, states.length - 1)] as string;
    if (state !== 'running') this.atOnce -= 1;
    const next_run_id = state === 'running' ? undefined : this.nextRuns[id];
    return {
      status: 200,
      body: { run_id: id, state, step: { index: taken, kind: 'model', state: 'done' }, next_run_id },
    };
  }

  async read(id: string): Promise<ApiAnswer> {
    const state = this.#statesOf(id).at(-1);
    return {
      status: 200,
      body: { config: { user: 'anna', state, steps: [{}, {}], ...this.final(this.#inputOf(id)) } },
    };
  }

  /** The run that a worker is told to go on with, by the run that it leaves. */
  nextRuns: Record<string, string> = {};

  readonly handedOver: string[] = [];
  refuseHandOver = false;
  async handOver(user: string, id: string): Promise<string> {
    if (this.refuseHandOver)
      throw new Fault('store_unavailable', 'The platform answered 503 to the search: too many searches');
    this.handedOver.push(`${user} ${id}`);
    return `sid_${id}`;
  }

  async cancel(id: string): Promise<ApiAnswer> {
    this.cancelled.push(id);
    return { status: 200, body: {} };
  }

  #inputOf = (id: string): string => String(this.started[Number(id) - 1]?.input ?? '');
  #statesOf = (id: string): string[] => this.states[this.#inputOf(id)] ?? ['running', 'succeeded'];
}

describe('mlagent', () => {
  let runs: FakeRuns;
  let clock: ManualClock;
  beforeEach(() => {
    runs = new FakeRuns();
    clock = new ManualClock();
  });
  const unused = async () => expect.fail('not asked for');
  const parts = (): CommandParts => ({
    ...{ agents: unused, health: unused, usage: unused, gateway: unused, models: unused, catalogue: unused, clock },
    runs: async () => runs,
  });
  async function run(args: string, rows: Row[], signal = new AbortController().signal) {
    const step = (planOf(mlAgent, args) as RowTransform).start(INFO, parts());
    const output = (await step.next(tableOf(rows), { isLast: true, signal })) as Output;
    return { rows: output.rows, warnings: (output.messages ?? []).map(([, text]) => text) };
  }
  const worker = () => planOf(mlAgent, 'run_id=1') as RowSource;
  const texts = (...all: string[]): Row[] => all.map((text) => ({ text }));

  it('runs an agent for each row, three at a time and in order', async () => {
    const { rows } = await run('agent=triage input="{text}?"', texts('a', 'b', 'c', 'd', 'e'));
    expect(rows.map((row) => row.answer)).to.deep.equal(['re: a?', 're: b?', 're: c?', 're: d?', 're: e?']);
    expect(rows[0]).to.include({ text: 'a', answer_state: 'succeeded', answer_steps: 2, answer_error: '' });
    expect(runs.mostAtOnce).to.equal(3);
    expect(runs.started[0]).to.deep.equal({ agent: 'triage', input: 'a?', worker: 'caller', wait_s: 0 });
  });

  it('writes the fields of a typed answer, but none that is its own or begins with _; a failed row has them empty', async () => {
    runs.states = { fails: ['failed'] };
    const properties = { severity: {}, hosts: {}, detail: {}, answer: {}, answer_state: {}, _raw: {}, missing: {} };
    const definition = { output_schema: { type: 'object', properties } };
    const object = {
      ...{ severity: 'high', hosts: ['a', 'b'], detail: { n: 1 }, answer: 'mine', answer_state: 'odd', _raw: 'x' },
      ...{ more: 2, done: true },
    };
    runs.final = (input) =>
      input === 'fails' ? { definition, error_code: 'invalid_structured_output' } : { definition, output: object };
    const rows = [
      { text: 'fine', severity: 'before', _raw: 'kept' },
      { text: 'fails', severity: 'before', _raw: 'kept' },
    ];
    const [fine, failed] = (await run('agent=triage input="{text}"', rows)).rows as [Row, Row];
    expect(fine).to.deep.include({
      ...{ answer: JSON.stringify(object), answer_state: 'succeeded', severity: 'high', hosts: ['a', 'b'] },
      ...{ detail: '{"n":1}', more: '2', done: 'true', missing: '', _raw: 'kept' },
    });
    expect(failed).to.include({ answer: '', answer_error: 'invalid_structured_output', severity: '', _raw: 'kept' });
    expect(failed).to.not.have.property('more');
  });

  it('says of each row why it has no answer', async () => {
    runs.states = { waits: ['waiting_for_approval'], fails: ['failed'] };
    runs.final = (input) => (input === 'fails' ? { error_code: 'step_limit', message: 'too many' } : { output: 'x' });
    const { rows, warnings } = await run('agent=triage input="{text}" output=said', [
      ...texts('waits', 'fails', 'fine'),
      { other: 'x' },
    ]);
    expect(rows.map((row) => row.said_error)).to.deep.equal([
      'waiting_for_approval',
      'step_limit',
      '',
      'missing_field',
    ]);
    expect(rows[0]).to.include({ said_state: 'waiting_for_approval', said_run_id: '1' });
    expect(warnings).to.deep.equal(['mlagent: 2 rows failed: step_limit 1, missing_field 1']);
  });

  it("lists the claims of an answer that were not found in the run's data", async () => {
    const entities = [
      { text: '203.0.113.77', kind: 'ipv4', status: 'unverified', by: [], why: 'not in the input or in a result' },
      { text: 'a$b', kind: 'user', status: 'unverified', by: [] },
      { text: 'db-3', kind: 'host', status: 'backed', by: [{ step: 1, field: 'host' }] },
    ];
    const evidence: Record<string, Json | undefined> = {
      invents: { checked: 3, backed: 1, derived: 0, unverified: 2, entities },
      finds: { checked: 1, backed: 1, derived: 0, unverified: 0, entities: entities.slice(2) },
      hangs: { error_code: 'timeout' },
    };
    runs.final = (input) => ({ output: `re: ${input}`, evidence: evidence[input] });
    const { rows } = await run('agent=triage input="{text}" output=said', [
      ...texts('invents', 'finds', 'hangs', 'plain'),
      { other: 'not asked about' },
    ]);
    expect(rows.map((row) => row.said_unverified)).to.deep.equal([['203.0.113.77', 'a$b'], '', '', '', '']);
  });

  it('gives no answer whose claims fail the run, but lists them beside the error', async () => {
    runs.states = { invents: ['failed'] };
    const entities = [{ text: '203.0.113.77', kind: 'ipv4', status: 'unverified', by: [] }];
    const failed = { error_code: 'unverified_claims', message: '1 claim was not found', output: 'from 203.0.113.77' };
    runs.final = (input) => (input === 'invents' ? { ...failed, evidence: { unverified: 1, entities } } : {});
    const { rows } = await run('agent=triage input="{text}"', texts('invents', 'fine'));
    expect(rows[0]).to.deep.include({
      ...{ answer: '', answer_state: 'failed', answer_error: 'unverified_claims' },
      ...{ answer_error_message: '1 claim was not found', answer_unverified: ['203.0.113.77'] },
    });
  });

  it('fails no search for a run that waits, or for rows beyond max_rows', async () => {
    runs.states = { waits: ['waiting_for_approval'], fails: ['failed'] };
    runs.final = () => ({ error_code: 'step_limit', message: 'too many' });
    expect((await run('agent=triage input="{text}"', texts('waits', 'fails'))).rows).to.have.length(2);
    expect(await searchErrorOf(run('agent=triage input="{text}"', texts('fails')))).to.contain('all 1 rows failed');
    const { rows } = await run('agent=triage input="{text}" max_rows=1 on_error=fail', texts('waits', 'fails'));
    expect(rows.map(({ answer_error }) => answer_error)).to.deep.equal(['waiting_for_approval', 'max_rows']);
  });

  it('ends with the search: runs that have not ended are cancelled', async () => {
    runs.states = { a: ['running'] };
    const abort = new AbortController();
    const running = run('agent=triage input="{text}"', texts('a'), abort.signal);
    await new Promise((resolve) => setTimeout(resolve, 20));
    abort.abort();
    await running;
    expect(runs.cancelled).to.deep.equal(['1']);
  });

  it('does not await a step that is under way: of a cancelled search, or beyond the timeout of a row', async () => {
    const { promise: isStepping, resolve } = Promise.withResolvers<void>();
    runs.step = () => {
      resolve();
      return new Promise(() => {});
    };
    const abort = new AbortController();
    const running = run('agent=triage input="{text}"', texts('a'), abort.signal);
    await isStepping;
    abort.abort();
    await running;
    expect(runs.cancelled).to.deep.equal(['1']);
    runs.states = { b: ['running'] };
    const late = await searchErrorOf(run('agent=triage input="{text}" timeout=1', texts('b')));
    expect(late).to.contain('The run 2 takes longer than timeout=1. It goes on in the search sid_2');
    expect(runs.handedOver).to.deep.equal(['anna 2']);
    runs.refuseHandOver = true;
    runs.states = { c: ['running'] };
    const refused = await searchErrorOf(run('agent=triage input="{text}" timeout=1', texts('c')));
    expect(refused).to.contain('too many searches).').and.to.contain('Run | mlagent run_id=3');
    expect(runs.cancelled).to.deep.equal(['1']);
  });

  it('tries a step again that found no slot, and fails a row that may not be stepped', async () => {
    let refusals = 30;
    runs.refuseStep = () => (refusals-- > 0 ? { status: 429, body: { message: 'full' }, retryAfter: 1 } : undefined);
    const { rows } = await run('agent=triage input="{text}"', texts('a'));
    expect(rows[0]?.answer).to.equal('re: a');
    runs.refuseStep = () => ({ status: 403, body: { message: 'no right' } });
    expect(await searchErrorOf(run('agent=triage input="{text}"', texts('a')))).to.contain('no right');
  });

  it('is the worker of one run, with a row for each step', async () => {
    runs.started.push({ input: 'x' });
    const rows: Row[] = [];
    for await (const output of worker().generate(INFO, parts())) rows.push(...output.rows);
    expect(rows.map(({ run_id, state, index }) => [run_id, state, index])).to.deep.equal([
      ['1', 'running', 0],
      ['1', 'succeeded', 1],
    ]);
    expect(() => planOf(mlAgent, 'run_id=1 agent=triage')).to.throw('no other argument');
  });

  it('goes on with the run that it is told when its run is idle, and ends with one that it may not step', async () => {
    runs.started.push({ input: 'x' }, { input: 'b' }, { input: 'c' }, { input: 'd' });
    runs.nextRuns = { 1: '4', 4: '3' };
    const taken: unknown[] = [];
    runs.refuseStep = (id) => (id === '3' ? { status: 403, body: { message: 'a search is due' } } : undefined);
    for await (const { rows } of worker().generate(INFO, parts())) {
      taken.push(...rows.map(({ run_id, state }) => [run_id, state]));
    }
    expect(taken).to.deep.equal([
      ['1', 'running'],
      ['1', 'succeeded'],
      ['4', 'running'],
      ['4', 'succeeded'],
    ]);
  });

  it('waits for a step that another process takes of a run that waited for a person', async () => {
    const answers = [
      { state: 'waiting_for_approval', busy: true },
      { state: 'succeeded', step: { index: 1 } },
    ];
    runs.step = async () => ({ status: 200, body: answers.shift() ?? {} });
    const rows: Row[] = [];
    for await (const output of worker().generate(INFO, parts())) rows.push(...output.rows);
    expect(rows.map(({ state, index }) => [state, index])).to.deep.equal([['succeeded', 1]]);
  });
});
