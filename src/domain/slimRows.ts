import type { HostClock } from '../ports/clock.ts';
import type { Doc, RecordStore } from '../ports/recordStore.ts';
import { inQueries, withKeys } from './keyQueries.ts';
import { RecentMap } from './recentMap.ts';

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

/** The index by which rows are brought up to date. */
export const CHANGED_INDEX = ['last_updated_at', 'version', 'form'];

/** A record as every change leaves it: whoever changes one counts its version and says when. */
interface Versioned extends Doc {
  version: number;
  /** Epoch seconds, by the clock of the host that made the change. */
  last_updated_at: number;
}

/** What is kept of the records of a collection, and as what. */
export interface Slim<R extends Doc, S> {
  collection: string;
  /** `version` and `last_updated_at` come along. The same for two lists of a collection = so is all else here. */
  fields: readonly string[];
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

interface Row<S = unknown> extends Pick<Versioned, 'version' | 'last_updated_at'> {
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
 * collection only what has changed is read again. What changes without a new version is not among it. One for each site.
 */
export class SlimRows {
  readonly #known = new RecentMap<Known>(MOST_IN_ALL, ({ bytes }) => bytes);

  /**
   * Every row as it is in the store now, in order. A change of a host whose clock is further behind than five minutes may be
   * missing for a minute: who shows a record looks at it again.
   */
  async of<R extends Doc, S>(stores: RowStores, slim: Slim<R, S>): Promise<readonly S[]> {
    return (await this.read(stores, slim)).rows;
  }

  /** The same, and whether all of them have been read for it: then nobody needs to look at a record again. */
  async read<R extends Doc, S>({ records, clock }: RowStores, slim: Slim<R, S>): Promise<ReadRows<S>> {
    const fields = [...new Set([...slim.fields, 'version', 'last_updated_at'])].sort();
    const name = `${slim.collection} ${fields}`;
    const known = this.#known.get(name);
    const rowOf = (record: Versioned): Row<S> => {
      const { version, last_updated_at } = record;
      return { version, last_updated_at, slim: slim.shape(record as unknown as R) };
    };
    const isTrusted = known && clock.monotonic() - known.loadedAt < TRUSTED_MS;
    const source = { records, clock, collection: slim.collection, fields };
    if (!isTrusted || !(await refreshed(source, known, rowOf))) this.#known.delete(name);
    const trusted = this.#known.get(name);
    const kept = trusted ?? (await loaded(source, rowOf));
    kept.sorted ??= [...kept.rows.values()].map((row) => row.slim as S).sort(slim.compare);
    if (kept.rows.size > FEW && kept.bytes < MOST_BYTES) this.#known.set(name, kept);
    return { rows: kept.sorted as readonly S[], areNew: !trusted };
  }
}

interface Source {
  records: RecordStore;
  clock: HostClock;
  collection: string;
  fields: readonly string[];
}

async function loaded({ records, clock, ...list }: Source, rowOf: (record: Versioned) => Row): Promise<Known> {
  const known: Known = {
    rows: new Map(),
    sorted: undefined,
    asOf: clock.now(),
    loadedAt: clock.monotonic(),
    bytes: 0,
  };
  for await (const chunk of records.chunks<Versioned>(list.collection, { fields: list.fields })) {
    for (const record of chunk) keep(known, record._key, rowOf(record));
  }
  return known;
}

/** Whether the rows are those of the store now. A removal leaves no trace but their number. */
async function refreshed(
  { records, clock, collection, fields }: Source,
  known: Known,
  rowOf: (record: Versioned) => Row,
): Promise<boolean> {
  const asOf = clock.now();
  const query = { last_updated_at: { $gte: (known.asOf - MARGIN_MS) / 1000 } };
  const [total, recent] = await Promise.all([
    records.count(collection, {}, known.rows.size),
    records.find<Versioned>(collection, { query, fields: ['last_updated_at', 'version'], limit: MOST_RECENT }),
  ]);
  if (recent.length === MOST_RECENT) return false;
  const changed = recent.filter((row) => !isSame(row, known.rows.get(row._key))).map(({ _key }) => _key);
  if (changed.length > MOST_CHANGED) return false;
  for (const keys of inQueries(changed)) {
    for (const record of await records.find<Versioned>(collection, { query: withKeys(keys), fields })) {
      keep(known, record._key, rowOf(record));
      known.sorted = undefined;
    }
  }
  known.asOf = asOf;
  return known.rows.size === total;
}

function keep(known: Known, key: string, row: Row): void {
  known.bytes += bytesOf(row) - bytesOf(known.rows.get(key));
  known.rows.set(key, row);
}

const bytesOf = (row: Row | undefined): number => (row ? JSON.stringify(row).length : 0);

const isSame = (now: Versioned, before: Row | undefined): boolean =>
  now.version === before?.version && now.last_updated_at === before.last_updated_at;
