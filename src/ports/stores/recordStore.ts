import { Fault } from '../../contract/codes/faults.ts';

/** A stored document: `_key` plus the family's own fields, which the reader of a collection knows. */
export interface Doc {
  _key: string;
}

/** The platform's documented query operators only; see docs/adr/0001. */
export type Query = Record<string, unknown>;

export interface FindOptions {
  query?: Query;
  /** Field names to return; `_key` always comes along. */
  fields?: readonly string[];
  /** `field:1` or `field:-1`, comma separated. */
  sort?: string;
  limit?: number;
  skip?: number;
}

/**
 * One collection of the platform's record store, in the app's namespace, owner `nobody`.
 * `insert` is the only atomic test there is: it refuses a key that exists.
 */
export interface RecordStore {
  /** False when the key is taken. @throws InsertUnclear */
  insert<D extends Doc>(collection: string, doc: D): Promise<boolean>;
  /**
   * Replaces the whole document. False when there is none.
   * @param assertInTime asked at the last moment before the document is on its way; what it throws ends the call
   */
  replace<D extends Doc>(collection: string, doc: D, assertInTime?: () => void): Promise<boolean>;
  /** Removes the document; with `match`, only while those fields have those values. */
  remove(collection: string, key: string, match?: Record<string, string | number>): Promise<void>;
  get<D extends Doc>(collection: string, key: string): Promise<D | undefined>;
  /**
   * Without a limit, all that match. With one, at most so many: the store may answer fewer where they are very large, so
   * only an empty answer is surely the end.
   */
  find<D extends Doc>(collection: string, options?: FindOptions): Promise<D[]>;
  /**
   * All that match, in the order of their keys, a few megabytes at a time: for what need not be in memory at once. Others
   * may write meanwhile; what is there from beginning to end is given exactly once.
   */
  chunks<D extends Doc>(collection: string, options?: Pick<FindOptions, 'query' | 'fields'>): AsyncIterable<D[]>;
  /**
   * How many documents match, without loading them.
   * @param guess how many there were a moment ago: a good one costs a small part of the call, a bad one nothing but time
   */
  count(collection: string, query?: Query, guess?: number): Promise<number>;
  /** Removes every document that matches. */
  removeWhere(collection: string, query: Query): Promise<void>;
  /** `ready` when records can be read and written, else the platform's own word for its state. */
  status(): Promise<string>;
}

/**
 * The answer to an insert was lost, and now the key is free again or something else stands there: our document may have been
 * there in between, so neither "inserted" nor "taken" would be true.
 */
export class InsertUnclear extends Fault {
  constructor() {
    super(
      'store_unavailable',
      'The platform broke the connection, and it is not known whether this was stored: check first',
    );
  }
}
