import type { Doc, FindOptions, Query, RecordStore } from '../../ports/recordStore.ts';
import { readKeys } from '../filling.ts';
import { JOURNAL } from '../journal.ts';
import { COLLECTION as LEASES } from '../sightings.ts';

/** What coordinates writers is no business of a rehearsal, which writes nothing: it neither waits for others nor holds them up. */
const PRIVATE: ReadonlySet<string> = new Set([LEASES, JOURNAL]);

type Kept = Map<string, Doc | undefined>;

/**
 * A record store that reads from another one and keeps to itself what it is given. Queries of a collection that was written to may
 * ask for equality alone: that is all that the writes of records do.
 */
export class RehearsedRecords implements RecordStore {
  readonly #store: RecordStore;
  readonly #written = new Map<string, Kept>();
  readonly #ahead = new Map<string, Kept>();
  /** What undoes the writes since the last `begin`, in their order. */
  #undoing: (() => void)[] = [];
  readonly #onWrite: (place: string, before: Doc | undefined, after: Doc) => void;

  /** @param onWrite told of each document that is inserted or replaced, with what stood there before */
  constructor(store: RecordStore, onWrite: (place: string, before: Doc | undefined, after: Doc) => void) {
    this.#store = store;
    this.#onWrite = onWrite;
  }

  /** As many as make up one page. */
  async readAhead(collection: string, keys: readonly string[]): Promise<void> {
    const { records, passed } = await readKeys<Doc>({ records: this.#store, collection }, keys);
    const found = new Map(records.map((record) => [record._key, record]));
    const kept = this.#of(this.#ahead, collection);
    for (const key of keys.slice(0, passed)) kept.set(key, found.get(key));
  }

  begin(): void {
    this.#undoing = [];
  }

  undo(): void {
    for (const undo of this.#undoing.reverse()) undo();
    this.begin();
  }

  async insert<D extends Doc>(collection: string, doc: D): Promise<boolean> {
    if ((await this.get(collection, doc._key)) !== undefined) return false;
    this.#write(collection, undefined, doc);
    return true;
  }

  async replace<D extends Doc>(collection: string, doc: D, assertInTime?: () => void): Promise<boolean> {
    assertInTime?.();
    const before = await this.get(collection, doc._key);
    if (before === undefined) return false;
    this.#write(collection, before, doc);
    return true;
  }

  async remove(collection: string, key: string, match: Record<string, string | number> = {}): Promise<void> {
    const doc = await this.get(collection, key);
    if (doc && fits(doc, match)) this.#keep(collection, key, undefined);
  }

  async get<D extends Doc>(collection: string, key: string): Promise<D | undefined> {
    const written = this.#of(this.#written, collection);
    if (written.has(key)) return structuredClone(written.get(key)) as D | undefined;
    if (PRIVATE.has(collection)) return undefined;
    const ahead = this.#of(this.#ahead, collection);
    if (ahead.has(key)) return structuredClone(ahead.get(key)) as D | undefined;
    return this.#store.get<D>(collection, key);
  }

  async find<D extends Doc>(collection: string, options: FindOptions = {}): Promise<D[]> {
    const written = this.#of(this.#written, collection);
    const stored = PRIVATE.has(collection) ? [] : await this.#store.find<D>(collection, options);
    if (written.size === 0) return stored;
    const kept = stored.filter(({ _key }) => !written.has(_key));
    const own = [...written.values()].filter((doc) => doc !== undefined && fits(doc, options.query ?? {})) as D[];
    return structuredClone([...kept, ...own].slice(0, options.limit));
  }

  async *chunks<D extends Doc>(
    collection: string,
    options?: Pick<FindOptions, 'query' | 'fields'>,
  ): AsyncIterable<D[]> {
    if (this.#of(this.#written, collection).size === 0) yield* this.#store.chunks<D>(collection, options);
    else yield this.find<D>(collection, options);
  }

  async count(collection: string, query: Query = {}): Promise<number> {
    if (this.#of(this.#written, collection).size === 0) return this.#store.count(collection, query);
    return (await this.find(collection, { query })).length;
  }

  async removeWhere(collection: string, query: Query): Promise<void> {
    for (const { _key } of await this.find(collection, { query })) await this.remove(collection, _key);
  }

  status(): Promise<string> {
    return this.#store.status();
  }

  #write(collection: string, before: Doc | undefined, doc: Doc): void {
    this.#keep(collection, doc._key, structuredClone(doc));
    this.#onWrite(`${collection}/${doc._key}`, before, doc);
  }

  #keep(collection: string, key: string, doc: Doc | undefined): void {
    const written = this.#of(this.#written, collection);
    const [had, before] = [written.has(key), written.get(key)];
    this.#undoing.push(() => (had ? written.set(key, before) : written.delete(key)));
    written.set(key, doc);
  }

  #of(all: Map<string, Kept>, collection: string): Kept {
    const kept = all.get(collection) ?? new Map<string, Doc | undefined>();
    all.set(collection, kept);
    return kept;
  }
}

/** @throws Error for a query that asks for more than equality */
function fits(doc: Doc, query: Query): boolean {
  return Object.entries(query).every(([field, wanted]) => {
    if (field.startsWith('$') || (typeof wanted === 'object' && wanted !== null))
      throw new Error(`A rehearsal cannot answer queries with ${field}`);
    return doc[field as keyof Doc] === wanted;
  });
}
