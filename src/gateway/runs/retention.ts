import { MAX_AGENT_TIMEOUT } from '../../contract/families/agents.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { CLAIMS, DECISIONS, RUNS, type RunDoc, STEPS } from '../../families/runs/public.ts';

const DAY_S = 86_400;
/** Runs of a definition are tries, such as those of the playground. */
const DEFINITION_DAYS = 1;
const MAX_RUNS = 10_000;
/** Runs removed after one request. */
const BATCH = 20;
const ENDED = { $or: [{ state: 'succeeded' }, { state: 'failed' }, { state: 'cancelled' }] };

/**
 * Runs that have begun so long ago that they can have no time left, however long their `agent_timeout` is: nobody has taken their
 * steps to the end, so nobody will end them.
 * @returns ids of the oldest
 */
export async function findAbandoned({ records, clock }: Pick<Stores, 'records' | 'clock'>): Promise<string[]> {
  const before = clock.now() / 1000 - MAX_AGENT_TIMEOUT;
  const runs = await records.find<RunDoc>(RUNS, {
    query: { $and: [{ $or: [{ state: 'queued' }, { state: 'running' }] }, { started_at: { $lt: before } }] },
    fields: ['run_id'],
    sort: 'started_at:1',
    limit: BATCH,
  });
  return runs.map(({ _key }) => _key);
}

/** Removes some ended runs that are too old or too many, with their steps; later requests go on. */
export async function sweepRuns(
  { records, clock }: Pick<Stores, 'records' | 'clock'>,
  days: number,
  maxRuns = MAX_RUNS,
): Promise<void> {
  const now = clock.now() / 1000;
  const before = (age: number) => ({ ended_at: { $lt: now - age * DAY_S } });
  const find = (query: object, limit = BATCH) =>
    records.find<RunDoc>(RUNS, {
      query: { $and: [ENDED, query] },
      fields: ['run_id'],
      sort: 'started_at:1',
      limit,
    });
  const old = await find({ $or: [before(days), { $and: [{ of_definition: true }, before(DEFINITION_DAYS)] }] });
  const count = (await records.count(RUNS, ENDED)) - maxRuns;
  const excess = count > 0 ? await find({}, Math.min(count, BATCH)) : [];
  for (const { _key } of [...old, ...excess].slice(0, BATCH)) {
    // The run last: what a crash leaves is found again.
    for (const collection of [STEPS, DECISIONS, CLAIMS]) await records.removeWhere(collection, { run_id: _key });
    await records.remove(RUNS, _key);
  }
}
