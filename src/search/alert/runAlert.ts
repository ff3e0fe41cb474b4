import type { Readable } from 'node:stream';
import { counted, errorName } from '../../contract/basics.ts';
import { ALERT_ACTION } from '../../contract/families/alerts.ts';
import { redact, withMasks } from '../../domain/net/redact.ts';
import type { Clock } from '../../ports/platform/clock.ts';
import type { AlertsApi } from '../../ports/platform/ownApi.ts';
import { actionLines, appendActionLog, pair } from './actionLog.ts';
import { alertHelp } from './alertHelp.ts';
import { type HandedOver, handOver } from './handOver.ts';
import { mostRows, partsOf } from './parts.ts';
import { type Payload, PayloadError, readPayload } from './payload.ts';
import { reportLines } from './report.ts';
import { type AlertRows, ResultsError, readResults } from './rows.ts';

/** The process of an alert action. */
export interface AlertParts {
  api(payload: Payload): Promise<AlertsApi>;
  clock: Clock;
  /** `$SPLUNK_HOME`. */
  home: string | undefined;
  write(to: 'stdout' | 'stderr', line: string): void;
  /** The process ends then, whatever the gateway does. */
  totalMs: number;
}

/** Ten threads start every action of an instance: a gateway that does not answer must not hold one. */
export const TOTAL_MS = 20_000;
const MAX_PAYLOAD_BYTES = 32 * 1024 * 1024;

/**
 * The alert action: hands the rows of an alert to the gateway and ends, whatever the runs do.
 * @param args of the program
 * @param input the payload, as JSON
 * @returns the exit code: 0, 1 if a row was refused, 2 if the payload, the session or the platform failed
 */
export async function runAlert(args: readonly string[], input: Readable, parts: AlertParts): Promise<number> {
  if (args.includes('--help')) {
    parts.write('stdout', alertHelp());
    return 0;
  }
  const say = (line: string) => parts.write('stderr', line);
  if (args[0] !== '--execute') {
    say(`ERROR ${ALERT_ACTION}: call it with --execute and a payload on stdin, as splunkd does, or with --help`);
    return 2;
  }
  const stop = new AbortController();
  const timeUp = parts.clock.sleep(parts.totalMs, stop.signal).then(
    () => true,
    () => false,
  );
  try {
    return await act(input, parts, timeUp);
  } catch (error) {
    say(`ERROR ${ALERT_ACTION}: ${messageOf(error)}`);
    return 2;
  } finally {
    stop.abort();
  }
}

async function act(input: Readable, parts: AlertParts, timeUp: Promise<boolean>): Promise<number> {
  const inTime = async <T>(work: Promise<T>): Promise<T | undefined> => {
    // A failure after the end of the time has nobody to hear it.
    work.catch(() => {});
    return Promise.race([work, timeUp.then(() => undefined)]);
  };
  const text = await inTime(readAll(input));
  if (text === undefined) throw new PayloadError('The payload on stdin did not end in time');
  const payload = readPayload(text);
  const alert = [pair('sid', payload.sid), pair('search_name', payload.searchName)].join(' ');
  const say = (level: 'INFO' | 'WARN' | 'ERROR', what: string) => {
    const line = `${level} ${ALERT_ACTION} ${alert}: ${what}`;
    parts.write('stderr', withMasks(line, [payload.sessionKey]));
  };
  try {
    const rows = await rowsOf(payload);
    if (rows.rows.length === 0) {
      say('INFO', 'the alert has no rows: nothing is started');
      return 0;
    }
    const handed: HandedOver = { outcomes: new Map() };
    const { parts: pieces, cut } = partsOf(payload, rows);
    if (cut > 0) say('WARN', `values of ${counted(cut, 'row')} were cut: a row has at most 1 MB`);
    const work = parts.api(payload).then((api) =>
      handOver({ api, clock: parts.clock, timeoutMs: parts.totalMs }, payload, {
        parts: pieces,
        rowCount: rows.count,
        handed,
      }).then(() => true),
    );
    // An answer after the end of the time changes nothing.
    const end = (await inTime(work))
      ? handed
      : {
          outcomes: new Map(handed.outcomes),
          ...(handed.warnings ? { warnings: handed.warnings } : {}),
          failure: `The gateway did not answer within ${parts.totalMs / 1000} seconds`,
        };
    const sent = pieces.flatMap((piece) => piece.rows);
    await writeLog(payload, parts, sent, end).catch((error: Error) =>
      say('WARN', `the log for Splunk_SA_CIM was not written: ${redact(error.message, [payload.sessionKey])}`),
    );
    const { lines, code } = reportLines(end, sent.length, (words) => redact(words, [payload.sessionKey]));
    for (const [level, what] of lines) say(level, what);
    return code;
  } catch (error) {
    say('ERROR', messageOf(error));
    return 2;
  }
}

/** The message of an unexpected error may quote the payload: it is not shown. */
const messageOf = (error: unknown): string =>
  error instanceof PayloadError || error instanceof ResultsError
    ? error.message
    : `something went wrong inside the action (${errorName(error)})`;

/** @throws PayloadError */
async function readAll(input: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_PAYLOAD_BYTES) throw new PayloadError(`The payload has more than ${MAX_PAYLOAD_BYTES} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** @throws ResultsError */
async function rowsOf(payload: Payload): Promise<AlertRows> {
  const file = payload.resultsFile === '' ? undefined : await readResults(payload.resultsFile, mostRows(payload));
  if (file) return file;
  // The file may have been removed already, or never written.
  return Object.keys(payload.result).length > 0 ? { rows: [payload.result], count: 1 } : { rows: [], count: 0 };
}

async function writeLog(
  payload: Payload,
  { home, clock }: AlertParts,
  rows: AlertRows['rows'],
  handed: HandedOver,
): Promise<void> {
  if (home === undefined || home === '') throw new Error('SPLUNK_HOME is not set');
  const withOutcomes = rows.map((row, index) => ({ row, outcome: handed.outcomes.get(index) }));
  const lines = actionLines(payload, withOutcomes, clock.now());
  await appendActionLog(
    home,
    lines.map((line) => withMasks(line, [payload.sessionKey])),
  );
}
