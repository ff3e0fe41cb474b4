import { appendFile, mkdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ALERT_ACTION } from '../../contract/families/alerts.ts';
import type { RowOutcome } from './handOver.ts';
import type { Payload } from './payload.ts';
import type { AlertRow } from './rows.ts';

const MAX_BYTES = 25_000_000;
const KEPT_FILES = 5;
/** A lock that is older was left by a process that died. */
const LOCK_MS = 60_000;
const FOR_SPLUNKD_ALONE = 0o600;

/** `name="value"`, with what would end the value or the line escaped. */
export const pair = (name: string, value: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: matches control characters on purpose.
  `${name}="${value.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, ' ').replaceAll(/["\\]/g, String.raw`\$&`)}"`;

/**
 * One line for each row as Splunk_SA_CIM reads them (sendmodaction), so that Enterprise Security shows the action with the
 * notable event that it was called for.
 * @param time milliseconds since the epoch
 */
export function actionLines(
  payload: Payload,
  rows: readonly { row: AlertRow; outcome: RowOutcome | undefined }[],
  time: number,
): string[] {
  // A real-time search numbers its snapshots behind its id.
  const [, realTimeSid, snapshot] = /^(rt.*)\.(\d+)$/.exec(payload.sid) ?? [];
  const isEach = payload.resultId !== undefined || /[\\/]per_result_alert[\\/]/.test(payload.resultsFile);
  const head = `${new Date(time).toISOString().replace('T', ' ').replace('.', ',').replace('Z', '+0000')} INFO sendmodaction - `;
  return rows.map(({ row, outcome }, index) => {
    const rid = isEach ? idOfRow(payload, row) : textOf(row.rid) || String(index);
    const pairs: [string, string | undefined][] = [
      ['worker', payload.serverHost],
      ['signature', 'Invoking modular action'],
      ['action_name', ALERT_ACTION],
      ['search_name', payload.searchName],
      ['sid', realTimeSid ?? payload.sid],
      ['orig_sid', textOf(row.orig_sid)],
      ['rid', snapshot === undefined ? rid : `${rid}.${snapshot}`],
      ['orig_rid', textOf(row.orig_rid)],
      ['app', payload.app],
      ['user', payload.owner],
      ['digest_mode', isEach ? '0' : '1'],
      ['action_mode', payload.sid.includes('scheduler') ? 'saved' : 'adhoc'],
      ['action_status', outcome === undefined || outcome.outcome === 'refused' ? 'failure' : 'success'],
      ['outcome', outcome?.outcome],
      ['run_id', outcome?.runId],
      ['error_code', outcome?.errorCode],
    ];
    const filled = pairs.flatMap(([name, value = '']) => (value === '' ? [] : [pair(name, value)]));
    return head + filled.join(' ');
  });
}

/** Older releases name the row in the file's name alone. */
const idOfRow = ({ resultId, resultsFile }: Payload, row: AlertRow): string =>
  resultId ?? /[\\/]tmp_(\d+)\.csv(?:\.gz)?$/.exec(resultsFile)?.[1] ?? (textOf(row.rid) || '0');

const textOf = (cell: AlertRow[string] | undefined): string =>
  typeof cell === 'string' ? cell : (cell?.join(' ') ?? '');

/**
 * Appends to the log that Splunk_SA_CIM reads; a full one becomes `….log.1`, and five of these are kept.
 * @param home `$SPLUNK_HOME` @throws Error of the file system
 */
export async function appendActionLog(home: string, lines: readonly string[]): Promise<void> {
  const path = join(home, 'var/log/splunk', `${ALERT_ACTION}_modalert.log`);
  await mkdir(dirname(path), { recursive: true });
  if (await isFull(path)) await rotate(path);
  // One write, so that lines of two processes do not mix.
  await appendFile(path, lines.map((line) => `${line}\n`).join(''), { mode: FOR_SPLUNKD_ALONE });
}

const isFull = (path: string): Promise<boolean> =>
  stat(path).then(({ size }) => size >= MAX_BYTES, unlessMissing(false));

/** One process at a time: two that move the same files would overwrite one of them. */
async function rotate(path: string): Promise<void> {
  const lock = `${path}.lock`;
  try {
    await writeFile(lock, '', { flag: 'wx', mode: FOR_SPLUNKD_ALONE });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const since = await stat(lock).then(({ mtimeMs }) => mtimeMs, unlessMissing(Date.now()));
    if (Date.now() - since > LOCK_MS) await rm(lock, { force: true });
    return;
  }
  try {
    // Another process may have moved the files just before.
    if (!(await isFull(path))) return;
    for (let number = KEPT_FILES; number > 0; number -= 1) {
      const from = number === 1 ? path : `${path}.${number - 1}`;
      await rename(from, `${path}.${number}`).catch(unlessMissing(undefined));
    }
  } finally {
    await rm(lock, { force: true });
  }
}

/** Another process may have moved the file meanwhile, or there was none. */
const unlessMissing =
  <T>(instead: T) =>
  (error: NodeJS.ErrnoException): T => {
    if (error.code === 'ENOENT') return instead;
    throw error;
  };
