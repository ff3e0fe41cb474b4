import type { Query, RecordStore } from '../ports/recordStore.ts';
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
  /** As they are stored. @param where which of the family's records; all of them unless given */
  read(records: RecordStore, where?: Query): Promise<EntryOf<E>[]>;
  /** From what the process keeps of all records. Undefined where it keeps nothing. */
  kept(stores: RowStores): Promise<KeptEntries<E> | undefined>;
}
