import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { watchChanges } from './database.ts';
import { PasswordHashes } from './passwords/passwordHash.ts';

export interface UserSettings {
  tz: string;
  lang: string;
  defaultApp: string;
}

export interface User {
  name: string;
  realname: string;
  email: string;
  roles: string[];
  settings: UserSettings;
  lastLogin: number | undefined;
}

export interface UserChange {
  password?: string;
  realname?: string;
  email?: string;
  roles?: string[];
  settings?: Partial<UserSettings>;
}

export const SYSTEM_USER = 'splunk-system-user';

/** Reserved names, which have a meaning in a URL or a token. */
export const RESERVED_USERS = new Set(['nobody', 'system', '-', SYSTEM_USER]);

export class Users {
  readonly #db: DatabaseSync;
  /** Cached, since every call looks its user up. */
  readonly #cache = new Map<string, User>();
  readonly #passwords = new PasswordHashes();
  readonly #changedElsewhere: () => boolean;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#changedElsewhere = watchChanges(db);
  }

  list(): User[] {
    return this.#db.prepare('SELECT * FROM users ORDER BY name').all().map(user);
  }

  get(name: string): User | undefined {
    const lower = name.toLowerCase();
    if (this.#changedElsewhere()) this.#cache.clear();
    const cached = this.#cache.get(lower);
    if (cached !== undefined) return cached;
    const row = this.#db.prepare('SELECT * FROM users WHERE name = ?').get(lower);
    if (row === undefined) return undefined;
    const parsed = user(row);
    this.#cache.set(lower, parsed);
    return parsed;
  }

  /** False if the name is taken; the insert decides, so only one of two concurrent creates succeeds. */
  async create(name: string, password: string, change: UserChange): Promise<boolean> {
    const hash = await this.#passwords.hash(password);
    const { changes } = this.#db
      .prepare(
        'INSERT OR IGNORE INTO users (name, password, realname, email, roles, settings, created) VALUES (?, ?, ?, ?, ?, ?, ?)',
      )
      .run(
        name,
        hash,
        change.realname ?? '',
        change.email ?? '',
        JSON.stringify(change.roles ?? []),
        JSON.stringify({ tz: '', lang: '', defaultApp: 'launcher', ...change.settings }),
        Date.now() / 1000,
      );
    return changes === 1;
  }

  async update(name: string, change: UserChange): Promise<void> {
    const hash = change.password === undefined ? undefined : await this.#passwords.hash(change.password);
    const before = this.get(name);
    if (before === undefined) return;
    this.#cache.delete(name);
    this.#db
      .prepare(
        'UPDATE users SET password = coalesce(?, password), realname = ?, email = ?, roles = ?, settings = ? WHERE name = ?',
      )
      .run(
        hash ?? null,
        change.realname ?? before.realname,
        change.email ?? before.email,
        JSON.stringify(change.roles ?? before.roles),
        JSON.stringify({ ...before.settings, ...change.settings }),
        name,
      );
  }

  remove(name: string): boolean {
    this.#cache.delete(name);
    return this.#db.prepare('DELETE FROM users WHERE name = ?').run(name).changes === 1;
  }

  async verify(name: string, password: string): Promise<boolean> {
    const row = this.#db.prepare('SELECT password FROM users WHERE name = ?').get(name.toLowerCase());
    return this.#passwords.check(password, row === undefined ? undefined : String(row.password));
  }

  loggedIn(name: string): void {
    this.#cache.delete(name.toLowerCase());
    this.#db.prepare('UPDATE users SET last_login = ? WHERE name = ?').run(Date.now() / 1000, name.toLowerCase());
  }
}

function user(row: Record<string, SQLOutputValue>): User {
  return {
    name: String(row.name),
    realname: String(row.realname),
    email: String(row.email),
    roles: JSON.parse(String(row.roles)) as string[],
    settings: JSON.parse(String(row.settings)) as UserSettings,
    lastLogin: row.last_login === null ? undefined : Number(row.last_login),
  };
}
