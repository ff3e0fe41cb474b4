import type { Pagination } from '../contract/common.ts';
import type { Doc, Query, RecordStore } from '../ports/recordStore.ts';
import { DEFAULT_COUNT, type ListQueryValues, page, paginationOf } from './lists.ts';

/** Documents of one query: a result of many megabytes would be cut by the store, not refused. */
const CHUNK = 500;
/** Of searched fields, which are short texts. */
const SEARCH_CHUNK = 2000;
const KEYS_A_QUERY = 100;

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
}

export interface StoredPage<D> {
  records: D[];
  pagination: Pagination;
}

/** @param fields what is needed of each record */
export async function storedPage<D extends Doc>(
  records: RecordStore,
  list: StoredList,
  where: Query,
  query: ListQueryValues,
  fields: readonly string[],
): Promise<StoredPage<D>> {
  const sort = list.sorts[String(query.sort_key ?? list.defaultSort)] ?? list.unique;
  if (query.search?.trim()) return searchedPage<D>(records, list, where, { ...query, sort_key: sort }, fields);
  const direction = query.sort_dir === 'desc' ? -1 : 1;
  const [offset, count] = [query.offset ?? 0, query.count ?? DEFAULT_COUNT];
  const options = { query: where, fields, sort: `${sort}:${direction},${list.unique}:${direction}` };
  const first = { ...options, skip: offset, limit: Math.min(count || CHUNK, CHUNK) };
  const [total, found] = await Promise.all([
    records.count(list.collection, where),
    records.find<D>(list.collection, first),
  ]);
  const wanted = count === 0 ? total - offset : Math.min(count, total - offset);
  while (found.length > 0 && found.length < wanted) {
    const limit = Math.min(wanted - found.length, CHUNK);
    const more = await records.find<D>(list.collection, { ...options, skip: offset + found.length, limit });
    if (more.length === 0) break;
    found.push(...more);
  }
  // A record may have come between the two queries: the page itself is the fresher news.
  const atLeast = found.length > 0 ? offset + found.length : 0;
  return { records: found, pagination: paginationOf(query, Math.max(total, atLeast), found.length) };
}

/** The store cannot look for a part of a text: the searched fields of all records are read, the rest of the page's alone. */
async function searchedPage<D extends Doc>(
  records: RecordStore,
  list: StoredList,
  where: Query,
  query: ListQueryValues,
  fields: readonly string[],
): Promise<StoredPage<D>> {
  const sort = String(query.sort_key);
  const slim = [...new Set([...list.searched, sort, list.unique])];
  const all: Doc[] = [];
  for (;;) {
    const options = { query: where, fields: slim, sort: `${list.unique}:1`, skip: all.length, limit: SEARCH_CHUNK };
    const more = await records.find<Doc>(list.collection, options);
    all.push(...more);
    if (more.length < SEARCH_CHUNK) break;
  }
  const { result, pagination } = page(all, query, list.unique as keyof Doc);
  const whole = new Map<string, D>();
  for (let at = 0; at < result.length; at += KEYS_A_QUERY) {
    const keys = result.slice(at, at + KEYS_A_QUERY).map(({ _key }) => ({ _key }));
    const found = await records.find<D>(list.collection, { query: allOfKeys(keys, where), fields });
    for (const record of found) whole.set(record._key, record);
  }
  const order = result.flatMap(({ _key }) => whole.get(_key) ?? []);
  return { records: order, pagination: { ...pagination, returned: order.length } };
}

/** The access condition stands here too: a record may have been taken from the caller since it was searched. */
const allOfKeys = (keys: readonly Doc[], where: Query): Query => ({
  $and: [{ $or: [...keys] }, ...(Object.keys(where).length > 0 ? [where] : [])],
});
