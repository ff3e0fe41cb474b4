import { MAX_PAGE_BYTES } from '../../contract/basics.ts';
import type { Doc, Query, RecordStore } from '../../ports/stores/recordStore.ts';

/** Target size of one read, once the size of records is known. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** The store leaves out rows of larger replies only. */
const SMALL_BYTES = 512 * 1024;
const KEYS_A_QUERY = 100;
/** Records of the first read. */
const FIRST_KEYS = 30;

/** Whether a reply of the store is so small that it has left nothing out. */
export const isSmall = (records: readonly unknown[]): boolean =>
  Buffer.byteLength(JSON.stringify(records)) < SMALL_BYTES;

/** The records of a page up to its maximum size, but at least one. */
export class PageBuffer<D> {
  readonly records: D[] = [];
  isFull = false;
  #bytes = 0;

  /** Returns false when the page is full. */
  add(record: D): boolean {
    const bytes = Buffer.byteLength(JSON.stringify(record));
    if (this.isFull || (this.records.length > 0 && this.#bytes + bytes > MAX_PAGE_BYTES)) {
      this.isFull = true;
      return false;
    }
    this.records.push(record);
    this.#bytes += bytes;
    return true;
  }

  /** Number of records to read next, from the average size so far. */
  nextCount(limit: number): number {
    if (this.records.length === 0) return limit;
    return Math.max(1, Math.min(limit, Math.floor((CHUNK_BYTES * this.records.length) / this.#bytes)));
  }
}

export interface Source<D> {
  records: RecordStore;
  collection: string;
  /** Fields to read; default all. */
  fields?: readonly string[];
  /** Further condition of the query. */
  where?: Query;
  /** Whether the current record may be shown. */
  isVisible?(record: D): boolean;
}

export interface KeyedRecords<D> {
  records: D[];
  /** Number of keys processed. */
  consumed: number;
  /** Number of processed keys without a record. */
  missing: number;
}

/** Reads records in the order of `keys` until a page is full. */
export async function readByKeys<D extends Doc>(source: Source<D>, keys: readonly string[]): Promise<KeyedRecords<D>> {
  const page = new PageBuffer<D>();
  let [consumed, missing] = [0, 0];
  let size = FIRST_KEYS;
  while (consumed < keys.length) {
    const batch = keys.slice(consumed, consumed + size);
    const records = await findByKeys(source, batch);
    for (const key of batch) {
      const record = records.get(key);
      if (record && !page.add(record)) return { records: page.records, consumed, missing };
      if (!record) missing += 1;
      consumed += 1;
    }
    size = page.nextCount(KEYS_A_QUERY);
  }
  return { records: page.records, consumed, missing };
}

async function findByKeys<D extends Doc>(
  { records, collection, fields, where = {}, isVisible = () => true }: Source<D>,
  keys: readonly string[],
): Promise<Map<string, D>> {
  const byKey = withKeys(keys);
  const query = Object.keys(where).length > 0 ? { $and: [byKey, where] } : byKey;
  const docs = await records.find<D>(collection, { query, ...(fields ? { fields } : {}) });
  return new Map(docs.filter(isVisible).map((record) => [record._key, record]));
}

export const withKeys = (keys: readonly string[]): Query => ({ $or: keys.map((_key) => ({ _key })) });

export function* batchKeys(keys: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < keys.length; start += KEYS_A_QUERY) yield keys.slice(start, start + KEYS_A_QUERY);
}
