import { must, NotAsked } from './answer.ts';
import type { Check } from './check.ts';
import { APP_PAGES, LOCALE, Pages } from './pages.ts';
import { create, RECORDS } from './records.ts';
import { CONTENT, NAMESPACE, type Visit } from './visit.ts';

/** Copy of `src/contract/consoleViews.ts`; a test compares them. */
export const VIEWS = 'overview connections containers agents playground experiments models usage audit settings'.split(
  ' ',
);
const PROXY = `${LOCALE}/splunkd/__raw${NAMESPACE}/ml`;

export const WEB_CHECKS: readonly Check[] = [
  {
    code: 'web',
    needs: 'app',
    remedy: 'Restart splunkd.',
    async check(visit) {
      const { logIn, web, open } = visit.options;
      if ('token' in logIn) throw new NotAsked('Splunk Web takes no token: log in with --user');
      const address = web ?? (await addressOf(visit));
      visit.names.set(address.hostname, '<host>');
      const pages = new Pages(open(address));
      await pages.logIn(logIn.username, logIn.password);
      for (const value of pages.cookies.values()) if (value.length > 16) visit.secrets.add(value);
      for (const view of VIEWS) await expectView(pages, view, visit.platformVersion);
      visit.pages = pages;
      await expectProxy(pages, `mlx-doctor ${visit.mark} none`);
      return `${VIEWS.length} views and their scripts are served; GET, POST, PUT and DELETE pass the proxy`;
    },
  },
  {
    code: 'web-refusal',
    needs: 'web',
    remedy:
      'The console then shows that a call failed, and not why: report the release and what is in front of Splunk Web.',
    /** A second record of a name that is taken, which the app refuses with 409. */
    async check(visit) {
      const [name] = visit.made;
      if (!visit.pages || name === undefined) throw new NotAsked('no record was made whose name is taken');
      const direct = await create(visit, name, (body) => visit.app('POST', RECORDS, body));
      const pages = visit.pages;
      const passed = await create(visit, name, (body) => pages.call('POST', PROXY + RECORDS, JSON.stringify(body)));
      must(direct.status === 409, 'The store took a second record of the same name', direct);
      const isSame =
        passed.status === 409 &&
        ['error_code', 'message', 'remedy'].every((field) => {
          return passed.text(field) === direct.text(field);
        });
      must(isSame, 'A refusal (409) of the app does not pass Splunk Web unchanged', passed);
      return 'a refusal (409) passes Splunk Web with its body';
    },
  },
];

/** The URL of Splunk Web from the site's settings. @throws NotAsked */
async function addressOf(visit: Visit): Promise<URL> {
  const settings = await visit.read('/services/server/settings');
  const isOn = (name: string) => /^(true|1)$/.test(String(settings.value(...CONTENT, name)));
  const require = (isMet: boolean, reason: string) => {
    if (!isMet) throw new NotAsked(`${reason}: give --web <url>`);
  };
  require(settings.status === 200, 'this account may not ask where Splunk Web is');
  require(isOn('startwebserver'), 'Splunk Web is switched off, as far as the settings tell');
  const { hostname } = visit.options.address;
  const isLocal = /^(localhost|127\..*|\[::1\])$/.test(hostname);
  const isSecure = isOn('enableSplunkWebSSL');
  require(isSecure || isLocal, 'Splunk Web speaks plain HTTP, over which no password is sent unasked');
  return new URL(`${isSecure ? 'https' : 'http'}://${hostname}:${settings.value(...CONTENT, 'httpport')}`);
}

async function expectView(pages: Pages, view: string, release: string): Promise<void> {
  const page = await pages.call('GET', `${APP_PAGES}/${view}`);
  const named = new RegExp(`["']([^"']*/ml_extension/pages/${view}\\.js[^"']*)["']`).exec(page.body)?.[1];
  // Classic pages build the script's URL in the browser.
  const isClassic = page.body.includes('/app/ml_extension/classic.js');
  const path = named ?? (isClassic ? `${LOCALE}/static/app/ml_extension/pages/${view}.js` : '');
  const [major = 0, minor = 0] = release.split('.').map(Number);
  // Releases before 10.4 lack the template of the pages.
  const isOld = major < 10 || (major === 10 && minor < 4);
  const remedy = isOld ? `Release ${release} needs a package made with --classic-pages.` : undefined;
  must(page.status === 200 && path !== '', `The page ${view} is not served`, `status ${page.status}`, remedy);
  const { status, headers } = await pages.call('GET', path.replaceAll('&amp;', '&'));
  const isScript = status === 200 && /javascript/.test(headers.get('content-type') ?? '');
  must(isScript, `The script of the page ${view} is not served`, `status ${status}`);
}

/** Each method with a call that changes nothing. */
async function expectProxy(pages: Pages, name: string): Promise<void> {
  const plan = { mode: 'plan', document: { format: 'ml_extension', format_version: 1, records: [] } };
  const calls = [
    ['GET', '/health', undefined],
    ['POST', '/import', plan],
    ['PUT', '/mcp_connection', { name, description: '' }],
    ['DELETE', `/mcp_connection/${encodeURIComponent(name)}?version=1`, undefined],
  ] as const;
  const remedy = 'web.conf of the app exposes ml and ml/**: was it read? Is [settings] enable_proxy_write off?';
  for (const [method, end, body] of calls) {
    const answer = await pages.call(method, PROXY + end, body && JSON.stringify(body));
    const isOurs = answer.text('status') === 'success' || answer.code !== '';
    must(isOurs, `Splunk Web does not let ${method} through to the app`, answer, remedy);
  }
}
