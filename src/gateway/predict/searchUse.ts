import type { Static } from 'typebox';
import { errorName } from '../../contract/basics.ts';
import { Fault, invalid } from '../../contract/codes/faults.ts';
import { BEGUN_KEPT_S } from '../../contract/families/usage.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import { USAGE_COUNTERS } from '../../metering/limits/counterDocs.ts';
import { type UseSite, useRecord } from '../../metering/meteredUse.ts';
import type { Doc, RecordStore } from '../../ports/stores/recordStore.ts';
import type { PredictDependencies } from './openers.ts';
import type { PredictBeginReply, PredictEndBody, PredictEndReply } from './schemas.ts';

/** A use that a search has begun and has to end. Uses of models that searches do not run by themselves are recorded elsewhere. */
interface BegunDoc extends Doc {
  kind: 'prediction';
  /** Epoch seconds. A search that runs longer, or never ends its use, leaves no record of it. */
  ends: number;
  user: string;
  provider: string;
  connection: string;
  model: string;
  isRecorded: boolean;
}

/** Marks that a use was ended: of two ends at a time one wins. */
interface EndMark extends Doc {
  kind: 'prediction';
  ends: number;
}

/** Maximum difference between the clocks of members. */
const CLOCKS_MS = 60_000;
/** Maximum of uses of one user that have not ended. */
const MAX_BEGUN = 100;
/** Removed with each use that begins, so that what is never ended does not add up. */
const MOST_REMOVED = 25;
const NOTHING = { tokens: 0, cost: undefined };

interface BegunUse {
  response: Static<typeof PredictBeginReply>;
  warnings: readonly string[];
}

/**
 * Begins the use of a model by a search: judges rights and limits, and says what the model is. One request of its limits is
 * taken for good, since a search that does not end its use has probably applied the model.
 * @param enter takes the slot of the request
 * @throws Fault `too_many_records`, and others
 */
export async function beginUse(
  deps: PredictDependencies,
  records: RecordStore,
  site: UseSite,
  name: string,
  enter: () => Promise<unknown>,
): Promise<BegunUse> {
  const { caller, now, newId } = site;
  const { type, kind, entry, reference, name: model } = await deps.findModel(caller, name);
  const view = entry && (await deps.listing.describe(caller, entry));
  if (entry && !view) throw new Fault('not_found', 'The model was deleted');
  if (!entry) {
    // A container is known to be there once it can be opened, which may ask its engine.
    await enter();
    await deps.openPredictor(caller, name);
  }
  const { provider, runsInSearches = false } = kind;
  const target = { service: provider, connection_name: provider, model };
  const limited = site.limits.begin({ caller, operation: 'predict', alias: undefined, deadlineMs: 0 });
  if (runsInSearches) await limited.admit(target, NOTHING);
  const use_id = newId();
  const seconds = now() / 1000;
  const begun: BegunDoc = {
    _key: use_id,
    kind: 'prediction',
    ends: seconds + BEGUN_KEPT_S,
    user: caller.user,
    provider,
    connection: provider,
    model,
    isRecorded: runsInSearches,
  };
  try {
    await records.insert(USAGE_COUNTERS, begun);
    await assertWithinBound(records, begun, seconds);
  } catch (error) {
    await limited.release();
    throw error;
  }
  limited.settle(NOTHING, target);
  await removePast(records, seconds);
  const { owner, app, sharing, features, targets, size_bytes } = view ?? IN_CONTAINER;
  const size = size_bytes === undefined ? {} : { size_bytes };
  return {
    response: { use_id, model: reference, type, owner, app, sharing, features, targets, ...size },
    warnings: limited.warnings,
  };
}

/** Judged after the insert: of several at the same time none goes beyond the bound. @throws Fault `too_many_records` */
async function assertWithinBound(records: RecordStore, { _key, user }: BegunDoc, seconds: number): Promise<void> {
  const query = { kind: 'prediction', user, ends: { $gt: seconds } };
  const beyond = { query, fields: ['ends'], sort: 'ends:1', skip: MAX_BEGUN, limit: 1 };
  if ((await records.find<Doc>(USAGE_COUNTERS, beyond)).length === 0) return;
  await records.remove(USAGE_COUNTERS, _key);
  const message = `You have begun ${MAX_BEGUN} predictions in searches that are not ended, which is the maximum. End them with POST /ai_gateway/predict/end; those that nobody ends are forgotten after 7 days.`;
  throw new Fault('too_many_records', message, {}, { headers: { 'x-should-retry': 'false' } });
}

/** Models in containers belong to nobody, and say what they take only to those who ask them. */
const IN_CONTAINER = {
  owner: 'nobody',
  app: 'ml_extension',
  sharing: 'app' as const,
  features: [],
  targets: [],
  size_bytes: undefined,
};

/**
 * Ends it, once, and records it.
 * @throws Fault `not_found` for a use of somebody else, one that was ended, and one that began too long ago
 */
export async function endUse(
  { records, log }: Pick<Stores, 'records' | 'log'>,
  site: UseSite,
  end: Static<typeof PredictEndBody>,
): Promise<Static<typeof PredictEndReply>> {
  const { use_id, rows, failed } = end;
  if (failed > rows) throw invalid([{ field: 'failed', message: 'must not be more than rows' }]);
  const { caller, now } = site;
  const begun = await records.get<BegunDoc>(USAGE_COUNTERS, use_id);
  if (begun?.kind !== 'prediction' || begun.user !== caller.user) throw ended();
  const seconds = now() / 1000;
  // Old documents are removed only when the next use begins.
  if (begun.ends < seconds) throw ended();
  const mark: EndMark = { _key: `${use_id}.ended`, kind: 'prediction', ends: seconds + BEGUN_KEPT_S };
  if (!(await records.insert(USAGE_COUNTERS, mark))) throw ended();
  // It has ended: a leftover document is harmless, a lost record is not.
  recordEnd(site, begun, end);
  await records.remove(USAGE_COUNTERS, use_id).catch((error: unknown) => {
    log.warn('ended_prediction_not_removed', { cause: errorName(error) });
  });
  return { use_id };
}

function recordEnd(site: UseSite, begun: BegunDoc, end: Static<typeof PredictEndBody>): void {
  const { rows, failed, duration_ms, error_code } = end;
  const { provider, connection, model, isRecorded, ends } = begun;
  const passedMs = Math.max(0, site.now() - 1000 * (ends - BEGUN_KEPT_S)) + CLOCKS_MS;
  if (!isRecorded || rows === 0) return;
  const record = useRecord(site, {
    operation: 'predict',
    target: { service: provider, connection_name: connection, model },
    attempts: 1,
    upstreamMs: Math.min(duration_ms, passedMs),
    overheadMs: 0,
    errorCode: error_code ?? (failed === rows ? 'all_rows_failed' : undefined),
  });
  site.keep(record, { input: { rows, failed }, output: null });
}

const ended = () => new Fault('not_found', 'Unknown use_id: not yours, already ended, or older than 7 days');

/** A failure must not fail the use: the next one tries again. */
async function removePast(records: RecordStore, seconds: number): Promise<void> {
  const query = { kind: 'prediction', ends: { $lt: seconds } };
  const past = await records
    .find<Doc>(USAGE_COUNTERS, { query, fields: ['ends'], limit: MOST_REMOVED })
    .catch(() => []);
  if (past.length === 0) return;
  await records.removeWhere(USAGE_COUNTERS, { $or: past.map(({ _key }) => ({ _key })) }).catch(() => {});
}
