import type { HostClock } from '../ports/clock.ts';
import type { Doc, Query, RecordStore } from '../ports/recordStore.ts';
import { allOf } from './audience.ts';
import { inQueries, withKeys } from './keyQueries.ts';
import { RecentMap } from './recentMap.ts';
import { timePart } from './timeOrderedId.ts';

/** By how much the clock of a host that changes a record may be behind. */
const MARGIN_MS = 300_000;
/** How long rows are brought up to date before they are all read again. */
const TRUSTED_MS = 60_000;
/** Fewer are read as quickly as brought up to date. */
const FEW = 200;
/** Recent changes that are looked at, and those that are read one by one: beyond that all rows are read. */
const MOST_RECENT = 20_000;
const MOST_CHANGED = 500;
/** What a process keeps of one collection at most, as JSON. */
const MOST_BYTES = 16 * 1024 * 1024;
/** And of all collections together. */
const MOST_IN_ALL = 2 * MOST_BYTES;

/** So long nobody looks again whether what was too much has become less. */
const TOO_MUCH_MS = 600_000;

/** The index by which rows are brought up to date. */
export const CHANGED_INDEX = ['last_updated_at', 'version', 'form'];

/** How it is seen which documents of a collection have changed. */
export interface Changes {
  /** Fields of which one is another after every change. */
  marks: readonly string[];
  /** What was made or changed at or after a moment, by an index. @param ms since the epoch, by the clocks of those who write */
  since(ms: number): Query;
  /** Whether a document may still change without being among those: told by its marks. Such ones are looked at each time. */
  isOpen?(marks: Readonly<Record<string, unknown>>): boolean;
  /** The field, equal to the key, in whose order they are cleared, the lowest first; absent where they are removed one by one. */
  clearedBy?: string;
}

/** Records: whoever changes one counts its version and says when. */
const VERSIONED: Changes = {
  marks: ['last_updated_at', 'version'],
  since: (ms) => ({ last_updated_at: { $gte: ms / 1000 } }),
};

/** Connections, by all that is written of them. An older app does not say when: that is seen within a minute. */
export const WRITTEN: Changes = {
  marks: ['list_changed_at', 'last_updated_at', 'version'],
  since: (ms) => ({ list_changed_at: { $gte: ms / 1000 } }),
};
/** The index for it. */
export const WRITTEN_INDEX = [...WRITTEN.marks, 'form'];

/** Entries whose ids sort by time: they come at one end, and are cleared at the other. @param idField equals the key */
export const entriesBy = (idField: string): Changes => ({
  marks: [idField],
  since: (ms) => ({ [idField]: { $gte: timePart(ms) } }),
  clearedBy: idField,
});

/** What is kept of the documents of a collection, and as what. */
export interface Slim<R extends Doc, S> {
  collection: string;
  /** Absent = all of them. */
  where?: Query;
  /** The marks come along. The same for two lists of the same documents = so is all else here. */
  fields: readonly string[];
  /** Absent = those of a record, by its version and `last_updated_at`. */
  changes?: Changes;
  shape(record: R): S;
  /** The order in which the rows are kept. */
  compare(a: S, b: S): number;
}

/** What lists of rows are made with. */
export interface RowStores {
  records: RecordStore;
  clock: HostClock;
  rows?: SlimRows;
}

export interface ReadRows<S> {
  /** The same array as long as nothing has changed, where they are kept. */
  rows: readonly S[];
  areNew: boolean;
}

interface Row<S = unknown> {
  marks: readonly unknown[];
  isOpen: boolean;
  slim: S;
}

interface Known {
  rows: Map<string, Row>;
  /** In their order; undefined when some have changed. */
  sorted: readonly unknown[] | undefined;
  /** When they were last brought up to date, by the clock of this host. */
  asOf: number;
  /** When they were all read. */
  loadedAt: number;
  /** As JSON. */
  bytes: number;
}

/**
 * What lists look through of all records of a collection, kept from one request of a process to the next: of a large
 * collection only what has changed is read again. What changes without another mark is not among it. One for each site.
 */
export class SlimRows {
  readonly #known = new RecentMap<Known>(MOST_IN_ALL, ({ bytes }) => bytes);
  /** What was more than a process keeps, and when that was found, by the host's clock. */
  readonly #tooMuch = new RecentMap<number>(100);

  /**
   * Every row as it is in the store now, in order. A change of a host whose clock is further behind than five minutes may be
   * missing for a minute: who shows a record looks at it again.
   */
  async of<R extends Doc, S>(stores: RowStores, slim: Slim<R, S>): Promise<readonly S[]> {
    return (await this.read(stores, slim)).rows;
  }

  /** The same, and whether all of them have been read for it: then nobody needs to look at a record again. */
  async read<R extends Doc, S>(stores: RowStores, slim: Slim<R, S>): Promise<ReadRows<S>> {
    return (await this.#read(stores, slim, Number.POSITIVE_INFINITY)) as ReadRows<S>;
  }

  /** The same as `of`. Undefined where there is more than a process keeps: that is for whoever asks to look through. */
  async ifKept<R extends Doc, S>(stores: RowStores, slim: Slim<R, S>): Promise<readonly S[] | undefined> {
    return (await this.#read(stores, slim, MOST_BYTES))?.rows;
  }

  /** @param most as JSON; of more nothing is read to its end */
  async #read<R extends Doc, S>(
    { records, clock }: RowStores,
    slim: Slim<R, S>,
    most: number,
  ): Promise<ReadRows<S> | undefined> {
    const { collection, where = {}, changes = VERSIONED } = slim;
    const fields = [...new Set([...slim.fields, ...changes.marks])].sort();
    const name = `${collection} ${JSON.stringify(where)} ${fields}`;
    const known = this.#known.get(name);
    const rowOf = (record: Doc): Row<S> => ({ ...markedOf(changes, record), slim: slim.shape(record as R) });
    const isTrusted = known && clock.monotonic() - known.loadedAt < TRUSTED_MS;
    const source = { records, clock, collection, where, fields, changes };
    if (!isTrusted || !(await refreshed(source, known, rowOf))) this.#known.delete(name);
    const trusted = this.#known.get(name);
    if (!trusted && this.#isTooMuch(name, clock, most)) return undefined;
    const kept = trusted ?? (await loaded(source, rowOf, most));
    if (!kept) {
      this.#tooMuch.set(name, clock.monotonic());
      return undefined;
    }
    kept.sorted ??= [...kept.rows.values()].map((row) => row.slim as S).sort(slim.compare);
    if (kept.rows.size > FEW && kept.bytes < MOST_BYTES) this.#known.set(name, kept);
    return { rows: kept.sorted as readonly S[], areNew: !trusted };
  }

  /** Whether it was not long ago, and is still taken for it: to find out takes as long as a part of the search. */
  #isTooMuch(name: string, clock: HostClock, most: number): boolean {
    const since = this.#tooMuch.get(name);
    return most < Number.POSITIVE_INFINITY && since !== undefined && clock.monotonic() - since < TOO_MUCH_MS;
  }
}

interface Source {
  records: RecordStore;
  clock: HostClock;
  collection: string;
  where: Query;
  fields: readonly string[];
  changes: Changes;
}

/** All of them; undefined where they are more than `most`, as JSON. */
async function loaded(
  { records, clock, collection, where, fields }: Source,
  rowOf: (record: Doc) => Row,
  most: number,
): Promise<Known | undefined> {
  const known: Known = {
    rows: new Map(),
    sorted: undefined,
    asOf: clock.now(),
    loadedAt: clock.monotonic(),
    bytes: 0,
  };
  for await (const chunk of records.chunks<Doc>(collection, { query: where, fields })) {
    for (const record of chunk) keep(known, record._key, rowOf(record));
    if (known.bytes > most) return undefined;
  }
  return known;
}

/** Whether the rows are those of the store now. A removal leaves no trace but their number. */
async function refreshed(source: Source, known: Known, rowOf: (record: Doc) => Row): Promise<boolean> {
  const { records, clock, collection, where, fields, changes } = source;
  const asOf = clock.now();
  const since = changes.since(known.asOf - MARGIN_MS);
  const recently = { query: allOf(where, since), fields: changes.marks, limit: MOST_RECENT };
  const [total, recent] = await Promise.all([
    records.count(collection, where, known.rows.size),
    records.find<Doc>(collection, recently),
  ]);
  if (recent.length === MOST_RECENT) return false;
  const changed = new Set(
    recent.filter((doc) => !isSame(changes, doc, known.rows.get(doc._key))).map(({ _key }) => _key),
  );
  for (const [key, { isOpen }] of known.rows) if (isOpen) changed.add(key);
  if (changed.size > MOST_CHANGED) return false;
  for (const keys of inQueries([...changed])) {
    for (const record of await records.find<Doc>(collection, { query: withKeys(keys), fields })) {
      if (isSame(changes, record, known.rows.get(record._key))) continue;
      keep(known, record._key, rowOf(record));
      known.sorted = undefined;
    }
  }
  if (known.rows.size > total) await dropCleared(source, known);
  known.asOf = asOf;
  return known.rows.size === total;
}

/** Of what is cleared in an order, those that are gone are told by the first that is left. */
async function dropCleared({ records, collection, where, changes }: Source, known: Known): Promise<void> {
  if (changes.clearedBy === undefined) return;
  const oldest = { query: where, sort: `${changes.clearedBy}:1`, limit: 1, fields: [changes.clearedBy] };
  const [first] = await records.find<Doc>(collection, oldest);
  for (const [key, row] of known.rows) {
    if (first && key >= first._key) continue;
    known.bytes -= bytesOf(row);
    known.rows.delete(key);
    known.sorted = undefined;
  }
}

function keep(known: Known, key: string, row: Row): void {
  known.bytes += bytesOf(row) - bytesOf(known.rows.get(key));
  known.rows.set(key, row);
}

const bytesOf = (row: Row | undefined): number => (row ? JSON.stringify(row).length : 0);

function markedOf({ marks, isOpen }: Changes, doc: Doc): Pick<Row, 'marks' | 'isOpen'> {
  const values = valuesOf(doc);
  return { marks: marks.map((mark) => values[mark]), isOpen: isOpen?.(values) ?? false };
}

const isSame = ({ marks }: Changes, now: Doc, before: Row | undefined): boolean =>
  before !== undefined && marks.every((mark, index) => valuesOf(now)[mark] === before.marks[index]);

const valuesOf = (doc: Doc) => doc as unknown as Readonly<Record<string, unknown>>;
