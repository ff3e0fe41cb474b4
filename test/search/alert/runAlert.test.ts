import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { expect } from 'chai';
import { Fault } from '../../../src/contract/codes/faults.ts';
import type { AlertRequest, ApiAnswer } from '../../../src/ports/platform/ownApi.ts';
import { runAlert, TOTAL_MS } from '../../../src/search/alert/runAlert.ts';
import { callers, KEY, payloadOf, resultsFile } from './payloads.ts';

const reply = (outcomes: object[]): ApiAnswer => ({ status: 200, body: { status: 'success', alert: { outcomes } } });
const started = ({ rows }: AlertRequest): ApiAnswer =>
  reply(rows.map((_, row) => ({ row, outcome: 'started', run_id: `run-${row}` })));
const oneRun = (): ApiAnswer => reply([{ row: 0, outcome: 'started', run_id: 'run-1' }]);
const fault = (status: number, error_code: string, more: object = {}): ApiAnswer => ({
  status,
  body: { status: 'fail', error_code, message: `no: ${error_code}`, ...more },
});

describe('alert action', () => {
  const home = mkdtempSync(join(tmpdir(), 'alert-'));
  let sent: AlertRequest[];
  /** Milliseconds before each further try. */
  let waits: number[];
  /** Resolved by a test: the time of the process is over. */
  let time: PromiseWithResolvers<void>;
  let answer: (request: AlertRequest, n: number) => ApiAnswer | Promise<ApiAnswer>;
  beforeEach(() => {
    sent = [];
    waits = [];
    time = Promise.withResolvers();
    answer = oneRun;
  });
  const clock = {
    now: () => Date.UTC(2026, 8, 21, 7, 6, 40, 7),
    sleep: async (ms: number) => {
      if (ms === TOTAL_MS) return time.promise;
      waits.push(ms);
    },
  };
  afterEach(() => rmSync(join(home, 'var'), { recursive: true, force: true }));
  after(() => rmSync(home, { recursive: true, force: true }));

  async function act(
    payload: unknown,
    { args = ['--execute'], input, at = home }: { args?: string[]; input?: Readable; at?: string } = {},
  ) {
    const lines = { stdout: [] as string[], stderr: [] as string[] };
    const api = {
      start: async (request: AlertRequest) => {
        sent.push(structuredClone(request));
        return answer(request, sent.length);
      },
    };
    const code = await runAlert(args, input ?? Readable.from([Buffer.from(JSON.stringify(payload) ?? '')]), {
      api: async () => api,
      clock,
      home: at,
      write: (to, line) => void lines[to].push(line),
      totalMs: TOTAL_MS,
    });
    for (const line of lines.stderr) {
      expect(line).to.match(/^(INFO|WARN|ERROR) /);
      expect(line).to.not.include(KEY).and.not.include('\n');
    }
    return { code, ...lines };
  }

  const file = (name: string, bytes: Buffer): string => {
    const path = join(home, name);
    writeFileSync(path, bytes);
    return path;
  };
  const results = (rows: readonly Record<string, string | readonly string[]>[], fields: readonly string[]) =>
    file('results.csv.gz', resultsFile(rows, fields));
  const numbered = (count: number, text = (n: number) => `${n}`) =>
    Array.from({ length: count }, (_, n) => ({ n: text(n) }));
  const perRow = (rows: readonly Record<string, string>[], more: object = {}) =>
    payloadOf({
      results_file: results(rows, ['n']),
      configuration: { agent: 'triage', per: 'row', ...more },
    });
  const log = () => readFileSync(join(home, 'var/log/splunk/ml_agent_modalert.log'), 'utf8').trimEnd().split('\n');

  for (const [caller, payload] of Object.entries(callers('https://127.0.0.1:8089'))) {
    it(`hands over what ${caller} sends; without a file its result is the row`, async () => {
      const { code, stderr } = await act(payload);
      expect(code).to.equal(0);
      const { rows, ...alert } = sent[0] as AlertRequest;
      expect(alert).to.deep.equal({
        search_name: payload.search_name ?? '',
        sid: String(payload.sid),
        ...(payload.result_id === undefined ? {} : { result_id: '4' }),
        app: payload.app,
        owner: payload.owner,
        params: payload.configuration,
        first_row: 0,
        row_count: 1,
        ordinals: [0],
      });
      expect(rows).to.have.length(1);
      expect(rows[0]).to.include({ user: 'bob' }).and.not.have.property('_bkt');
      expect(stderr[0]).to.include(`sid="${payload.sid}"`).and.to.include('run_id="run-1"');
    });
  }

  it('sends the first rows of the file in one request for one run, with their number', async () => {
    const path = results(numbered(30), ['n', '_cd']);
    const configuration = { agent: 'triage', max_rows: '3' };
    expect((await act(payloadOf({ results_file: path, configuration }))).code).to.equal(0);
    expect(sent).to.have.length(1);
    expect(sent[0]).to.deep.include({ rows: numbered(3), row_count: 30, first_row: 0, ordinals: [0, 0, 0] });
    expect(log()).to.have.length(3);
  });

  it('leaves a parameter that cannot be read to the gateway', async () => {
    answer = () => fault(400, 'validation_failed', { message: 'max_rows: must be 1 to 500' });
    const path = results(numbered(30), ['n']);
    const configuration = { agent: 'triage', max_rows: 'many' };
    const { code, stderr } = await act(payloadOf({ results_file: path, configuration }));
    expect(code).to.equal(1);
    expect(sent[0]?.params).to.deep.equal(configuration);
    expect(sent[0]?.rows).to.have.length(20);
    expect(stderr.join('\n')).to.include('20 rows refused, error_code="validation_failed": max_rows: must be 1 to 500');
  });

  it('sends 500 rows for a run each, says how many there were, and numbers equal ones', async () => {
    answer = started;
    const { code } = await act(perRow(numbered(700, (n) => `${n % 2}`)));
    expect(code).to.equal(0);
    expect(sent).to.have.length(1);
    expect(sent[0]?.rows).to.have.length(500);
    expect(sent[0]?.row_count).to.equal(700);
    expect(sent[0]?.ordinals.slice(0, 6)).to.deep.equal([0, 0, 1, 1, 2, 2]);
  });

  it('divides rows into requests of at most 1 MB', async () => {
    answer = started;
    const rows = numbered(600, (n) => `${n}${'ä'.repeat(2_000)}`);
    expect((await act(perRow(rows))).code).to.equal(0);
    expect(sent.length).to.be.greaterThan(2);
    for (const request of sent) expect(Buffer.byteLength(JSON.stringify({ alert: request }))).to.be.at.most(1_000_000);
    expect(sent.flatMap((request) => request.rows)).to.deep.equal(rows.slice(0, 500));
    expect(sent.map(({ row_count }) => row_count)).to.deep.equal([600, ...sent.slice(1).map(() => 500)]);
    expect(sent.map(({ first_row }) => first_row)).to.deep.equal(
      sent.map((_, index) => sent.slice(0, index).reduce((sum, { rows }) => sum + rows.length, 0)),
    );
  });

  it('sends only the first rows that fit into one request for one run', async () => {
    const path = results(
      numbered(20, (n) => `${n}${'x'.repeat(100_000)}`),
      ['n'],
    );
    await act(payloadOf({ results_file: path }));
    expect(sent).to.have.length(1);
    expect(sent[0]?.rows.length).to.be.within(8, 9);
    expect(sent[0]?.row_count).to.equal(20);
  });

  it('reads cells beyond 128 KB, multivalues with dollar signs and line ends, and cuts a row that is too large', async () => {
    const long = `${'y'.repeat(300_000)}"\n,`;
    const small = results([{ n: long, src: ['a$b', 'c;d', 'e\nf'] }], ['n', 'src']);
    await act(payloadOf({ results_file: small }));
    expect(sent[0]?.rows).to.deep.equal([{ n: long, src: ['a$b', 'c;d', 'e\nf'] }]);
    const large = results([{ n: 'z'.repeat(3_000_000), m: 'kept' }], ['n', 'm']);
    const { code, stderr } = await act(payloadOf({ results_file: large }));
    expect(code).to.equal(0);
    expect(sent[1]?.rows[0]).to.have.property('m', 'kept');
    expect(sent[1]?.rows[0]?.n).to.match(/^z+$/);
    expect(Buffer.byteLength(JSON.stringify({ alert: sent[1] }))).to.be.within(400_000, 1_000_000);
    expect(stderr.join('\n')).to.include('WARN').and.to.include('values of 1 row were cut');
  });

  it('starts nothing without a row', async () => {
    for (const payload of [
      payloadOf({ result: {} }),
      payloadOf({ result: { _cd: '1' }, results_file: '' }),
      payloadOf({ results_file: results([], ['n']) }),
    ]) {
      const { code, stderr } = await act(payload);
      expect([code, stderr.length, sent.length]).to.deep.equal([0, 1, 0]);
      expect(stderr[0]).to.match(/^INFO .*no rows/);
    }
  });

  it('fails with a file that cannot be read, and names it', async () => {
    const packed = resultsFile(numbered(3), ['n']);
    for (const bytes of [packed.subarray(0, -12), Buffer.from('a,b\n"x'), Buffer.from('"a","__mv_a"\n"x","$x"\n')]) {
      const { code, stderr } = await act(payloadOf({ results_file: file('broken.csv.gz', bytes) }));
      expect([code, sent.length]).to.deep.equal([2, 0]);
      expect(stderr[0]).to.match(/^ERROR .*results_file/);
    }
    expect((await act(payloadOf({ results_file: home }))).code).to.equal(2);
  });

  it('ends with 0 for rows that others have started, that are suppressed or too many, and with 1 for a refused one', async () => {
    const rows = ['started', 'claimed', 'suppressed', 'max_runs', 'refused'];
    for (const [count, expected] of [
      [4, 0],
      [5, 1],
    ] as const) {
      answer = ({ rows: { length } }) =>
        reply(
          rows.slice(0, length).map((outcome, row) => ({ row, outcome, error_code: 'limit_exceeded', message: 'no' })),
        );
      const { code, stderr } = await act(perRow(numbered(count)));
      expect(code).to.equal(expected);
      expect(stderr.at(-1)).to.include(`${count} rows: 1 started, 1 claimed, 1 suppressed, 1 max_runs`);
    }
    expect(log().map((line) => /action_status="(\w+)" outcome="(\w+)"/.exec(line)?.slice(1))).to.deep.equal([
      ...rows.slice(0, 4).map((outcome) => ['success', outcome]),
      ...rows.slice(0, 4).map((outcome) => ['success', outcome]),
      ['failure', 'refused'],
    ]);
  });

  it('tries rows that may pass once more, neighbours together, and the others not', async () => {
    const busy = { outcome: 'refused', error_code: 'busy', message: 'no', should_retry: true };
    answer = (request, n) =>
      n === 1
        ? reply(request.rows.map((_, row) => (row % 4 === 3 ? { row, outcome: 'started' } : { row, ...busy })))
        : n === 2
          ? started(request)
          : reply(request.rows.map((_, row) => ({ row, ...busy })));
    const { code, stderr } = await act(perRow(numbered(8)));
    expect(sent.map(({ first_row, rows }) => [first_row, rows.length])).to.deep.equal([
      [0, 8],
      [0, 3],
      [4, 3],
    ]);
    expect(sent[2]?.rows).to.deep.equal(numbered(7).slice(4));
    expect(code).to.equal(1);
    expect(stderr.join('\n')).to.include('3 rows refused, error_code="busy"');
  });

  it('tries a request that may pass once more, after the time that the gateway asks for', async () => {
    for (const code of ['busy', 'too_many_requests', 'store_unavailable', 'internal_error']) {
      sent = [];
      answer = (_, n) => (n === 1 ? { ...fault(503, code), retryAfter: 2 } : oneRun());
      expect((await act(payloadOf())).code, code).to.equal(0);
      expect(sent, code).to.have.length(2);
    }
    expect(waits).to.deep.equal([2000, 2000, 2000, 2000]);
    answer = () => fault(503, 'busy');
    sent = [];
    expect((await act(payloadOf())).code).to.equal(1);
    expect(sent).to.have.length(2);
    for (const refusal of [
      fault(403, 'missing_capability'),
      fault(503, 'store_unavailable', { should_retry: false }),
    ]) {
      sent = [];
      answer = () => refusal;
      expect((await act(payloadOf())).code).to.equal(1);
      expect(sent).to.have.length(1);
    }
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
      sent = [];
      answer = () => {
        if (failure === 'unreachable') throw new Fault('store_unavailable', 'The platform could not be reached');
        return failure;
      };
      const { code, stderr } = await act(perRow(numbered(40, (n) => `${n}${'x'.repeat(50_000)}`)));
      expect(code, String(message)).to.equal(2);
      expect(sent, String(message)).to.have.length(tries);
      expect(stderr.join('\n')).to.match(message).and.include('40 rows not handed over');
    }
  });

  it('ends in time whatever the gateway and stdin do, and counts what was told before', async () => {
    answer = (request, n) => {
      if (n === 1) return started(request);
      time.resolve();
      return new Promise(() => {});
    };
    const { code, stderr } = await act(perRow(numbered(40, (n) => `${n}${'x'.repeat(50_000)}`)));
    expect(code).to.equal(2);
    expect(stderr.filter((line) => line.includes('run_id='))).to.have.length(sent[0]?.rows.length ?? -1);
    expect(stderr.join('\n')).to.match(/not handed over: The gateway did not answer within 20 seconds/);
    const silent = await act(undefined, { input: new PassThrough() });
    expect([silent.code, silent.stderr.length]).to.deep.equal([2, 1]);
    expect(silent.stderr[0]).to.include('did not end in time');
  });

  it('shows neither the session nor line ends of what the gateway or the alert says', async () => {
    answer = () =>
      reply([
        { row: 0, outcome: 'refused', run_id: KEY, error_code: `x\n${KEY}`, message: `Splunk ${KEY}\nERROR fake` },
      ]);
    const { stderr } = await act(payloadOf({ search_name: `a "b"\nERROR ${KEY}`, sid: `1.2\r\n${KEY}` }));
    expect(stderr.join('\n')).to.include(String.raw`search_name="a \"b\" ERROR [redacted]"`);
    expect(log().join('\n')).to.not.include(KEY);
    expect(JSON.stringify(sent)).to.not.include('session_key');
  });

  it('explains itself, and refuses to run without --execute', async () => {
    const help = await act(undefined, { args: ['--help'] });
    expect(help.code).to.equal(0);
    expect(help.stdout.join('\n')).to.include('Exit codes').and.to.include('suppress').and.to.include('Default: 1h');
    const wrong = await act(payloadOf(), { args: [] });
    expect([wrong.code, wrong.stderr.length, sent.length]).to.deep.equal([2, 1, 0]);
  });

  it('says so where the log cannot be written, and goes on', async () => {
    writeFileSync(join(home, 'var'), 'in the way');
    for (const at of [home, '']) {
      const { code, stderr } = await act(payloadOf(), { at });
      expect(code).to.equal(0);
      expect(stderr.filter((line) => line.startsWith('WARN'))).to.have.length(1);
    }
  });
});
