import { createHmac, timingSafeEqual } from 'node:crypto';
import type { PlatformCaller } from '../http/request.ts';
import type { Identity } from '../identity/identity.ts';
import { hashKey } from '../identity/sessions.ts';

export type Cookies = readonly [string, string][];

export function cookieValue(cookies: Cookies, name: string): string | undefined {
  return cookies.find(([cookie]) => cookie === name)?.[1];
}

/** The form of a session key, and of nothing else that would authenticate. */
const SESSION_KEY = /^[A-Za-z0-9_-]{40,128}$/;

/**
 * Who a browser is. Browsers send the cookies of a host to all of its ports, so their names hold the port: a platform reads
 * its own alone.
 */
export class WebSessions {
  readonly #identity: Identity;
  readonly #port: () => number;

  constructor(identity: Identity, port: () => number) {
    this.#identity = identity;
    this.#port = port;
  }

  /** The session key that came along, valid or not. */
  key(cookies: Cookies): string | undefined {
    const value = cookieValue(cookies, this.#sessionCookie());
    return value !== undefined && SESSION_KEY.test(value) ? value : undefined;
  }

  /** Undefined without a session, and when it has ended. */
  caller(cookies: Cookies): PlatformCaller | undefined {
    const key = this.key(cookies);
    const user = key === undefined ? undefined : this.#identity.sessions.use(key);
    return key === undefined || user === undefined ? undefined : this.#identity.caller(user, key);
  }

  /** A new session under a new key, whatever key the browser came with: that one ends. Undefined = wrong user or password. */
  async login(cookies: Cookies, user: string, password: string): Promise<[string, string][] | undefined> {
    if (user === '' || password === '' || !(await this.#identity.users.verify(user, password))) return undefined;
    this.#end(cookies);
    const key = this.#identity.login(user);
    return [
      ['Set-Cookie', `${this.#sessionCookie()}=${key}; Path=/; HttpOnly; SameSite=Lax`],
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

  /** Whether a request that changes something comes from a page of this session: header and cookie hold its form key. */
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

  #sessionCookie(): string {
    return `splunkd_${this.#port()}`;
  }

  #formCookie(): string {
    return `splunkweb_csrf_token_${this.#port()}`;
  }
}

/** It follows from the session's key, which it does not reveal: so nothing has to be kept, and it survives a restart. */
function formKey(sessionKey: string): string {
  return createHmac('sha256', sessionKey).update('form key').digest('hex');
}

export function isSame(expected: string, actual: string): boolean {
  const [left, right] = [Buffer.from(expected), Buffer.from(actual)];
  return left.length === right.length && timingSafeEqual(left, right);
}
