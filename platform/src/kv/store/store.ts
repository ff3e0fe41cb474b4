import { join } from 'node:path';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { openDatabase, transaction } from '../../home/database.ts';
import { type Acceleration, Accelerator, fieldSql, type IndexPlan, planSql } from './accelerations.ts';
import { registerShapes } from './sqlShapes.ts';
import { type Statements, statements } from './statements.ts';

/** (`key`, `user`) is unique inside one collection. */
export interface Partition {
  app: string;
  collection: string;
  user: string;
  /** Accelerated fields of the collection's conf. */
  accelerations?: readonly Acceleration[];
}

export interface Row {
  seq: number;
  user: string;
  key: string;
  /** JSON of the document without `_key` and `_user`. */
  doc: string;
}

/** The part of a query that SQLite can apply; it selects a superset of the matching rows. */
export interface Scan {
  /** At least one owner. */
  users: string[];
  /** Only these keys can match. */
  keys?: string[];
  /** Fragment of SQL over column `doc`. */
  where?: { sql: string; params: SQLInputValue[] };
  /** In key order, after this key. */
  byKey?: { after: string | undefined };
  limit?: number;
  offset?: number;
}

// WAL with synchronous=NORMAL: a commit survives kill -9 of the platform; only a power failure could lose the last
// ones.
const SETUP = `
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY, app TEXT NOT NULL, name TEXT NOT NULL, UNIQUE (app, name));
  CREATE TABLE IF NOT EXISTS docs (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, coll INTEGER NOT NULL REFERENCES collections, user TEXT NOT NULL,
    key TEXT NOT NULL, doc TEXT NOT NULL, UNIQUE (coll, user, key));
  CREATE INDEX IF NOT EXISTS docs_natural ON docs (coll, user, seq)`;

/** The key-value store of the platform: one SQLite file, natural order = insertion order. */
export class KvStore {
  readonly #db: DatabaseSync;
  readonly #sql: Statements;
  readonly #ids = new Map<string, number>();
  readonly #accelerator: Accelerator;

  constructor(home: string) {
    this.#db = openDatabase(join(home, 'var', 'lib', 'splunk', 'kvstore', 'kvstore.sqlite'), SETUP);
    // Before the first statement, since indexes use it.
    registerShapes(this.#db);
    this.#sql = statements(this.#db);
    this.#accelerator = new Accelerator(this.#db);
  }

  get(partition: Partition, key: string): Row | undefined {
    return this.#sql.get.get(this.#id(partition), partition.user, key) as Row | undefined;
  }

  /** False if the key is taken. */
  insert(partition: Partition, key: string, doc: string): boolean {
    return this.#sql.insert.run(this.#prepared(partition), partition.user, key, doc).changes === 1;
  }

  /** False if there is no such document; a replaced one keeps its position in the natural order. */
  replace(partition: Partition, key: string, doc: string): boolean {
    return this.#sql.replace.run(doc, this.#id(partition), partition.user, key).changes === 1;
  }

  /** All or none. */
  saveAll(partition: Partition, docs: readonly { key: string; doc: string }[]): void {
    const id = this.#prepared(partition);
    transaction(this.#db, () => {
      for (const { key, doc } of docs) this.#sql.save.run(id, partition.user, key, doc);
    });
  }

  remove(partition: Partition, key: string): boolean {
    return this.#sql.remove.run(this.#id(partition), partition.user, key).changes === 1;
  }

  removeAll(partition: Partition): void {
    this.#sql.removeAll.run(this.#id(partition), partition.user);
  }

  /** Finds and deletes in one write transaction, so only one of several contenders gets a document. */
  removeWhere(partition: Partition, scan: Scan, test: (row: Row) => boolean): number {
    return transaction(this.#db, () => {
      const numbers: number[] = [];
      for (const row of this.rows(partition, scan)) if (test(row)) numbers.push(row.seq);
      this.#sql.removeSeqs.run(JSON.stringify(numbers));
      return numbers.length;
    });
  }

  /** Whether `indexed` and `removeIndexed` apply: every accelerated field compares in SQLite as in the store. */
  canIndex(partition: Partition, { scalars }: IndexPlan): boolean {
    const { accelerations = [] } = partition;
    return accelerations.length > 0 && this.#accelerator.canAnswer(this.#id(partition), accelerations, scalars);
  }

  /** Sorts row ids before it loads documents: sorting many whole documents could take gigabytes. */
  *indexed(partition: Partition, plan: IndexPlan, page: { limit: number; offset: number }): IterableIterator<Row> {
    const numbers = this.#db.prepare(planSql(this.#id(partition), plan, 'seq'));
    for (const { seq } of numbers.all(partition.user, ...plan.params, page.limit, page.offset) as { seq: number }[]) {
      yield this.#sql.bySeq.get(seq) as unknown as Row;
    }
  }

  /** Reads only these fields (and the key) from the index, without loading documents. */
  indexedFields(
    partition: Partition,
    plan: IndexPlan,
    fields: readonly string[],
    page: { limit: number; offset: number },
  ): Iterable<Record<string, string | number | null>> {
    const columns = [...fields.map((field) => `${fieldSql(field)} AS "${field}"`), 'key AS _key'].join(', ');
    const sql = planSql(this.#id(partition), plan, columns);
    const rows = this.#db.prepare(sql).iterate(partition.user, ...plan.params, page.limit, page.offset);
    return rows as Iterable<unknown> as Iterable<Record<string, string | number | null>>;
  }

  /** Only the keys, as JSON `{"_key": …}` joined by commas in one text, since counting reads thousands. */
  indexedKeys(partition: Partition, plan: IndexPlan, page: { limit: number; offset: number }): string {
    const sql = `SELECT json_group_array(json_object('_key', key)) AS keys FROM (${planSql(this.#id(partition), plan, 'key')})`;
    const row = this.#db.prepare(sql).get(partition.user, ...plan.params, page.limit, page.offset) as { keys: string };
    return row.keys.slice(1, -1);
  }

  removeIndexed(partition: Partition, plan: IndexPlan): void {
    const sql = planSql(this.#id(partition), plan, 'seq');
    this.#db.prepare(`DELETE FROM docs WHERE seq IN (${sql})`).run(partition.user, ...plan.params, -1, 0);
  }

  /** Drops a collection with the documents of all owners. */
  drop(app: string, collection: string): void {
    this.#sql.drop.run(this.#id({ app, collection }));
  }

  *rows(partition: Omit<Partition, 'user'>, scan: Scan): IterableIterator<Row> {
    const id = this.#id(partition);
    if (scan.keys !== undefined) {
      const rows: Row[] = [];
      for (const user of scan.users) {
        for (const key of new Set(scan.keys)) {
          const row = this.#sql.get.get(id, user, key) as Row | undefined;
          if (row !== undefined) rows.push(row);
        }
      }
      yield* rows.sort(scan.byKey ? (a, b) => (a.key < b.key ? -1 : 1) : (a, b) => a.seq - b.seq);
      return;
    }
    const owners = scan.users.map(() => '?').join(',');
    const where = scan.where === undefined ? '' : ` AND (${scan.where.sql})`;
    const after = scan.byKey?.after;
    const behind = after === undefined ? '' : ' AND key > ?';
    const sql = `SELECT seq, user, key, doc FROM docs WHERE coll = ? AND user IN (${owners})${behind}${where}
      ORDER BY ${scan.byKey ? 'key' : 'seq'} LIMIT ? OFFSET ?`;
    const bounds = [id, ...scan.users, ...(after === undefined ? [] : [after]), ...(scan.where?.params ?? [])];
    const params = [...bounds, scan.limit ?? -1, scan.offset ?? 0];
    // Not cached: the number of variants is unbounded, and preparing takes microseconds.
    yield* this.#db.prepare(sql).iterate(...params) as Iterable<unknown> as Iterable<Row>;
  }

  close(): void {
    this.#db.close();
  }

  /** Ids are never reused or deleted, so they can be cached even with several platforms on one file. */
  #id({ app, collection }: Omit<Partition, 'user'>): number {
    const name = `${app}/${collection}`;
    const cached = this.#ids.get(name);
    if (cached !== undefined) return cached;
    this.#sql.addCollection.run(app, collection);
    const { id } = this.#sql.collection.get(app, collection) as { id: number };
    this.#ids.set(name, id);
    return id;
  }

  /** Create the index before the first documents, while it is free. */
  #prepared(partition: Partition): number {
    const id = this.#id(partition);
    if (partition.accelerations !== undefined) this.#accelerator.prepare(id, partition.accelerations);
    return id;
  }
}
