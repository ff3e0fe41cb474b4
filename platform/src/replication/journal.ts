import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';

/** One object's new state, as its member tells the others. */
export interface Change {
  seq: number;
  kind: Kind;
  key: string;
  /** What it is now, in the words of its kind; null = gone. */
  value: string | null;
  /** When it was made: of two changes the later wins. */
  at: number;
}

export type Kind = 'password' | 'stanza' | 'lookup';

export interface Page {
  /** Of this journal: after another one was begun, all is read anew. */
  journal: string;
  changes: Change[];
}

/** A superseded line is kept this long, which is more than any delay: an object that changes all the time must arrive too. */
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
 * What changed on this member, in its order, and which version of each object it has. It lies in the database of the
 * passwords, so that a password and its line are one commit.
 */
export class Journal {
  readonly #db: DatabaseSync;
  readonly #member: number;

  constructor(db: DatabaseSync, member: number) {
    this.#db = db;
    this.#member = member;
    db.exec(SETUP);
  }

  /** Notes a change made here. Later than any version known of the object: whoever changes what they see wins. */
  record(kind: Kind, key: string, value: string | null): void {
    const now = Date.now();
    const known = this.#db.prepare('SELECT at FROM versions WHERE kind = ? AND key = ?').get(kind, key);
    const at = Math.max(now, Number(known?.at ?? 0) + 1);
    this.#db
      .prepare('INSERT INTO changes (kind, key, value, at, noted) VALUES (?, ?, ?, ?, ?)')
      .run(kind, key, value, at, now);
    this.#setVersion(kind, key, value, at, this.#member);
  }

  /** Takes out what the others need no more: sealed texts of entries that are gone are not kept for ever. */
  prune(): void {
    const newer =
      'SELECT 1 FROM changes n WHERE n.kind = changes.kind AND n.key = changes.key AND n.seq > changes.seq AND n.noted < ?';
    const until = Date.now() - KEEP_MS;
    this.#db.prepare(`DELETE FROM changes WHERE noted < ? AND EXISTS (${newer})`).run(until, until);
  }

  /** Changes behind `seq` that are older than the delay. */
  after(journal: string, seq: number, delayMs: number): Page {
    const id = this.#id();
    const rows = this.#db
      .prepare('SELECT seq, kind, key, value, at, noted FROM changes WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(journal === id ? seq : 0, PAGE) as unknown as (Change & { noted: number })[];
    // Up to the first that is too young, and not around it: the clock of the machine may be set back.
    const young = rows.findIndex(({ noted }) => noted > Date.now() - delayMs);
    return { journal: id, changes: young < 0 ? rows : rows.slice(0, young) };
  }

  /** The state that was last noted or taken; undefined = never heard of. */
  known(kind: Kind, key: string): { value: string | null } | undefined {
    return this.#db.prepare('SELECT value FROM versions WHERE kind = ? AND key = ?').get(kind, key) as never;
  }

  /** All objects of a kind that exist, as far as is known. */
  existing(kind: Kind): Map<string, string> {
    const rows = this.#db.prepare('SELECT key, value FROM versions WHERE kind = ? AND value IS NOT NULL').all(kind);
    return new Map(rows.map((row) => [String(row.key), String(row.value)]));
  }

  /** False when what is known here is later. */
  isNews(change: Change, member: number): boolean {
    const row = this.#db
      .prepare('SELECT at, member FROM versions WHERE kind = ? AND key = ?')
      .get(change.kind, change.key);
    return row === undefined || change.at > Number(row.at) || (change.at === row.at && member > Number(row.member));
  }

  /** Before files are written: a kill in between must not make a change of another member one of ours. */
  announce(change: Change, member: number): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO incoming (kind, key, value, at, member) VALUES (?, ?, ?, ?, ?)')
      .run(change.kind, change.key, change.value, change.at, member);
  }

  /** The object is as another member has it. */
  settle(change: Omit<Change, 'seq'>, member: number): void {
    this.#setVersion(change.kind, change.key, change.value, change.at, member);
    this.#db.prepare('DELETE FROM incoming WHERE kind = ? AND key = ?').run(change.kind, change.key);
  }

  /** An announced change that a kill kept from being settled, when this is its value. */
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

  #setVersion(kind: Kind, key: string, value: string | null, at: number, member: number): void {
    this.#db
      .prepare('INSERT OR REPLACE INTO versions (kind, key, value, at, member) VALUES (?, ?, ?, ?, ?)')
      .run(kind, key, value, at, member);
  }
}
