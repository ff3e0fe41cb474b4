import { Fault } from '../../contract/codes/faults.ts';
import type { UnreadableRecord } from '../../contract/unreadable.ts';
import type { Log } from '../../ports/platform/log.ts';
import {
  type Doc,
  type FindOptions,
  type Query,
  type RecordStore,
  UnreadableDoc,
} from '../../ports/stores/recordStore.ts';
import { type CollectionShape, isReadable, type Shape } from './shape.ts';

/** Undefined for collections of the app itself. */
export type ShapeSource = (collection: string) => Promise<CollectionShape | undefined>;

export class UnreadableFault extends Fault {
  readonly record: UnreadableRecord;

  constructor(record: UnreadableRecord) {
    super('unreadable_record', `The stored record ${record.key} in ${record.collection} is incomplete or damaged.`);
    this.record = record;
  }
}

/** The checks of each document of a collection. */
async function checksOf({ shape, more, kinds = {} }: CollectionShape): Promise<(doc: Doc) => Shape> {
  const common = more ? { ...shape, ...(await more()) } : shape;
  const byKind = new Map(Object.entries(kinds).map(([kind, checks]) => [kind, { ...common, ...checks }]));
  return (doc) => byKind.get(String((doc as { kind?: unknown }).kind)) ?? common;
}

/** The records of one request: every document is checked when it is read. */
export class CheckedRecords implements RecordStore {
  /** The documents that lists left out, by collection and key. */
  readonly #leftOut = new Map<string, UnreadableRecord>();
  readonly #records: RecordStore;
  readonly #shapeOf: ShapeSource;
  readonly #log: Log;

  /** @param shapeOf called when a collection is read, since a start loads no family */
  constructor(records: RecordStore, shapeOf: ShapeSource, log: Log) {
    this.#records = records;
    this.#shapeOf = shapeOf;
    this.#log = log;
  }

  get leftOut(): UnreadableRecord[] {
    return [...this.#leftOut.values()];
  }

  async get<D extends Doc>(collection: string, key: string): Promise<D | undefined> {
    const [doc, rules] = await Promise.all([this.#records.get<D>(collection, key), this.#shapeOf(collection)]);
    if (!doc || !rules || isReadable((await checksOf(rules))(doc), doc, undefined)) return doc;
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
    const rules = await this.#shapeOf(collection);
    if (!rules) return docs;
    const shapeOf = await checksOf(rules);
    const readable: D[] = [];
    for (const doc of docs) {
      if (isReadable(shapeOf(doc), doc, fields)) readable.push(doc);
      else {
        this.#note(rules, collection, doc._key);
        if (keepsUnreadable) readable.push(new UnreadableDoc(doc._key) as Doc as D);
      }
    }
    return readable;
  }

  #note({ family }: CollectionShape, collection: string, key: string): UnreadableRecord {
    const id = `${collection}/${key}`;
    const record = this.#leftOut.get(id) ?? { family, collection, key };
    if (!this.#leftOut.has(id)) this.#log.warn('unreadable_record', { collection, key });
    this.#leftOut.set(id, record);
    return record;
  }
}
