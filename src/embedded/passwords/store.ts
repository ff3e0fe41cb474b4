import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../kv/database.ts';
import { open, seal } from './cipher.ts';
import { secretKey } from './secretKey.ts';

export interface PasswordId {
  app: string;
  realm: string;
  name: string;
}

export interface StoredPassword extends PasswordId {
  /** `$7$...`, as it is on disk. */
  sealed: string;
  /** Undefined when it cannot be opened: another splunk.secret, or a damaged row. */
  clear: string | undefined;
}

// secure_delete overwrites what is deleted: old ciphertexts do not linger in free pages.
const SETUP = `
  PRAGMA synchronous = FULL;
  PRAGMA secure_delete = ON;
  CREATE TABLE IF NOT EXISTS passwords (
    app TEXT NOT NULL, realm TEXT NOT NULL, name TEXT NOT NULL, sealed TEXT NOT NULL,
    PRIMARY KEY (app, realm, name)) STRICT`;

/** The password storage: rows of one SQLite file outside the app folders, so that a change of package keeps them. */
export class PasswordStore {
  readonly #db: DatabaseSync;
  readonly #key: Buffer;

  constructor(home: string) {
    this.#key = secretKey(home);
    this.#db = openDatabase(join(home, 'var', 'lib', 'splunk', 'passwords', 'passwords.sqlite'), SETUP);
  }

  /** False when there is one already. */
  insert(id: PasswordId, clear: string): boolean {
    const sql = 'INSERT INTO passwords (app, realm, name, sealed) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING';
    return this.#db.prepare(sql).run(id.app, id.realm, id.name, this.#seal(id, clear)).changes === 1;
  }

  /** False when there is none. */
  replace(id: PasswordId, clear: string): boolean {
    const sql = 'UPDATE passwords SET sealed = ? WHERE app = ? AND realm = ? AND name = ?';
    return this.#db.prepare(sql).run(this.#seal(id, clear), id.app, id.realm, id.name).changes === 1;
  }

  remove({ app, realm, name }: PasswordId): boolean {
    const sql = 'DELETE FROM passwords WHERE app = ? AND realm = ? AND name = ?';
    return this.#db.prepare(sql).run(app, realm, name).changes === 1;
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
