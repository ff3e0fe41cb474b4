import { allOf } from '../../domain/audience.ts';
import { entriesBy } from '../../domain/documentChanges.ts';
import { inQueries, withKeys } from '../../domain/keyQueries.ts';
import { isIn, type ListQueryValues, matches, pageOfRows, textsOf } from '../../domain/lists.ts';
import type { RowStores, Slim } from '../../domain/slimRows.ts';
import type { StoredPage } from '../../domain/storedLists.ts';
import type { Doc, Query, RecordStore } from '../../ports/recordStore.ts';
import { HISTORY } from './constants.ts';

const SEARCHED = ['message', 'user', 'action'] as const;

/** Which entries of an experiment a list is about, beside its search. */
export interface Among {
  experimentId: string;
  /** Values that fields have. */
  equal: { action?: string; status?: string };
  /** Epoch seconds: from one on, up to and without another. */
  from?: number | undefined;
  to?: number | undefined;
  /** The id of the oldest entry that is kept. */
  oldest?: string | undefined;
}

interface Entry extends Doc {
  history_id: string;
  action: string;
  status: string;
  timestamp: number;
  user: string;
  message?: string;
}
type Row = Pick<Entry, '_key' | 'history_id'>;

interface SlimEntry extends Pick<Entry, '_key' | 'history_id' | 'action' | 'status' | 'timestamp'> {
  texts: readonly string[];
  /** Of 0.1.0: its message is in the text of its details alone, which may be large. */
  isOld: boolean;
}

/** In the words of the store. */
export function whereAmong({ experimentId, equal, from, to, oldest }: Among): Query {
  const isTimed = from !== undefined || to !== undefined;
  const times = { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lt: to }) };
  return allOf(
    { experiment_id: experimentId, ...equal },
    isTimed ? { timestamp: times } : undefined,
    oldest === undefined ? undefined : { history_id: { $gte: oldest } },
  );
}

/** The store cannot look for a part of a text: three fields are read of all entries, the rest of the page's alone. */
export async function searchedHistory<D extends Doc>(
  stores: RowStores,
  among: Among,
  { search = '', ...query }: ListQueryValues,
  fields: readonly string[],
): Promise<StoredPage<D>> {
  const wanted = search.trim().toLowerCase();
  const where = whereAmong(among);
  const rows = (await foundInKept(stores, among, wanted)) ?? (await foundInAll(stores.records, where, wanted));
  const source = { records: stores.records, collection: HISTORY, fields, where };
  return pageOfRows<D, Row>(source, rows, { ...query, sort_key: 'history_id' }, 'history_id');
}

const slimOf = (experimentId: string): Slim<Entry, SlimEntry> => ({
  collection: HISTORY,
  where: { experiment_id: experimentId },
  fields: ['status', 'timestamp', ...SEARCHED],
  changes: entriesBy('history_id'),
  shape: (entry) => {
    const { _key, history_id, action, status, timestamp, message } = entry;
    const texts = textsOf(entry, SEARCHED);
    return { _key, history_id, action, status, timestamp, texts, isOld: message === undefined };
  },
  compare: (a, b) => (a._key < b._key ? -1 : 1),
});

/** Of what the process keeps of a long history. Undefined where it keeps nothing, or not what was said. */
async function foundInKept(stores: RowStores, among: Among, wanted: string): Promise<Row[] | undefined> {
  const { experimentId, equal, from = 0, to = Number.POSITIVE_INFINITY, oldest = '' } = among;
  const all = await stores.rows?.ifKept(stores, slimOf(experimentId));
  if (!all || all.some(({ isOld }) => isOld)) return undefined;
  const { action, status } = equal;
  return all.filter(
    (one) =>
      (action === undefined || one.action === action) &&
      (status === undefined || one.status === status) &&
      one.timestamp >= from &&
      one.timestamp < to &&
      one.history_id >= oldest &&
      isIn(one.texts, wanted),
  );
}

async function foundInAll(records: RecordStore, where: Query, wanted: string): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const chunk of records.chunks<Entry>(HISTORY, { query: where, fields: ['history_id', ...SEARCHED] })) {
    const found = new Set(chunk.filter((entry) => matches(entry, wanted, SEARCHED)).map(({ _key }) => _key));
    const open = chunk.filter(({ _key, message }) => message === undefined && !found.has(_key));
    for (const key of await foundInDetails(records, open, wanted)) found.add(key);
    for (const { _key, history_id } of chunk) if (found.has(_key)) rows.push({ _key, history_id });
  }
  return rows;
}

async function foundInDetails(records: RecordStore, entries: readonly Doc[], wanted: string): Promise<string[]> {
  const found: string[] = [];
  for (const keys of inQueries(entries.map(({ _key }) => _key))) {
    const options = { query: withKeys(keys), fields: ['details'] };
    const chunks = records.chunks<Doc & { details: string }>(HISTORY, options);
    for await (const chunk of chunks) {
      for (const { _key, details } of chunk) {
        const { message } = JSON.parse(details) as { message?: string };
        if (matches({ message }, wanted, ['message'])) found.push(_key);
      }
    }
  }
  return found;
}
