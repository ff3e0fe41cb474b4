import type { RecordStore } from '../ports/recordStore.ts';
import type { RowStores } from './slimRows.ts';

/** An entry of the inventory of connections, and the record that it is of. */
export interface EntryOf<E> {
  key: string;
  entry: E;
}

export interface KeptEntries<E> {
  /** The same array as long as nothing has changed. */
  entries: readonly EntryOf<E>[];
  /** All have been read just now. */
  areNew: boolean;
}

/** What a family adds to the inventory of connections. */
export interface EntrySource<E> {
  /** As they are stored. @param keys those of these records, of all unless given: at most as many as a query takes */
  read(records: RecordStore, keys?: readonly string[]): Promise<EntryOf<E>[]>;
  /** From what the process keeps of all records. Undefined where it keeps nothing. */
  kept(stores: RowStores): Promise<KeptEntries<E> | undefined>;
}
