import { statSync } from 'node:fs';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { RecentMap } from '../../domain/async/recentMap.ts';
import type { FileDocument, FileFacts } from '../../ports/knowledge/passageFiles.ts';
import { sqlite } from '../sqlite.ts';
import { BrokenFile } from './broken.ts';
import { TOKENIZER } from './terms.ts';

/** Another format is a broken file. */
const FORMAT = 2;

/** A word of a heading above says more than one of the text; between 2 and 5 questions about the guide do not tell the difference. */
const CONTEXT_WEIGHT = 5;

const TABLES = `
CREATE TABLE facts (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
CREATE TABLE documents (number INTEGER PRIMARY KEY, key TEXT UNIQUE, id TEXT, change INTEGER, metadata TEXT);
CREATE TABLE passages (
  number INTEGER PRIMARY KEY, slot INTEGER UNIQUE, document INTEGER, part INTEGER, "from" INTEGER, "to" INTEGER);
CREATE INDEX passages_of ON passages (document);
CREATE VIRTUAL TABLE words USING fts5(context, text, content='', contentless_delete=1, tokenize='${TOKENIZER}');
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(${CONTEXT_WEIGHT}, 1)');
CREATE VIRTUAL TABLE vocabulary USING fts5vocab(words, row);`;

/** Facts about the file beside its rows. */
export interface StoredFacts extends FileFacts {
  uid: string;
  /** Names the file of vectors. */
  generation: number;
  /** Places in the file of vectors, also those of removed passages. */
  slots: number;
}

export interface PassageRow {
  number: number;
  slot: number;
  part: number;
  from: number;
  to: number;
  key: string;
  id: string;
  change: number;
  metadata: string;
}

const PASSAGE = `SELECT p.number, p.slot, p.part, p."from", p."to", d.key, d.id, d.change, d.metadata
FROM passages p JOIN documents d ON d.number = p.document WHERE`;

const STATEMENTS = {
  facts: 'SELECT name, value FROM facts',
  setFact: 'INSERT OR REPLACE INTO facts (name, value) VALUES (?, ?)',
  changes: 'SELECT key, change FROM documents',
  change: 'SELECT change FROM documents WHERE key = ?',
  document: 'SELECT number FROM documents WHERE key = ?',
  passagesOf: 'SELECT number FROM passages WHERE document = ?',
  removeWords: 'DELETE FROM words WHERE rowid = ?',
  removePassages: 'DELETE FROM passages WHERE document = ?',
  removeDocument: 'DELETE FROM documents WHERE number = ?',
  addDocument: 'INSERT INTO documents (key, id, change, metadata) VALUES (?, ?, ?, ?)',
  addPassage: 'INSERT INTO passages (slot, document, part, "from", "to") VALUES (?, ?, ?, ?, ?)',
  addWords: 'INSERT INTO words (rowid, context, text) VALUES (?, ?, ?)',
  bySlot: `${PASSAGE} p.slot = ?`,
  byNumber: `${PASSAGE} p.number = ?`,
  termCount: 'SELECT doc FROM vocabulary WHERE term = ?',
  match: 'SELECT rowid AS number, rank FROM words WHERE words MATCH ? ORDER BY rank',
  slots: 'SELECT slot FROM passages ORDER BY slot',
  move: 'UPDATE passages SET slot = ? WHERE slot = ?',
  optimize: "INSERT INTO words (words) VALUES ('optimize')",
} as const;

type Name = keyof typeof STATEMENTS;

/** Terms whose passages are remembered. */
const MOST_COUNTS = 2000;

/** The tables of a store's file. */
export class PassageDatabase {
  readonly #database: DatabaseSync;
  readonly #prepared = new Map<Name, StatementSync>();
  /** Names the file, also after its place was taken by another. */
  readonly identity: string;
  readonly #path: string;
  /** Passages with a term, by the change of the file and the term: to count those of a frequent word takes milliseconds. */
  readonly #termCounts = new RecentMap<number>(MOST_COUNTS);

  private constructor(path: string) {
    this.#path = path;
    this.#database = new (sqlite().DatabaseSync)(path);
    this.identity = identityOf(path);
    this.#database.exec('PRAGMA busy_timeout = 5000; PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 4194304');
  }

  /** @throws BrokenFile, an error of SQLite */
  static open(path: string, uid: string): PassageDatabase {
    // SQLite would make an empty one.
    statSync(path);
    const database = new PassageDatabase(path);
    try {
      if (database.facts().uid !== uid) throw new BrokenFile('the file is that of another store');
      return database;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  static create(path: string, uid: string): void {
    const database = new PassageDatabase(path);
    try {
      database.#database.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL');
      database.write(() => {
        database.#database.exec(TABLES);
        database.set({ uid, change: 0, dimensions: 0, passages: 0, generation: 1, slots: 0 });
        database.statement('setFact').run('format', FORMAT);
      });
    } finally {
      database.close();
    }
  }

  /** Whether the path still leads to this file. */
  isCurrent(): boolean {
    return identityOf(this.#path) === this.identity;
  }

  statement(name: Name): StatementSync {
    const prepared = this.#prepared.get(name) ?? this.#database.prepare(STATEMENTS[name]);
    this.#prepared.set(name, prepared);
    return prepared;
  }

  /** @throws BrokenFile */
  facts(): StoredFacts {
    const rows = this.statement('facts').all();
    const { format, ...facts } = Object.fromEntries(rows.map(({ name, value }) => [String(name), value]));
    if (format !== FORMAT) throw new BrokenFile('the file has another format');
    return facts as unknown as StoredFacts;
  }

  set(facts: Partial<StoredFacts>): void {
    for (const [name, value] of Object.entries(facts)) this.statement('setFact').run(name, value);
  }

  /** Passages that have a term, of one state of the file. */
  termCount(term: string, { change, passages }: StoredFacts): number {
    const key = `${change} ${passages} ${term}`;
    const counted = this.#termCounts.get(key) ?? Number(this.statement('termCount').get(term)?.doc ?? 0);
    // While an update is under way the first passage with a term may come.
    if (counted > 0) this.#termCounts.set(key, counted);
    return counted;
  }

  /** Reads one state of the file, whatever others write meanwhile. */
  read<T>(work: () => T): T {
    return this.#within('BEGIN', work);
  }

  write<T>(work: () => T): T {
    return this.#within('BEGIN IMMEDIATE', work);
  }

  #within<T>(begin: string, work: () => T): T {
    this.#database.exec(begin);
    try {
      const result = work();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** @returns how many passages are gone */
  remove(key: string): number {
    const number = this.statement('document').get(key)?.number as number | undefined;
    if (number === undefined) return 0;
    const passages = this.statement('passagesOf').all(number);
    for (const passage of passages) this.statement('removeWords').run(passage.number as number);
    this.statement('removePassages').run(number);
    this.statement('removeDocument').run(number);
    return passages.length;
  }

  /** @param slot of its first vector */
  add({ key, id, change, metadata, passages }: FileDocument, slot: number): void {
    const document = this.statement('addDocument').run(key, id, change, metadata).lastInsertRowid;
    for (const [index, { part, start, end, text, context = '' }] of passages.entries()) {
      const { lastInsertRowid } = this.statement('addPassage').run(slot + index, document, part, start, end);
      this.statement('addWords').run(lastInsertRowid, context, text);
    }
  }

  /** Writes all pages to the file itself. */
  checkpoint(): void {
    this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }

  close(): void {
    this.#prepared.clear();
    if (this.#database.isOpen) this.#database.close();
  }
}

function identityOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats ? `${stats.ino} ${stats.birthtimeMs}` : '';
}
