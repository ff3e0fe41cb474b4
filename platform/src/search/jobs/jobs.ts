import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forbidden, mayAccess } from '../../apps/access.ts';
import type { HostedApp } from '../../apps/hostedApp.ts';
import type { EventIndexes } from '../../events/eventIndexes.ts';
import type { PlatformLog } from '../../home/log.ts';
import { PlatformError } from '../../http/reply.ts';
import type { PlatformCaller } from '../../http/request.ts';
import { type CustomCommand, findCommand } from '../commands/catalog.ts';
import { type CommandContext, NOT_FIRST, probe, runCommand } from '../commands/customCommand.ts';
import { GENERATING, isBuiltin, makeresults, stage } from '../pipeline/builtins.ts';
import { searchEvents } from '../pipeline/internalIndex.ts';
import { throughStage } from '../pipeline/pipeline.ts';
import { parseSearch, type SearchPart } from '../pipeline/spl.ts';
import type { Batch } from '../results/rows.ts';
import { type JobSettings, SearchJob } from './job.ts';
import { searchinfo } from './searchinfo.ts';

export interface SearchJobsOptions {
  home: string;
  events: EventIndexes;
  apps(): readonly HostedApp[];
  /** The environment of commands, including SPLUNK_HOME and SPLUNK_DB. */
  env: Readonly<Record<string, string | undefined>>;
  splunkdUri(): string;
  version: string;
  log: PlatformLog;
  /** Opens a session of the job's owner for the duration of the job. */
  openSession(caller: PlatformCaller): { key: string; close(): void };
  /** Maximum concurrent jobs of this caller; undefined = no limit. */
  quota(caller: PlatformCaller): number | undefined;
  maySearch(caller: PlatformCaller, index: string): boolean;
  /** Maximum rows per chunk. */
  maxResultRows(): number;
  /** Start each command with getinfo only before its run; default true. */
  probe?: boolean;
  /** How long a command may take to exit after EOF, and again after SIGTERM. */
  graceMs?: number;
}

export type NewJob = Omit<JobSettings, 'sid' | 'parts' | 'owner'> & { sid: string | undefined };

const SWEEP_MS = 500;
const GRACE_MS = 5000;
/** The same at shutdown, where it is shorter. */
const CLOSE_MS = 2000;

/** The commands of a search; undefined for built-in ones. */
export interface ParsedSearch {
  parts: SearchPart[];
  commands: (CustomCommand | undefined)[];
}

const refused = (text: string): PlatformError => new PlatformError(400, text, 'FATAL');
const unknown = (name: string): PlatformError => refused(`Unknown search command '${name}'.`);

/** The search jobs of this process. They do not survive a restart: the next start removes their folders. */
export class SearchJobs {
  readonly #options: SearchJobsOptions;
  readonly #root: string;
  readonly #jobs = new Map<string, SearchJob>();
  /** Exiting processes of removed jobs. */
  readonly #ending = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #number = 0;
  readonly #closing = new AbortController();

  constructor(options: SearchJobsOptions) {
    this.#options = options;
    this.#root = join(options.home, 'var', 'run', 'splunk', 'dispatch');
    rmSync(this.#root, { recursive: true, force: true });
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
  }

  /** Parses a search into known commands; throws the error of the dispatch. */
  parse(caller: PlatformCaller, app: string, search: string): ParsedSearch {
    const parts = parseSearch(search);
    const commands = parts.map((part, index): CustomCommand | undefined => {
      const { name } = part;
      if (!isBuiltin(name)) {
        const command = findCommand(this.#options, app, name, (owner, path) =>
          mayAccess(caller, owner.access(path), 'read'),
        );
        if (command === undefined) throw unknown(name);
        return command;
      }
      if (index === 0 && !GENERATING.has(name))
        throw refused(`Error in '${name}' command: This command cannot be the first of a search.`);
      return undefined;
    });
    return { parts, commands };
  }

  async dispatch(caller: PlatformCaller, request: NewJob): Promise<SearchJob> {
    this.#assertOpen();
    const { parts, commands } = this.parse(caller, request.app, request.search);
    if (commands.some(Boolean) && !caller.system && !caller.capabilities.has('run_custom_command'))
      throw forbidden(caller, 'run_custom_command');
    this.#checkQuota(caller);
    const settings: JobSettings = { ...request, sid: request.sid ?? this.#newSid(), parts, owner: caller.user };
    const { sid } = settings;
    const session = commands.some(Boolean) ? this.#options.openSession(caller) : undefined;
    const sessionKey = session?.key ?? '';
    let job: SearchJob;
    try {
      await this.#assertPositions(settings, commands, sessionKey);
      if (this.#jobs.has(sid)) throw new PlatformError(409, `A search job with sid=${sid} already exists.`, 'FATAL');
      job = new SearchJob(settings, join(this.#root, sid));
    } catch (error) {
      session?.close();
      throw error;
    }
    this.#jobs.set(sid, job);
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS).unref();
    const run = job.run((_job, signal) => this.#rows(caller, job, commands, sessionKey, signal));
    void run.then(() => {
      session?.close();
      const end = `dispatchState=${job.state} resultCount=${job.rows.length}`;
      this.#options.log.write('INFO', 'SearchDispatch', `user=${caller.user} app=${request.app} sid=${sid} ${end}`);
    });
    this.#options.log.write('INFO', 'SearchDispatch', `user=${caller.user} app=${request.app} sid=${sid} dispatched`);
    return job;
  }

  /** 404 also for another user's job, so that its existence is not revealed. */
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

  /** Cancels a running job and removes it. */
  remove(job: SearchJob): void {
    if (this.#jobs.get(job.settings.sid) === job) this.#jobs.delete(job.settings.sid);
    job.cancel();
    const graceMs = this.#options.graceMs ?? GRACE_MS;
    for (const process of job.processes)
      void process.terminate(this.#closing.signal.aborted ? Math.min(graceMs, CLOSE_MS) : graceMs);
    const gone = Promise.all([job.finished, ...[...job.processes].map((process) => process.exited)]).then(() => {
      job.removeFolder();
      this.#ending.delete(gone);
    });
    this.#ending.add(gone);
  }

  /** Stops all commands; later searches are refused. */
  async close(): Promise<void> {
    this.#closing.abort();
    clearInterval(this.#timer);
    for (const job of [...this.#jobs.values()]) this.remove(job);
    await Promise.all(this.#ending);
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new PlatformError(503, 'The platform is shutting down.', 'FATAL');
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

  /** Asks each command after the first whether it may stand there before the job begins, as splunkd does. */
  async #assertPositions(settings: JobSettings, commands: ParsedSearch['commands'], sessionKey: string): Promise<void> {
    if (!this.#isProbing) return;
    for (const [index, command] of commands.entries()) {
      const part = settings.parts[index];
      if (index === 0 || command === undefined || part === undefined) continue;
      const isGenerating = await probe(command, {
        ...this.#commandSettings(settings, part, sessionKey),
        signal: this.#closing.signal,
        log: () => {},
        started: (process) => {
          const gone: Promise<unknown> = process.exited.then(() => this.#ending.delete(gone));
          this.#ending.add(gone);
        },
      });
      if (isGenerating) throw refused(`Error in '${command.name}' command: ${NOT_FIRST}`);
    }
    this.#assertOpen();
  }

  /** Chains the commands: each reads from the one before it on demand. */
  #rows(
    caller: PlatformCaller,
    job: SearchJob,
    commands: ParsedSearch['commands'],
    sessionKey: string,
    signal: AbortSignal,
  ): AsyncIterable<Batch> {
    let rows: AsyncIterable<Batch> | undefined;
    for (const [index, part] of job.settings.parts.entries()) {
      const command = commands[index];
      if (command === undefined) {
        rows = rows === undefined ? this.#builtin(caller, job, part) : throughStage(stage(part), rows);
        continue;
      }
      const context: CommandContext = {
        ...this.#commandSettings(job.settings, part, sessionKey),
        signal,
        message: (type, text) => job.message(type, text),
        log: (level, component, text) => job.log(level, component, text),
        started: (process) => {
          job.processes.add(process);
          process.exited.finally(() => job.processes.delete(process));
        },
        running: (pid) => job.running(pid),
        gate: () => job.waitWhilePaused(),
      };
      rows = runCommand(command, { ...context, probe: this.#isProbing && index === 0 }, rows);
    }
    if (rows === undefined) throw new Error('a search has at least one command');
    return rows;
  }

  async *#builtin(caller: PlatformCaller, job: SearchJob, part: SearchPart): AsyncGenerator<Batch> {
    const { home, events, maySearch } = this.#options;
    job.running();
    const batch =
      part.name === 'search'
        ? searchEvents(part, { home, events }, (index) => maySearch(caller, index))
        : makeresults(part, Date.now());
    yield { ...batch, isLast: true };
  }

  get #isProbing(): boolean {
    return this.#options.probe !== false;
  }

  #commandSettings(settings: JobSettings, part: SearchPart, sessionKey: string) {
    const { splunkdUri, version, graceMs = GRACE_MS } = this.#options;
    const folder = join(this.#root, settings.sid);
    const maxRows = this.#options.maxResultRows();
    const platform = { splunkd_uri: splunkdUri(), splunk_version: version, maxresultrows: maxRows };
    return {
      probeFolder: `${folder}.parse`,
      graceMs,
      maxRows,
      searchinfo: { ...searchinfo(settings, part), ...platform, dispatch_dir: folder, session_key: sessionKey },
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
