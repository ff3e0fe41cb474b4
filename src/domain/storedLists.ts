import type { Pagination } from '../contract/common.ts';
import { DEFAULT_COUNT } from '../contract/pages.ts';
import type { Doc, Query, RecordStore } from '../ports/recordStore.ts';
import { Filling, readKeys } from './filling.ts';
import { type ListQueryValues, matches, onlyFields, page, paginationOf, window } from './lists.ts';
import { RecentMap } from './recentMap.ts';

/** Rows of one query, however small they are. */
const CHUNK = 500;
/** How often a page is begun anew because others come and go before it. */
const TRIES = 4;
/** Rows that are read before their size is known. */
const FIRST = DEFAULT_COUNT;

/** A list that the store filters, sorts and cuts, so that a page costs the same however many records there are. */
export interface StoredList {
  collection: string;
  /** Sort key of the query -> the top-level field that sorts so: texts are compared as they are stored. */
  sorts: Readonly<Record<string, string>>;
  /** One of the sort keys. */
  defaultSort: string;
  /** The field that tells any two records apart, so that pages never overlap. */
  unique: string;
  /** Fields that `search` looks at. */
  searched: readonly string[];
  /** What decides between equal ones, whatever the direction; `unique` in the same direction unless given. */
  ties?: readonly string[];
  /** Rows that are read before their size is known: fewer where most are large. */
  first?: number;
}

export interface StoredPage<D> {
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

/**
 * @param fields what is needed of each record; undefined = all of it
 * @param count says how many match, where somebody knows a better way than to go through them
 */
export async function storedPage<D extends Doc>(
  records: RecordStore,
  list: StoredList,
  where: Query,
  query: ListQueryValues,
  fields: readonly string[] | undefined,
  count = () => counted(records, list.collection, where),
  tries = TRIES,
): Promise<StoredPage<D>> {
  const sort = sortOf(list, query);
  if (query.search?.trim())
    return pageOfFound<D>(records, list, where, query, fields, await searchedRows(records, list, where, query));
  const [offset, size] = [query.offset ?? 0, query.count ?? DEFAULT_COUNT];
  const options = { query: where, sort: orderBy(list, sort, query.sort_dir), ...(fields ? { fields } : {}) };
  const [total, first] = await Promise.all([
    count(),
    records.find<D>(list.collection, {
      ...options,
      skip: offset,
      limit: Math.min(size || CHUNK, list.first ?? FIRST),
    }),
  ]);
  const filling = new Filling<D>();
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
    if (isMoved && tries > 1) return storedPage<D>(records, list, where, query, fields, count, tries - 1);
    more = next;
  }
  const found = filling.records;
  // A record may have come between the two queries: the page itself is the fresher news.
  const atLeast = found.length > 0 ? offset + found.length : 0;
  return { records: found, pagination: paginationOf(query, Math.max(total, atLeast), found.length) };
}

/** In the words of the store. */
function orderBy({ unique, ties }: StoredList, sort: string, sort_dir: ListQueryValues['sort_dir']): string {
  const direction = sort_dir === 'desc' ? -1 : 1;
  const more = ties ? ties.filter((field) => field !== sort).map((field) => `${field}:1`) : [`${unique}:${direction}`];
  return [`${sort}:${direction}`, ...more].join(',');
}

const sortOf = ({ sorts, defaultSort, unique }: StoredList, { sort_key }: ListQueryValues): string =>
  sorts[String(sort_key ?? defaultSort)] ?? unique;

/** The store cannot look for a part of a text: the searched fields of all records are read. */
async function searchedRows(
  records: RecordStore,
  list: StoredList,
  where: Query,
  query: ListQueryValues,
): Promise<Doc[]> {
  const { collection, searched, unique } = list;
  const sort = sortOf(list, query);
  const wanted = query.search?.trim().toLowerCase() ?? '';
  const slim = [...new Set([...searched, sort, unique])];
  const rows: Doc[] = [];
  for await (const chunk of records.chunks<Doc>(collection, { query: where, fields: slim })) {
    for (const doc of chunk)
      if (matches(doc, wanted, searched as (keyof Doc)[])) rows.push(onlyFields(doc, [sort, unique] as (keyof Doc)[]));
  }
  return rows;
}

/**
 * A page of what a search has found: of its records the rest is read.
 * @param where the access condition is repeated here: the caller may have lost access to a record since it was searched
 * @param rows the fields that they are sorted by, and the unique one
 * @param inOrder whether they are in the order of the list already: of thousands, to see that takes as long as all else
 */
export async function pageOfFound<D extends Doc>(
  records: RecordStore,
  list: StoredList,
  where: Query,
  { search: _, ...query }: ListQueryValues,
  fields: readonly string[] | undefined,
  rows: readonly Doc[],
  inOrder = false,
): Promise<StoredPage<D>> {
  const sorted = { ...query, sort_key: sortOf(list, query) };
  const { result, pagination } = inOrder ? window(rows, query) : page(rows, sorted, list.unique as keyof Doc);
  const source = { records, collection: list.collection, where, ...(fields ? { fields } : {}) };
  const { records: read, gone } = await readKeys<D>(
    source,
    result.map(({ _key }) => _key),
  );
  return { records: read, pagination: paginationOf(query, pagination.total - gone, read.length) };
}
