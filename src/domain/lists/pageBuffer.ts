import { MAX_PAGE_BYTES } from '../../contract/basics.ts';
import type { Doc, Query, RecordStore } from '../../ports/stores/recordStore.ts';
import { KEYS_A_QUERY, withKeys } from './keyQueries.ts';

/** The size that one reading aims for once the size of records is known. */
const CHUNK_BYTES = 4 * 1024 * 1024;
/** Before it is known. */
const FIRST_KEYS = 30;

/** The records of a page, as many as its size allows: at least one, whatever that has. */
export class PageBuffer<D> {
  readonly records: D[] = [];
  isFull = false;
  #bytes = 0;

  /** False when the page is full without this one. */
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

  /** How many to read next, by the size of those that are here. */
  next(most: number): number {
    if (this.records.length === 0) return most;
    return Math.max(1, Math.min(most, Math.floor((CHUNK_BYTES * this.records.length) / this.#bytes)));
  }
}

export interface Source<D> {
  records: RecordStore;
  collection: string;
  /** What is needed of each; everything unless told otherwise. */
  fields?: readonly string[];
  /** A further condition of the query, besides the keys. */
  where?: Query;
  /** Whether the record, as it is now, may be shown. */
  isVisible?(record: D): boolean;
}

export interface KeyedRecords<D> {
  records: D[];
  /** How many of the keys have been dealt with. */
  consumed: number;
  /** How many of those have no record any more: the next list is shorter by them. */
  missing: number;
}

/** Records by their keys, in this order, until a page is full. */
export async function readByKeys<D extends Doc>(source: Source<D>, keys: readonly string[]): Promise<KeyedRecords<D>> {
  const page = new PageBuffer<D>();
  let [passed, gone] = [0, 0];
  let size = FIRST_KEYS;
  while (passed < keys.length) {
    const wanted = keys.slice(passed, passed + size);
    const found = await readThese(source, wanted);
    for (const key of wanted) {
      const record = found.get(key);
      if (record && !page.add(record)) return { records: page.records, consumed: passed, missing: gone };
      if (!record) gone += 1;
      passed += 1;
    }
    size = page.next(KEYS_A_QUERY);
  }
  return { records: page.records, consumed: passed, missing: gone };
}

async function readThese<D extends Doc>(
  { records, collection, fields, where = {}, isVisible: keep = () => true }: Source<D>,
  keys: readonly string[],
): Promise<Map<string, D>> {
  const these = withKeys(keys);
  const query = Object.keys(where).length > 0 ? { $and: [these, where] } : these;
  const found = await records.find<D>(collection, { query, ...(fields ? { fields } : {}) });
  return new Map(found.filter(keep).map((record) => [record._key, record]));
}
