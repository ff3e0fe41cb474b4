import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** A new state of one object, as members exchange it. */
export interface Change {
  seq: number;
  kind: Kind;
  key: string;
  /** The state in the format of its kind; null = removed. */
  value: string | null;
  /** Time of the change; the later one wins. */
  at: number;
}

export type Kind = 'password' | 'stanza' | 'lookup';

export interface Page {
  /** Id of this journal: if it is another one, readers start over. */
  journal: string;
  changes: Change[];
}

/**
 * How long a superseded entry stays: longer than any replication delay, so that an object that changes constantly is
 * still delivered.
 */
const KEEP_MS = 120_000;
const PAGE = 500;

const SETUP = `
  CREATE TABLE IF NOT EXISTS journal (id TEXT NOT NULL) STRICT;
  INSERT INTO journal (id) SELECT lower(hex(randomblob(16))) WHERE NOT EXISTS (SELECT * FROM journal);
  CREATE TABLE IF NOT EXISTS changes (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT, at REAL NOT NULL,
    noted REAL NOT NULL) STRICT;
  CREATE INDEX IF NOT EXISTS changes_of ON changes (kind, key, seq);
  CREATE TABLE IF NOT EXISTS versions (
    kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT, at REAL NOT NULL, member INTEGER NOT NULL,
    PRIMARY KEY (kind, key)) STRICT;
  CREATE TABLE IF NOT EXISTS incoming (
    kind TEXT NOT NULL, key TEXT NOT NULL, value TEXT, at REAL NOT NULL, member INTEGER NOT NULL,
    PRIMARY KEY (kind, key)) STRICT;
  CREATE TABLE IF NOT EXISTS cursors (member INTEGER PRIMARY KEY, journal TEXT NOT NULL, seq INTEGER NOT NULL) STRICT;`;

/**
 * The changes of this member in order, and the version of each object it has. Shares the database of the passwords, so
 * that a password and its entry are one commit.
 */
export class Journal {
  readonly #db: DatabaseSync;
  readonly #member: number;

  constructor(db: DatabaseSync, member: number) {
    this.#db = db;
    this.#member = member;
    db.exec(SETUP);
  }

  /**
   * Records a local change. Its time is later than that of any known version, so the user who changes what they see
   * wins.
   */
  record(kind: Kind, key: string, value: string | null): void {
    const now = Date.now();
    const previous = this.#db.prepare('SELECT at FROM versions WHERE kind = ? AND key = ?').get(kind, key);
    const time = Math.max(now, Number(previous?.at ?? 0) + 1);
    this.#db
      .prepare('INSERT INTO changes (kind, key, value, at, noted) VALUES (?, ?, ?, ?, ?)')
      .run(kind, key, value, time, now);
    this.#setVersion(kind, key, value, time, this.#member);
  }

  /** Prunes superseded entries, so that ciphertexts of removed passwords do not stay forever. */
  prune(): void {
    const newer =
      'SELECT 1 FROM changes n WHERE n.kind = changes.kind AND n.key = changes.key AND n.seq > changes.seq AND n.noted < ?';
    const until = Date.now() - KEEP_MS;
    this.#db.prepare(`DELETE FROM changes WHERE noted < ? AND EXISTS (${newer})`).run(until, until);
  }

  /** Changes after `seq` that are older than the delay. */
  after(journal: string, seq: number, delayMs: number): Page {
    const id = this.#id();
    const rows = this.#db
      .prepare('SELECT seq, kind, key, value, at, noted FROM changes WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(journal === id ? seq : 0, PAGE) as unknown as (Change & { noted: number })[];
    // Stops at the first that is too recent instead of skipping it, since the system clock may be set back.
    const young = rows.findIndex(({ noted }) => noted > Date.now() - delayMs);
    return { journal: id, changes: young < 0 ? rows : rows.slice(0, young) };
  }

  /** The last known state; undefined = unknown object. */
  known(kind: Kind, key: string): { value: string | null } | undefined {
    return this.#db.prepare('SELECT value FROM versions WHERE kind = ? AND key = ?').get(kind, key) as never;
  }

  /** All known existing objects of a kind. */
  existing(kind: Kind): Map<string, string> {
    const rows = this.#db.prepare('SELECT key, value FROM versions WHERE kind = ? AND value IS NOT NULL').all(kind);
    return new Map(rows.map((row) => [String(row.key), String(row.value)]));
  }

  /** False if the local version is later. */
  isNews(change: Change, member: number): boolean {
    const row = this.#db
      .prepare('SELECT at, member FROM versions WHERE kind = ? AND key = ?')
      .get(change.kind, change.key);
    return row === undefined || change.at > Number(row.at) || (change.at === row.at && member > Number(row.member));
  }

  /**
   * Announced before files are written, so that after a kill another member's change is not mistaken for a local one.
   */
  announce(change: Change, member: number): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO incoming (kind, key, value, at, member) VALUES (?, ?, ?, ?, ?)')
      .run(change.kind, change.key, change.value, change.at, member);
  }

  /** Records that the object now has the other member's state. */
  settle(change: Omit<Change, 'seq'>, member: number): void {
    this.#setVersion(change.kind, change.key, change.value, change.at, member);
    this.#db.prepare('DELETE FROM incoming WHERE kind = ? AND key = ?').run(change.kind, change.key);
  }

  /** An announced change that a kill interrupted, if it has this value. */
  settleAnnounced(kind: Kind, key: string, value: string | null): boolean {
    const row = this.#db.prepare('SELECT value, at, member FROM incoming WHERE kind = ? AND key = ?').get(kind, key);
    if (row === undefined || row.value !== value) return false;
    this.settle({ kind, key, value, at: Number(row.at) }, Number(row.member));
    return true;
  }

  cursor(member: number): { journal: string; seq: number } {
    const row = this.#db.prepare('SELECT journal, seq FROM cursors WHERE member = ?').get(member) as
      | Record<string, SQLOutputValue>
      | undefined;
    return { journal: String(row?.journal ?? ''), seq: Number(row?.seq ?? 0) };
  }

  moveCursor(member: number, journal: string, seq: number): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO cursors (member, journal, seq) VALUES (?, ?, ?)')
      .run(member, journal, seq);
  }

  #id(): string {
    return String(this.#db.prepare('SELECT id FROM journal').get()?.id);
  }

  #setVersion(kind: Kind, key: string, value: string | null, time: number, member: number): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO versions (kind, key, value, at, member) VALUES (?, ?, ?, ?, ?)')
      .run(kind, key, value, time, member);
  }
}
