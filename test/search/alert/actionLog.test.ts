import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { actionLines, appendActionLog, pair } from '../../../src/search/alert/actionLog.ts';
import { readPayload } from '../../../src/search/alert/payload.ts';
import { payloadOf } from './payloads.ts';

const TIME = Date.UTC(2026, 8, 21, 7, 6, 40, 7);
const STARTED = { outcome: 'started', runId: 'run-1' } as const;

/** The line of one row. */
const lineOf = (more: Record<string, unknown>, row: Record<string, string> = {}) =>
  actionLines(readPayload(JSON.stringify(payloadOf(more))), [{ row, outcome: STARTED }], TIME)[0] ?? '';

describe('log of an alert action', () => {
  it('has the pairs of sendmodaction in their order, without empty ones', () => {
    expect(lineOf({}, { orig_sid: 'scheduler__o', orig_rid: '4', rid: '9' })).to.equal(
      [
        '2026-09-21 07:06:40,007+0000 INFO sendmodaction - worker="sh1" signature="Invoking modular action"',
        'action_name="ml_agent" search_name="Failed logins" sid="scheduler__alice__search__RMD5aa_at_1790000000_7"',
        'orig_sid="scheduler__o" rid="9" orig_rid="4" app="search" user="alice" digest_mode="1" action_mode="saved"',
        'action_status="success" outcome="started" run_id="run-1"',
      ].join(' '),
    );
    const bare = lineOf({ search_name: null, sid: 1.5, owner: '', server_host: undefined });
    expect(bare)
      .to.match(/ - signature=/)
      .and.include('sid="1.5" rid="0" app="search" digest_mode="1" action_mode="adhoc"');
  });

  it('numbers rows without a rid from 0, and fails those that were refused or not handed over', () => {
    const lines = actionLines(
      readPayload(JSON.stringify(payloadOf())),
      [
        { row: {}, outcome: { outcome: 'refused', errorCode: 'limit_exceeded' } },
        { row: {}, outcome: undefined },
      ],
      TIME,
    );
    expect(lines[0])
      .to.include('rid="0"')
      .and.match(/action_status="failure" outcome="refused" error_code="limit_exceeded"$/);
    expect(lines[1])
      .to.include('rid="1"')
      .and.match(/action_status="failure"$/);
  });

  it('names the row of a process for each result: by its id, in older releases by its file', () => {
    const file = '/opt/splunk/var/run/splunk/dispatch/x/per_result_alert/tmp_3.csv.gz';
    expect(lineOf({ results_file: file, result_id: '5' }, { rid: '9' }))
      .to.include('rid="5"')
      .and.include('digest_mode="0"');
    expect(lineOf({ results_file: file }, { rid: '9' }))
      .to.include('rid="3"')
      .and.include('digest_mode="0"');
  });

  it('takes the snapshot of a real-time search from the sid to the rid', () => {
    const line = lineOf({ sid: 'rt_scheduler__alice__search__RMD5aa_at_1790000000_2.13' });
    expect(line).to.include('sid="rt_scheduler__alice__search__RMD5aa_at_1790000000_2"').and.include('rid="0.13"');
    expect(lineOf({ sid: '1790000000.12' }))
      .to.include('sid="1790000000.12"')
      .and.include('rid="0"');
  });

  it('escapes what would end a value or a line', () => {
    expect(pair('x', 'a "b" \\ c\r\nd\u2028e')).to.equal(String.raw`x="a \"b\" \\ c d e"`);
  });

  it('is moved aside once by several processes at a time, without a loss of lines', async () => {
    const home = mkdtempSync(join(tmpdir(), 'alert-log-'));
    try {
      const folder = join(home, 'var/log/splunk');
      const path = join(folder, 'ml_agent_modalert.log');
      await appendActionLog(home, ['first']);
      truncateSync(path, 25_000_000);
      const writers = Array.from({ length: 16 }, (_, number) => `line ${number}`);
      await Promise.all(writers.map((line) => appendActionLog(home, [line])));
      const files = readdirSync(folder);
      expect(files.sort()).to.deep.equal(['ml_agent_modalert.log', 'ml_agent_modalert.log.1']);
      const lines = files.flatMap((name) =>
        readFileSync(join(folder, name), 'latin1').replaceAll('\0', '').split('\n'),
      );
      expect(lines.filter((line) => line !== '').sort()).to.deep.equal(['first', ...writers].sort());
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('is moved aside though a process died while it did so', async () => {
    const home = mkdtempSync(join(tmpdir(), 'alert-log-'));
    try {
      const path = join(home, 'var/log/splunk/ml_agent_modalert.log');
      await appendActionLog(home, ['first']);
      truncateSync(path, 25_000_000);
      writeFileSync(`${path}.lock`, '');
      const anHourAgo = new Date(Date.now() - 3_600_000);
      utimesSync(`${path}.lock`, anHourAgo, anHourAgo);
      // The first one takes the lock away, the next one has its own.
      for (const line of ['a', 'b']) await appendActionLog(home, [line]);
      expect(readFileSync(path, 'utf8')).to.equal('b\n');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });

  it('is moved aside when it is full, five times', async () => {
    const home = mkdtempSync(join(tmpdir(), 'alert-log-'));
    try {
      const folder = join(home, 'var/log/splunk');
      const path = join(folder, 'ml_agent_modalert.log');
      for (let number = 0; number < 8; number += 1) {
        await appendActionLog(home, [`line ${number}`, 'more']);
        expect(readFileSync(path, 'utf8')).to.equal(`line ${number}\nmore\n`);
        truncateSync(path, 25_000_000);
      }
      expect(readdirSync(folder).sort()).to.deep.equal(
        ['', '.1', '.2', '.3', '.4', '.5'].map((end) => `ml_agent_modalert.log${end}`),
      );
      expect(readFileSync(`${path}.5`, 'utf8').slice(0, 6)).to.equal('line 2');
      writeFileSync(path, 'kept\n');
      await Promise.all([1, 2, 3].map((number) => appendActionLog(home, [`${number}`])));
      expect(readFileSync(path, 'utf8').split('\n').sort()).to.deep.equal(['', '1', '2', '3', 'kept']);
      rmSync(path);
      await appendActionLog(home, ['x']);
      expect(statSync(path).mode & 0o777).to.equal(0o600);
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
