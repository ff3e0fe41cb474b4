import { Fault } from '../../contract/codes/faults.ts';
import type { Shape, StoredCollection, StoredShapes } from '../../contract/rows/stored.ts';
import type { UnreadableRecord } from '../../contract/unreadable.ts';
import type { Log } from '../../ports/platform/log.ts';
import {
  type Doc,
  type FindOptions,
  type Query,
  type RecordStore,
  UnreadableDoc,
} from '../../ports/stores/recordStore.ts';

/** By collection; those of the app itself have none. */
export type StoredCollections = Readonly<Record<string, StoredCollection>>;

export class UnreadableFault extends Fault {
  readonly record: UnreadableRecord;

  constructor(record: UnreadableRecord) {
    super('unreadable_record', `The stored record ${record.key} in ${record.collection} is incomplete or damaged.`);
    this.record = record;
  }
}

/** @param read the fields that were read; undefined = all */
function isReadable({ common, kinds }: StoredShapes, doc: object, read: readonly string[] | undefined): boolean {
  const values = doc as Readonly<Record<string, unknown>>;
  const fits = (shape: Shape) =>
    Object.entries(shape).every(([name, check]) => (read && !read.includes(name)) || check(values[name]));
  const { kind } = values;
  return fits(common) && (typeof kind !== 'string' || !Object.hasOwn(kinds, kind) || fits(kinds[kind] as Shape));
}

/** The records of one request: every document is checked when it is read. */
export class CheckedRecords implements RecordStore {
  /** The documents that lists left out, by collection and key. */
  readonly #leftOut = new Map<string, UnreadableRecord>();
  readonly #records: RecordStore;
  readonly #stored: StoredCollections;
  readonly #log: Log;

  constructor(records: RecordStore, stored: StoredCollections, log: Log) {
    this.#records = records;
    this.#stored = stored;
    this.#log = log;
  }

  get leftOut(): UnreadableRecord[] {
    return [...this.#leftOut.values()];
  }

  async get<D extends Doc>(collection: string, key: string): Promise<D | undefined> {
    const rules = this.#stored[collection];
    const [doc, shapes] = await Promise.all([this.#records.get<D>(collection, key), rules?.shapes()]);
    if (!doc || !rules || !shapes || isReadable(shapes, doc, undefined)) return doc;
    const record = this.#note(rules, collection, key);
    if (rules.replaceable) return undefined;
    throw new UnreadableFault(record);
  }

  async find<D extends Doc>(collection: string, options: FindOptions = {}): Promise<D[]> {
    return this.#readable(collection, await this.#records.find<D>(collection, options), options);
  }

  async *chunks<D extends Doc>(collection: string, options: FindOptions = {}): AsyncGenerator<D[]> {
    for await (const chunk of this.#records.chunks<D>(collection, options)) {
      yield await this.#readable(collection, chunk, options);
    }
  }

  insert = <D extends Doc>(collection: string, doc: D): Promise<boolean> => this.#records.insert(collection, doc);
  replace = <D extends Doc>(collection: string, doc: D, assertInTime?: () => void): Promise<boolean> =>
    this.#records.replace(collection, doc, assertInTime);
  saveAll = <D extends Doc>(collection: string, docs: readonly D[], assertInTime?: () => void): Promise<void> =>
    this.#records.saveAll(collection, docs, assertInTime);
  remove = (collection: string, key: string, match?: Record<string, string | number>): Promise<void> =>
    this.#records.remove(collection, key, match);
  count = (collection: string, query?: Query, guess?: number): Promise<number> =>
    this.#records.count(collection, query, guess);
  removeWhere = (collection: string, query: Query): Promise<void> => this.#records.removeWhere(collection, query);
  status = (): Promise<string> => this.#records.status();

  async #readable<D extends Doc>(
    collection: string,
    docs: D[],
    { fields, keepsUnreadable }: FindOptions,
  ): Promise<D[]> {
    const rules = this.#stored[collection];
    if (!rules) return docs;
    const shapes = await rules.shapes();
    const readable: D[] = [];
    for (const doc of docs) {
      if (isReadable(shapes, doc, fields)) readable.push(doc);
      else {
        this.#note(rules, collection, doc._key);
        if (keepsUnreadable) readable.push(new UnreadableDoc(doc._key) as Doc as D);
      }
    }
    return readable;
  }

  #note({ family }: StoredCollection, collection: string, key: string): UnreadableRecord {
    const id = `${collection}/${key}`;
    const record = this.#leftOut.get(id) ?? { family, collection, key };
    if (!this.#leftOut.has(id)) this.#log.warn('unreadable_record', { collection, key });
    this.#leftOut.set(id, record);
    return record;
  }
}
