import { append } from '../../../contract/basics.ts';
import { parallel } from '../../../domain/async/parallel.ts';
import type { Doc, FindOptions, Query } from '../../../ports/stores/recordStore.ts';

/**
 * Longest query, in characters of the URL that has it: request lines are limited, and splunkd answers 414 to what is longer. Published
 * apps send 30,000, so a query that cannot be divided may still be answered.
 */
export const MAX_QUERY_CHARS = 6000;

export const urlLength = (query: Query): number =>
  new URLSearchParams({ query: JSON.stringify(query) }).toString().length;

/**
 * Divides the `$or`s of a query, wherever its `$and`s and other `$or`s have them, the longest first, until each part is short. Together the
 * parts match what the query matches; a document can match several of them.
 */
export function partsOf(query: Query): Query[] {
  if (urlLength(query) <= MAX_QUERY_CHARS) return [query];
  const halves = divide(query);
  return halves ? halves.flatMap(partsOf) : [query];
}

/** Undefined if the query has no `$or` of several options. */
function divide(query: Query): Query[] | undefined {
  const { $or: options = [], $and: conditions = [] } = query as { $or?: Query[]; $and?: Query[] };
  const divisible = [
    {
      length: JSON.stringify(options).length,
      halve: () => halvesOf(options)?.map((half) => ({ ...query, $or: half })),
    },
    ...conditions.map((condition, index) => ({
      length: JSON.stringify(condition).length,
      halve: () => divide(condition)?.map((half) => ({ ...query, $and: conditions.with(index, half) })),
    })),
  ].sort((a, b) => b.length - a.length);
  for (const { halve } of divisible) {
    const halves = halve();
    if (halves) return halves;
  }
  return undefined;
}

/** Two halves of the options, or the only one divided. */
function halvesOf(options: readonly Query[]): Query[][] | undefined {
  const [only] = options;
  if (options.length === 1 && only) return divide(only)?.map((half) => [half]);
  const middle = Math.ceil(options.length / 2);
  return options.length > 1 ? [options.slice(0, middle), options.slice(middle)] : undefined;
}

/** Documents of one reply, or of several that were merged. */
export interface Page<D> {
  rows: D[];
  /** Size of the rows in the replies. */
  bytes: number;
  /** Whether the store certainly has no more rows. */
  isEnd: boolean;
}

/** One query of a collection, short enough for a request line. */
export type Read = <D extends Doc>(options: FindOptions) => Promise<Page<D>>;

/** Parts that are read side by side. */
const AT_ONCE = 4;
/** How often a page is read again because others removed documents of it in between. */
const MAX_READS = 3;

/** Reads a query that may be too long for a request line, with the same rows in the same order as one query has. */
export async function readPage<D extends Doc>(read: Read, options: FindOptions): Promise<Page<D>> {
  const { query = {}, skip = 0, limit = 0, ...unpaged } = options;
  const parts = partsOf(query);
  if (parts.length === 1) return read<D>(options);
  if (skip === 0 || limit === 0) return readParts<D>(read, parts, options);
  // Each part has to be read from its first row, of which only the keys are needed.
  for (let reads = 1; ; reads += 1) {
    const keys = await readParts(read, parts, { ...options, fields: [] });
    const ofPage = { $and: [query, { $or: keys.rows.map(({ _key }) => ({ _key })) }] };
    if (keys.rows.length === 0) return { rows: [], bytes: 0, isEnd: true };
    const page = await readParts<D>(read, partsOf(ofPage), unpaged);
    if (page.rows.length === keys.rows.length || reads === MAX_READS) return { ...page, isEnd: keys.isEnd };
  }
}

async function readParts<D extends Doc>(
  read: Read,
  parts: readonly Query[],
  { sort, limit = 0, skip = 0, fields }: FindOptions,
): Promise<Page<D>> {
  const order = withKeyLast(sort);
  const sorted = sortFieldsOf(order).filter((field) => field !== '_key');
  const options = { sort: order, ...(fields && { fields: [...new Set([...fields, ...sorted])] }) };
  const count = limit === 0 ? 0 : skip + limit;
  const pages = await parallel(parts, AT_ONCE, (query) => readFirst<D>(read, { ...options, query }, count));
  const pageRows = pages.map(({ rows }) => rows);
  const documents = merged(pageRows, order);
  const rows = documents.slice(skip, count || undefined);
  const [size, length] = [sumOf(pages.map(({ bytes }) => bytes)), sumOf(pageRows.map((each) => each.length))];
  return {
    rows: fields && options.fields?.length !== fields.length ? rows.map((row) => pick(row, fields)) : rows,
    bytes: length === 0 ? 0 : (size * rows.length) / length,
    isEnd: documents.length < count || count === 0,
  };
}

/** The first `count` documents of a query; 0 = all. */
async function readFirst<D extends Doc>(
  read: Read,
  options: FindOptions,
  count: number,
): Promise<Omit<Page<D>, 'isEnd'>> {
  const rows: D[] = [];
  let bytes = 0;
  for (;;) {
    const page = await read<D>({ ...options, limit: count === 0 ? 0 : count - rows.length, skip: rows.length });
    append(rows, page.rows);
    bytes += page.bytes;
    if (rows.length === count || page.isEnd) return { rows, bytes };
  }
}

const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

const pick = <D extends Doc>(document: D, fields: readonly string[]): D =>
  Object.fromEntries(
    Object.entries(document).filter(([name]) => name === '_key' || fields.includes(name)),
  ) as unknown as D;

interface SortKey {
  field: string;
  direction: 1 | -1;
}

/** @param sort `field:1` or `field:-1`, comma separated */
const sortKeysOf = (sort: string): SortKey[] =>
  sort.split(',').map((part) => {
    const [field = '', direction] = part.split(':');
    return { field, direction: direction === '-1' ? -1 : 1 };
  });

/** The fields that a sort reads. */
const sortFieldsOf = (sort: string): string[] => sortKeysOf(sort).map(({ field }) => field);

/** The sort with `_key` behind it: with ties in another order in each part, a page would skip some and repeat others. */
const withKeyLast = (sort: string | undefined): string => {
  if (!sort) return '_key:1';
  return sortFieldsOf(sort).includes('_key') ? sort : `${sort},_key:1`;
};

/** Documents of several parts of a query in the order that the store gives one query, each document once. */
function merged<D extends Doc>(pages: readonly (readonly D[])[], sort: string): D[] {
  const keys = sortKeysOf(sort);
  const documents = new Map(pages.flat().map((document) => [document._key, document]));
  return [...documents.values()].sort((a, b) => {
    for (const { field, direction } of keys) {
      const order = compare((a as unknown as Query)[field], (b as unknown as Query)[field]);
      if (order !== 0) return order * direction;
    }
    return 0;
  });
}

const RANKS = ['undefined', 'number', 'string', 'object', 'array', 'boolean'];

/** As the store sorts: absent values first, then numbers, texts by their bytes, other values. */
function compare(a: unknown, b: unknown): number {
  const rank = rankOf(a);
  if (rank !== rankOf(b)) return rank - rankOf(b);
  if (typeof a === 'number' || typeof a === 'boolean') return Number(a) - Number(b);
  return rank === 0 ? 0 : Buffer.compare(bytesOf(a), bytesOf(b));
}

function rankOf(value: unknown): number {
  if (value === null) return 0;
  return RANKS.indexOf(Array.isArray(value) ? 'array' : typeof value);
}

const bytesOf = (value: unknown): Buffer => Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
