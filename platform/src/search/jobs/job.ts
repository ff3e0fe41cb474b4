import { appendFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { logStamp } from '../../home/log.ts';
import { PlatformError, type PlatformMessage } from '../../http/reply.ts';
import { CommandFailure, type CommandProcess } from '../commands/commandProcess.ts';
import { Results } from '../pipeline/pipeline.ts';
import type { SearchPart } from '../pipeline/spl.ts';
import { ArgumentError } from '../pipeline/spl.ts';
import type { Batch, Row } from '../results/rows.ts';

export type DispatchState = 'QUEUED' | 'PARSING' | 'RUNNING' | 'PAUSED' | 'FINALIZING' | 'DONE' | 'FAILED';

export interface JobSettings {
  sid: string;
  /** As it was sent. */
  search: string;
  /** With macros expanded. */
  expanded: string;
  parts: SearchPart[];
  owner: string;
  app: string;
  execMode: string;
  /** The request arguments, for `request` in the job's content. */
  request: Record<string, string>;
  earliest: string;
  latest: string;
  ttl: number;
  maxCount: number;
  /** Seconds, 0 = no limit. */
  maxTime: number;
  autoCancel: number;
  autoPause: number;
  preview: boolean;
  statusBuckets: number;
  label: string;
  /** The time that the search takes for now, epoch milliseconds; that of its start by default. */
  now?: number;
  /** The saved search that it runs, by its id in the log, with the user who asked for it and may look at it beside the owner. */
  saved?: { id: string; requester?: string | undefined };
}

/** Runs the commands of a search. On abort, they end with the rows so far. */
export type Source = (job: SearchJob, signal: AbortSignal) => AsyncIterable<Batch>;

/** Limits search.log, so that a command's stderr cannot fill the disk. */
const MAX_LOG_BYTES = 10_000_000;
const MAX_ENTRY = 100_000;

/** A search job; it and its folder live as long as this process. */
export class SearchJob {
  readonly settings: JobSettings;
  readonly folder: string;
  readonly createdAt = Date.now();
  /** Resolves when the job has ended, in whatever state. */
  readonly finished: Promise<void>;
  readonly messages: PlatformMessage[] = [];
  /** When it left the queue. */
  begunAt: number | undefined;
  startedAt: number | undefined;
  finishedAt: number | undefined;
  /** Last access, which postpones auto_cancel and auto_pause. */
  seenAt = Date.now();
  /** Last time the expiry was extended. */
  touchedAt = Date.now();
  ttl: number;
  priority = 5;
  saved = false;
  previewEnabled: boolean;
  finalized = false;
  cancelled = false;
  failed = false;
  pid: number | undefined;
  /** The role whose cumulative quota it uses. */
  role: string | undefined;
  /** Events that its first command looked at, and those that it found. */
  scanCount = 0;
  eventCount = 0;
  readonly processes = new Set<CommandProcess>();
  readonly #abort = new AbortController();
  readonly #markFinished: () => void;
  #state: DispatchState = 'QUEUED';
  #results: Results | undefined;
  #paused: PromiseWithResolvers<void> | undefined;
  #changed = Promise.withResolvers<void>();
  #logged = 0;

  constructor(settings: JobSettings, folder: string) {
    this.settings = settings;
    this.folder = folder;
    this.ttl = settings.ttl;
    this.previewEnabled = settings.preview;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.finished = promise;
    this.#markFinished = resolve;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  }

  get state(): DispatchState {
    return this.#paused !== undefined && this.#state === 'RUNNING' ? 'PAUSED' : this.#state;
  }

  /** Whether it waits for others to end. */
  get queued(): boolean {
    return this.#state === 'QUEUED';
  }

  get done(): boolean {
    return this.finishedAt !== undefined;
  }

  get paused(): boolean {
    return this.#paused !== undefined && !this.done;
  }

  get rows(): readonly Row[] {
    return this.#results?.rows ?? [];
  }

  get columns(): string[] {
    return this.#results?.columns ?? [];
  }

  get truncated(): boolean {
    return this.#results?.truncated === true;
  }

  async run(source: Source): Promise<void> {
    this.begunAt = Date.now();
    this.#enter('PARSING');
    try {
      const results = new Results(this.settings.maxCount);
      this.#results = results;
      for await (const batch of source(this, this.#abort.signal)) {
        results.keep(batch);
        this.#tell();
        if (results.truncated || this.cancelled) break;
      }
      this.#enter('FINALIZING');
    } catch (error) {
      if (!this.#abort.signal.aborted) this.#fail(error);
    }
    this.finishedAt = Date.now();
    this.#enter(this.failed ? 'FAILED' : 'DONE');
    this.unpause();
    this.#markFinished();
  }

  /** Called when a command begins its real run. */
  running(pid?: number): void {
    this.pid ??= pid;
    if (this.startedAt !== undefined) return;
    this.startedAt = Date.now();
    this.#enter('RUNNING');
  }

  message(type: PlatformMessage['type'], text: string): void {
    if (this.messages.length < 1000) this.messages.push({ type, text });
  }

  counted(scanned: number, events: number): void {
    this.scanCount += scanned;
    this.eventCount += events;
  }

  log(level: string, component: string, text: string): void {
    if (this.#logged > MAX_LOG_BYTES) return;
    const lines = text.slice(0, MAX_ENTRY).trimEnd().split(/\r?\n/);
    const entry = lines.map((line) => `${logStamp(new Date())} ${level.padEnd(5)} ${component} - ${line}\n`).join('');
    this.#logged += entry.length;
    try {
      appendFileSync(join(this.folder, 'search.log'), entry, { mode: 0o600 });
    } catch {
      // The job was removed or the disk is full: the search continues.
    }
  }

  touch(): void {
    this.touchedAt = Date.now();
  }

  /** Takes effect before the next request to the command; a running reply is not interrupted. */
  pause(): void {
    if (!this.done) this.#paused ??= Promise.withResolvers<void>();
  }

  unpause(): void {
    this.#paused?.resolve();
    this.#paused = undefined;
  }

  /** Waits while the job is paused and neither finalized nor cancelled. */
  async waitWhilePaused(): Promise<void> {
    if (!this.#abort.signal.aborted) await this.#paused?.promise;
  }

  /** Stops the command; the rows so far are the result. */
  finalize(): void {
    if (this.done) return;
    this.finalized = true;
    if (this.queued) this.#endUnstarted();
    else {
      this.#state = 'FINALIZING';
      this.#stop();
    }
  }

  cancel(): void {
    this.cancelled = true;
    if (this.queued && !this.done) this.#endUnstarted();
    else this.#stop();
  }

  #endUnstarted(): void {
    this.finishedAt = Date.now();
    this.#enter('DONE');
    this.#markFinished();
  }

  /** Resolves when there are more rows than that, or no more will come. */
  async waitForRows(than: number): Promise<void> {
    while (!this.done && this.rows.length <= than) await this.#changed.promise;
  }

  removeFolder(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #stop(): void {
    this.#abort.abort();
    this.unpause();
  }

  #enter(state: DispatchState): void {
    if (this.#state === 'FINALIZING' && state === 'RUNNING') return;
    this.#state = state;
    this.log('INFO', 'DispatchThread', `dispatchState=${state}`);
    this.#tell();
  }

  #tell(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers<void>();
  }

  #fail(error: unknown): void {
    this.failed = true;
    const [first] = this.settings.parts;
    const text = error instanceof Error ? error.message : String(error);
    const isExpected = [CommandFailure, ArgumentError, PlatformError].some((kind) => error instanceof kind);
    this.log('ERROR', 'SearchMessages', isExpected ? text : ((error as Error).stack ?? text));
    if (error instanceof CommandFailure)
      this.message('FATAL', `Error in '${error.command ?? first?.name}' command: ${text}`);
    else this.message('FATAL', isExpected ? text : 'The search failed on an error of the platform.');
  }
}
