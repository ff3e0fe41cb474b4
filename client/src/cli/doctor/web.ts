import { codeOf, contentOf, objectOf, textOf, wordsOf } from './reading.ts';
import type { Answer, Site } from './site.ts';
import { Concluded, fails, holds, notAsked } from './verdict.ts';
import { APP, type Check, type Visit } from './visit.ts';

/** Copy of `src/contract/consoleViews.ts`; a test compares them. */
export const VIEWS = [
  'overview',
  'connections',
  'containers',
  'agents',
  'playground',
  'experiments',
  'models',
  'usage',
  'audit',
  'settings',
] as const;

const LOCALE = '/en-US';
const PROXY = `${LOCALE}/splunkd/__raw`;
/** Older releases lack the template of the pages. */
const FIRST_WITH_TEMPLATE = [10, 4] as const;

export const web: Check = {
  name: 'web',
  needs: ['app'],
  async run(visit) {
    const { logIn } = visit;
    if ('token' in logIn) return notAsked('Splunk Web takes no token: log in with --user');
    const address = visit.web ?? (await found(visit));
    visit.names.set(address.hostname, '<host>');
    const pages = new Pages(visit.open(address.origin + address.pathname.replace(/\/+$/, '')));
    await pages.logIn(logIn.username, logIn.password);
    for (const secret of pages.cookies()) visit.secrets.add(secret);
    for (const view of VIEWS) await pages.view(view, visit.platformVersion);
    await pages.proxy(visit);
    return holds(`${VIEWS.length} views and their scripts are served; GET, POST, PUT and DELETE pass the proxy`);
  },
};

/** The URL of Splunk Web from the site's settings. @throws Concluded */
async function found(visit: Visit): Promise<URL> {
  const answer = await visit.ask('GET', '/services/server/settings?output_mode=json');
  const say = (why: string) => new Concluded(notAsked(`${why}: give --web <url>`));
  if (answer.status !== 200) throw say('this account may not ask where Splunk Web is');
  const { httpport, enableSplunkWebSSL, startwebserver } = contentOf(answer.json);
  if (!isTrue(startwebserver)) throw say('Splunk Web is switched off, as far as the settings tell');
  const url = new URL(visit.address.origin);
  url.protocol = isTrue(enableSplunkWebSSL) ? 'https:' : 'http:';
  url.port = String(httpport);
  const isHere = /^(localhost|127\..*|\[::1\])$/.test(url.hostname);
  if (url.protocol === 'http:' && !isHere)
    throw say('Splunk Web speaks plain HTTP, over which no password is sent unasked');
  return url;
}

const isTrue = (value: unknown) => value === true || value === 1 || value === '1' || value === 'true';

class Pages {
  readonly #site: Site;
  readonly #cookies = new Map<string, string>();

  constructor(site: Site) {
    this.#site = site;
  }

  cookies = () => [...this.#cookies.values()].filter((value) => value.length > 16);

  async logIn(username: string, password: string): Promise<void> {
    const remedy = 'Compare --web with the address of Splunk Web. Sites that log in elsewhere (SAML) cannot be asked.';
    const page = await this.#ask('GET', `${LOCALE}/account/login`);
    const cval = this.#cookies.get('cval');
    if (page.status !== 200 || cval === undefined)
      throw new Concluded(fails('What answers is not the login of Splunk Web', remedy, `status ${page.status}`));
    const body = new URLSearchParams({ username, password, cval, return_to: `${LOCALE}/` });
    const answer = await this.#ask('POST', `${LOCALE}/account/login`, body);
    // Some releases set the form key with the first page.
    if (answer.status < 400 && this.#formKey() === undefined) await this.#ask('GET', `${LOCALE}/app/ml_extension`);
    if (answer.status >= 400 || this.#formKey() === undefined)
      throw new Concluded(fails('Splunk Web did not log in', remedy, `status ${answer.status}`));
  }

  /** @throws Concluded if page or script are not served */
  async view(view: string, release: string): Promise<void> {
    const page = await this.#ask('GET', `${LOCALE}/app/ml_extension/${view}`);
    const named = new RegExp(`["']([^"']*/ml_extension/pages/${view}\\.js[^"']*)["']`).exec(page.text)?.[1];
    // Classic pages build the script's URL in the browser.
    const isClassic = page.text.includes('/app/ml_extension/classic.js');
    const script = named ?? (isClassic ? `${LOCALE}/static/app/ml_extension/pages/${view}.js` : undefined);
    if (page.status !== 200 || script === undefined) {
      const [major = 0, minor = 0] = release.split('.').map(Number);
      const isOld =
        major < FIRST_WITH_TEMPLATE[0] || (major === FIRST_WITH_TEMPLATE[0] && minor < FIRST_WITH_TEMPLATE[1]);
      const remedy = isOld ? `Release ${release} needs a package made with --classic-pages.` : 'Restart splunkd.';
      throw new Concluded(fails(`The page ${view} is not served`, remedy, `status ${page.status}`));
    }
    const answer = await this.#ask('GET', script.replaceAll('&amp;', '&'));
    if (answer.status !== 200 || !/javascript/.test(answer.headers.get('content-type') ?? ''))
      throw new Concluded(
        fails(`The script of the page ${view} is not served`, 'Restart splunkd.', `status ${answer.status}`),
      );
  }

  /** Each method with a call that changes nothing. @throws Concluded */
  async proxy(visit: Visit): Promise<void> {
    const name = `mlx-doctor ${visit.mark} none`;
    const path = `${PROXY}${APP}`;
    const calls = [
      ['GET', '/health', undefined],
      ['POST', '/import', { mode: 'plan', document: { format: 'ml_extension', format_version: 1, records: [] } }],
      ['PUT', '/mcp_connection', { name, description: '' }],
      ['DELETE', `/mcp_connection/${encodeURIComponent(name)}?version=1`, undefined],
    ] as const;
    for (const [method, end, body] of calls) {
      const answer = await this.#ask(method, path + end, body && JSON.stringify(body));
      const isOurs = objectOf(answer.json).status === 'success' || codeOf(answer.json) !== '';
      if (isOurs) continue;
      const remedy = 'web.conf of the app exposes ml and ml/**: was it read? Is [settings] enable_proxy_write off?';
      throw new Concluded(fails(`Splunk Web does not let ${method} through to the app`, remedy, wordsOf(answer)));
    }
  }

  #formKey(): string | undefined {
    return [...this.#cookies].find(([name]) => name.startsWith('splunkweb_csrf_token'))?.[1];
  }

  async #ask(method: string, path: string, body?: string | URLSearchParams): Promise<Answer> {
    const key = this.#formKey();
    const headers = {
      Cookie: [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; '),
      'X-Requested-With': 'XMLHttpRequest',
      ...(key === undefined ? {} : { 'X-Splunk-Form-Key': key }),
    };
    const answer = await this.#site.ask(method, path, { headers, ...(body === undefined ? {} : { body }) });
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=;]+)=([^;]*)/.exec(cookie) ?? [];
      this.#cookies.set(name, textOf(value));
    }
    return answer;
  }
}
