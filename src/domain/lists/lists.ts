import { DEFAULT_COUNT } from '../../contract/basics.ts';
import type { Pagination } from '../../contract/schemas/common.ts';
import type { Doc } from '../../ports/stores/recordStore.ts';
import { readByKeys, type Source } from './pageBuffer.ts';

export interface ListQueryValues {
  count?: number;
  offset?: number;
  /** One of the row's sort keys; the validator has seen to that. */
  sort_key?: unknown;
  sort_dir?: 'asc' | 'desc';
  search?: string;
}

/** What `search` looks at unless a family says otherwise. */
const NAMED: readonly string[] = ['name', 'title', 'description'];
/** So many from the beginning of a list are found sooner than all are sorted. */
const FEW = 100;

/** Filters, sorts and cuts a list in the platform's own words. The caller's ACL has been applied before. */
export function paginate<T extends object>(
  items: readonly T[],
  query: ListQueryValues,
  defaultSort: keyof T & string,
  searched: readonly (keyof T & string)[] = NAMED as (keyof T & string)[],
): { result: T[]; pagination: Pagination } {
  const wanted = query.search?.trim().toLowerCase();
  const found = wanted ? items.filter((item) => matchesSearch(item, wanted, searched)) : items;
  const key = (query.sort_key as (keyof T & string) | undefined) ?? defaultSort;
  const order = { key, sign: query.sort_dir === 'desc' ? -1 : 1, tieBreak: defaultSort };
  const { count = DEFAULT_COUNT, offset = 0 } = query;
  if (count === 0 || offset + count > FEW) return slicePage(sortItems(found, order), query);
  const result = firstOf(found, order, offset + count).slice(offset);
  return { result, pagination: paginationOf(query, found.length, result.length) };
}

/**
 * One page of records of which only a few fields are in memory: the page's own are read whole.
 * @param rows what lists filter and sort by
 */
export async function paginateRows<D extends Doc, Row extends Doc>(
  source: Source<D>,
  rows: readonly Row[],
  query: ListQueryValues,
  defaultSort: keyof Row & string,
): Promise<{ records: D[]; pagination: Pagination }> {
  const { result, pagination } = paginate(rows, query, defaultSort);
  const keys = result.map(({ _key }) => _key);
  const { records, missing: gone } = await readByKeys(source, keys);
  return { records, pagination: paginationOf(query, pagination.total - gone, records.length) };
}

/** One page of a list that is in its order. */
export function slicePage<T>(
  found: readonly T[],
  query: Pick<ListQueryValues, 'count' | 'offset'>,
): { result: T[]; pagination: Pagination } {
  const count = query.count ?? DEFAULT_COUNT;
  const offset = query.offset ?? 0;
  const result = count === 0 ? found.slice(offset) : found.slice(offset, offset + count);
  return { result, pagination: paginationOf(query, found.length, result.length) };
}

/** Where a page of `returned` entries stands in a list of `total`. */
export function paginationOf(query: ListQueryValues, total: number, returned: number): Pagination {
  const { offset = 0, count = DEFAULT_COUNT } = query;
  const next = offset + returned;
  const more = next < total;
  return { offset, count, total, returned, has_more: more, next_offset: more ? next : null };
}

/** @param wanted in lower case */
export function matchesSearch<T extends object>(
  item: T,
  wanted: string,
  searched: readonly (keyof T & string)[] = NAMED as (keyof T & string)[],
): boolean {
  // Of thousands of items: nothing is made for one.
  return searched.some((field) => {
    const text = item[field];
    return typeof text === 'string' && text.toLowerCase().includes(wanted);
  });
}

/** The key of a document, and these fields. */
export const pickFields = <D extends Doc, F extends keyof D & string>(doc: D, fields: readonly F[]) =>
  Object.fromEntries(['_key', ...fields].map((field) => [field, doc[field as keyof D]])) as unknown as Pick<
    D,
    F | '_key'
  >;

/** Texts without regard to case, numbers as numbers; equal ones in the default order, so that pages never overlap. */
function sortItems<T extends object>(items: readonly T[], order: Order<T>): T[] {
  return items
    .map((item) => keyed(item, order))
    .sort((a, b) => order.sign * compare(a.value, b.value) || compare(a.tie, b.tie))
    .map(({ item }) => item);
}

/** The first of them in the same order, without a sort of all: of thousands that takes as long as all else. */
function firstOf<T extends object>(items: readonly T[], order: Order<T>, most: number): T[] {
  const { key, sign, tieBreak } = order;
  const first: Keyed<T>[] = [];
  const isBehind = (item: T, value: Value, other: Keyed<T>) =>
    (sign * compare(value, other.value) || compare(folded(item[tieBreak]), other.tie)) >= 0;
  for (const item of items) {
    const last = first[most - 1];
    const value = folded(item[key]);
    if (last && isBehind(item, value, last)) continue;
    if (last) first.pop();
    let [from, to] = [0, first.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isBehind(item, value, first[middle] as Keyed<T>)) from = middle + 1;
      else to = middle;
    }
    first.splice(from, 0, keyed(item, order));
  }
  return first.map(({ item }) => item);
}

interface Order<T> {
  key: keyof T & string;
  sign: number;
  tieBreak: keyof T & string;
}
type Value = string | number;
interface Keyed<T> {
  item: T;
  value: Value;
  tie: Value;
}

function keyed<T extends object>(item: T, { key, tieBreak }: Order<T>): Keyed<T> {
  const value = folded(item[key]);
  return { item, value, tie: key === tieBreak ? value : folded(item[tieBreak]) };
}

const folded = (value: unknown): Value => (typeof value === 'number' ? value : String(value ?? '').toLowerCase());

function compare(a: string | number, b: string | number): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  const [left, right] = [String(a), String(b)];
  if (left < right) return -1;
  return left > right ? 1 : 0;
}
