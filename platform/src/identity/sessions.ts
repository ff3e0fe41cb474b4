import { createHash, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { unlessBusy, watchChanges } from './database.ts';

export interface Session {
  /** The session's public name; the key itself is not stored. */
  hash: string;
  user: string;
  created: number;
  used: number;
}

/** `sessionTimeout` of server.conf: an hour after the last use. */
export const SESSION_TIMEOUT_MS = 3_600_000;

/** The last use is written at most this often, so a restart may shorten a session by as much. */
const WRITE_EVERY_MS = 60_000;

export function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

export class Sessions {
  readonly #db: DatabaseSync;
  readonly #now: () => number;
  readonly #changedElsewhere: () => boolean;
  readonly #sessions = new Map<string, Session & { written: number }>();

  constructor(db: DatabaseSync, now: () => number = Date.now) {
    this.#db = db;
    this.#now = now;
    this.#changedElsewhere = watchChanges(db);
    this.#load();
    this.#expire();
  }

  #load(): void {
    const before = new Map(this.#sessions);
    this.#sessions.clear();
    for (const row of this.#db.prepare('SELECT * FROM sessions').all()) {
      const [hash, written] = [String(row.hash), Number(row.used)];
      const used = Math.max(written, before.get(hash)?.used ?? 0);
      this.#sessions.set(hash, { hash, user: String(row.user), created: Number(row.created), used, written });
    }
  }

  create(user: string, key: string = randomBytes(48).toString('base64url')): string {
    this.#expire();
    const now = this.#now();
    const session = { hash: hashKey(key), user, created: now, used: now, written: now };
    this.#db
      .prepare('INSERT INTO sessions (hash, user, created, used) VALUES (?, ?, ?, ?)')
      .run(session.hash, user, now, now);
    this.#sessions.set(session.hash, session);
    return key;
  }

  /** The user of a valid key; counts as a use. */
  use(key: string): string | undefined {
    if (this.#changedElsewhere()) this.#load();
    const session = this.#sessions.get(hashKey(key));
    if (session === undefined) return undefined;
    const now = this.#now();
    if (now - session.used >= SESSION_TIMEOUT_MS) {
      this.remove(session.hash);
      return undefined;
    }
    session.used = now;
    if (now - session.written >= WRITE_EVERY_MS) {
      session.written = now;
      unlessBusy(() => this.#db.prepare('UPDATE sessions SET used = ? WHERE hash = ?').run(now, session.hash));
    }
    return session.user;
  }

  list(): Session[] {
    if (this.#changedElsewhere()) this.#load();
    this.#expire();
    return [...this.#sessions.values()];
  }

  /** Ends a session by hash. False if there is none. */
  remove(hash: string): boolean {
    this.#db.prepare('DELETE FROM sessions WHERE hash = ?').run(hash);
    return this.#sessions.delete(hash);
  }

  /** Ends a user's sessions except the one that asked. */
  removeUser(user: string, exceptKey?: string): void {
    const except = exceptKey === undefined ? undefined : hashKey(exceptKey);
    for (const session of [...this.#sessions.values()]) {
      if (session.user === user && session.hash !== except) this.remove(session.hash);
    }
  }

  #expire(): void {
    const now = this.#now();
    for (const session of [...this.#sessions.values()]) {
      if (now - session.used >= SESSION_TIMEOUT_MS) this.remove(session.hash);
    }
  }
}
