import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { HostedApp } from '../apps/hostedApp.ts';
import type { PlatformCaller } from '../http/request.ts';
import { openIdentityDatabase } from './database.ts';
import { GuessLimit } from './passwords/guessLimit.ts';
import { Roles } from './roles.ts';
import { Sessions } from './sessions.ts';
import { Tokens } from './tokens.ts';
import { SYSTEM_USER, Users } from './users.ts';

/** Users, roles, sessions and tokens, and who is calling. */
export class Identity {
  readonly users: Users;
  readonly roles: Roles;
  readonly sessions: Sessions;
  readonly tokens: Tokens;
  /** Valid in this process only, never stored. */
  readonly systemToken = randomBytes(48).toString('base64url');
  readonly folder: string;
  readonly #db: DatabaseSync;
  readonly #guesses = new GuessLimit();
  readonly #peers: { isKey(token: string): boolean } | undefined;
  readonly #cacheKey = randomBytes(32);
  /**
   * Basic credentials that were verified, hashed with a key of this process: scrypt for every call would cost 50 ms.
   */
  readonly #basic = new Map<string, { user: string; key: string }>();

  /** `peers` recognizes the key with which other members of a cluster authenticate. */
  constructor(
    folder: string,
    apps: () => readonly HostedApp[],
    now: () => number = Date.now,
    peers: { isKey(token: string): boolean } | undefined = undefined,
  ) {
    this.folder = folder;
    this.#peers = peers;
    this.#db = openIdentityDatabase(join(folder, 'identity.sqlite'));
    this.users = new Users(this.#db);
    this.roles = new Roles(this.#db, apps);
    this.sessions = new Sessions(this.#db, now);
    this.tokens = new Tokens(this.#db, join(folder, 'token.secret'));
  }

  close(): void {
    this.#db.close();
  }

  /** Session key, bearer token or the system token. */
  byToken(token: string): PlatformCaller | undefined {
    if (token === this.systemToken || this.#peers?.isKey(token)) return this.#system(token);
    const user = token.split('.').length === 3 ? this.tokens.use(token) : this.sessions.use(token);
    return user === undefined ? undefined : this.caller(user, token);
  }

  /** @throws MustWait after several wrong passwords */
  async byPassword(name: string, password: string): Promise<PlatformCaller | undefined> {
    const user = name.toLowerCase();
    return this.#guesses.limit(user, () => this.#byBasic(user, password));
  }

  /** Checks a password that is not sent with each call. @throws MustWait after several wrong ones */
  verify(name: string, password: string): Promise<boolean> {
    return this.#guesses.limit(name, () => this.users.verify(name, password));
  }

  async #byBasic(user: string, password: string): Promise<PlatformCaller | undefined> {
    const hash = createHmac('sha256', this.#cacheKey).update(`${user}\0${password}`).digest('base64');
    const cached = this.#basic.get(hash);
    if (cached !== undefined) {
      const caller = this.byToken(cached.key);
      if (caller !== undefined) return caller;
      this.#basic.delete(hash);
    }
    if (!(await this.users.verify(user, password))) return undefined;
    const key = this.login(user);
    this.#basic.set(hash, { user, key });
    return this.caller(user, key);
  }

  /** Creates a session, with a new key unless one is given. */
  login(user: string, key?: string): string {
    this.users.loggedIn(user);
    return this.sessions.create(user.toLowerCase(), key);
  }

  caller(name: string, authtoken: string): PlatformCaller | undefined {
    const user = this.users.get(name);
    if (user === undefined) return undefined;
    const { realname, email, roles } = user;
    const capabilities = this.roles.capabilities(roles);
    const effectiveRoles = this.roles.withImports(roles);
    return { user: user.name, realname, email, roles, effectiveRoles, capabilities, authtoken, system: false };
  }

  /** Ends the user's sessions except the one that changed the password. */
  passwordChanged(user: string, exceptKey?: string): void {
    this.sessions.removeUser(user, exceptKey);
    this.#forget(user);
  }

  removeUser(user: string): boolean {
    const removed = this.users.remove(user);
    this.sessions.removeUser(user);
    this.tokens.removeUser(user);
    this.#forget(user);
    return removed;
  }

  #forget(user: string): void {
    for (const [hash, cached] of this.#basic) if (cached.user === user) this.#basic.delete(hash);
  }

  #system(authtoken: string): PlatformCaller {
    const roles = ['admin', 'splunk-system-role'];
    return {
      user: SYSTEM_USER,
      realname: '',
      email: '',
      roles,
      effectiveRoles: this.roles.withImports(roles),
      capabilities: new Set(this.roles.allCapabilities()),
      authtoken,
      system: true,
    };
  }
}
