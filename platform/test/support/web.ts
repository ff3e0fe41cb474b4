import { type IncomingMessage, type RequestOptions, request } from 'node:http';
import { join } from 'node:path';
import type { PlatformOptions } from '../../src/platform.ts';
import type { WebOptions } from '../../src/web/server.ts';
import { ADMIN_PASSWORD, FIXTURE_APP, startTestPlatform, type TestPlatform, writeFiles } from './platform.ts';

const FIRST_PARTY = 'pages/splunk_ui_app.html';

export function view(template: string, label = ''): string {
  return `<view template="${template}" type="html">${label && `<label>${label}</label>`}</view>`;
}

/** An app with pages: a view with the platform's template, a classic one, and one with an access rule. */
const PAGES_APP: Record<string, string> = {
  ...FIXTURE_APP,
  'default/app.conf':
    '[package]\nid = pages\n\n[install]\nbuild = 7\n\n[launcher]\nversion = 1.0.0\n\n[ui]\nis_visible = 1\nlabel = Pages & <more>\n',
  'default/web.conf':
    '[expose:echo]\npattern = echo\nmethods = GET\n\n[expose:echo_below]\npattern = echo/**\nmethods = GET, POST, PUT, DELETE\n',
  'default/data/ui/nav/default.xml':
    '<?xml version="1.0"?>\n<!-- what is where -->\n<nav search_view="start">\n  <view name="classic"/>\n  <view name="start" default="true"/>\n' +
    '  <collection label="Others &amp; more"><view name="secret"/><a href="https://docs.example.test/">Guide</a>' +
    '<a href="javascript:alert(1)">Bad</a></collection>\n  <view name="nowhere"/>\n</nav>\n',
  'default/data/ui/views/start.xml': view(FIRST_PARTY, 'Start &amp; &lt;end&gt;'),
  'default/data/ui/views/classic.xml': view('App:/templates/console.html', 'Classic'),
  'default/data/ui/views/secret.xml': view(FIRST_PARTY, 'Secret'),
  'default/data/ui/views/scriptless.xml': view(FIRST_PARTY, 'Without a script'),
  'default/data/ui/views/other.xml': view('search:/templates/console.html', 'Of another app'),
  'default/data/ui/views/mako.xml': view('App:/templates/mako.html', 'Mako'),
  'default/data/ui/views/dashboard.xml': '<dashboard version="1.1"><label>Board</label></dashboard>',
  'default/data/ui/views/damaged.xml': '<view template="pages/splunk_ui_app.html">',
  'appserver/static/pages/start.js': 'document.title = "started";\n',
  'appserver/static/pages/secret.js': '',
  'appserver/static/pages/mako.js': '',
  'appserver/static/styles/a b.css': 'body { color: red; }\n',
  'appserver/static/.hidden.js': 'hidden',
  'appserver/templates/console.html': '<!doctype html>\n<title>Classic</title>\n<script src="../../config"></script>\n',
  'appserver/templates/mako.html': '<p>\n% for row in rows:\n</p>\n',
  'metadata/default.meta':
    '[]\naccess = read : [ * ], write : [ admin ]\nexport = none\n\n[views/secret]\naccess = read : [ admin ], write : [ admin ]\n',
};

export interface WebTestPlatform extends TestPlatform {
  web: { url: string; port: number };
}

/** A platform with the pages app and a web side on any free port. */
export async function startWithPages(
  home: string,
  { web, ...options }: Partial<Omit<PlatformOptions, 'web'>> & { web?: Partial<WebOptions> } = {},
): Promise<WebTestPlatform> {
  const app = join(home, '..', 'pages');
  writeFiles(app, PAGES_APP);
  const platform = await startTestPlatform({ ...options, home, app, web: { port: 0, ...web } });
  if (platform.web === undefined) throw new Error('there is no web side');
  return { ...platform, web: platform.web };
}

export interface WebReply {
  status: number;
  headers: IncomingMessage['headers'];
  bytes: Buffer;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely by tests
  json: any;
}

export interface Sent {
  headers?: Record<string, string>;
  body?: string | Buffer;
  form?: Record<string, string>;
}

/** A minimal browser: stores cookies by name only, since a host's cookies are shared by all its ports. */
export class Browser {
  readonly url: string;
  readonly cookies: Map<string, string>;

  constructor(url: string, cookies = new Map<string, string>()) {
    this.url = url;
    this.cookies = cookies;
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  /** Sends the path unchanged, without encoding or normalizing it. */
  async send(method: string, path: string, { headers = {}, body, form }: Sent = {}): Promise<WebReply> {
    const all: Record<string, string> = { ...headers };
    if (this.cookies.size > 0) all.Cookie ??= [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    if (form !== undefined) all['Content-Type'] = 'application/x-www-form-urlencoded';
    const content = form === undefined ? body : new URLSearchParams(form).toString();
    const { message, bytes } = await exchange({ port: this.port, method, path, headers: all }, content);
    for (const line of message.headers['set-cookie'] ?? []) this.#keep(line);
    const text = bytes.toString();
    return {
      status: message.statusCode ?? 0,
      headers: message.headers,
      bytes,
      text,
      get json() {
        return JSON.parse(text);
      },
    };
  }

  get(path: string, options?: Sent): Promise<WebReply> {
    return this.send('GET', path, options);
  }

  /** The value that the page expects with the password. */
  async loginForm(returnTo = '/'): Promise<Record<string, string>> {
    const page = await this.get(`/en-US/account/login?return_to=${encodeURIComponent(returnTo)}`);
    const field = (name: string) =>
      new RegExp(`name="${name}" value="([^"]*)"`).exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    return { cval: field('cval'), return_to: field('return_to') };
  }

  async login(username = 'admin', password = ADMIN_PASSWORD, returnTo = '/'): Promise<WebReply> {
    const form = { ...(await this.loginForm(returnTo)), username, password };
    return this.send('POST', '/en-US/account/login', { form });
  }

  logout(): Promise<WebReply> {
    return this.send('POST', '/en-US/account/logout', { headers: { 'X-Splunk-Form-Key': this.formKey } });
  }

  /** Value of the session's cookie, which is not its key on the management port. */
  get sessionKey(): string {
    return this.cookies.get(`splunkd_${this.port}`) ?? '';
  }

  get formKey(): string {
    return this.cookies.get(`splunkweb_csrf_token_${this.port}`) ?? '';
  }

  /** A call through the proxy, as a page makes it. */
  raw(method: string, path: string, { headers = {}, ...rest }: Sent = {}): Promise<WebReply> {
    const form: Record<string, string> = this.formKey === '' ? {} : { 'X-Splunk-Form-Key': this.formKey };
    return this.send(method, `/en-US/splunkd/__raw${path}`, { ...rest, headers: { ...form, ...headers } });
  }

  #keep(line: string): void {
    const [pair = '', ...attributes] = line.split('; ');
    const name = pair.slice(0, pair.indexOf('='));
    if (attributes.includes('Max-Age=0')) this.cookies.delete(name);
    else this.cookies.set(name, pair.slice(name.length + 1));
  }
}

function exchange(
  options: RequestOptions,
  body: string | Buffer | undefined,
): Promise<{ message: IncomingMessage; bytes: Buffer }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ message: IncomingMessage; bytes: Buffer }>();
  const outgoing = request({ host: '127.0.0.1', agent: false, ...options }, (message) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('error', reject);
    message.on('end', () => resolve({ message, bytes: Buffer.concat(chunks) }));
  });
  outgoing.on('error', reject);
  outgoing.end(body);
  return promise;
}
