import { DEFAULT_COUNT } from '../../contract/basics.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import {
  type Doc,
  type FindOptions,
  type Query,
  type RecordStore,
  UnreadableDoc,
} from '../../ports/stores/recordStore.ts';
import { andQuery } from '../access/audience.ts';
import { RecentMap } from '../async/recentMap.ts';
import { type ListQueryValues, matchesSearch, paginateRows, paginationOf, pickFields } from './lists.ts';
import { isSmall, PageBuffer } from './pageBuffer.ts';

/** Maximum rows of one query. */
const CHUNK = 500;
/** Rows of the first read: a page, and one more. */
const FIRST = DEFAULT_COUNT + 1;

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

/**
 * One page, up to where the store has no more: a number that is counted beside would be wrong while others insert.
 * @param fields to read; undefined = all
 */
export async function findPage<D extends Doc>(
  records: RecordStore,
  list: IndexedList,
  where: Query,
  query: ListQueryValues,
  fields: readonly string[] | undefined,
): Promise<IndexedPage<D>> {
  if (query.search?.trim()) return searchPage<D>(records, list, where, query, fields);
  const [offset, size] = [query.offset ?? 0, query.count ?? DEFAULT_COUNT];
  const counting = countRows(records, list.collection, where);
  // Its failure is reported below.
  counting.catch(() => {});
  const rows = new Rows<D>(records, list, where, query, fields);
  const page = new PageBuffer<D>();
  // One more than the page has, which shows whether there are more.
  const wanted = size === 0 ? Number.POSITIVE_INFINITY : size + 1;
  let isEnd = false;
  while (!page.isFull && !isEnd && page.records.length < wanted) {
    const first = page.records.length === 0 ? (list.first ?? FIRST) : CHUNK;
    const limit = Math.min(wanted - page.records.length, first, page.nextCount(CHUNK));
    const batch = await rows.next(limit);
    isEnd = batch.length === 0 || (batch.length < limit && isSmall(batch));
    batch.every((record) => page.add(record));
  }
  const shown = page.records.slice(0, size || undefined);
  const isLast = isEnd && !page.isFull && shown.length === page.records.length;
  const total = totalOf(await counting, offset, shown.length, isLast);
  const readable = shown.filter((record) => !(record instanceof UnreadableDoc));
  // Rows are counted, so unreadable ones are dropped only at the end.
  const leftOut = shown.length - readable.length;
  const pagination = paginationOf(query, total, shown.length);
  return {
    records: readable,
    pagination: { ...pagination, total: pagination.total - leftOut, returned: readable.length },
  };
}

/** @param counted before or after the page was read, so that the page itself counts too */
function totalOf(counted: number, offset: number, shown: number, isLast: boolean): number {
  if (!isLast) return Math.max(counted, offset + shown + 1);
  return shown > 0 || offset === 0 ? offset + shown : Math.min(counted, offset);
}

/**
 * The rows of a list from an offset on, each once: what follows is found by the values of the last row, not by its position, which
 * changes while others insert and remove.
 */
class Rows<D extends Doc> {
  readonly #records: RecordStore;
  readonly #collection: string;
  readonly #where: Query;
  readonly #sort: keyof D;
  readonly #unique: keyof D;
  readonly #isDown: boolean;
  readonly #options: Pick<FindOptions, 'sort' | 'fields' | 'keepsUnreadable'>;
  /** The last row that has values to go on from. */
  #last: D | undefined;
  /** Rows behind it, or before the first one. */
  #skip: number;

  constructor(
    records: RecordStore,
    list: IndexedList,
    where: Query,
    query: ListQueryValues,
    fields: readonly string[] | undefined,
  ) {
    const sort = sortOf(list, query);
    this.#records = records;
    this.#collection = list.collection;
    this.#where = where;
    this.#sort = sort as keyof D;
    this.#unique = list.unique as keyof D;
    this.#isDown = query.sort_dir === 'desc';
    this.#skip = query.offset ?? 0;
    this.#options = {
      sort: orderBy(list, sort, query.sort_dir),
      ...(fields ? { fields: [...new Set([...fields, sort, list.unique])] } : {}),
      keepsUnreadable: true,
    };
  }

  /** @returns as many as there are, or as the store gives at once; none at the end */
  async next(limit: number): Promise<D[]> {
    const query = andQuery(this.#where, this.#last && this.#behind(this.#last));
    const skip = this.#skip;
    const rows = await this.#records.find<D>(this.#collection, { ...this.#options, query, skip, limit });
    const index = rows.findLastIndex((row) => row[this.#sort] !== undefined && row[this.#unique] !== undefined);
    if (index >= 0) this.#last = rows[index];
    this.#skip = index >= 0 ? rows.length - index - 1 : skip + rows.length;
    return rows;
  }

  #behind(last: D): Query {
    const operator = this.#isDown ? '$lt' : '$gt';
    const [sort, unique] = [this.#sort as string, this.#unique as string];
    const tied = { [unique]: { [operator]: last[this.#unique] } };
    if (sort === unique) return tied;
    return { $or: [{ [sort]: { [operator]: last[this.#sort] } }, { $and: [{ [sort]: last[this.#sort] }, tied] }] };
  }
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
