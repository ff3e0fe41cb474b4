import { DAYS_BY_HOUR } from '../../contract/families/usage.ts';
import { Leases } from '../../domain/locks/leases.ts';
import type { Stores } from '../../domain/records/sealedRecord.ts';
import type { RecordStore } from '../../ports/stores/recordStore.ts';
import { agreedTime } from './agreedTime.ts';
import { DAY_S, HOUR_S, parseRows, RowSums, storedRows, USAGE, type UsageDoc, withoutFolded } from './sums.ts';

const FOLD_AFTER_S = 2 * HOUR_S;
/** A folding ends after this time; the next one goes on. */
const FOLDING_MS = 500;
/** One folding a minute, whichever process does it. */
const INTERVAL_MS = 60_000;
/** Documents that one folding looks at. */
const BATCH = 100;
/** Sums that would not fit into a document stay as they are. */
const MAX_ROWS_BYTES = 8_000_000;

interface Fold {
  from: 'process' | 'hour';
  into: 'hour' | 'day';
  size: number;
  after: number;
}

const FOLDS: readonly Fold[] = [
  { from: 'process', into: 'hour', size: HOUR_S, after: FOLD_AFTER_S },
  { from: 'hour', into: 'day', size: DAY_S, after: DAYS_BY_HOUR * DAY_S },
];

/**
 * Makes one document of those of an hour, later of those of a day, and removes what is older than the retention. A folded document
 * names its sources, which readers skip, so a crash at any point neither loses nor doubles anything.
 */
export async function foldUsage(
  stores: Pick<Stores, 'records' | 'clock' | 'newId'>,
  retentionDays: number,
): Promise<void> {
  const { records, clock, newId } = stores;
  const now = await agreedTime(stores, { collection: USAGE, field: 'to' });
  // Never released: its expiry is the interval.
  const turn = await new Leases(records, clock, newId).tryAcquire('usage.folded', INTERVAL_MS);
  if (!turn) return;
  const since = clock.monotonic();
  const isOver = () => clock.monotonic() - since >= FOLDING_MS;
  for (const fold of FOLDS) await foldKind(records, clock.member, fold, now, isOver);
  const oldest = Math.floor(now / DAY_S - retentionDays) * DAY_S;
  await records.removeWhere(USAGE, { to: { $lte: oldest } });
}

async function foldKind(
  records: RecordStore,
  member: string,
  { from: kind, into, size, after }: Fold,
  now: number,
  isOver: () => boolean,
): Promise<void> {
  const query = { kind, to: { $lte: now - after } };
  const options = { query, sort: 'from:1', limit: BATCH, fields: ['from'] };
  const docs = await records.find<UsageDoc>(USAGE, options);
  const begins = new Set(docs.map(({ from }) => Math.floor(from / size) * size));
  for (const from of begins) {
    const to = from + size;
    // A day is folded when all of it is old.
    if (to > now - after) continue;
    if (isOver()) return;
    await foldTime(records, member, into, from, to);
  }
}

async function foldTime(
  records: RecordStore,
  member: string,
  kind: Fold['into'],
  from: number,
  to: number,
): Promise<void> {
  const query = { from: { $gte: from }, to: { $lte: to } };
  // Rows of many documents do not fit into memory.
  const docs = await records.find<UsageDoc>(USAGE, { query, fields: ['kind', 'sources'] });
  const sources = withoutFolded(docs);
  // Delete the folded sources first, or they count twice.
  const left = docs.filter((doc) => !sources.includes(doc));
  for (const { _key } of left) await records.remove(USAGE, _key);
  if (sources.length === 1 && sources[0]?.kind === kind) return;
  const names = sources.map(({ _key }) => _key);
  const sums = new RowSums();
  const summed = new Set<string>();
  for await (const chunk of records.chunks<UsageDoc>(USAGE, { query })) {
    for (const doc of chunk.filter(({ _key }) => names.includes(_key))) {
      for (const row of parseRows(doc)) sums.add(row);
      summed.add(doc._key);
    }
  }
  // One that is missing would be removed without being counted.
  if (summed.size < names.length) return;
  const stored = storedRows(sums.rows);
  if (stored.rows.length > MAX_ROWS_BYTES) return;
  const folded = sources.filter((doc) => doc.kind === kind).map(({ _key }) => Number(_key.split('.').at(-1)));
  // Only one of two processes that fold the same time can insert the key.
  const key = `${kind}.${from}.${Math.max(0, ...folded) + 1}`;
  const doc: UsageDoc = { _key: key, kind, from, to, member, sources: names, ...stored };
  const isInserted = await records.insert<UsageDoc>(USAGE, doc);
  if (!isInserted) return;
  for (const name of names) await records.remove(USAGE, name);
}
