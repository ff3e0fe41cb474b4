import { expect } from 'chai';

interface HourRow {
  time?: number;
  requests: number;
  failed: number;
}
interface Stack {
  names: string[];
  points: { at: number; values: number[]; total: number }[];
}
interface Day {
  hoursOf(rows: readonly HourRow[], span: { earliest: number; latest: number }): Stack;
  failedIn(stack: Stack, place: number): number;
}
type Counts = readonly (readonly [string, number | { why: string }])[];
type Steps = Record<'isUnfinished' | 'isEmptySite', (counts: Counts) => boolean>;

// The types of the pages are compiled separately.
const load = (name: string) => import(new URL(`../../../console/views/overview/${name}.ts`, import.meta.url).href);
const { failedIn, hoursOf } = (await load('recent/day')) as Day;
const { isEmptySite, isUnfinished } = (await load('steps')) as Steps;

const HOUR = 3600;
const SPAN = { earliest: 0, latest: 3 * HOUR };

describe('the console: shaping of the overview', () => {
  it('has every hour, with requests and failures of all operations', () => {
    const rows = [
      { time: 0, requests: 5, failed: 2 },
      { time: 0, requests: 1, failed: 0 },
      { time: 2 * HOUR, requests: 1, failed: 1 },
    ];
    const stack = hoursOf(rows, SPAN);
    expect(stack.names).to.deep.equal(['Without a failure', 'Failed']);
    expect(stack.points.map(({ total }) => total)).to.deep.equal([6, 0, 1]);
    expect(stack.points.map((_point, place) => failedIn(stack, place))).to.deep.equal([2, 0, 1]);
  });

  it('counts no failures where nothing failed, and all where everything did', () => {
    const good = hoursOf([{ time: 0, requests: 3, failed: 0 }], SPAN);
    expect([good.names, failedIn(good, 0)]).to.deep.equal([['Without a failure'], 0]);
    const bad = hoursOf([{ time: 0, requests: 3, failed: 3 }], SPAN);
    expect([bad.names, failedIn(bad, 0)]).to.deep.equal([['Failed'], 3]);
  });

  it('shows the steps until there are a model, a tool server and an agent', () => {
    const counts = (models: number, tools: number, agents: number): Counts => [
      ['llm-providers', models],
      ['mcp-connections', tools],
      ['agents', agents],
      ['experiments', { why: 'You need a capability' }],
      ['models', 7],
    ];
    const statesOf = (of: Counts) => [isEmptySite(of), isUnfinished(of)];
    const none = counts(0, 0, 0);
    expect(statesOf(none)).to.deep.equal([true, true]);
    expect(statesOf(counts(1, 0, 0))).to.deep.equal([false, true]);
    expect(statesOf(counts(1, 1, 1))).to.deep.equal([false, false]);
    const hidden: Counts = [['llm-providers', { why: 'You need a capability' }], ...none.slice(1)];
    expect(statesOf(hidden), 'a user who may not see models').to.deep.equal([false, false]);
    expect(statesOf([...none, ['containers', 1]])).to.deep.equal([false, true]);
  });
});
