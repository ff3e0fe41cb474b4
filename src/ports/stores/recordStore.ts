import { Fault } from '../../contract/codes/faults.ts';

/** A stored document: `_key` and the fields of its collection. */
export interface Doc {
  _key: string;
}

/** The platform's documented query operators only; see docs/adr/0001. */
export type Query = Record<string, unknown>;

export interface FindOptions {
  query?: Query;
  /** Fields to return besides `_key`. */
  fields?: readonly string[];
  /** `field:1` or `field:-1`, comma separated. */
  sort?: string;
  limit?: number;
  skip?: number;
  /** Returns an `UnreadableDoc` in the place of an unreadable document, for callers that count rows. */
  keepsUnreadable?: boolean;
}

/** A document that is left out elsewhere because it lacks required fields. */
export class UnreadableDoc implements Doc {
  readonly _key: string;

  constructor(key: string) {
    this._key = key;
  }
}

/** The KV store in the app's namespace, owner `nobody`. `insert` is the only atomic operation: it refuses an existing key. */
export interface RecordStore {
  /** False when the key is taken. @throws InsertUnclear */
  insert<D extends Doc>(collection: string, doc: D): Promise<boolean>;
  /**
   * Replaces the document; false when there is none, unless the platform inserts it then. So whoever replaces holds a lease that removers hold
   * too, or uses `replaceExisting`, or may insert it as well.
   * @param assertInTime called just before sending; an error cancels the call
   */
  replace<D extends Doc>(collection: string, doc: D, assertInTime?: () => void): Promise<boolean>;
  /** Inserts or replaces documents, each atomically and all in one call: at most 500, and 8 MB. @param assertInTime as for `replace` */
  saveAll<D extends Doc>(collection: string, docs: readonly D[], assertInTime?: () => void): Promise<void>;
  /** Removes the document, with `match` only while it has these values. */
  remove(collection: string, key: string, match?: Record<string, string | number>): Promise<void>;
  get<D extends Doc>(collection: string, key: string): Promise<D | undefined>;
  /**
   * Returns all matches without a limit. With one, the store may return fewer if they are large; only an empty result is the
   * end.
   */
  find<D extends Doc>(collection: string, options?: FindOptions): Promise<D[]>;
  /**
   * All matches in key order, a few megabytes at a time. Documents that exist during the whole iteration are returned exactly
   * once.
   */
  chunks<D extends Doc>(
    collection: string,
    options?: Pick<FindOptions, 'query' | 'fields' | 'keepsUnreadable'>,
  ): AsyncIterable<D[]>;
  /**
   * Counts documents without loading them.
   * @param guess a recent count, which makes the call faster
   */
  count(collection: string, query?: Query, guess?: number): Promise<number>;
  removeWhere(collection: string, query: Query): Promise<void>;
  /** `ready`, or the platform's word for its state. @throws Fault `store_unavailable` */
  status(): Promise<string>;
}

/** The reply to an insert was lost, and the document is not there now, but may have been in between. */
export class InsertUnclear extends Fault {
  constructor() {
    super('store_unavailable', 'The connection to the platform was lost. Check whether the change was saved.');
  }
}
