import { PassThrough } from 'node:stream';
import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import type { ApiAnswer } from '../../../src/ports/platform/ownApi.ts';
import { AlertSite, fault, numbered, oneRun, reply, started } from './alertSite.ts';
import { KEY, payloadOf } from './payloads.ts';

describe('outcomes of an alert action', () => {
  const site = new AlertSite();
  beforeEach(() => site.reset());
  after(() => site.remove());

  it('leaves a parameter that cannot be read to the gateway', async () => {
    site.answer = () => fault(400, 'validation_failed', { message: 'max_rows: must be 1 to 500' });
    const path = site.results(numbered(30), ['n']);
    const configuration = { agent: 'triage', max_rows: 'many' };
    const { code, stderr } = await site.act(payloadOf({ results_file: path, configuration }));
    expect(code).to.equal(1);
    expect(site.sent[0]?.params).to.deep.equal(configuration);
    expect(site.sent[0]?.rows).to.have.length(20);
    expect(stderr.join('\n')).to.include('20 rows refused, error_code="validation_failed": max_rows: must be 1 to 500');
  });

  it('ends with 0 for rows that others have started, that are suppressed or too many, and with 1 for a refused one', async () => {
    const rows = ['started', 'claimed', 'suppressed', 'max_runs', 'refused'];
    for (const [count, expected] of [
      [4, 0],
      [5, 1],
    ] as const) {
      site.answer = ({ rows: { length } }) =>
        reply(
          rows.slice(0, length).map((outcome, row) => ({ row, outcome, error_code: 'limit_exceeded', message: 'no' })),
        );
      const { code, stderr } = await site.act(site.perRow(numbered(count)));
      expect(code).to.equal(expected);
      expect(stderr.at(-1)).to.include(`${count} rows: 1 started, 1 claimed, 1 suppressed, 1 max_runs`);
    }
    expect(site.log().map((line) => /action_status="(\w+)" outcome="(\w+)"/.exec(line)?.slice(1))).to.deep.equal([
      ...rows.slice(0, 4).map((outcome) => ['success', outcome]),
      ...rows.slice(0, 4).map((outcome) => ['success', outcome]),
      ['failure', 'refused'],
    ]);
  });

  it('logs warnings of the gateway once, such as that a run has no worker', async () => {
    const warning = 'The search that takes the steps could not be started (quota)';
    site.answer = (request) => {
      const { status, body } = started(request);
      return { status, body: { ...body, warnings: [warning, warning, 7] } };
    };
    const { code, stderr } = await site.act(site.perRow(numbered(2)));
    expect(code).to.equal(0);
    expect(stderr.filter((line) => line.startsWith('WARN') && line.includes(warning))).to.have.length(1);
    expect(stderr.join('\n')).to.not.match(/: 7$/m);
  });

  it('tries rows that may pass once more, neighbours together, and the others not', async () => {
    const busy = { outcome: 'refused', error_code: 'busy', message: 'no', should_retry: true };
    site.answer = (request, n) =>
      n === 1
        ? reply(request.rows.map((_, row) => (row % 4 === 3 ? { row, outcome: 'started' } : { row, ...busy })))
        : n === 2
          ? started(request)
          : reply(request.rows.map((_, row) => ({ row, ...busy })));
    const { code, stderr } = await site.act(site.perRow(numbered(8)));
    expect(site.sent.map(({ first_row, rows }) => [first_row, rows.length])).to.deep.equal([
      [0, 8],
      [0, 3],
      [4, 3],
    ]);
    expect(site.sent[2]?.rows).to.deep.equal(numbered(7).slice(4));
    expect(code).to.equal(1);
    expect(stderr.join('\n')).to.include('3 rows refused, error_code="busy"');
  });

  it('tries a request that may pass once more, after the time that the gateway asks for', async () => {
    for (const code of ['busy', 'too_many_requests', 'store_unavailable', 'internal_error']) {
      site.sent = [];
      site.answer = (_, n) => (n === 1 ? { ...fault(503, code), retryAfter: 2 } : oneRun());
      expect((await site.act(payloadOf())).code, code).to.equal(0);
      expect(site.sent, code).to.have.length(2);
    }
    expect(site.waits).to.deep.equal([2000, 2000, 2000, 2000]);
    site.answer = () => fault(503, 'busy');
    site.sent = [];
    expect((await site.act(payloadOf())).code).to.equal(1);
    expect(site.sent).to.have.length(2);
    // The gateway reports it only when nobody sends it again.
    expect(site.sent.map(({ will_retry }) => will_retry)).to.deep.equal([true, false]);
    site.sent = [];
    site.answer = () => fault(403, 'missing_capability');
    expect((await site.act(payloadOf())).code).to.equal(1);
    expect(site.sent).to.have.length(1);
  });

  it('ends with 2 if the session or the platform fails, and sends no further rows', async () => {
    const failures: [ApiAnswer | 'unreachable', RegExp, number][] = [
      [
        { status: 401, body: { messages: [{ type: 'WARN', text: 'call not properly authenticated' }] } },
        /401: call/,
        1,
      ],
      [{ status: 302, body: {} }, /answered 302/, 1],
      [{ status: 503, body: {} }, /answered 503/, 2],
      [fault(503, 'runtime_missing'), /503: no: runtime_missing/, 2],
      ['unreachable', /could not be reached/, 2],
      [{ status: 200, body: {} }, /did not say what became/, 1],
      [reply([{ row: 1, outcome: 'started' }]), /did not say/, 1],
      [reply([{ row: 0, outcome: 'sold' }, { row: '0' }, 7 as never]), /did not say/, 1],
    ];
    for (const [failure, message, tries] of failures) {
      site.sent = [];
      site.answer = () => {
        if (failure === 'unreachable') throw new Fault('store_unavailable', 'The platform could not be reached');
        return failure;
      };
      const { code, stderr } = await site.act(site.perRow(numbered(40, (n) => `${n}${'x'.repeat(50_000)}`)));
      expect(code, String(message)).to.equal(2);
      expect(site.sent, String(message)).to.have.length(tries);
      expect(stderr.join('\n')).to.match(message).and.include('40 rows not handed over');
    }
  });

  it('ends in time whatever the gateway and stdin do, and counts what was handed over before', async () => {
    site.answer = (request, n) => {
      if (n === 1) return started(request);
      site.time.resolve();
      return new Promise(() => {});
    };
    const { code, stderr } = await site.act(site.perRow(numbered(40, (n) => `${n}${'x'.repeat(50_000)}`)));
    expect(code).to.equal(2);
    expect(stderr.filter((line) => line.includes('run_id='))).to.have.length(site.sent[0]?.rows.length ?? -1);
    expect(stderr.join('\n')).to.match(/not handed over: The gateway did not answer within 20 seconds/);
    const silent = await site.act(undefined, { input: new PassThrough() });
    expect([silent.code, silent.stderr.length]).to.deep.equal([2, 1]);
    expect(silent.stderr[0]).to.include('did not end in time');
  });

  it('shows neither the session nor line ends of what the gateway or the alert says', async () => {
    site.answer = () =>
      reply([
        { row: 0, outcome: 'refused', run_id: KEY, error_code: `x\n${KEY}`, message: `Splunk ${KEY}\nERROR fake` },
      ]);
    const { stderr } = await site.act(payloadOf({ search_name: `a "b"\nERROR ${KEY}`, sid: `1.2\r\n${KEY}` }));
    expect(stderr.join('\n')).to.include(String.raw`search_name="a \"b\" ERROR [redacted]"`);
    expect(site.log().join('\n')).to.not.include(KEY);
    expect(JSON.stringify(site.sent)).to.not.include('session_key');
  });
});
