import { DEFAULT_COUNT } from '../../contract/basics.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import { type Doc, type Query, type RecordStore, UnreadableDoc } from '../../ports/stores/recordStore.ts';
import { RecentMap } from '../async/recentMap.ts';
import { type ListQueryValues, matchesSearch, paginateRows, paginationOf, pickFields } from './lists.ts';
import { PageBuffer } from './pageBuffer.ts';

/** Maximum rows of one query. */
const CHUNK = 500;
/** Attempts to read a page while others insert or delete rows before it. */
const ATTEMPTS = 4;
/** Rows of the first read. */
const FIRST = DEFAULT_COUNT;

/** A list that the store filters, sorts and pages by index, so that the cost of a page does not depend on the number of records. */
export interface IndexedList {
  collection: string;
  /** Sort key of the query -> top-level field; the store compares strings case-sensitively. */
  sorts: Readonly<Record<string, string>>;
  /** One of the sort keys. */
  defaultSort: string;
  /** A unique field as tie-break, so that pages never overlap. */
  unique: string;
  /** Fields covered by `search`. */
  searched: readonly string[];
  /** Rows of the first read; fewer if most rows are large. */
  first?: number;
}

export interface IndexedPage<D> {
  records: D[];
  pagination: Pagination;
}

/** Last counts of large lists, as guesses for the next count. */
const lastCounts = new RecentMap<number>(500);
/** Smaller lists are counted as quickly without a guess. */
const LARGE = 1000;

async function countRows(records: RecordStore, collection: string, where: Query): Promise<number> {
  const list = `${collection} ${JSON.stringify(where)}`;
  const total = await records.count(collection, where, lastCounts.get(list));
  if (total >= LARGE) lastCounts.set(list, total);
  else lastCounts.delete(list);
  return total;
}

/** @param fields to read; undefined = all */
export async function findPage<D extends Doc>(
  records: RecordStore,
  list: IndexedList,
  where: Query,
  query: ListQueryValues,
  fields: readonly string[] | undefined,
  attempts = ATTEMPTS,
): Promise<IndexedPage<D>> {
  if (query.search?.trim()) return searchPage<D>(records, list, where, query, fields);
  const sort = sortOf(list, query);
  const [offset, size] = [query.offset ?? 0, query.count ?? DEFAULT_COUNT];
  const order = { query: where, sort: orderBy(list, sort, query.sort_dir) };
  // Rows are counted, so unreadable ones are dropped only at the end.
  const options = { ...order, ...(fields ? { fields } : {}), keepsUnreadable: true };
  const [total, first] = await Promise.all([
    countRows(records, list.collection, where),
    records.find<D>(list.collection, {
      ...options,
      skip: offset,
      limit: Math.min(size || CHUNK, list.first ?? FIRST),
    }),
  ]);
  const page = new PageBuffer<D>();
  let batch = first;
  const limit = size === 0 ? total - offset : Math.min(size, total - offset);
  for (;;) {
    if (batch.length === 0 || !batch.every((record) => page.add(record))) break;
    const here = page.records.length;
    if (here >= limit) break;
    const nextLimit = Math.min(limit - here, page.nextCount(CHUNK));
    // Reads the last record again: if it has moved, rows before it have changed and the page may have a gap.
    const [last, ...next] = await records.find<D>(list.collection, {
      ...options,
      skip: offset + here - 1,
      limit: nextLimit + 1,
    });
    const isMoved = last?._key !== page.records.at(-1)?._key;
    if (isMoved && attempts > 1) return findPage<D>(records, list, where, query, fields, attempts - 1);
    batch = next;
  }
  const rows = page.records.length;
  const found = page.records.filter((record) => !(record instanceof UnreadableDoc));
  // A record may have been inserted after the count, so the page itself counts too.
  const atLeast = rows > 0 ? offset + rows : 0;
  const pagination = paginationOf(query, Math.max(total, atLeast), rows);
  const leftOut = rows - found.length;
  return {
    records: found,
    pagination: { ...pagination, total: pagination.total - leftOut, returned: found.length },
  };
}

function orderBy({ unique }: IndexedList, sort: string, sort_dir: ListQueryValues['sort_dir']): string {
  const direction = sort_dir === 'desc' ? -1 : 1;
  return `${sort}:${direction},${unique}:${direction}`;
}

const sortOf = ({ sorts, defaultSort, unique }: IndexedList, { sort_key }: ListQueryValues): string =>
  sorts[String(sort_key ?? defaultSort)] ?? unique;

/** The store has no substring search: reads the searched fields of all records, then the records of the page. */
async function searchPage<D extends Doc>(
  records: RecordStore,
  list: IndexedList,
  where: Query,
  { search = '', ...query }: ListQueryValues,
  fields: readonly string[] | undefined,
): Promise<IndexedPage<D>> {
  const { collection, unique } = list;
  const searched = list.searched as (keyof Doc)[];
  const sorted = [...new Set([sortOf(list, query), unique])] as (keyof Doc)[];
  const text = search.trim().toLowerCase();
  const rows: Doc[] = [];
  for await (const chunk of records.chunks<Doc>(collection, { query: where, fields: [...searched, ...sorted] })) {
    for (const doc of chunk) if (matchesSearch(doc, text, searched)) rows.push(pickFields(doc, sorted));
  }
  // Repeats the access condition, since the caller may have lost access since the search.
  const source = { records, collection, where, ...(fields ? { fields } : {}) };
  return paginateRows<D, Doc>(source, rows, { ...query, sort_key: sorted[0] }, unique as keyof Doc);
}
