import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase, transaction } from '../home/database.ts';
import { Journal } from '../replication/journal.ts';
import { open, seal } from './cipher.ts';
import { secretKey } from './secretKey.ts';

export interface PasswordId {
  app: string;
  realm: string;
  name: string;
}

export interface StoredPassword extends PasswordId {
  /** `$7$...`, as on disk. */
  sealed: string;
  /** Undefined if it cannot be decrypted: another splunk.secret, or a damaged row. */
  clear: string | undefined;
}

// secure_delete overwrites deleted rows, so that old ciphertexts do not remain in free pages.
const SETUP = `
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS passwords (
    app TEXT NOT NULL, realm TEXT NOT NULL, name TEXT NOT NULL, sealed TEXT NOT NULL,
    PRIMARY KEY (app, realm, name)) STRICT`;

/** The password storage: one SQLite file outside the app folders, so that it survives an update of the app. */
export class PasswordStore {
  readonly #db: DatabaseSync;
  readonly #key: Buffer;
  readonly journal: Journal | undefined;

  /** `member`: its number in a cluster, where every change is journaled for the others. */
  constructor(home: string, member?: number) {
    this.#key = secretKey(home);
    this.#db = openDatabase(join(home, 'var', 'lib', 'splunk', 'passwords', 'passwords.sqlite'), SETUP);
    if (member !== undefined) this.journal = new Journal(this.#db, member);
    this.#journalMissed();
  }

  /** False if it already exists. */
  insert(id: PasswordId, clear: string): boolean {
    const sql = 'INSERT INTO passwords (app, realm, name, sealed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
    const sealed = this.#seal(id, clear);
    return this.#journaled(
      id,
      sealed,
      () => this.#db.prepare(sql).run(id.app, id.realm, id.name, sealed).changes === 1,
    );
  }

  /** False if it does not exist. */
  replace(id: PasswordId, clear: string): boolean {
    const sql = 'UPDATE passwords SET sealed = ? WHERE app = ? AND realm = ? AND name = ?';
    const sealed = this.#seal(id, clear);
    return this.#journaled(
      id,
      sealed,
      () => this.#db.prepare(sql).run(sealed, id.app, id.realm, id.name).changes === 1,
    );
  }

  remove(id: PasswordId): boolean {
    const sql = 'DELETE FROM passwords WHERE app = ? AND realm = ? AND name = ?';
    return this.#journaled(id, null, () => this.#db.prepare(sql).run(id.app, id.realm, id.name).changes === 1);
  }

  /** Applies an entry of another member; all members share one splunk.secret. */
  take(key: string, sealed: string | null): void {
    const [app, realm, name] = JSON.parse(key) as [string, string, string];
    if (sealed === null) {
      this.#db.prepare('DELETE FROM passwords WHERE app = ? AND realm = ? AND name = ?').run(app, realm, name);
      return;
    }
    const sql = 'INSERT OR REPLACE INTO passwords (app, realm, name, sealed) VALUES (?, ?, ?, ?)';
    this.#db.prepare(sql).run(app, realm, name, sealed);
  }

  transaction<T>(work: () => T): T {
    return transaction(this.#db, work);
  }

  get({ app, realm, name }: PasswordId): StoredPassword | undefined {
    const sql = 'SELECT app, realm, name, sealed FROM passwords WHERE app = ? AND realm = ? AND name = ?';
    const row = this.#db.prepare(sql).get(app, realm, name);
    return row === undefined ? undefined : this.#open(row as unknown as Omit<StoredPassword, 'clear'>);
  }

  list(app: string): StoredPassword[] {
    const sql = 'SELECT app, realm, name, sealed FROM passwords WHERE app = ? ORDER BY realm, name';
    const rows = this.#db.prepare(sql).all(app) as unknown as Omit<StoredPassword, 'clear'>[];
    return rows.map((row) => this.#open(row));
  }

  close(): void {
    this.#db.close();
  }

  /** The change and its journal entry are one commit, so that every acknowledged change is replicated. */
  #journaled(id: PasswordId, sealed: string | null, change: () => boolean): boolean {
    const { journal } = this;
    if (journal === undefined) return change();
    return this.transaction(() => {
      const changed = change();
      if (changed) journal.record('password', context(id), sealed);
      return changed;
    });
  }

  /** Journals the changes made while this home was not a member. */
  #journalMissed(): void {
    const { journal } = this;
    if (journal === undefined) return;
    this.transaction(() => {
      const recorded = journal.existing('password');
      const rows = this.#db.prepare('SELECT app, realm, name, sealed FROM passwords').all();
      for (const { app, realm, name, sealed } of rows) {
        const key = JSON.stringify([app, realm, name]);
        if (recorded.get(key) !== sealed) journal.record('password', key, String(sealed));
        recorded.delete(key);
      }
      for (const key of recorded.keys()) journal.record('password', key, null);
    });
  }

  #seal(id: PasswordId, clear: string): string {
    return seal(this.#key, context(id), clear);
  }

  #open(row: Omit<StoredPassword, 'clear'>): StoredPassword {
    return { ...row, clear: open(this.#key, context(row), row.sealed) };
  }
}

function context({ app, realm, name }: PasswordId): string {
  return JSON.stringify([app, realm, name]);
}
