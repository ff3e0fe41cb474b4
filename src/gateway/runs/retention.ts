import { MAX_AGENT_TIMEOUT } from '../../contract/families/agents.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { RUNS, type RunDoc } from './documents/stored.ts';
import type { RunStore } from './runStore.ts';
import { MAX_WAIT_S } from './steps/next.ts';

const DAY_S = 86_400;
/** Runs of a definition are tries, such as those of the playground. */
const DEFINITION_DAYS = 1;
/** A user with more than this share of the ended runs loses some first. */
const FAIR_SHARE = 0.2;
/** Runs removed, or ended, after one request. */
const BATCH = 20;
/** Runs that could not be ended are passed over, at most so many after one request. */
const MAX_TRIED = 100;
const ENDED = { $or: [{ state: 'succeeded' }, { state: 'failed' }, { state: 'cancelled' }] };

export interface RunLimits {
  /** Ended runs are kept so long. */
  days: number;
  /** Number of ended runs. */
  most: number;
}

type RunStores = Pick<Stores, 'records' | 'clock' | 'log'>;

/** Removes old runs, after requests that start others. */
export class RunRetention {
  /** Starts before ended runs are counted again: the fewer are missing, the sooner. */
  #uncounted = 0;
  /** The last count. */
  #count = 0;
  /** The key behind which the next search for runs that nobody ends begins. */
  #behind = '';

  /**
   * Ends some runs that nobody goes on with, and removes some that are too old or too many; later requests go on.
   * @param end ends a run
   */
  async clear(
    stores: RunStores,
    store: RunStore,
    limits: RunLimits,
    end: (id: string) => Promise<void>,
  ): Promise<void> {
    await this.#remove(stores, store, limits);
    await this.#endAbandoned(stores, end);
  }

  async #remove({ records, clock }: RunStores, store: RunStore, { days, most }: RunLimits): Promise<void> {
    const old = await oldest(records, BATCH, tooOld(clock.now() / 1000, days));
    await removeRuns(store, old);
    if (old.length === BATCH) return;
    this.#uncounted -= 1;
    if (this.#uncounted > 0) return;
    this.#count = await records.count(RUNS, ENDED, this.#count);
    const excess = this.#count - most;
    // Other processes start runs as well.
    this.#uncounted = Math.max(-excess / 50, most / 1000);
    if (excess <= 0) return;
    const removed = await removeRuns(store, await surplus(records, Math.min(excess, BATCH), most * FAIR_SHARE));
    // More may be left.
    if (excess > removed) this.#uncounted = 0;
  }

  /** One that cannot be ended must not block the others. */
  async #endAbandoned({ records, clock, log }: RunStores, end: (id: string) => Promise<void>): Promise<void> {
    const abandoned = await findAbandoned(records, clock.now() / 1000, this.#behind);
    this.#behind = '';
    let ended = 0;
    for (const id of abandoned) {
      if (ended === BATCH) return;
      this.#behind = id;
      await end(id).then(
        () => {
          ended += 1;
        },
        () => log.warn('run_not_ended', { run: id }),
      );
    }
    if (abandoned.length < MAX_TRIED) this.#behind = '';
  }
}

/**
 * Runs that have begun so long ago that they can have no time left, however long their `agent_timeout` is, and those that waited for
 * approval for too long, or a call of theirs did: nobody has looked at them since.
 * @param behind only those with a higher key
 * @returns ids
 */
async function findAbandoned(records: RecordStore, now: number, behind: string): Promise<string[]> {
  const begun = { started_at: { $lt: now - MAX_AGENT_TIMEOUT } };
  const runs = await records.find<RunDoc>(RUNS, {
    query: {
      $or: [
        { state: 'queued', ...begun, run_id: { $gt: behind } },
        { state: 'running', ...begun, run_id: { $gt: behind } },
        {
          ...{ state: 'waiting_for_approval', started_at: { $lt: now - MAX_WAIT_S } },
          ...{ waits_since: { $lt: now - MAX_WAIT_S }, run_id: { $gt: behind } },
        },
        { state: 'waiting_for_approval', expires_at: { $lte: now }, run_id: { $gt: behind } },
      ],
    },
    fields: ['run_id'],
    sort: 'run_id:1',
    limit: MAX_TRIED,
  });
  return runs.map(({ _key }) => _key);
}

/** Queries of ended runs that are kept no longer. */
function tooOld(now: number, days: number): object {
  const before = (age: number) => ({ ended_at: { $lt: now - age * DAY_S } });
  return { $or: [before(days), { $and: [{ of_definition: true }, before(DEFINITION_DAYS)] }] };
}

async function oldest(records: RecordStore, limit: number, query: object): Promise<string[]> {
  const options = { query: { $and: [ENDED, query] }, fields: ['run_id'], sort: 'started_at:1', limit };
  return (await records.find<RunDoc>(RUNS, options)).map(({ _key }) => _key);
}

/** The oldest runs of who keeps most, as long as that is more than a fair share; else the oldest of all. */
async function surplus(records: RecordStore, count: number, fairShare: number): Promise<string[]> {
  const kept = new Map<string, number>();
  for await (const runs of records.chunks<RunDoc>(RUNS, { query: ENDED, fields: ['user'] })) {
    for (const { user } of runs) kept.set(user, (kept.get(user) ?? 0) + 1);
  }
  const [most] = [...kept].sort(([, a], [, b]) => b - a);
  if (!most || most[1] <= fairShare) return oldest(records, count, {});
  const [user, own] = most;
  return oldest(records, Math.min(count, Math.ceil(own - fairShare)), { user });
}

/** @returns how many: those that a process holds stay until a later request */
async function removeRuns(store: RunStore, ids: readonly string[]): Promise<number> {
  let removed = 0;
  for (const id of ids) if (await store.remove(id)) removed += 1;
  return removed;
}
