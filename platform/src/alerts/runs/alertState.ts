import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../../home/database.ts';

const SCHEMA = `
CREATE TABLE IF NOT EXISTS runs (search TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (search, time)) STRICT;
CREATE TABLE IF NOT EXISTS suppressions (
  search TEXT NOT NULL, row TEXT NOT NULL, until REAL NOT NULL, PRIMARY KEY (search, row)) STRICT;
CREATE TABLE IF NOT EXISTS counts (search TEXT PRIMARY KEY, count REAL NOT NULL) STRICT;
`;
/** How long a scheduled run is remembered, in seconds. */
const REMEMBERED = 7 * 86_400;

/** Memory of the scheduler that all members of a cluster share: which runs were begun, what is suppressed, the last counts. */
export class AlertState {
  readonly #db: DatabaseSync;

  constructor(file: string) {
    this.#db = openDatabase(file, SCHEMA);
  }

  /** Whether this member runs a search at that time of its schedule: the first that asks does. @param time epoch seconds */
  claimRun(search: string, time: number): boolean {
    this.#db.prepare('DELETE FROM runs WHERE time < ?').run(time - REMEMBERED);
    return this.#db.prepare('INSERT OR IGNORE INTO runs (search, time) VALUES (?, ?)').run(search, time).changes === 1;
  }

  /**
   * Begins to suppress an alert, unless it is suppressed already: then false.
   * @param row the values of its fields, empty for all rows together
   * @param now epoch seconds, as `until`
   */
  suppress(search: string, row: string, now: number, until: number): boolean {
    this.#db.prepare('DELETE FROM suppressions WHERE until <= ?').run(now);
    const insert = 'INSERT OR IGNORE INTO suppressions (search, row, until) VALUES (?, ?, ?)';
    return this.#db.prepare(insert).run(search, row, until).changes === 1;
  }

  /** When the last suppression of a search ends, epoch seconds; undefined where nothing is suppressed. */
  suppressedUntil(search: string, now: number): number | undefined {
    const select = 'SELECT MAX(until) AS until FROM suppressions WHERE search = ? AND until > ?';
    const until = this.#db.prepare(select).get(search, now)?.until ?? undefined;
    return until === undefined ? undefined : Number(until);
  }

  /** Stores the count of a run and returns that of the run before; undefined for the first. */
  exchangeCount(search: string, count: number): number | undefined {
    const before = this.#db.prepare('SELECT count FROM counts WHERE search = ?').get(search)?.count;
    this.#db.prepare('INSERT OR REPLACE INTO counts (search, count) VALUES (?, ?)').run(search, count);
    return before === undefined ? undefined : Number(before);
  }

  /** A later search of that name starts anew. Its runs stay, so that a time is not run twice. */
  forget(search: string): void {
    for (const table of ['suppressions', 'counts'])
      this.#db.prepare(`DELETE FROM ${table} WHERE search = ?`).run(search);
  }

  close(): void {
    this.#db.close();
  }
}
