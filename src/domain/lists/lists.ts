import { DEFAULT_COUNT } from '../../contract/basics.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import { readByKeys, type Source } from './pageBuffer.ts';

export interface ListQueryValues {
  count?: number;
  offset?: number;
  /** One of the endpoint's sort keys, already validated. */
  sort_key?: unknown;
  sort_dir?: 'asc' | 'desc';
  search?: string;
}

/** Default fields of `search`. */
const SEARCHED: readonly string[] = ['name', 'title', 'description'];
/** Up to this many leading items, selecting is faster than sorting. */
const SELECT_LIMIT = 100;

/** Filters, sorts and pages a list that is already restricted by the caller's ACL. */
export function paginate<T extends object>(
  items: readonly T[],
  query: ListQueryValues,
  defaultSort: keyof T & string,
  searched: readonly (keyof T & string)[] = SEARCHED as (keyof T & string)[],
): { result: T[]; pagination: Pagination } {
  const text = query.search?.trim().toLowerCase();
  const matching = text ? items.filter((item) => matchesSearch(item, text, searched)) : items;
  const key = (query.sort_key as (keyof T & string) | undefined) ?? defaultSort;
  const order = { key, sign: query.sort_dir === 'desc' ? -1 : 1, tieBreak: defaultSort };
  const { count = DEFAULT_COUNT, offset = 0 } = query;
  if (count === 0 || offset + count > SELECT_LIMIT) return slicePage(sortItems(matching, order), query);
  const result = takeFirst(matching, order, offset + count).slice(offset);
  return { result, pagination: paginationOf(query, matching.length, result.length) };
}

/**
 * One page of records of which only the sorted and searched fields are in memory; the records of the page are read.
 * @param rows fields to filter and sort by
 */
export async function paginateRows<D extends Doc, Row extends Doc>(
  source: Source<D>,
  rows: readonly Row[],
  query: ListQueryValues,
  defaultSort: keyof Row & string,
): Promise<{ records: D[]; pagination: Pagination }> {
  const { result, pagination } = paginate(rows, query, defaultSort);
  const keys = result.map(({ _key }) => _key);
  const { records, missing } = await readByKeys(source, keys);
  return { records, pagination: paginationOf(query, pagination.total - missing, records.length) };
}

/** One page of a sorted list. */
export function slicePage<T>(
  items: readonly T[],
  query: Pick<ListQueryValues, 'count' | 'offset'>,
): { result: T[]; pagination: Pagination } {
  const count = query.count ?? DEFAULT_COUNT;
  const offset = query.offset ?? 0;
  const result = count === 0 ? items.slice(offset) : items.slice(offset, offset + count);
  return { result, pagination: paginationOf(query, items.length, result.length) };
}

export function paginationOf(query: ListQueryValues, total: number, returned: number): Pagination {
  const { offset = 0, count = DEFAULT_COUNT } = query;
  const next = offset + returned;
  const more = next < total;
  return { offset, count, total, returned, has_more: more, next_offset: more ? next : null };
}

/** @param text in lower case */
export function matchesSearch<T extends object>(
  item: T,
  text: string,
  searched: readonly (keyof T & string)[] = SEARCHED as (keyof T & string)[],
): boolean {
  return searched.some((field) => {
    const value = item[field];
    return typeof value === 'string' && value.toLowerCase().includes(text);
  });
}

export const pickFields = <D extends Doc, F extends keyof D & string>(doc: D, fields: readonly F[]) =>
  Object.fromEntries(['_key', ...fields].map((field) => [field, doc[field as keyof D]])) as unknown as Pick<
    D,
    F | '_key'
  >;

/** Sorts strings case-insensitively. Ties use the default order, so that pages never overlap. */
function sortItems<T extends object>(items: readonly T[], order: Order<T>): T[] {
  return items
    .map((item) => toKeyed(item, order))
    .sort((a, b) => order.sign * compare(a.value, b.value) || compare(a.tie, b.tie))
    .map(({ item }) => item);
}

/** The first `limit` items in the same order, without sorting thousands. */
function takeFirst<T extends object>(items: readonly T[], order: Order<T>, limit: number): T[] {
  const { key, sign, tieBreak } = order;
  const first: SortEntry<T>[] = [];
  const isAfter = (item: T, value: Value, other: SortEntry<T>) =>
    (sign * compare(value, other.value) || compare(foldCase(item[tieBreak]), other.tie)) >= 0;
  for (const item of items) {
    const last = first[limit - 1];
    const value = foldCase(item[key]);
    if (last && isAfter(item, value, last)) continue;
    if (last) first.pop();
    let [from, to] = [0, first.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isAfter(item, value, first[middle] as SortEntry<T>)) from = middle + 1;
      else to = middle;
    }
    first.splice(from, 0, toKeyed(item, order));
  }
  return first.map(({ item }) => item);
}

interface Order<T> {
  key: keyof T & string;
  sign: number;
  tieBreak: keyof T & string;
}
type Value = string | number;
interface SortEntry<T> {
  item: T;
  value: Value;
  tie: Value;
}

function toKeyed<T extends object>(item: T, { key, tieBreak }: Order<T>): SortEntry<T> {
  const value = foldCase(item[key]);
  return { item, value, tie: key === tieBreak ? value : foldCase(item[tieBreak]) };
}

const foldCase = (value: unknown): Value => (typeof value === 'number' ? value : String(value ?? '').toLowerCase());

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  if (left < right) return -1;
  return left > right ? 1 : 0;
}
