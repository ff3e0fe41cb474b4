import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { readXml, type XmlElement } from '../../../../platform/src/web/pages/xmlReader.ts';
import { testedApp } from '../../../support/e2e/build.ts';
import { expectStatus, startPlatform, type TestPlatform } from '../../../support/e2e/platform.ts';
import { eventually } from '../../../support/time.ts';
import { type Row, searched } from '../../agents/agentSupport.ts';

const LATER_S = 60;
const now = Math.floor(Date.now() / 1000) - LATER_S;
const source = { kind: 'alert', search_name: 'Full disks', sid: 'scheduler__anna__search__1', app: 'search' };
const triage = { agent: 'triage', user: 'anna' };
const adHoc = { user: 'bob', source: { ...source, search_name: '' } };

/** Two runs of alerts and one that a person started, of an agent, of a definition and of another agent. */
const RUN_EVENTS = [
  { time: now, run_id: 'r1', ...triage, state: 'queued', source },
  { time: now + 1, run_id: 'r1', ...triage, state: 'running', source },
  { time: now + 5, run_id: 'r1', ...triage, state: 'succeeded', unverified: 2, source },
  { time: now + 10, run_id: 'r2', ...adHoc, state: 'failed', error_code: 'timeout' },
  { time: now + 20, run_id: 'r3', agent: 'helper', user: 'anna', state: 'running' },
];
const USES = [
  { time: now + 2, run_id: 'r1', agent: 'triage', cost: 0.25, outcome: 'success' },
  // A call that failed and was repeated.
  { time: now + 3, run_id: 'r1', agent: 'triage', cost: 0.5, outcome: 'fail', error_code: 'rate_limited' },
  { time: now + 12, run_id: 'r2', cost: 1, outcome: 'success' },
  { time: now + 13, cost: 64, outcome: 'success' },
  { time: now + 14, run_id: 'began_before', agent: 'triage', cost: 4, outcome: 'success' },
];
const ANSWERS = [
  { time: now + 6, run_id: 'r1', agent: 'triage', state: 'succeeded', evidence: { checked: 7, unverified: 2 }, source },
];
const of = { action: 'ml_agent', sid: source.sid, app: 'search', user: 'anna' };
const ALERTS = [
  { time: now + 7, ...of, reason: 'max_runs', message: 'the first', search_name: 'Full disks', count: 480 },
  { time: now + 8, ...of, reason: 'max_runs', message: 'the last', search_name: 'Full disks', count: 20 },
  { time: now + 9, ...of, reason: 'validation_failed', message: 'no agent', search_name: '' },
];

const panelsIn = ({ name, children }: XmlElement, title?: string): [title: string, query: string][] =>
  children.flatMap((child) => {
    if (child.name === 'query') return title === undefined ? [] : [[title, child.text.trim()]];
    const own = children.find((other) => other.name === 'title')?.text.trim();
    return panelsIn(child, name === 'chart' || name === 'table' ? own : title);
  });

describe('the dashboard of agent runs', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let panels: Map<string, string>;

  before(async () => {
    platform = await startPlatform();
    const view = readFileSync(join(testedApp(), 'default/data/ui/views/ml_agent_runs_dashboard.xml'), 'utf8');
    panels = new Map(panelsIn(readXml(view)));
    for (const [sourcetype, index, events] of [
      ['ml_extension:run', '_internal', RUN_EVENTS],
      ['ml_extension:usage', '_internal', USES],
      ['ml_extension:alert', '_internal', ALERTS],
      ['ml_extension:answer', 'summary', ANSWERS],
    ] as const) {
      const path = `/services/receivers/simple?index=${index}&sourcetype=${sourcetype}`;
      // The order in which events arrive is not that of their times.
      const lines = events.toReversed().map((event) => JSON.stringify(event));
      for (const line of lines)
        expectStatus(await platform.call('admin', 'POST', path, line, { 'Content-Type': 'text/plain' }), 200, path);
    }
    const count = 'search index=_internal OR index=summary sourcetype=ml_extension:* | stats count';
    const total = String(RUN_EVENTS.length + USES.length + ALERTS.length + ANSWERS.length);
    await eventually(async () => (await searched(platform, 'admin', count)).rows[0]?.count === total, 10_000, 'events');
  });
  after(() => platform?.dispose());

  /** Rows of a panel, as its form asks for them. */
  async function rowsOf(title: string, agent = '*'): Promise<Row[]> {
    const query = panels.get(title) ?? expect.fail(`no panel ${title}`);
    const filled = query
      .replaceAll('$index|s$', '"_internal"')
      .replaceAll('$answers|s$', '"summary"')
      .replaceAll('$agent|s$', `"${agent}"`);
    const { rows, job } = await searched(platform, 'admin', `search ${filled}`);
    expect(job.messages, title).to.deep.equal([]);
    return rows;
  }
  const pick = (rows: Row[], ...names: string[]) => rows.map((row) => names.map((name) => row[name] ?? ''));
  /** Sums of a chart over all its days, by series. */
  const sums = (rows: Row[]) =>
    Object.fromEntries(
      [...new Set(rows.flatMap(Object.keys))]
        .filter((name) => !name.startsWith('_'))
        .map((name) => [name, rows.reduce((total, row) => total + Number(row[name] ?? 0), 0)]),
    );

  const RUNS = 'Runs, newest first; a click opens the run';
  const COLUMNS = ['run_id', 'alert', 'agent', 'user', 'state', 'error_code', 'unverified', 'checked', 'cost'];

  it('has a row for each run with its last state, its alert, its cost and what its answer claims', async () => {
    const rows = await rowsOf(RUNS);
    expect(pick(rows, ...COLUMNS)).to.deep.equal([
      ['r3', '', 'helper', 'anna', 'running', '', '', '', ''],
      ['r2', '(ad hoc search)', '(no agent)', 'bob', 'failed', 'timeout', '', '', '1'],
      ['r1', 'Full disks', 'triage', 'anna', 'succeeded', '', '2', '7', '0.75'],
    ]);
    for (const { started } of rows) expect(started).to.match(/\d\d:\d\d:\d\d/);
  });

  it('has them for one agent, and for runs without one', async () => {
    expect(pick(await rowsOf(RUNS, 'triage'), 'run_id')).to.deep.equal([['r1']]);
    expect(pick(await rowsOf(RUNS, '(no agent)'), 'run_id')).to.deep.equal([['r2']]);
    expect(await rowsOf(RUNS, 'nobody')).to.deep.equal([]);
  });

  it('sums runs by the alert that started them', async () => {
    const rows = pick(await rowsOf('Runs by alert'), 'alert', 'agent', 'runs', 'failed', 'unverified', 'cost');
    expect(rows).to.deep.equal([
      ['(ad hoc search)', '(no agent)', '1', '1', '', '1'],
      ['Full disks', 'triage', '1', '0', '2', '0.75'],
    ]);
  });

  it('draws states, cost and unverified claims', async () => {
    expect(sums(await rowsOf('Runs by state a day'))).to.deep.equal({ failed: 1, running: 1, succeeded: 1 });
    expect(sums(await rowsOf('Runs by state a day', 'triage'))).to.deep.equal({ succeeded: 1 });
    expect(sums(await rowsOf('Cost of runs by agent a day, US dollars'))).to.deep.equal({
      '(no agent)': 1,
      triage: 4.75,
    });
    const claims = 'Claims that the data of the run do not have, by agent a day';
    expect(sums(await rowsOf(claims))).to.include({ triage: 2 });
  });

  it('says which results of alerts started nothing', async () => {
    const rows = await rowsOf('Results of alerts that started no run, of all agents');
    expect(pick(rows, 'reason', 'alert', 'app', 'user', 'results', 'message')).to.deep.equal([
      ['validation_failed', '(ad hoc search)', 'search', 'anna', '1', 'no agent'],
      ['max_runs', 'Full disks', 'search', 'anna', '500', 'the last'],
    ]);
  });
});
