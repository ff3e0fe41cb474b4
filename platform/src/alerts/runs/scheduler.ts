import type { PlatformLog } from '../../home/log.ts';
import { PlatformError } from '../../http/reply.ts';
import type { PlatformCaller } from '../../http/request.ts';
import { isOn, isScheduled, type SavedSearch, savedSearchId } from '../saved/savedSearch.ts';
import type { AlertState } from './alertState.ts';
import { parseCron } from './cron.ts';
import type { SavedSearchRunner } from './runner.ts';
import { scheduledSid } from './sid.ts';

export interface SchedulerOptions {
  /** The saved searches as they are now. */
  searches(): SavedSearch[];
  /** The user as whom a search runs; undefined where there is no such user. */
  ownerOf(search: SavedSearch): PlatformCaller | undefined;
  runner: SavedSearchRunner;
  state: AlertState;
  log: PlatformLog;
  /** Epoch milliseconds. */
  now(): number;
}

/** A run that this member has begun. */
export interface BegunRun {
  search: string;
  app: string;
  owner: string;
  sid: string;
  /** Epoch seconds. */
  time: number;
}

const MINUTE_MS = 60_000;
/** Timers may fire that much early. */
const EARLY_MS = 5;
/** Seconds that the timer looks back. */
const MOST_BEHIND = 3600;
const STILL_RUNNING =
  'The maximum number of concurrent running jobs for this historical scheduled search on this instance has been reached';

/** Runs scheduled saved searches when they are due. */
export class Scheduler {
  readonly #options: SchedulerOptions;
  /** Epoch seconds up to which everything due was run. */
  #upTo: number;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;
  #number = 0;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(options: SchedulerOptions) {
    this.#options = options;
    this.#upTo = Math.floor(options.now() / 1000);
  }

  /** Runs searches at each minute of the clock. */
  start(): void {
    if (this.#isClosed) return;
    const wait = MINUTE_MS - (this.#options.now() % MINUTE_MS) + EARLY_MS;
    this.#timer = setTimeout(() => {
      this.#tick();
      this.start();
    }, wait).unref();
  }

  /** Runs everything that is due up to that time, in order, and waits for its actions. @param now epoch milliseconds */
  async runUpTo(now = this.#options.now()): Promise<BegunRun[]> {
    const begun: BegunRun[] = [];
    for (const { time, searches } of this.#due(now)) {
      const runs = await Promise.all(searches.map((search) => this.#run(search, time)));
      begun.push(...runs.filter((run) => run !== undefined));
    }
    return begun;
  }

  /** Begins no more runs. */
  stop(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  /** Resolves when the runs that the timer began are done. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  /** One run of a search does not wait for another search, and is left out while its run before is not done. */
  #tick(): void {
    const now = this.#options.now();
    // After a long pause, such as that of a laptop, nothing older is made up for.
    this.#upTo = Math.max(this.#upTo, Math.floor(now / 1000) - MOST_BEHIND);
    for (const { time, searches } of this.#due(now)) {
      for (const search of searches) {
        const next = nextRun(search, time);
        const isLate = next !== undefined && next * 1000 <= now && isOn(search.keys, 'realtime_schedule');
        if (isLate) this.#skip(search, time, 'a later run is due');
        else if (this.#running.has(savedSearchId(search))) this.#skip(search, time, STILL_RUNNING);
        else this.#track(search, time);
      }
    }
  }

  #track(search: SavedSearch, time: number): void {
    const id = savedSearchId(search);
    const run = this.#run(search, time).catch((error: Error) => {
      this.#options.log.write('ERROR', 'SavedSplunker', `savedsearch_id="${id}": ${error.stack ?? error.message}`);
    });
    this.#running.set(id, run);
    void run.then(() => this.#running.delete(id));
  }

  #skip(search: SavedSearch, time: number, reason: string): void {
    const text = `savedsearch_id="${savedSearchId(search)}", scheduled_time=${time}, status=skipped, reason="${reason}"`;
    this.#options.log.write('WARN', 'SavedSplunker', text);
  }

  /** The times at which something is due; searches are read again for each, since they may have changed meanwhile. */
  *#due(now: number): Generator<{ time: number; searches: SavedSearch[] }> {
    const end = Math.floor(now / 1000);
    while (!this.#isClosed) {
      const from = this.#upTo;
      const next = this.#options.searches().flatMap((search): [SavedSearch, number][] => {
        const time = nextRun(search, from);
        return time === undefined || time > end ? [] : [[search, time]];
      });
      const time = Math.min(...next.map(([, each]) => each));
      if (!Number.isFinite(time)) break;
      this.#upTo = time;
      yield { time, searches: next.filter(([, each]) => each === time).map(([search]) => search) };
    }
    this.#upTo = Math.max(this.#upTo, end);
  }

  async #run(search: SavedSearch, time: number): Promise<BegunRun | undefined> {
    const { state, runner, log } = this.#options;
    const id = savedSearchId(search);
    if (!state.claimRun(id, time)) return undefined;
    const caller = this.#options.ownerOf(search);
    if (caller === undefined) {
      log.write(
        'WARN',
        'SavedSplunker',
        `Failed to set user context for saved search with id '${id}'. Disabling its schedule.`,
      );
      return undefined;
    }
    if (!caller.system && !caller.capabilities.has('schedule_search')) {
      const text = `user=${search.owner} is not allowed to run historical scheduled search, skipping savedsearch_id="${id}"`;
      log.write('WARN', 'SavedSplunker', text);
      return undefined;
    }
    this.#number += 1;
    const run = { search, caller, time, sid: scheduledSid(search, time, this.#number) };
    try {
      const job = await runner.start(run);
      await runner.finish(run, job);
    } catch (error) {
      if (!(error instanceof PlatformError)) throw error;
      log.write(
        'ERROR',
        'SavedSplunker',
        `savedsearch_id="${id}", scheduled_time=${time}, status=failed: ${error.message}`,
      );
      return undefined;
    }
    return { search: search.name, app: search.app, owner: search.owner, sid: run.sid, time };
  }
}

function nextRun(search: SavedSearch, after: number): number | undefined {
  return isScheduled(search) ? parseCron(search.keys.cron_schedule ?? '')?.next(after) : undefined;
}
