import { DEFAULT_COUNT } from '../../contract/basics.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import type { Doc, Query, RecordStore } from '../../ports/stores/recordStore.ts';
import { RecentMap } from '../async/recentMap.ts';
import { type ListQueryValues, matchesSearch, paginateRows, paginationOf, pickFields } from './lists.ts';
import { PageBuffer } from './pageBuffer.ts';

/** Rows of one query, however small they are. */
const CHUNK = 500;
/** How often a page is begun anew because others come and go before it. */
const TRIES = 4;
/** Rows that are read before their size is known. */
const FIRST = DEFAULT_COUNT;

/** A list that the store filters, sorts and cuts, so that a page costs the same however many records there are. */
export interface IndexedList {
  collection: string;
  /** Sort key of the query -> the top-level field that sorts so: texts are compared as they are stored. */
  sorts: Readonly<Record<string, string>>;
  /** One of the sort keys. */
  defaultSort: string;
  /** The field that tells any two records apart, so that pages never overlap. */
  unique: string;
  /** Fields that `search` looks at. */
  searched: readonly string[];
  /** Rows that are read before their size is known: fewer where most are large. */
  first?: number;
}

export interface IndexedPage<D> {
  records: D[];
  pagination: Pagination;
}

/** What large lists had when they were last counted, so that the next page need not count them from the start. */
const lastCounts = new RecentMap<number>(500);
/** Smaller ones are counted as quickly without. */
const LARGE = 1000;

async function counted(records: RecordStore, collection: string, where: Query): Promise<number> {
  const list = `${collection} ${JSON.stringify(where)}`;
  const total = await records.count(collection, where, lastCounts.get(list));
  if (total >= LARGE) lastCounts.set(list, total);
  else lastCounts.delete(list);
  return total;
}

/** @param fields what is needed of each record; undefined = all of it */
export async function findPage<D extends Doc>(
  records: RecordStore,
  list: IndexedList,
  where: Query,
  query: ListQueryValues,
  fields: readonly string[] | undefined,
  tries = TRIES,
): Promise<IndexedPage<D>> {
  if (query.search?.trim()) return searchPage<D>(records, list, where, query, fields);
  const sort = sortOf(list, query);
  const [offset, size] = [query.offset ?? 0, query.count ?? DEFAULT_COUNT];
  const options = { query: where, sort: orderBy(list, sort, query.sort_dir), ...(fields ? { fields } : {}) };
  const [total, first] = await Promise.all([
    counted(records, list.collection, where),
    records.find<D>(list.collection, {
      ...options,
      skip: offset,
      limit: Math.min(size || CHUNK, list.first ?? FIRST),
    }),
  ]);
  const filling = new PageBuffer<D>();
  let more = first;
  const wanted = size === 0 ? total - offset : Math.min(size, total - offset);
  for (;;) {
    if (more.length === 0 || !more.every((record) => filling.add(record))) break;
    const here = filling.records.length;
    if (here >= wanted) break;
    const limit = Math.min(wanted - here, filling.next(CHUNK));
    // With the last one that is here: if it has another place now, one behind it may have come before it.
    const [last, ...next] = await records.find<D>(list.collection, {
      ...options,
      skip: offset + here - 1,
      limit: limit + 1,
    });
    const isMoved = last?._key !== filling.records.at(-1)?._key;
    if (isMoved && tries > 1) return findPage<D>(records, list, where, query, fields, tries - 1);
    more = next;
  }
  const found = filling.records;
  // A record may have come between the two queries: the page itself is the fresher news.
  const atLeast = found.length > 0 ? offset + found.length : 0;
  return { records: found, pagination: paginationOf(query, Math.max(total, atLeast), found.length) };
}

/** In the words of the store. */
function orderBy({ unique }: IndexedList, sort: string, sort_dir: ListQueryValues['sort_dir']): string {
  const direction = sort_dir === 'desc' ? -1 : 1;
  return `${sort}:${direction},${unique}:${direction}`;
}

const sortOf = ({ sorts, defaultSort, unique }: IndexedList, { sort_key }: ListQueryValues): string =>
  sorts[String(sort_key ?? defaultSort)] ?? unique;

/** The store cannot look for a part of a text: the searched fields of all records are read, then the records of the page. */
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
  const wanted = search.trim().toLowerCase();
  const rows: Doc[] = [];
  for await (const chunk of records.chunks<Doc>(collection, { query: where, fields: [...searched, ...sorted] })) {
    for (const doc of chunk) if (matchesSearch(doc, wanted, searched)) rows.push(pickFields(doc, sorted));
  }
  // The access condition is repeated: the caller may have lost access to a record since it was searched.
  const source = { records, collection, where, ...(fields ? { fields } : {}) };
  return paginateRows<D, Doc>(source, rows, { ...query, sort_key: sorted[0] }, unique as keyof Doc);
}
