import { expect } from 'chai';

interface Step {
  index: number;
  kind: string;
  state: string;
  started_at: number;
  duration_ms?: number;
}
interface Run {
  started_at: number;
  ended_at?: number;
  steps: readonly Step[];
}
interface Spans {
  lengthOf(run: Run, now: number): number;
  spanOf(run: Run, step: Step, total: number): { from: number; length: number };
  sharesOf(run: Run, total: number): Map<string, number>;
}
interface Decisions {
  decisionBody(
    step: { index: number; input?: object },
    decision: 'approve' | 'reject',
    input: { args: string; result: string; comment: string },
  ): { body: object } | { problem: string };
  waitsUntil(run: { definition: object }, step: { state: string; started_at: number }): number | undefined;
  overtakenWords(run: object | undefined, step: { index: number; name?: string }, user?: string): string;
}
interface Words {
  deciderWords(decided_by: string): string;
}
interface Format {
  durationWords(ms: number): string;
}
interface Form {
  runBody(agent: string, values: Record<string, unknown>): object;
  valuesOfRun(run: { input: unknown; session_id?: string }): object;
}

// The types of the pages are compiled separately.
const load = (name: string) => import(new URL(`../../../console/${name}.ts`, import.meta.url).href);
const { lengthOf, spanOf, sharesOf } = (await load('views/agents/runs/spans')) as Spans;
const { decisionBody, overtakenWords, waitsUntil } = (await load('parts/runs/decision')) as Decisions;
const { deciderWords } = (await load('parts/runs/words')) as Words;
const { durationWords } = (await load('parts/text/format')) as Format;
const { runBody, valuesOfRun } = (await load('views/agents/runs/form')) as Form;

const step = (index: number, kind: string, started_at: number, duration_ms?: number, state = 'done'): Step => ({
  ...{ index, kind, state, started_at },
  ...(duration_ms === undefined ? {} : { duration_ms }),
});

describe('the time of a run in the console', () => {
  it('lasts until its end, until now, or until a step that the clock of the browser does not know yet', () => {
    const steps = [step(0, 'model', 100, 2000)];
    expect(lengthOf({ started_at: 100, ended_at: 107, steps }, 500)).to.equal(7000);
    expect(lengthOf({ started_at: 100, steps }, 104)).to.equal(4000);
    expect(lengthOf({ started_at: 100, steps }, 90)).to.equal(2000);
  });

  it('has each step within the run, and a step under way until its end', () => {
    const run = { started_at: 100, steps: [] };
    expect(spanOf(run, step(1, 'tool', 101, 500), 4000)).to.deep.equal({ from: 1000, length: 500 });
    expect(spanOf(run, step(1, 'tool', 103), 4000)).to.deep.equal({ from: 3000, length: 1000 });
    expect(spanOf(run, step(1, 'tool', 90, 500), 4000).from).to.equal(0);
    expect(spanOf(run, step(1, 'tool', 200, 500), 4000)).to.deep.equal({ from: 4000, length: 0 });
  });

  it('is shared by kind; calls side by side count once, and waiting is neither', () => {
    const steps = [
      step(0, 'model', 100, 1000),
      step(1, 'tool', 101, 2000),
      step(2, 'tool', 101.5, 1000),
      step(3, 'tool', 103, undefined, 'waiting'),
    ];
    expect([...sharesOf({ started_at: 100, steps }, 10_000)]).to.deep.equal([
      ['model', 1000],
      ['tool', 2000],
      ['between', 7000],
    ]);
  });
});

describe('a duration in the console', () => {
  it('has at most two units', () => {
    const texts = [12.4, 999, 1200, 59_900, 60_000, 125_000, 2_007_300, 4_320_000].map(durationWords);
    expect(texts).to.deep.equal([
      ...['12 ms', '999 ms', '1.2 s', '59.9 s', '1 min 0 s', '2 min 5 s', '33 min 27 s', '1 h 12 min'],
    ]);
  });
});

describe('a decision about a call in the console', () => {
  const waiting = { index: 1, input: { host: 'web1', size: 1 } };
  const input = { args: JSON.stringify(waiting.input, null, 2), result: '', comment: '' };
  const bodyOf = (...args: Parameters<Decisions['decisionBody']>) => decisionBody(...args);

  it('sends arguments only if they were changed', () => {
    const approved = { body: { step: 1, decision: 'approve' } };
    expect(bodyOf(waiting, 'approve', input)).to.deep.equal(approved);
    expect(bodyOf(waiting, 'approve', { ...input, args: '{"host":"web1","size":1}' })).to.deep.equal(approved);
    const edited = bodyOf(waiting, 'approve', { ...input, args: '{"host":"web2"}' });
    expect(edited).to.deep.equal({ body: { step: 1, decision: 'approve', arguments: { host: 'web2' } } });
  });

  it('sends a result instead, and a comment with a rejection alone', () => {
    const given = { ...input, result: 'done by hand', comment: ' not today ' };
    expect(bodyOf(waiting, 'approve', given)).to.deep.equal({
      body: { step: 1, decision: 'approve', result: 'done by hand' },
    });
    expect(bodyOf(waiting, 'reject', given)).to.deep.equal({
      body: { step: 1, decision: 'reject', comment: 'not today' },
    });
  });

  it('says what is wrong with arguments', () => {
    for (const args of ['', '[1]', '{"host"', 'null'])
      expect(bodyOf(waiting, 'approve', { ...input, args }), args).to.have.property(
        'problem',
        'The arguments must be a JSON object',
      );
    expect(bodyOf(waiting, 'approve', { ...input, args: '{}', result: 'x' })).to.have.property('problem');
  });

  it('says who was faster', () => {
    const call = { index: 1, name: 'Desk__restart' };
    const decided = { state: 'running', steps: [{ index: 1, state: 'rejected', decided_by: 'bob' }] };
    expect(overtakenWords(decided, call, 'anna')).to.match(/^bob has decided about the call of Desk__restart already/);
    expect(overtakenWords(decided, call, 'bob')).to.match(/^You have decided/);
    const expired = { state: 'running', steps: [{ index: 1, state: 'rejected', decided_by: 'expiry' }] };
    expect(overtakenWords(expired, call, 'anna')).to.match(
      /^Nobody decided about the call of Desk__restart in time. It is rejected./,
    );
    expect(overtakenWords({ state: 'cancelled', steps: [] }, call)).to.equal(
      'Your decision was not taken: the run is cancelled.',
    );
    expect(overtakenWords(undefined, call)).to.match(/^The run was deleted/);
  });
});

describe('the time until which a call waits, in the console', () => {
  const definition = { runtime_type: 'BUILT_IN', approval_timeout_s: 600 };
  it('is known where the agent has a limit', () => {
    expect(waitsUntil({ definition }, { state: 'waiting', started_at: 1000 })).to.equal(1600);
    expect(waitsUntil({ definition }, { state: 'unknown', started_at: 1000 })).to.equal(undefined);
    for (const other of [{ approval_timeout_s: 0 }, { approval_timeout_s: undefined }, { runtime_type: 'CONTAINER' }])
      expect(waitsUntil({ definition: { ...definition, ...other } }, { state: 'waiting', started_at: 1 })).to.equal(
        undefined,
      );
  });

  it('is over where nobody has decided', () => {
    expect(deciderWords('expiry')).to.equal('nobody decided in time');
    expect(deciderWords('bob')).to.equal('decided by bob');
  });
});

describe('the form of a run in the console', () => {
  it('sends text as text, and JSON as an object', () => {
    expect(runBody('a', { input: '{"x":1}', format: 'text' })).to.deep.equal({
      agent: 'a',
      input: '{"x":1}',
      wait_s: 0,
    });
    expect(runBody('a', { input: '{"x":1}', format: 'json', session_id: 's' })).to.deep.equal({
      ...{ agent: 'a', input: { x: 1 }, session_id: 's' },
      wait_s: 0,
    });
    for (const text of ['[1]', '{', '1'])
      expect(() => runBody('a', { input: text, format: 'json' }), text).to.throw('The input is not a JSON object');
  });

  it('is filled with the input of another run', () => {
    expect(valuesOfRun({ input: { x: 1 }, session_id: 's' })).to.deep.equal({
      ...{ input: '{\n  "x": 1\n}', format: 'json' },
      session_id: 's',
    });
    expect(valuesOfRun({ input: 'hello' })).to.include({ input: 'hello', format: 'text' });
  });
});
