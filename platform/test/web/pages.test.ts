import { mkdirSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import { assert } from 'chai';
import { temporaryFolder, writeFiles } from '../support/platform.ts';
import { Browser, startWithPages, view, type WebTestPlatform } from '../support/web.ts';

const BUILD = '@000000000000';
const STATIC = '/en-US/static';

describe('pages of the web side', () => {
  let folder: string;
  let app: string;
  let platform: WebTestPlatform;
  let admin: Browser;
  let ada: Browser;

  before(async () => {
    folder = temporaryFolder();
    app = join(folder, 'home/etc/apps/pages');
    platform = await startWithPages(join(folder, 'home'));
    const form = { name: 'ada', password: 'ada-of-tests', roles: 'user' };
    assert.strictEqual((await platform.call('POST', '/services/authentication/users', { form })).status, 201);
    admin = new Browser(platform.web.url);
    ada = new Browser(platform.web.url);
    await admin.login();
    await ada.login('ada', 'ada-of-tests');
  });
  after(async () => {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const fresh = () => new Browser(platform.web.url);

  it('lead from the root to the default view of the navigation', async () => {
    for (const browser of [fresh(), admin]) {
      for (const path of ['/', '/en-US', '/en-US/', '/en-US/app/pages', '/en-US/app/pages/']) {
        const { status, headers } = await browser.get(path);
        assert.strictEqual(status, 303, path);
        assert.strictEqual(headers.location, '/en-US/app/pages/start', path);
      }
    }
  });

  it('of a view load config, texts and theme, and then the script of the view', async () => {
    const { status, text, headers } = await admin.get('/en-US/app/pages/start');
    assert.strictEqual(status, 200);
    assert.include(text, '<title>Start &amp; &lt;end&gt; | Pages &amp; &lt;more&gt;</title>');
    const scripts = [...text.matchAll(/<script src="([^"]+)">/g)].map(([, address]) => address ?? '');
    assert.deepEqual(scripts, [
      '/en-US/config?autoload=1',
      `${STATIC}/${BUILD}/js/i18n.js`,
      '/en-US/i18ncatalog?autoload=1',
      `${STATIC}/${BUILD}/build/api/get_theme.js`,
      `${STATIC}/${BUILD}:7/app/pages/pages/start.js`,
    ]);
    assert.include(text, `window.PAGE_PATH = "${scripts[4]}"`);
    assert.strictEqual(headers['cache-control'], 'no-store');
    for (const address of scripts) {
      const script = await admin.get(address);
      assert.strictEqual(script.status, 200, address);
      assert.match(String(script.headers['content-type']), /^text\/javascript/);
    }
  });

  it('define the globals that bundles use', async () => {
    const page = { window: {} as Record<string, unknown> };
    const context = Object.assign(page.window, page);
    for (const address of [
      '/en-US/config?autoload=1',
      `${STATIC}/@x/js/i18n.js`,
      '/en-US/i18ncatalog?autoload=1',
      `${STATIC}/@x/build/api/get_theme.js`,
    ]) {
      const { text } = await admin.get(address, { headers: { Referer: `${platform.web.url}/en-US/app/pages/start` } });
      runInNewContext(text, context);
    }
    assert.deepEqual(JSON.parse(JSON.stringify(context.$C)), {
      BUILD_NUMBER: '000000000000',
      BUILD_PUSH_NUMBER: 0,
      APP_BUILD: '7',
      LOCALE: 'en-US',
      MRSPARKLE_PORT_NUMBER: platform.web.port,
      MRSPARKLE_ROOT_PATH: '',
      SPLUNKD_PATH: '/en-US/splunkd/__raw',
      VERSION_LABEL: '10.4.2',
      SERVER_ZONEINFO: '### SERIALIZED TIMEZONE FORMAT 1.0;Y0 N 55 54 43;',
      USERNAME: 'admin',
    });
    assert.strictEqual((context._ as (text: string) => string)('Save'), 'Save');
    assert.strictEqual((context.ngettext as (...args: unknown[]) => string)('model', 'models', 2), 'models');
    const theme = (context.__get_theme__ as { getTheme(): Promise<string> }).getTheme();
    assert.strictEqual(await theme, 'light');
    const nobody = await fresh().get('/en-US/config');
    assert.match(String(nobody.headers['content-type']), /json/);
    assert.notProperty(nobody.json, 'USERNAME');
  });

  it('with a template of the app are sent unchanged but for the nonce of scripts', async () => {
    const { status, text, headers } = await admin.get('/en-US/app/pages/classic');
    assert.strictEqual(status, 200);
    assert.strictEqual(
      text.trim().replace(/ nonce="[\w-]+"/, ''),
      '<!doctype html>\n<title>Classic</title>\n<script src="../../config"></script>',
    );
    assert.match(String(headers['content-type']), /^text\/html/);
    // Its addresses have no cache buster.
    const script = await admin.get(`${STATIC}/app/pages/pages/start.js`);
    assert.strictEqual(script.headers['cache-control'], 'no-cache');
  });

  it('that cannot be shown explain why', async () => {
    for (const [path, status, reason] of [
      ['/en-US/app/pages/unknown', 404, /has no view "unknown", or you may not read it/],
      ['/en-US/app/pages/..%2fstart', 404, /has no view/],
      ['/en-US/app/pages/scriptless', 404, /appserver\/static\/pages\/scriptless\.js is missing/],
      ['/en-US/app/pages/other', 501, /names the template "search:\/templates\/console\.html"/],
      ['/en-US/app/pages/mako', 501, /Mako/],
      ['/en-US/app/pages/dashboard', 501, /is a &lt;dashboard&gt; without a template/],
      ['/en-US/app/pages/damaged', 500, /views\/damaged\.xml: line 1: &lt;\/view&gt; is missing/],
      ['/en-US/app/nosuch/start', 404, /no app nosuch/],
      ['/en-US/app/%3Cb%3E/start', 404, /no app &lt;b&gt;/],
      ['/en-US/app/search', 404, /names no view/],
      ['/en-US/app/search/search?q=%7C%20rest', 404, /has no page for searches/],
      ['/en-US/nosuch', 404, /no such page/],
      ['/de-DE/app/pages/start', 404, /below \/en-US\//],
      ['/en-US/app/pages/start/more', 404, /no such page/],
      ['/en-US/app/pages/%zz', 400, /percent-encoding/],
      ['/en-US/app/pages/%00', 400, /percent-encoding/],
    ] as const) {
      const reply = await admin.get(path);
      assert.strictEqual(reply.status, status, path);
      assert.match(reply.text.replaceAll('&quot;', '"'), reason);
      assert.include(reply.text, '<h1>');
      assert.strictEqual(reply.headers['cache-control'], 'no-store');
    }
    const post = await admin.send('POST', '/en-US/app/pages/start', { body: 'x' });
    assert.strictEqual(post.status, 405);
    assert.strictEqual(post.headers.allow, 'GET, HEAD');
  });

  it('reveal nothing before the login', async () => {
    for (const name of ['start', 'unknown', 'secret']) {
      assert.strictEqual((await fresh().get(`/en-US/app/pages/${name}`)).status, 303);
    }
  });

  it('need read access', async () => {
    assert.strictEqual((await admin.get('/en-US/app/pages/secret')).status, 200);
    const refused = await ada.get('/en-US/app/pages/secret');
    assert.strictEqual(refused.status, 404);
    assert.strictEqual((await ada.get('/en-US/app/pages/start')).status, 200);
  });

  it('have a frame with the navigation that the user may see', async () => {
    const labels = async (browser: Browser, name = 'layout.js') => {
      const { text, headers } = await browser.get(`${STATIC}/${BUILD}/build/api/${name}`);
      assert.strictEqual(headers['cache-control'], 'no-store');
      return JSON.parse(/const data = (.*);\n/.exec(text)?.[1] ?? '');
    };
    const data = await labels(admin);
    assert.strictEqual(data.user, 'admin');
    assert.deepEqual(data.apps.pages, {
      label: 'Pages & <more>',
      items: [
        { kind: 'view', name: 'classic', label: 'Classic', isDefault: false },
        { kind: 'view', name: 'start', label: 'Start & <end>', isDefault: true },
        {
          kind: 'collection',
          label: 'Others & more',
          items: [
            { kind: 'view', name: 'secret', label: 'Secret', isDefault: false },
            { kind: 'link', href: 'https://docs.example.test/', label: 'Guide' },
          ],
        },
      ],
    });
    const seen = (await labels(ada)).apps.pages.items[2].items;
    assert.deepEqual(
      seen.map(({ label }: { label: string }) => label),
      ['Guide'],
    );
    assert.deepEqual((await labels(fresh())).apps, {});
    assert.isFalse(data.dark);
    assert.isTrue((await labels(admin, 'layout-dark.js')).dark);
  });

  it('follow changes: local files take precedence', async () => {
    writeFiles(app, {
      'local/data/ui/views/start.xml': view('pages/splunk_ui_app.html', 'Renamed'),
      'local/data/ui/nav/default.xml': '<nav><view source="unclassified" match="s"/><view name="start"/></nav>',
    });
    assert.include((await admin.get('/en-US/app/pages/start')).text, '<title>Renamed | ');
    assert.strictEqual((await admin.get('/')).headers.location, '/en-US/app/pages/classic');
    writeFiles(app, { 'local/data/ui/nav/default.xml': '<nav>' });
    assert.strictEqual((await admin.get('/en-US/app/pages')).status, 404);
    assert.strictEqual((await admin.get(`${STATIC}/${BUILD}/build/api/layout.js`)).status, 200);
    rmSync(join(app, 'local/data'), { recursive: true });
  });

  it('do not exist for a hidden or disabled app', async () => {
    for (const text of ['[ui]\nis_visible = 0\n', '[install]\nstate = disabled\n']) {
      writeFiles(app, { 'local/app.conf': text });
      const reply = await admin.get('/en-US/app/pages/start');
      assert.strictEqual(reply.status, 404);
      assert.match(reply.text, /hides or disables/);
      assert.match((await admin.get('/')).text, /No app has a page/);
      rmSync(join(app, 'local/app.conf'));
    }
  });

  it('have the theme of the user, else that of the platform', async () => {
    const themeOf = async (browser: Browser) =>
      /resolve\("(\w+)"\)/.exec((await browser.get(`${STATIC}/@x/build/api/get_theme.js`)).text)?.[1];
    const cookie = `web_theme_${platform.web.port}`;
    for (const theme of ['dark', 'prismaLight', 'prismaDark', 'light']) {
      const browser = new Browser(platform.web.url, new Map([...admin.cookies, [cookie, theme]]));
      assert.strictEqual(await themeOf(browser), theme);
      const page = await browser.get('/en-US/app/pages/start');
      assert.include(page.text, `color-scheme: ${/dark/i.test(theme) ? 'dark' : 'light'}`);
    }
    assert.strictEqual(await themeOf(new Browser(platform.web.url, new Map([[cookie, '"><script>']]))), 'light');
    const dark = await startWithPages(join(folder, 'dark/home'), { web: { theme: 'prismaDark' } });
    try {
      assert.strictEqual(await themeOf(new Browser(dark.web.url)), 'prismaDark');
      assert.include((await new Browser(dark.web.url).get('/en-US/account/login')).text, 'color-scheme: dark');
    } finally {
      await dark.close();
    }
  });

  it('cannot be framed or loaded by other origins', async () => {
    for (const path of [
      '/',
      '/nosuch',
      '/favicon.ico',
      '/en-US/account/login',
      '/en-US/app/pages/start',
      '/en-US/config?autoload=1',
      `${STATIC}/app/pages/pages/start.js`,
      '/en-US/splunkd/__raw/services/echo',
      '/en-US/splunkd/__raw/services/nosuch',
    ]) {
      const { headers } = await admin.get(path);
      assert.match(String(headers['content-security-policy']), /^frame-ancestors 'self'(;|$)/, path);
      assert.strictEqual(headers['x-content-type-options'], 'nosniff', path);
      assert.strictEqual(headers['cross-origin-resource-policy'], 'same-origin', path);
    }
    const icon = await admin.get('/favicon.ico');
    assert.deepEqual([icon.status, icon.text], [204, '']);
  });

  it('run only their own scripts', async () => {
    const nonces = new Set<string>();
    for (const path of [
      '/nosuch',
      '/en-US/account/login',
      '/en-US/app/pages/start',
      '/en-US/app/pages/start',
      '/en-US/app/pages/classic',
    ]) {
      const { headers, text } = await admin.get(path);
      const policy = String(headers['content-security-policy']);
      const [, nonce = ''] =
        /; script-src 'self' 'nonce-([\w-]{22})'; object-src 'none'; base-uri 'none'$/.exec(policy) ?? [];
      assert.notStrictEqual(nonce, '', path);
      const inline = [...text.matchAll(/<script(?! src=)[^>]*>/g)].map(([tag]) => tag);
      assert.deepEqual(
        inline,
        path.includes('/app/')
          ? inline.map(() => `<script nonce="${nonce}"${path.endsWith('classic') ? ' src="../../config"' : ''}>`)
          : [],
      );
      assert.strictEqual(inline.length, path.includes('/app/') ? 1 : 0);
      nonces.add(nonce);
    }
    assert.strictEqual(nonces.size, 5);
  });

  it('are refused under the name of another site', async () => {
    const { port } = platform.web;
    for (const host of ['evil.test', `evil.test:${port}`, '127.0.0.1.evil.test', 'localhost.evil.test', '10.0.0.1']) {
      for (const path of ['/en-US/account/login', '/en-US/config', '/en-US/splunkd/__raw/services/echo']) {
        const reply = await admin.get(path, { headers: { Host: host } });
        assert.strictEqual(reply.status, 403, `${host} ${path}`);
        assert.notInclude(reply.text, 'admin');
      }
    }
    for (const host of [
      'localhost',
      `localhost:${port}`,
      `LOCALHOST:1`,
      '127.0.0.1',
      '127.9.8.7:80',
      '[::1]:8000',
      '[::1]',
    ]) {
      assert.strictEqual((await admin.get('/en-US/account/login', { headers: { Host: host } })).status, 200, host);
    }
  });

  it('are refused under two names', async () => {
    const { port } = platform.web;
    const reply = await new Promise<string>((resolve, reject) => {
      const head = `GET /en-US/account/login HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\nConnection: close\r\n\r\n`;
      const socket = connect(port, '127.0.0.1', () => socket.write(head));
      socket.once('data', (chunk) => resolve(chunk.toString()));
      socket.on('error', reject);
    });
    assert.match(reply, /^HTTP\/1\.1 400 /);
  });

  it('are served under the host that the platform listens on', async () => {
    const other = await startWithPages(join(folder, 'named/home'), { host: '0.0.0.0' });
    try {
      const { status } = await new Browser(other.web.url).get('/en-US/account/login', {
        headers: { Host: '0.0.0.0:8000' },
      });
      assert.strictEqual(status, 200);
    } finally {
      await other.close();
    }
  });

  describe('files', () => {
    const FILE = 'app/pages/pages/start.js';

    it('below appserver/static are public, under the cache buster of pages', async () => {
      for (const mark of [`/${BUILD}:7`, `/${BUILD}.3:7`, '/@x', '']) {
        const { status, text, headers } = await fresh().get(`${STATIC}${mark}/${FILE}`);
        assert.strictEqual(status, 200, mark);
        assert.strictEqual(text, 'document.title = "started";\n');
        assert.match(String(headers['content-type']), /^text\/javascript/);
      }
      const css = await fresh().get(`${STATIC}/@x/app/pages/styles/a%20b.css`);
      assert.match(String(css.headers['content-type']), /^text\/css/);
    });

    it('are cached for a year only under the current build', async () => {
      const cache = async (mark: string) => (await fresh().get(`${STATIC}${mark}/${FILE}`)).headers['cache-control'];
      assert.strictEqual(await cache(`/${BUILD}:7`), 'public, max-age=31536000');
      for (const mark of [`/${BUILD}:6`, `/${BUILD}`, '/@x', '']) assert.strictEqual(await cache(mark), 'no-cache');
    });

    it('answer 304 if the browser has them', async () => {
      const { headers } = await fresh().get(`${STATIC}/${FILE}`);
      const tag = headers.etag ?? '';
      for (const value of [tag, `W/${tag}`, `"a", ${tag}`, '*']) {
        const again = await fresh().get(`${STATIC}/${FILE}`, { headers: { 'If-None-Match': value } });
        assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', tag]);
      }
      const file = join(app, 'appserver/static/pages/start.js');
      utimesSync(file, 1_000, 1_000);
      const changed = await fresh().get(`${STATIC}/${FILE}`, { headers: { 'If-None-Match': tag } });
      assert.strictEqual(changed.status, 200);
      const head = await fresh().send('HEAD', `${STATIC}/${FILE}`);
      assert.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', '28']);
    });

    it('elsewhere cannot be reached', async () => {
      const outside = join(folder, 'outside');
      mkdirSync(outside);
      writeFileSync(join(outside, 'secret.js'), 'outside');
      const root = join(app, 'appserver/static');
      symlinkSync(join(outside, 'secret.js'), join(root, 'link.js'));
      symlinkSync(outside, join(root, 'linked'));
      symlinkSync(join(root, 'pages/start.js'), join(root, 'inside.js'));
      writeFiles(app, { 'appserver/static-too/secret.js': 'beside' });
      symlinkSync(join(app, 'appserver/static-too/secret.js'), join(root, 'beside.js'));
      for (const path of [
        'beside.js',
        '../../default/app.conf',
        '%2e%2e/%2e%2e/default/app.conf',
        '..%2f..%2fdefault%2fapp.conf',
        '%252e%252e/%252e%252e/default/app.conf',
        '..%5c..%5cdefault%5capp.conf',
        '..\\..\\default\\app.conf',
        'pages/../../../default/app.conf',
        'pages//start.js',
        './pages/start.js',
        '../static-too/secret.js',
        '.hidden.js',
        'pages',
        'pages/',
        '',
        'nosuch.js',
        'link.js',
        'linked/secret.js',
      ]) {
        const { status, text } = await fresh().get(`${STATIC}/@x/app/pages/${path}`);
        assert.strictEqual(status, 404, path);
        assert.notMatch(text, /outside|beside|hidden;|build = 7/);
      }
      assert.strictEqual((await fresh().get(`${STATIC}/@x/app/pages/%00`)).status, 400);
      assert.strictEqual((await fresh().get(`${STATIC}/@x/app/pages/inside.js`)).status, 200);
      for (const path of ['app/..%2fpages/x.js', 'app/../pages', 'app', 'js/nosuch.js', 'app/nosuch/x.js', '']) {
        assert.strictEqual((await fresh().get(`${STATIC}/@x/${path}`)).status, 404, path);
      }
    });
  });
});
