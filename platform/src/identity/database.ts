import type { DatabaseSync } from 'node:sqlite';
import { openDatabase } from '../home/database.ts';

const SQLITE_BUSY = 5;

const SCHEMA = `
CREATE TABLE IF NOT EXISTS users (
  name TEXT PRIMARY KEY, password TEXT NOT NULL, realname TEXT NOT NULL, email TEXT NOT NULL,
  roles TEXT NOT NULL, settings TEXT NOT NULL, created REAL NOT NULL, last_login REAL) STRICT;
CREATE TABLE IF NOT EXISTS roles (name TEXT PRIMARY KEY, change TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS sessions (
  hash TEXT PRIMARY KEY, user TEXT NOT NULL, created REAL NOT NULL, used REAL NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS tokens (
  id TEXT PRIMARY KEY, user TEXT NOT NULL, audience TEXT NOT NULL, issued REAL NOT NULL, issuer TEXT NOT NULL,
  expires REAL NOT NULL, not_before REAL NOT NULL, enabled INTEGER NOT NULL, last_used REAL NOT NULL) STRICT;
`;

/** Whether another process has written since the last call: members of a cluster share this file. */
export function watchChanges(db: DatabaseSync): () => boolean {
  const version = db.prepare('PRAGMA data_version');
  let lastVersion = version.get()?.data_version;
  return () => {
    const now = version.get()?.data_version;
    if (now === lastVersion) return false;
    lastVersion = now;
    return true;
  };
}

/** Recording the last use may be skipped while another member, possibly a stopped one, locks the file. */
export function unlessBusy(write: () => void): void {
  try {
    write();
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
  }
}

/** Users, roles, sessions and tokens in one file, durable at every commit. */
export function openIdentityDatabase(file: string): DatabaseSync {
  return openDatabase(file, `PRAGMA synchronous = FULL; ${SCHEMA}`);
}
