import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect } from 'chai';
import type { AlertRequest, ApiAnswer } from '../../../src/ports/platform/ownApi.ts';
import { runAlert, TOTAL_MS } from '../../../src/search/alert/runAlert.ts';
import { KEY, payloadOf, resultsFile } from './payloads.ts';

export const reply = (outcomes: object[]): ApiAnswer => ({
  status: 200,
  body: { status: 'success', alert: { outcomes } },
});
/** Each row of the request has a run. */
export const started = ({ rows }: AlertRequest): ApiAnswer =>
  reply(rows.map((_, row) => ({ row, outcome: 'started', run_id: `run-${row}` })));
export const oneRun = (): ApiAnswer => reply([{ row: 0, outcome: 'started', run_id: 'run-1' }]);
export const fault = (status: number, error_code: string, more: object = {}): ApiAnswer => ({
  status,
  body: { status: 'fail', error_code, message: `no: ${error_code}`, ...more },
});

/** Rows with one field. */
export const numbered = (count: number, text = (n: number) => `${n}`) =>
  Array.from({ length: count }, (_, n) => ({ n: text(n) }));

/** A platform with a made-up gateway, on which the action runs within the process of the test. */
export class AlertSite {
  readonly home = mkdtempSync(join(tmpdir(), 'alert-'));
  sent: AlertRequest[] = [];
  /** Milliseconds before each further try. */
  waits: number[] = [];
  /** Resolved by a test: the time of the process is over. */
  time = Promise.withResolvers<void>();
  /** @param n counts the requests, from 1 */
  answer: (request: AlertRequest, n: number) => ApiAnswer | Promise<ApiAnswer> = oneRun;

  reset(): void {
    this.sent = [];
    this.waits = [];
    this.time = Promise.withResolvers();
    this.answer = oneRun;
    rmSync(join(this.home, 'var'), { recursive: true, force: true });
  }

  remove(): void {
    rmSync(this.home, { recursive: true, force: true });
  }

  /** Runs the action; each line of stderr is one of splunkd.log without the session. @param at `$SPLUNK_HOME` */
  async act(
    payload: unknown,
    { args = ['--execute'], input, at = this.home }: { args?: string[]; input?: Readable; at?: string } = {},
  ) {
    const lines = { stdout: [] as string[], stderr: [] as string[] };
    const api = {
      start: async (request: AlertRequest) => {
        this.sent.push(structuredClone(request));
        return this.answer(request, this.sent.length);
      },
    };
    const code = await runAlert(args, input ?? Readable.from([Buffer.from(JSON.stringify(payload) ?? '')]), {
      api: async () => api,
      clock: {
        now: () => Date.UTC(2026, 8, 21, 7, 6, 40, 7),
        sleep: async (ms: number) => {
          if (ms === TOTAL_MS) return this.time.promise;
          this.waits.push(ms);
        },
      },
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

  file(name: string, bytes: Buffer): string {
    const path = join(this.home, name);
    writeFileSync(path, bytes);
    return path;
  }

  /** @returns the path of a file with these rows */
  results(rows: readonly Record<string, string | readonly string[]>[], fields: readonly string[]): string {
    return this.file('results.csv.gz', resultsFile(rows, fields));
  }

  /** The payload of an alert that starts a run for each of these rows. */
  perRow(rows: readonly Record<string, string>[]): Record<string, unknown> {
    return payloadOf({
      results_file: this.results(rows, ['n']),
      configuration: { agent: 'triage', per: 'row' },
    });
  }

  /** Lines of the log for Splunk_SA_CIM. */
  log(): string[] {
    return readFileSync(join(this.home, 'var/log/splunk/ml_agent_modalert.log'), 'utf8').trimEnd().split('\n');
  }
}
