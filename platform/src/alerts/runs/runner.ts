import type { PlatformLog } from '../../home/log.ts';
import type { PlatformCaller } from '../../http/request.ts';
import type { SearchJob } from '../../search/jobs/job.ts';
import type { NewJob, SearchJobs } from '../../search/jobs/jobs.ts';
import { timeBound } from '../../search/pipeline/times.ts';
import { type Batch, cellText, type Row } from '../../search/results/rows.ts';
import type { AlertActions } from '../actions/actions.ts';
import { ActionError, parametersOf } from '../actions/alertAction.ts';
import { timeText } from '../saved/entry.ts';
import {
  actionsOf,
  durationSeconds,
  isOn,
  listOf,
  type SavedSearch,
  savedSearchId,
  suppressionId,
  ttlSeconds,
} from '../saved/savedSearch.ts';
import type { AlertState } from './alertState.ts';
import { ConditionError, countOf, isMet } from './condition.ts';
import { parseCron, periodOf } from './cron.ts';

export interface RunnerOptions {
  jobs: SearchJobs;
  actions: AlertActions;
  state: AlertState;
  log: PlatformLog;
}

/** One run of a saved search. */
export interface SavedRun {
  search: SavedSearch;
  /** As whom it runs. */
  caller: PlatformCaller;
  sid: string;
  /** The time that the search takes for now, epoch seconds. */
  time: number;
  /** The user who asked for it, if that is another one. */
  requester?: string;
}

/** `max_per_result_alerts` and `max_per_result_alerts_time` (seconds) of limits.conf. */
const MOST_ALERTS = 500;
const MOST_SECONDS = 300;
/** The period of a search without a schedule, in seconds. */
const NO_SCHEDULE = 300;
const MAX_COUNT = 500_000;

/** Runs saved searches and their alert actions. */
export class SavedSearchRunner {
  readonly #options: RunnerOptions;
  readonly #finishing = new Set<Promise<void>>();

  constructor(options: RunnerOptions) {
    this.#options = options;
  }

  /** Dispatches the search; throws the refusals of a dispatch. */
  start(run: SavedRun): Promise<SearchJob> {
    return this.#options.jobs.dispatch(run.caller, newJob(run));
  }

  /** Waits for the job, then runs the actions if the condition is met and nothing suppresses them. */
  finish(run: SavedRun, job: SearchJob): Promise<void> {
    const work = this.#finish(run, job);
    this.#finishing.add(work);
    const done = () => this.#finishing.delete(work);
    work.then(done, done);
    return work;
  }

  /** Resolves when no run is being finished. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#finishing);
  }

  async #finish(run: SavedRun, job: SearchJob): Promise<void> {
    const { search, sid } = run;
    await job.finished;
    if (job.failed || job.cancelled) return this.#log('WARN', run, 'status=failed');
    const results = { columns: job.columns, rows: [...job.rows] };
    const actions = actionsOf(search.keys);
    if (!this.#isTriggered(run, results))
      return this.#log('INFO', run, `status=success result_count=${results.rows.length} alert_actions="" sid="${sid}"`);
    extendLife(job, ttlsOf(this.#options.actions, run, actions));
    const numbers = this.#unsuppressed(run, results);
    const suppressed = isOn(search.keys, 'alert.digest_mode')
      ? 1 - numbers.length
      : results.rows.length - numbers.length;
    this.#log(
      'INFO',
      run,
      `status=success result_count=${results.rows.length} alert_actions="${actions.join(',')}" sid="${sid}" suppressed=${suppressed}`,
    );
    const calls = numbers.flatMap((number) => actions.map((action) => ({ action, number })));
    const until = performance.now() + MOST_SECONDS * 1000;
    await Promise.all(calls.map(({ action, number }) => this.#act(run, job, { action, number, results, until })));
  }

  async #act(
    run: SavedRun,
    job: SearchJob,
    { action, number, results, until }: { action: string; number: number | undefined; results: Batch; until: number },
  ): Promise<void> {
    const { search, caller, sid, time } = run;
    const { keys, name, app, owner } = search;
    try {
      await this.#options.actions.run({
        action,
        caller,
        app,
        sid,
        folder: job.folder,
        results,
        ...(number === undefined ? {} : { rowNumber: number, startUntil: until }),
        time,
        params: parametersOf(keys, `action.${action}.param.`),
        search: { name, owner, uri: uriOf(search), keys, tokens: tokensOf(search, time) },
      });
    } catch (error) {
      if (!(error instanceof ActionError)) throw error;
      const text = `Error in 'sendalert' command: ${error.message}, search='sendalert ${action}'`;
      this.#options.log.write('ERROR', 'SearchScheduler', text);
    }
  }

  #isTriggered(run: SavedRun, results: Batch): boolean {
    const { search } = run;
    const previous = this.#options.state.exchangeCount(
      savedSearchId(search),
      countOf(search.keys.counttype ?? '', results),
    );
    try {
      return isMet(search, results, previous);
    } catch (error) {
      if (!(error instanceof ConditionError)) throw error;
      this.#log('ERROR', run, error.message);
      return false;
    }
  }

  /** The rows for which the actions run, by number; one undefined for all rows together. */
  #unsuppressed(run: SavedRun, { rows }: Batch): (number | undefined)[] {
    const { search, time } = run;
    const { keys } = search;
    const period = isOn(keys, 'alert.suppress') ? durationSeconds(keys['alert.suppress.period']) : undefined;
    const isFree = (row: string) =>
      period === undefined || this.#options.state.suppress(suppressionId(search), row, time, time + period);
    if (isOn(keys, 'alert.digest_mode')) return isFree('') ? [undefined] : [];
    const fields = listOf(keys['alert.suppress.fields']);
    const numbers: number[] = [];
    for (const [number, row] of rows.entries()) {
      if (numbers.length === MOST_ALERTS) {
        this.#log(
          'WARN',
          run,
          `Only the first ${MOST_ALERTS} results trigger actions (max_per_result_alerts), of ${rows.length}`,
        );
        break;
      }
      if (isFree(valuesOf(row, fields))) numbers.push(number);
    }
    return numbers;
  }

  #log(level: 'INFO' | 'WARN' | 'ERROR', { search, time }: SavedRun, text: string): void {
    const { owner, app, name } = search;
    const start = `savedsearch_id="${savedSearchId(search)}", user="${owner}", app="${app}", savedsearch_name="${name}"`;
    this.#options.log.write(level, 'SavedSplunker', `${start}, scheduled_time=${time}, ${text}`);
  }
}

function newJob({ search, sid, time, requester }: SavedRun): NewJob {
  const { keys, name, app } = search;
  const now = time * 1000;
  const bound = (key: string) => {
    const text = keys[key]?.trim() ?? '';
    return text === '' ? '0' : String(timeBound(key, text, now));
  };
  const number = (key: string, usual: number) => {
    const value = Number(keys[`dispatch.${key}`] ?? '');
    return Number.isSafeInteger(value) && value > 0 ? value : usual;
  };
  return {
    sid,
    search: textOf(keys),
    app,
    execMode: 'normal',
    request: {},
    earliest: bound('dispatch.earliest_time'),
    latest: bound('dispatch.latest_time'),
    ttl: ttlSeconds(keys['dispatch.ttl'], scheduleOf(search, time)) ?? 2 * NO_SCHEDULE,
    maxCount: number('max_count', MAX_COUNT),
    maxTime: number('max_time', 0),
    autoCancel: number('auto_cancel', 0),
    autoPause: number('auto_pause', 0),
    preview: false,
    statusBuckets: number('buckets', 0),
    label: name,
    now,
    saved: { id: savedSearchId(search), requester },
  };
}

/** The search with its arguments in place of `$args.name$`. */
function textOf(keys: SavedSearch['keys']): string {
  return (keys.search ?? '').replace(/\$(args\.[\w.-]+)\$/g, (whole, key: string) => keys[key] ?? whole);
}

/** Seconds between the runs of a search. */
function scheduleOf({ keys }: SavedSearch, time: number): number {
  const cron = parseCron(keys.cron_schedule ?? '');
  return (cron === undefined ? undefined : periodOf(cron, time)) ?? NO_SCHEDULE;
}

function ttlsOf(actions: AlertActions, { search, caller, time }: SavedRun, names: readonly string[]): number[] {
  return names.flatMap((name) => {
    try {
      const { settings, maxTime } = actions.find(caller, search.app, name);
      return [maxTime, ttlSeconds(settings.ttl, scheduleOf(search, time)) ?? 0];
    } catch (error) {
      // That there is no such action is logged where it is run.
      if (error instanceof ActionError) return [];
      throw error;
    }
  });
}

/** The longest life wins: a program reads the results of the job. */
function extendLife(job: SearchJob, ttls: readonly number[]): void {
  job.ttl = Math.max(job.ttl, ...ttls);
  job.touch();
}

function valuesOf(row: Row, fields: readonly string[]): string {
  return fields.length === 0 ? '' : JSON.stringify(fields.map((field) => cellText(row[field])));
}

function uriOf({ name, app, owner }: SavedSearch): string {
  const path = encodeURIComponent(name).replaceAll('%20', '+');
  return `/servicesNS/${encodeURIComponent(owner)}/${encodeURIComponent(app)}/saved/searches/${path}`;
}

function tokensOf({ keys }: SavedSearch, time: number): Record<string, string> {
  const next = parseCron(keys.cron_schedule ?? '')?.next(time);
  return {
    search: keys.search ?? '',
    description: keys.description ?? '',
    cron_schedule: keys.cron_schedule ?? '',
    next_scheduled_time: next === undefined ? '' : timeText(next),
    alert_type: keys.counttype ?? '',
    alert_comparator: keys.relation ?? '',
    alert_threshold: keys.quantity ?? '',
  };
}
