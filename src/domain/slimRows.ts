import type { HostClock } from '../ports/clock.ts';
import type { Doc, Query, RecordStore } from '../ports/recordStore.ts';
import { allOf } from './audience.ts';
import { type Changes, isSame, type Marked, markedOf, VERSIONED } from './documentChanges.ts';
import { inQueries, withKeys } from './keyQueries.ts';
import { RecentMap } from './recentMap.ts';

/** By how much the clock of a host that changes a record may be behind. */
const MARGIN_MS = 300_000;
/** How long rows are brought up to date before they are all read again. */
const TRUSTED_MS = 60_000;
/** Fewer are read as quickly as brought up to date. */
const FEW = 200;
/** So many are read before anybody asks whether there are too many. */
const MANY = 2000;
/** Recent changes that are looked at, and those that are read one by one: beyond that all rows are read. */
const MOST_RECENT = 20_000;
const MOST_CHANGED = 500;
/** And those that may have changed unseen. */
const MOST_OPEN = 2000;
/** What a process keeps of one collection at most, as JSON. */
const MOST_BYTES = 16 * 1024 * 1024;
/** And of all collections together. */
const MOST_IN_ALL = 2 * MOST_BYTES;

/** So long nobody looks again whether what was too much has become less. */
const TOO_MUCH_MS = 600_000;

/** What is kept of the documents of a collection, and as what. */
export interface Slim<R extends Doc, S> {
  collection: string;
  /** Absent = all of them. */
  where?: Query;
  /** The marks come along. The same for two lists of the same documents = so is all else here. */
  fields: readonly string[];
  /** Absent = those of a record, by its version and `last_updated_at`. */
  changes?: Changes;
  /** Of more documents nothing is kept by `ifKept`, which finds that out before it reads them. */
  most?: number;
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

interface Row<S = unknown> extends Marked {
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
    return (await this.#read(stores, slim, { bytes: Number.POSITIVE_INFINITY, mayLoad: true })) as ReadRows<S>;
  }

  /**
   * The same as `of`. Undefined where there is more than a process keeps: that is for whoever asks to look through.
   * @param mayLoad false: undefined also where all of them would have to be read, for whoever needs few of them
   */
  async ifKept<R extends Doc, S>(
    stores: RowStores,
    slim: Slim<R, S>,
    mayLoad = true,
  ): Promise<readonly S[] | undefined> {
    return (await this.#read(stores, slim, { bytes: MOST_BYTES, documents: slim.most, mayLoad }))?.rows;
  }

  async #read<R extends Doc, S>(
    { records, clock }: RowStores,
    slim: Slim<R, S>,
    limits: Limits,
  ): Promise<ReadRows<S> | undefined> {
    const { collection, where = {}, changes = VERSIONED } = slim;
    const fields = [...new Set([...slim.fields, ...changes.marks])].sort();
    const name = `${collection} ${JSON.stringify(where)} ${fields}`;
    const known = this.#known.get(name);
    const rowOf = (record: Doc): Row<S> => {
      return { ...markedOf(changes, record, clock.now()), slim: slim.shape(record as R) };
    };
    const isTrusted = known && clock.monotonic() - known.loadedAt < TRUSTED_MS;
    const source = { records, clock, collection, where, fields, changes };
    // Those that another request has put in their place meanwhile may be older than what this one has to show.
    const trusted = isTrusted && (await refreshed(source, known, rowOf)) ? known : undefined;
    if (!trusted) this.#known.delete(name);
    const kept = trusted ?? (await this.#loaded(name, source, rowOf, limits));
    if (!kept) return undefined;
    kept.sorted ??= [...kept.rows.values()].map((row) => row.slim as S).sort(slim.compare);
    if (kept.rows.size > FEW && kept.bytes < MOST_BYTES) this.#known.set(name, kept);
    else this.#known.delete(name);
    return { rows: kept.sorted as readonly S[], areNew: !trusted };
  }

  async #loaded(name: string, source: Source, rowOf: (record: Doc) => Row, limits: Limits): Promise<Known | undefined> {
    const now = source.clock.monotonic();
    const since = this.#tooMuch.get(name) ?? Number.NEGATIVE_INFINITY;
    const isTooMuch = limits.bytes < Number.POSITIVE_INFINITY && now - since < TOO_MUCH_MS;
    if (!limits.mayLoad || isTooMuch) return undefined;
    const known = await loaded(source, rowOf, limits);
    if (!known) this.#tooMuch.set(name, now);
    return known;
  }
}

/** What is more than that is not read to its end. */
interface Limits {
  /** As JSON. */
  bytes: number;
  documents?: number | undefined;
  mayLoad: boolean;
}

interface Source {
  records: RecordStore;
  clock: HostClock;
  collection: string;
  where: Query;
  fields: readonly string[];
  changes: Changes;
}

/** All of them; undefined where they are more than a process may keep. */
async function loaded(source: Source, rowOf: (record: Doc) => Row, limits: Limits): Promise<Known | undefined> {
  const { records, clock, collection, where, fields } = source;
  const known: Known = {
    rows: new Map(),
    sorted: undefined,
    asOf: clock.now(),
    loadedAt: clock.monotonic(),
    bytes: 0,
  };
  let areMany = false;
  for await (const chunk of records.chunks<Doc>(collection, { query: where, fields })) {
    for (const record of chunk) keep(known, record._key, rowOf(record));
    if (known.bytes > limits.bytes) return undefined;
    if (areMany || known.rows.size < MANY) continue;
    areMany = true;
    if (limits.documents !== undefined && (await hasMoreThan(source, limits.documents))) return undefined;
  }
  return known;
}

/** An index finds that much sooner than all of them are read. */
async function hasMoreThan({ records, collection, where, changes }: Source, most: number): Promise<boolean> {
  const sort = changes.clearedBy === undefined ? {} : { sort: `${changes.clearedBy}:1` };
  const options = { query: where, ...sort, skip: most, limit: 1, fields: changes.marks };
  return (await records.find<Doc>(collection, options)).length > 0;
}

/** Whether the rows are those of the store now. A removal leaves no trace but their number. */
async function refreshed(source: Source, known: Known, rowOf: (record: Doc) => Row): Promise<boolean> {
  const { records, clock, collection, where, fields, changes } = source;
  const asOf = clock.now();
  // The clock of this host may have been put back meanwhile.
  const recently = changes.since(Math.min(known.asOf, asOf) - MARGIN_MS).map((since) => {
    const options = { query: allOf(where, since), fields: changes.marks, limit: MOST_RECENT };
    return records.find<Doc>(collection, options);
  });
  const [total, ...lists] = await Promise.all([records.count(collection, where, known.rows.size), ...recently]);
  if (lists.some((list) => list.length === MOST_RECENT)) return false;
  const recent = lists.flat();
  const changed = new Set(
    recent.filter((doc) => !isSame(changes, doc, known.rows.get(doc._key))).map(({ _key }) => _key),
  );
  const open: string[] = [];
  for (const [key, { isOpen }] of known.rows) if (isOpen) open.push(key);
  if (changed.size > MOST_CHANGED || open.length > MOST_OPEN) return false;
  for (const key of open) changed.add(key);
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
