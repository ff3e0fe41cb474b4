import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { readSecretFile } from '../home/secretFile.ts';
import type { PlatformCaller } from '../http/request.ts';
import type { Identity } from '../identity/identity.ts';
import { GuessLimit } from '../identity/passwords/guessLimit.ts';
import { hashKey } from '../identity/sessions.ts';

export type Cookies = readonly [string, string][];

export function cookieValue(cookies: Cookies, name: string): string | undefined {
  return cookies.find(([cookie]) => cookie === name)?.[1];
}

/** Readable by the scripts of pages. */
export function formCookie(port: number): string {
  return `splunkweb_csrf_token_${port}`;
}

/** The format of a cookie's value. */
const WEB_KEY = /^[A-Za-z0-9_-]{64}$/;

/**
 * Browser sessions. Browsers send the cookies of a host to all its ports, so cookie names include the port, and the
 * session key is derived from the cookie with a secret: to the management port the cookie alone is worth nothing.
 */
export class WebSessions {
  readonly #identity: Identity;
  readonly #port: () => number;
  readonly #secret: string;
  readonly #guesses = new GuessLimit();

  constructor(identity: Identity, port: () => number) {
    this.#identity = identity;
    this.#port = port;
    this.#secret = readSecretFile(join(identity.folder, 'web.secret'));
  }

  /** The session key of the request, valid or not. */
  key(cookies: Cookies): string | undefined {
    const value = cookieValue(cookies, this.#sessionCookie());
    return value !== undefined && WEB_KEY.test(value) ? this.#sessionKey(value) : undefined;
  }

  /** Undefined without a valid session. */
  caller(cookies: Cookies): PlatformCaller | undefined {
    const key = this.key(cookies);
    const user = key === undefined ? undefined : this.#identity.sessions.use(key);
    return key === undefined || user === undefined ? undefined : this.#identity.caller(user, key);
  }

  /**
   * Creates a session with a new key and ends the browser's old one. Undefined = wrong user or password.
   * @throws MustWait after several wrong passwords
   */
  async login(cookies: Cookies, user: string, password: string): Promise<[string, string][] | undefined> {
    if (user === '' || password === '') return undefined;
    if (!(await this.#guesses.limit(user, () => this.#identity.users.verify(user, password)))) return undefined;
    this.#end(cookies);
    const webKey = randomBytes(48).toString('base64url');
    const key = this.#identity.login(user, this.#sessionKey(webKey));
    return [
      ['Set-Cookie', `${this.#sessionCookie()}=${webKey}; Path=/; HttpOnly; SameSite=Lax`],
      ['Set-Cookie', `${this.#formCookie()}=${formKey(key)}; Path=/; SameSite=Lax`],
    ];
  }

  logout(cookies: Cookies): [string, string][] {
    this.#end(cookies);
    return [this.#sessionCookie(), this.#formCookie()].map((name) => [
      'Set-Cookie',
      `${name}=; Path=/; Max-Age=0; SameSite=Lax`,
    ]);
  }

  /** CSRF check: header and cookie must hold the session's form key. */
  isGenuine(cookies: Cookies, header: string | undefined): boolean {
    const key = this.key(cookies);
    const cookie = cookieValue(cookies, this.#formCookie());
    if (key === undefined || cookie === undefined || header === undefined) return false;
    const expected = formKey(key);
    return isSame(expected, header) && isSame(expected, cookie);
  }

  #end(cookies: Cookies): void {
    const key = this.key(cookies);
    if (key !== undefined) this.#identity.sessions.remove(hashKey(key));
  }

  #sessionKey(webKey: string): string {
    return createHmac('sha384', this.#secret).update(webKey).digest('base64url');
  }

  #sessionCookie(): string {
    return `splunkd_${this.#port()}`;
  }

  #formCookie(): string {
    return formCookie(this.#port());
  }
}

/** Derived from the session key without revealing it, so it needs no storage and survives a restart. */
function formKey(sessionKey: string): string {
  return createHmac('sha256', sessionKey).update('form key').digest('hex');
}

export function isSame(expected: string, actual: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(actual)];
  return left.length === right.length && timingSafeEqual(left, right);
}
