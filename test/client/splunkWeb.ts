import { ADMIN_PASSWORD, type TestPlatform } from '../support/e2e/platform.ts';
import { Peer } from './peer.ts';

/** A stand-in for Splunk Web's proxy with its checks. */
export class SplunkWeb {
  readonly peer: Peer;
  /** Cookies of the caller; a page can read only that of the form key. */
  cookies: { session: string | undefined; formKey: string };

  private constructor(peer: Peer, cookies: SplunkWeb['cookies']) {
    this.peer = peer;
    this.cookies = cookies;
  }

  static async start(platform: TestPlatform): Promise<SplunkWeb> {
    const form = new URLSearchParams({ username: 'admin', password: ADMIN_PASSWORD, output_mode: 'json' });
    const login = await platform.call(null, 'POST', '/services/auth/login', form.toString());
    const cookies: SplunkWeb['cookies'] = { session: login.json.sessionKey, formKey: '1111' };
    const peer = await Peer.start(async (response, { method, path, query, headers, body }) => {
      const refuse = (status: number, text: string) =>
        response
          .writeHead(status, { 'Content-Type': 'application/json' })
          .end(JSON.stringify({ messages: [{ type: 'ERROR', text }] }));
      const { 'x-splunk-form-key': formKey, 'x-requested-with': requested, cookie = '', authorization } = headers;
      const rest = /^\/en-US\/splunkd\/__raw(\/servicesNS\/.+\/ml\/.+)$/.exec(path)?.[1];
      if (rest === undefined) return refuse(404, 'Not Found');
      if (authorization !== undefined) return refuse(400, 'A page has no credentials');
      if (cookies.session === undefined)
        return response.writeHead(303, { Location: '/en-US/account/login?return_to=x' }).end();
      if (!cookie.includes(`splunkd_8000=${cookies.session}`)) return refuse(401, 'call not properly authenticated');
      if (requested !== 'XMLHttpRequest' || (method !== 'GET' && formKey !== cookies.formKey))
        return refuse(401, 'CSRF validation failed');
      // No If-Match, and no body of a DELETE.
      const sessionHeaders = { Authorization: `Splunk ${cookies.session}`, 'Content-Type': 'application/json' };
      const payload = method === 'GET' || method === 'DELETE' ? undefined : body;
      const answer = await platform.call(null, method, `${rest}?${query}`, payload, sessionHeaders);
      return response.writeHead(answer.status, { 'Content-Type': 'application/json' }).end(answer.text);
    });
    return new SplunkWeb(peer, cookies);
  }

  /** The globals of a page, and nothing of Node. */
  page(cookie: () => string): Record<string, unknown> {
    const { host, origin, port, protocol } = new URL(this.peer.url);
    const withCookies: typeof fetch = (input, init) =>
      fetch(input, {
        ...init,
        headers: {
          ...(init?.headers as Record<string, string>),
          ...(init?.credentials === 'include' ? { Cookie: `splunkd_8000=${this.cookies.session}; ${cookie()}` } : {}),
        },
      });
    const document = Object.defineProperty({}, 'cookie', { get: cookie });
    return { ...WEB_GLOBALS, fetch: withCookies, document, location: { host, origin, port, protocol } };
  }
}

/** Globals of browsers, Deno and Node 20. */
export const WEB_GLOBALS = {
  AbortController,
  AbortSignal,
  btoa,
  clearTimeout,
  Headers,
  performance,
  Response,
  setTimeout,
  TextDecoder,
  TextEncoder,
  URL,
  URLSearchParams,
};
