import { chmodSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const SCHEMA_VERSION = 1;

/** Opens a database file readable by its owner only. `setup` runs at each start and creates pragmas and tables. */
export function openDatabase(file: string, setup: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const db = new DatabaseSync(file, { timeout: 10_000 });
  chmodSync(file, 0o600);
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version > SCHEMA_VERSION) {
    db.close();
    throw new Error(`${file} was written by a newer version of the platform (${version} > ${SCHEMA_VERSION})`);
  }
  db.exec(`PRAGMA journal_mode = WAL; ${setup}; PRAGMA user_version = ${SCHEMA_VERSION};`);
  return db;
}

/** Runs a transaction that takes the write lock before its first read. */
export function transaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    db.exec('ROLLBACK');
    throw error;
  }
}
