import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { HostedApp } from '../../apps/hostedApp.ts';
import type { Stanza } from '../../confs/conf.ts';
import type { LogLevel, PlatformLog } from '../../home/log.ts';
import type { PlatformCaller } from '../../http/request.ts';
import { writeResultsCsv } from '../../search/results/csv.ts';
import type { Batch, Row } from '../../search/results/rows.ts';
import { type ActionExit, runAction } from './actionProcess.ts';
import { ActionError, type AlertAction, findAction, parametersOf, programOf } from './alertAction.ts';
import { type Payload, payloadText, resultOf } from './payload.ts';
import { fillTokens, timeTokens, tokensOf } from './tokens.ts';
import { Workers } from './workers.ts';

export interface AlertActionsOptions {
  apps(): readonly HostedApp[];
  /** The environment of programs, including SPLUNK_HOME. */
  env: Readonly<Record<string, string | undefined>>;
  serverName: string;
  splunkdUri(): string;
  /** Address of the apps' pages. */
  webUri(): string;
  log: PlatformLog;
  /** A session of the caller for one process; the system user's token for that. */
  openSession(caller: PlatformCaller): { key: string; close(): void };
  /** `action_execution_threads` of limits.conf. */
  threads: number;
}

/** The trigger of an action by a saved search or by `| sendalert`. */
export interface Trigger {
  action: string;
  /** As whom it runs. */
  caller: PlatformCaller;
  app: string;
  sid: string;
  /** The folder of the search job. */
  folder: string;
  results: Batch;
  /** The number of the row that it is for; undefined for all rows together. */
  rowNumber?: number;
  /** After this time of the monotonic clock, in milliseconds, it is not started any more. */
  startUntil?: number;
  /** Epoch seconds. */
  time: number;
  /** Parameters over those of the action's stanza. */
  params: Readonly<Record<string, string>>;
  /** Undefined where a search itself calls the action. */
  search?: { name: string; owner: string; uri: string; keys: Stanza; tokens: Readonly<Record<string, string>> };
  resultsLink?: string | undefined;
  /** Ends the program. */
  signal?: AbortSignal | undefined;
}

const COMPONENT = 'sendmodalert';

/** Runs the programs of alert actions. */
export class AlertActions {
  readonly #options: AlertActionsOptions;
  readonly #workers: Workers;
  readonly #closing = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: AlertActionsOptions) {
    this.#options = options;
    this.#workers = new Workers(options.threads);
  }

  /** @throws ActionError where there is no such action for the caller */
  find(caller: PlatformCaller, app: string, name: string): AlertAction {
    return findAction(this.#options.apps(), app, caller, name);
  }

  /** Runs an action to its end. @throws ActionError where it cannot be run or fails */
  run(trigger: Trigger): Promise<void> {
    const run = this.#workers.run((worker) => this.#run(trigger, worker));
    this.#running.add(run);
    const done = () => this.#running.delete(run);
    run.then(done, done);
    return run;
  }

  /** Ends the programs; those that wait are not started. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled(this.#running);
  }

  async #run(trigger: Trigger, worker: number): Promise<void> {
    if (this.#closing.signal.aborted) throw new ActionError('The platform is shutting down.');
    const { caller, sid, app, search, signal, startUntil } = trigger;
    if (startUntil !== undefined && performance.now() > startUntil)
      throw new ActionError('The time for the actions of one search has passed (max_per_result_alerts_time).');
    const action = this.find(caller, app, trigger.action);
    const words = programOf(action, this.#options.env);
    const thread = search === undefined ? undefined : `AlertNotifierWorker-${worker}`;
    const write = (level: LogLevel, text: string) => this.#options.log.write(level, COMPONENT, text, thread);
    const log = (level: LogLevel, text: string) => write(level, `action=${action.name} - ${text}`);
    const owner = search?.owner ?? caller.user;
    write(
      'INFO',
      `Invoking modular alert action=${action.name} for search="${search?.name ?? ''}" sid="${sid}" in app="${app}" owner="${owner}" type="${search === undefined ? 'adhoc' : 'saved'}"`,
    );
    const session = this.#options.openSession(caller);
    const began = performance.now();
    let exit: ActionExit;
    try {
      const input = payloadText(action.format, action.name, this.#payload(action, trigger, session.key));
      exit = await runAction({
        words,
        env: this.#options.env,
        input,
        maxTime: action.maxTime,
        signal: AbortSignal.any([this.#closing.signal, ...(signal === undefined ? [] : [signal])]),
        onLine: (line) => write(levelOf(line), `action=${action.name} STDERR -  ${line}`),
      }).catch((error: NodeJS.ErrnoException) => {
        log('ERROR', `Execution of alert action script failed: ${error.code ?? error.message}`);
        throw new ActionError('Alert script execution failed.');
      });
    } finally {
      session.close();
    }
    const { code, isLate } = exit;
    const duration = Math.round(performance.now() - began);
    if (isLate || code === null) {
      const why = isLate ? `it ran longer than maxtime=${action.maxTime} seconds` : 'a signal ended it';
      log('ERROR', `Execution of alert action script failed: ${why}`);
      throw new ActionError('Alert script execution failed.');
    }
    log('INFO', `Alert action script completed in duration=${duration} ms with exit code=${code}`);
    if (code === 0) return;
    log('WARN', `Alert action script returned error code=${code}`);
    throw new ActionError(`Alert script returned error code ${code}.`);
  }

  #payload(action: AlertAction, trigger: Trigger, sessionKey: string): Payload {
    const { app, sid, search, results, rowNumber } = trigger;
    const row = results.rows[rowNumber ?? 0];
    const resultsLink = trigger.resultsLink ?? this.#link(action, trigger);
    const resultsFile = writeResults(action, trigger, row);
    const named = {
      ...(search === undefined ? {} : { ...search.keys, ...search.tokens }),
      ...timeTokens(trigger.time),
      app,
      owner: search?.owner ?? trigger.caller.user,
      name: search?.name ?? '',
      sid,
      search_id: sid,
      action_name: action.name,
      results_link: resultsLink,
      'results.url': resultsLink,
      'results.file': resultsFile,
      'results.count': String(results.rows.length),
      'job.sid': sid,
      'job.resultCount': String(results.rows.length),
      'server.serverName': this.#options.serverName,
    };
    const tokens = tokensOf(named, row);
    const params = { ...parametersOf(action.settings, 'param.'), ...trigger.params };
    return {
      app,
      owner: named.owner,
      results_file: resultsFile,
      results_link: resultsLink,
      ...(rowNumber === undefined ? {} : { result_id: String(rowNumber) }),
      search_uri: search?.uri ?? '',
      server_host: this.#options.serverName,
      server_uri: this.#options.splunkdUri(),
      session_key: sessionKey,
      sid,
      search_name: named.name,
      configuration: Object.fromEntries(Object.entries(params).map(([name, text]) => [name, fillTokens(text, tokens)])),
      result: resultOf(results.columns, row),
    };
  }

  #link({ settings }: AlertAction, { app, sid, rowNumber }: Trigger): string {
    const web = new URL(this.#options.webUri());
    const host = settings.hostname?.trim() ?? '';
    const port = web.port === '' ? '' : `:${web.port}`;
    const base =
      host === '' ? web.origin : /^https?:/.test(host) ? host.replace(/\/$/, '') : `${web.protocol}//${host}${port}`;
    const path = `${base}/app/${encodeURIComponent(app)}`;
    if (rowNumber === undefined) return `${path}/@go?sid=${encodeURIComponent(sid)}`;
    const text = `|loadjob ${sid} | head ${rowNumber + 1} | tail 1`;
    return `${path}/search?q=${encodeURIComponent(text)}&earliest=0&latest=now`;
  }
}

/** Writes the rows for the program and returns the path. Without rows, or where the job was removed, there is no file. */
function writeResults({ maxResults }: AlertAction, trigger: Trigger, row: Row | undefined): string {
  const { folder, results, rowNumber, search } = trigger;
  const { columns } = results;
  const name =
    rowNumber !== undefined
      ? join('per_result_alert', `tmp_${rowNumber}.csv.gz`)
      : search === undefined
        ? 'sendalert_temp_results.csv.gz'
        : 'results.csv.gz';
  const file = join(folder, name);
  const rows = rowNumber === undefined ? results.rows.slice(0, maxResults) : row === undefined ? [] : [row];
  if (rows.length === 0 || !existsSync(folder)) return file;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, gzipSync(writeResultsCsv({ columns, rows })), { mode: 0o600 });
  return file;
}

/** The level that a line of stderr begins with; ERROR for any other. */
function levelOf(line: string): LogLevel {
  return (/^(DEBUG|INFO|WARN|ERROR|FATAL)\b/.exec(line)?.[1] ?? 'ERROR') as LogLevel;
}
