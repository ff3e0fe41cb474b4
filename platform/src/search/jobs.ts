import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forbidden } from '../apps/access.ts';
import type { HostedApp } from '../apps/hostedApp.ts';
import type { EventIndexes } from '../events/eventIndexes.ts';
import type { PlatformLog } from '../home/log.ts';
import { PlatformError } from '../http/reply.ts';
import type { PlatformCaller } from '../http/request.ts';
import { GENERATING, isBuiltin, makeresults } from './builtins.ts';
import { type CustomCommand, findCommand } from './catalog.ts';
import { runCommand } from './customCommand.ts';
import { searchEvents } from './internalIndex.ts';
import { type JobSettings, SearchJob, type Source } from './job.ts';
import { parseSearch, type SearchPart } from './spl.ts';

export interface SearchJobsOptions {
  home: string;
  events: EventIndexes;
  apps(): readonly HostedApp[];
  /** What commands inherit, SPLUNK_HOME and SPLUNK_DB among it. */
  env: Readonly<Record<string, string | undefined>>;
  splunkdUri(): string;
  version: string;
  log: PlatformLog;
  /** A session of the job's owner, for as long as the job runs. */
  openSession(caller: PlatformCaller): { key: string; close(): void };
  /** Most jobs at a time of this caller; undefined = no limit. */
  quota(caller: PlatformCaller): number | undefined;
  mayRead(caller: PlatformCaller, app: HostedApp, objectPath: string): boolean;
  maySearch(caller: PlatformCaller, index: string): boolean;
  /** Start each command once more, before its run, with getinfo alone; default true. */
  probe?: boolean;
  /** How long a command may take to end after EOF, and again after SIGTERM. */
  graceMs?: number;
}

export type NewJob = Omit<JobSettings, 'sid' | 'parts' | 'owner'> & { sid: string | undefined };

const SWEEP_MS = 500;
const GRACE_MS = 5000;
/** The same at the end of the platform, which nobody wants to wait for. */
const CLOSE_MS = 2000;
export const MAX_RESULT_ROWS = 50_000;

function unknown(name: string): PlatformError {
  return new PlatformError(400, `Unknown search command '${name}'.`, 'FATAL');
}

/**
 * The search jobs of this process. They are not kept over a restart: their folders are removed at the next start, as
 * is what they were doing.
 */
export class SearchJobs {
  readonly #options: SearchJobsOptions;
  readonly #root: string;
  readonly #jobs = new Map<string, SearchJob>();
  /** Processes of jobs that are gone, on their way out. */
  readonly #ending = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #number = 0;
  #closed = false;

  constructor(options: SearchJobsOptions) {
    this.#options = options;
    this.#root = join(options.home, 'var', 'run', 'splunk', 'dispatch');
    rmSync(this.#root, { recursive: true, force: true });
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
  }

  /** The commands of a search, each known; throws what the caller is told at dispatch. */
  parse(
    caller: PlatformCaller,
    app: string,
    search: string,
  ): { parts: SearchPart[]; command: CustomCommand | undefined } {
    const parts = parseSearch(search);
    let command: CustomCommand | undefined;
    for (const [index, part] of parts.entries()) {
      const { name } = part;
      if (isBuiltin(name)) {
        if (index === 0 && !GENERATING.has(name))
          throw new PlatformError(
            400,
            `Error in '${name}' command: This command cannot be the first of a search.`,
            'FATAL',
          );
        continue;
      }
      const found = findCommand(this.#options, app, name, (owner, path) => this.#options.mayRead(caller, owner, path));
      if (found === undefined) throw unknown(name);
      if (index > 0)
        throw new PlatformError(
          400,
          `Error in '${name}' command: This command must be the first command of a search.`,
          'FATAL',
        );
      command = found;
    }
    return { parts, command };
  }

  dispatch(caller: PlatformCaller, wanted: NewJob): SearchJob {
    if (this.#closed) throw new PlatformError(503, 'The platform is shutting down.', 'FATAL');
    const { parts, command } = this.parse(caller, wanted.app, wanted.search);
    if (command !== undefined && !caller.system && !caller.capabilities.has('run_custom_command'))
      throw forbidden(caller, 'run_custom_command');
    this.#checkQuota(caller);
    const sid = wanted.sid ?? this.#newSid();
    if (this.#jobs.has(sid)) throw new PlatformError(409, `A search job with sid=${sid} already exists.`, 'FATAL');
    const job = new SearchJob({ ...wanted, sid, parts, owner: caller.user }, join(this.#root, sid));
    this.#jobs.set(sid, job);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    this.#options.log.write('INFO', 'SearchDispatch', `user=${caller.user} app=${wanted.app} sid=${sid} dispatched`);
    void job.run(command === undefined ? this.#builtin(caller) : this.#custom(caller, command)).then(() => {
      const end = `dispatchState=${job.state} resultCount=${job.rows.length}`;
      this.#options.log.write('INFO', 'SearchDispatch', `user=${caller.user} app=${wanted.app} sid=${sid} ${end}`);
    });
    return job;
  }

  /** 404 also for a job of somebody else: its existence is nobody's business. */
  get(caller: PlatformCaller, sid: string): SearchJob {
    const job = this.#jobs.get(sid);
    if (job === undefined || !this.#mayUse(caller, job)) throw new PlatformError(404, 'Unknown sid.', 'FATAL');
    job.seenAt = Date.now();
    return job;
  }

  /** Newest first. */
  list(caller: PlatformCaller): SearchJob[] {
    return [...this.#jobs.values()].filter((job) => this.#mayUse(caller, job)).reverse();
  }

  /** Cancels it, if it still runs, and forgets it. */
  remove(job: SearchJob): void {
    if (this.#jobs.get(job.settings.sid) === job) this.#jobs.delete(job.settings.sid);
    job.cancel();
    const graceMs = this.#options.graceMs ?? GRACE_MS;
    for (const process of job.processes) void process.terminate(this.#closed ? Math.min(graceMs, CLOSE_MS) : graceMs);
    const gone = Promise.all([job.finished, ...[...job.processes].map((process) => process.exited)]).then(() => {
      job.removeFolder();
      this.#ending.delete(gone);
    });
    this.#ending.add(gone);
  }

  /** Ends all commands; later searches are refused. */
  async close(): Promise<void> {
    this.#closed = true;
    clearInterval(this.#timer);
    for (const job of [...this.#jobs.values()]) this.remove(job);
    await Promise.all(this.#ending);
  }

  #mayUse(caller: PlatformCaller, job: SearchJob): boolean {
    return caller.system || caller.user === job.settings.owner || caller.capabilities.has('admin_all_objects');
  }

  #checkQuota(caller: PlatformCaller): void {
    const limit = this.#options.quota(caller);
    if (limit === undefined) return;
    const running = [...this.#jobs.values()].filter((job) => job.settings.owner === caller.user && !job.done).length;
    if (running < limit) return;
    const why =
      'The maximum number of concurrent historical searches for this user based on their role quota has been reached.';
    const facts = `concurrency_category="historical", concurrency_context="user_instance-wide", current_concurrency=${running}, concurrency_limit=${limit}`;
    throw new PlatformError(503, `Search not executed: ${why}, ${facts}`, 'FATAL');
  }

  #newSid(): string {
    for (;;) {
      this.#number += 1;
      const sid = `${Math.floor(Date.now() / 1000)}.${this.#number}`;
      if (!this.#jobs.has(sid)) return sid;
    }
  }

  #builtin(caller: PlatformCaller): Source {
    const { home, events, maySearch } = this.#options;
    return async function* (job) {
      const [part] = job.settings.parts;
      if (part === undefined) return;
      job.running();
      yield part.name === 'search'
        ? searchEvents(part, { home, events }, (index) => maySearch(caller, index))
        : makeresults(part, Date.now());
    };
  }

  #custom(caller: PlatformCaller, command: CustomCommand): Source {
    const { openSession, probe = true, graceMs = GRACE_MS } = this.#options;
    return async function* (this: SearchJobs, job: SearchJob, signal: AbortSignal) {
      const session = openSession(caller);
      try {
        yield* runCommand(command, {
          searchinfo: this.#searchinfo(job, command, session.key),
          probeFolder: `${job.folder}.parse`,
          probe,
          graceMs,
          signal,
          message: (type, text) => job.message(type, text),
          log: (level, component, text) => job.log(level, component, text),
          started: (process) => {
            job.processes.add(process);
            process.exited.finally(() => job.processes.delete(process));
          },
          running: (pid) => job.running(pid),
          gate: () => job.gate(),
        });
      } finally {
        session.close();
      }
    }.bind(this);
  }

  #searchinfo(job: SearchJob, command: CustomCommand, sessionKey: string): Record<string, unknown> {
    const { sid, app, owner, search, parts, earliest, latest } = job.settings;
    return {
      args: parts[0]?.args ?? [],
      raw_args: parts[0]?.rawArgs ?? [],
      dispatch_dir: job.folder,
      sid,
      app,
      owner,
      username: owner,
      session_key: sessionKey,
      splunkd_uri: this.#options.splunkdUri(),
      splunk_version: this.#options.version,
      search: encodeURIComponent(search),
      command: command.name,
      maxresultrows: MAX_RESULT_ROWS,
      earliest_time: earliest,
      latest_time: latest,
    };
  }

  #sweep(): void {
    const now = Date.now();
    for (const job of this.#jobs.values()) {
      const { autoCancel, autoPause, maxTime } = job.settings;
      const idle = (now - job.seenAt) / 1000;
      if (job.finishedAt !== undefined) {
        if (now - Math.max(job.finishedAt, job.touchedAt) >= job.ttl * 1000) this.remove(job);
      } else if (autoCancel > 0 && idle >= autoCancel) this.remove(job);
      else if (maxTime > 0 && now - job.createdAt >= maxTime * 1000) job.finalize();
      else if (autoPause > 0 && idle >= autoPause) job.pause();
    }
  }
}
