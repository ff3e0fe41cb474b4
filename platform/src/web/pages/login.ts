import { createHmac, randomBytes } from 'node:crypto';
import { PlatformError } from '../../http/reply.ts';
import { parseForm, readBody } from '../../http/requestParser.ts';
import { MustWait } from '../../identity/passwords/guessLimit.ts';
import { messageReply, pageReply, redirect, WebError, type WebReply, type WebRequest } from '../reply.ts';
import { cookieValue, isSame, type WebSessions } from '../sessions.ts';
import { html } from './html.ts';
import { pageOf } from './pages.ts';
import type { Theme } from './themes.ts';

export const LOGIN = '/en-US/account/login';
export const LOGOUT = '/en-US/account/logout';

const COOKIE = 'cval';
const MAX_FORM = 65_536;
const WRONG = 'The user name or the password is wrong.';
const NO_COOKIE = 'This page was open for too long, or your browser takes no cookies. Try again.';

/** Logging in and out. */
export class LoginPages {
  readonly #sessions: WebSessions;
  readonly #theme: (req: WebRequest) => Theme;
  /** Accepts only values that this platform issued, since another port of this host can set cookies too. */
  readonly #secret = randomBytes(32);

  constructor(sessions: WebSessions, theme: (req: WebRequest) => Theme) {
    this.#sessions = sessions;
    this.#theme = theme;
  }

  show(req: WebRequest): WebReply {
    const returnTo = new URLSearchParams(req.query).get('return_to') ?? '';
    return this.#page(req, 200, { returnTo: safeReturnPath(returnTo) });
  }

  async login(req: WebRequest): Promise<WebReply> {
    const fields = new Map(await readForm(req));
    const field = (name: string) => fields.get(name) ?? '';
    const returnTo = safeReturnPath(field('return_to'));
    const user = field('username').trim();
    const cookie = cookieValue(req.cookies, COOKIE) ?? '';
    if (!this.#isIssuedHere(cookie) || !isSame(cookie, field(COOKIE))) {
      return this.#page(req, 400, { returnTo, user, problem: NO_COOKIE });
    }
    try {
      const cookies = await this.#sessions.login(req.cookies, user, field('password'));
      if (cookies === undefined) return this.#page(req, 401, { returnTo, user, problem: WRONG });
      return redirect(returnTo, cookies);
    } catch (error) {
      if (!(error instanceof MustWait)) throw error;
      const page = this.#page(req, 429, { returnTo, user, problem: error.message });
      return { ...page, headers: [...page.headers, ...error.headers] };
    }
  }

  /** Only with the form key in a header, which pages of other ports cannot send. */
  logout(req: WebRequest): WebReply {
    if (req.method !== 'POST') {
      throw new WebError(405, 'To log out, use the button in the header of a page.', [['Allow', 'POST']]);
    }
    const formKey = req.message.headers['x-splunk-form-key'];
    if (!this.#sessions.isGenuine(req.cookies, [formKey].flat()[0])) return messageReply(401, 'CSRF validation failed');
    return redirect(LOGIN, this.#sessions.logout(req.cookies));
  }

  #page(
    req: WebRequest,
    status: number,
    { returnTo, user = '', problem }: { returnTo: string; user?: string; problem?: string },
  ): WebReply {
    const received = cookieValue(req.cookies, COOKIE) ?? '';
    // One value for all open login tabs.
    const value = this.#isIssuedHere(received) ? received : this.#fresh();
    const alert = problem === undefined ? html`` : html`<p role="alert"><strong>${problem}</strong></p>`;
    const body = html`<h1>Log in</h1>
${alert}
<form method="post" action="${LOGIN}">
<input type="hidden" name="cval" value="${value}">
<input type="hidden" name="return_to" value="${returnTo}">
<p><label for="username">User name</label><br>
<input id="username" name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus value="${user}"></p>
<p><label for="password">Password</label><br>
<input id="password" name="password" type="password" autocomplete="current-password" required></p>
<p><button type="submit">Log in</button></p>
</form>`;
    const cookie = `${COOKIE}=${value}; Path=/en-US/account; HttpOnly; SameSite=Lax`;
    return pageReply(status, () => pageOf('Log in', this.#theme(req), body), [['Set-Cookie', cookie]]);
  }

  #fresh(): string {
    const random = randomBytes(16).toString('hex');
    return random + this.#mark(random);
  }

  #isIssuedHere(value: string): boolean {
    return /^[0-9a-f]{64}$/.test(value) && isSame(this.#mark(value.slice(0, 32)), value.slice(32));
  }

  #mark(random: string): string {
    return createHmac('sha256', this.#secret).update(random).digest('hex').slice(0, 32);
  }
}

/** A page on this listener; anything else becomes the start page. */
function safeReturnPath(target: string): string {
  const here = 'http://here.invalid';
  // Browsers drop or convert such characters, so they might go to another address than the one checked.
  if (!target.startsWith('/') || /[\\\p{Cc}\s]/u.test(target) || !URL.canParse(target, here)) return '/';
  const { origin, pathname, search, hash } = new URL(target, here);
  return origin === here && pathname.startsWith('/en-US/app/') ? pathname + search + hash : '/';
}

async function readForm({ message }: WebRequest): Promise<[string, string][]> {
  try {
    return parseForm(await readBody(message, MAX_FORM), message.headers['content-type']);
  } catch (error) {
    if (error instanceof PlatformError) throw new WebError(error.status, 'The form is too large.');
    throw error;
  }
}
