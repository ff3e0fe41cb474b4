import { inQueries, withKeys } from '../../domain/keyQueries.ts';
import { type ListQueryValues, matches, pageOfRows } from '../../domain/lists.ts';
import type { StoredPage } from '../../domain/storedLists.ts';
import type { Doc, Query, RecordStore } from '../../ports/recordStore.ts';
import { HISTORY } from './constants.ts';

const SEARCHED = ['message', 'user', 'action'] as const;

interface Slim extends Doc {
  history_id: string;
  action: string;
  user: string;
  message?: string;
}
type Row = Pick<Slim, '_key' | 'history_id'>;

/** The store cannot look for a part of a text: these three are read of all entries, the rest of the page's alone. */
export async function searchedHistory<D extends Doc>(
  records: RecordStore,
  where: Query,
  { search = '', ...query }: ListQueryValues,
  fields: readonly string[],
): Promise<StoredPage<D>> {
  const wanted = search.trim().toLowerCase();
  const rows: Row[] = [];
  const slim = ['history_id', ...SEARCHED];
  for await (const chunk of records.chunks<Slim>(HISTORY, { query: where, fields: slim })) {
    const found = new Set(chunk.filter((entry) => matches(entry, wanted, SEARCHED)).map(({ _key }) => _key));
    const open = chunk.filter(({ _key, message }) => message === undefined && !found.has(_key));
    for (const key of await foundInDetails(records, open, wanted)) found.add(key);
    for (const { _key, history_id } of chunk) if (found.has(_key)) rows.push({ _key, history_id });
  }
  const source = { records, collection: HISTORY, fields, where };
  return pageOfRows<D, Row>(source, rows, { ...query, sort_key: 'history_id' }, 'history_id');
}

/** Entries of 0.1.0 have their message in the text of their details alone, which may be large. */
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
