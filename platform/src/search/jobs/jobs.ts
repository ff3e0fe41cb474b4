import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { forbidden } from '../../apps/access.ts';
import type { EventIndexes } from '../../events/eventIndexes.ts';
import type { PlatformLog } from '../../home/log.ts';
import { PlatformError } from '../../http/reply.ts';
import type { PlatformCaller } from '../../http/request.ts';
import type { LookupReader } from '../../lookups/tables.ts';
import { type CommandContext, NOT_FIRST, probe, runCommand } from '../commands/customCommand.ts';
import type { AlertCall, LookupTable, SearchContext } from '../pipeline/context.ts';
import { EventReader } from '../pipeline/events.ts';
import { allRowsOf, runPipeline } from '../pipeline/execute.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import type { Batch } from '../results/rows.ts';
import type { IdentityPorts } from './identityPorts.ts';
import { type JobSettings, SearchJob } from './job.ts';
import { type ParsedSearch, type ParserOptions, SearchParser } from './parsedSearch.ts';
import { type QueueOptions, SearchQueue } from './queue.ts';
import { searchinfo } from './searchinfo.ts';

export interface SearchJobsOptions extends ParserOptions, IdentityPorts, QueueOptions {
  home: string;
  /** The name of this server in results. */
  serverName: string;
  events: EventIndexes;
  splunkdUri(): string;
  version: string;
  log: PlatformLog;
  /** Reads a lookup table; throws ArgumentError where the reader has none of that name. */
  lookup(reader: LookupReader, command: string, name: string): Promise<LookupTable>;
  /** Runs an alert action for `sendalert`; throws ArgumentError where it fails. */
  sendalert(by: AlertingSearch, call: AlertCall, results: Batch): Promise<void>;
  /** Maximum rows per chunk. */
  maxResultRows(): number;
  /** Start each command with getinfo only before its run; default true. */
  probe?: boolean;
  /** How long a command may take to exit after EOF, and again after SIGTERM. */
  graceMs?: number;
}

/** A search that runs an alert action. */
export interface AlertingSearch {
  caller: PlatformCaller;
  job: SearchJob;
  /** Aborted when the job is stopped. */
  signal: AbortSignal;
}

export type NewJob = Omit<JobSettings, 'sid' | 'parts' | 'owner' | 'expanded'> & { sid: string | undefined };

const SWEEP_MS = 500;
const GRACE_MS = 5000;
/** The same at shutdown, where it is shorter. */
const CLOSE_MS = 2000;

const refused = (text: string): PlatformError => new PlatformError(400, text, 'FATAL');

/** The search jobs of this process. They do not survive a restart: the next start removes their folders. */
export class SearchJobs {
  readonly #options: SearchJobsOptions;
  readonly #root: string;
  readonly #jobs = new Map<string, SearchJob>();
  readonly #parser: SearchParser;
  readonly #queue: SearchQueue;
  /** Exiting processes of removed jobs. */
  readonly #ending = new Set<Promise<unknown>>();
  #timer: NodeJS.Timeout | undefined;
  #number = 0;
  readonly #closing = new AbortController();

  constructor(options: SearchJobsOptions) {
    this.#options = options;
    this.#parser = new SearchParser(options);
    this.#queue = new SearchQueue(options, () => this.#jobs.values());
    this.#root = join(options.home, 'var', 'run', 'splunk', 'dispatch');
    rmSync(this.#root, { recursive: true, force: true });
    mkdirSync(this.#root, { recursive: true, mode: 0o700 });
  }

  /** Parses a search into known commands; throws splunkd's refusals. */
  parse(caller: PlatformCaller, app: string, search: string): ParsedSearch {
    return this.#parser.parse(caller, app, search);
  }

  async dispatch(caller: PlatformCaller, request: NewJob): Promise<SearchJob> {
    this.#assertOpen();
    const { text: expanded, parts, commands, unsupported } = this.parse(caller, request.app, request.search);
    if (unsupported !== undefined)
      throw refused(`Error in '${unsupported}' command: The embedded platform cannot run this command here.`);
    if (commands.some(Boolean) && !caller.system && !caller.capabilities.has('run_custom_command'))
      throw forbidden(caller, 'run_custom_command');
    const refusal = this.#queue.refusal(caller, request.execMode);
    const sid = request.sid ?? this.#newSid();
    const settings: JobSettings = { ...request, sid, parts, expanded, owner: caller.user };
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
    void job.finished.then(() => {
      session?.close();
      const end = `dispatchState=${job.state} resultCount=${job.rows.length}`;
      this.#options.log.write('INFO', 'SearchDispatch', `user=${caller.user} app=${request.app} sid=${sid} ${end}`);
      this.#queue.startWaiting();
    });
    this.#options.log.write('INFO', 'SearchDispatch', `user=${caller.user} app=${request.app} sid=${sid} dispatched`);
    if (refusal !== undefined) job.message('WARN', refusal);
    this.#queue.add(caller, job, () =>
      job.run((_job, signal) => this.#rows(caller, job, commands, sessionKey, signal)),
    );
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
    const { owner, saved } = job.settings;
    return (
      caller.system ||
      caller.user === owner ||
      caller.user === saved?.requester ||
      caller.capabilities.has('admin_all_objects')
    );
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

  async *#rows(
    caller: PlatformCaller,
    job: SearchJob,
    commands: ParsedSearch['commands'],
    sessionKey: string,
    signal: AbortSignal,
  ): AsyncGenerator<Batch> {
    const { parts } = job.settings;
    if (commands[0] === undefined) job.running();
    yield* runPipeline(parts, this.#context(caller, job, signal), (index, input) => {
      const command = commands[index];
      const part = parts[index];
      if (command === undefined || part === undefined) return undefined;
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
      return runCommand(command, { ...context, probe: this.#isProbing && index === 0 }, input);
    });
  }

  /** The data that the commands of a job read, all of it as its owner. */
  #context(caller: PlatformCaller, job: SearchJob, signal: AbortSignal): SearchContext {
    const { home, events, eventAccess, limited, lookup, sendalert, serverName } = this.#options;
    const { app, earliest, latest } = job.settings;
    const now = job.settings.now ?? Date.now();
    const range = { earliest: Number(earliest), latest: latest === '0' ? Number.POSITIVE_INFINITY : Number(latest) };
    const reader = new EventReader(home, events, {
      ...eventAccess(caller),
      limited: (bounds) => limited(caller, bounds, now / 1000),
    });
    const context: SearchContext = {
      caller,
      now,
      range,
      events: reader,
      serverName,
      lookup: (command, name) => lookup({ caller, app }, command, name),
      sendalert: (call, results) => sendalert({ caller, job, signal }, call, results),
      message: (type, text) => job.message(type, text),
      counted: (scanned, matching) => job.counted(scanned, matching),
      // Counters are those of the outer search.
      run: (parts, input) => allRowsOf(parts, { ...context, counted: () => {} }, input),
    };
    return context;
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
      else if (maxTime > 0 && job.begunAt !== undefined && now - job.begunAt >= maxTime * 1000 && !job.finalized) {
        job.message('INFO', `The search auto-finalized after it reached its time limit: ${maxTime} seconds.`);
        job.finalize();
      }
      if (autoPause > 0 && idle >= autoPause && !job.done) job.pause();
    }
  }
}
