import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { assert } from 'chai';
import { temporaryFolder } from '../support/platform.ts';
import { Browser, startWithPages, type WebTestPlatform } from '../support/web.ts';

const PAGE = '/en-US/app/pages/start';
const CONTEXT = '/services/authentication/current-context?output_mode=json';

describe('logging in to the web side', () => {
  let folder: string;
  let platform: WebTestPlatform;

  before(async () => {
    folder = temporaryFolder();
    platform = await startWithPages(join(folder, 'home'));
    const form = { name: 'ada', password: 'ada-of-tests', roles: 'user' };
    assert.strictEqual((await platform.call('POST', '/services/authentication/users', { form })).status, 201);
  });
  after(async () => {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const browser = () => new Browser(platform.web.url);

  it('leads from a page to the login and back', async () => {
    const one = browser();
    const redirect = await one.get(`${PAGE}?tab=a&q=1%202`);
    assert.strictEqual(redirect.status, 303);
    const [address = '', query = ''] = (redirect.headers.location ?? '').split('?');
    assert.strictEqual(address, '/en-US/account/login');
    const returnTo = new URLSearchParams(query).get('return_to') ?? '';
    const reply = await one.login('admin', undefined, returnTo);
    assert.strictEqual(reply.status, 303);
    assert.strictEqual(reply.headers.location, `${PAGE}?tab=a&q=1%202`);
    assert.strictEqual((await one.get(reply.headers.location ?? '')).status, 200);
    assert.strictEqual((await one.raw('GET', CONTEXT)).json.entry[0].content.username, 'admin');
  });

  it('sets two cookies for its port; scripts can read one', async () => {
    const one = browser();
    const { headers } = await one.login();
    const { port } = platform.web;
    const [session = '', form = ''] = headers['set-cookie'] ?? [];
    assert.match(session, new RegExp(`^splunkd_${port}=[\\w-]{64}; Path=/; HttpOnly; SameSite=Lax$`));
    assert.match(form, new RegExp(`^splunkweb_csrf_token_${port}=[0-9a-f]{64}; Path=/; SameSite=Lax$`));
    assert.notInclude(one.formKey, one.sessionKey);
    assert.strictEqual(headers['cache-control'], 'no-store');
  });

  it('shows the error on the page, and keeps the name but not the password', async () => {
    const one = browser();
    for (const [user, password] of [
      ['admin', 'wrong-password'],
      ['nobody-<b>', 'wrong-password'],
      ['', ''],
    ] as const) {
      const { status, text, headers } = await one.login(user, password, PAGE);
      assert.strictEqual(status, 401);
      assert.match(text, /role="alert".*The user name or the password is wrong\./);
      assert.include(text, `value="${user.replace('<b>', '&lt;b&gt;')}"`);
      assert.include(text, `name="return_to" value="${PAGE}"`);
      assert.notInclude(text, 'wrong-password');
      assert.notInclude(String(headers['set-cookie']), 'splunkd_');
    }
  });

  it('requires the value that it issued, as cookie and as field', async () => {
    const form = { username: 'admin', password: 'admin-of-tests' };
    const [one, two] = [browser(), browser()];
    const { cval = '' } = await one.loginForm();
    const { cval: another = '' } = await two.loginForm();
    assert.match(cval, /^\w{16,}$/);
    assert.notStrictEqual(cval, another);
    const planted = 'a'.repeat(cval.length);
    for (const [cookie, field] of [
      [cval, ''],
      [cval, another],
      ['', cval],
      ['', ''],
      [planted, planted],
    ] as const) {
      const to = new Browser(platform.web.url, new Map(cookie === '' ? [] : [['cval', cookie]]));
      const reply = await to.send('POST', '/en-US/account/login', { form: { ...form, cval: field } });
      assert.strictEqual(reply.status, 400, `${cookie} ${field}`);
      assert.strictEqual(to.sessionKey, '');
    }
    // A second tab does not invalidate the first.
    await one.loginForm();
    assert.strictEqual((await one.send('POST', '/en-US/account/login', { form: { ...form, cval } })).status, 303);
  });

  it('creates a new key at each login, and ends the old session', async () => {
    const attacker = browser();
    await attacker.login('ada', 'ada-of-tests');
    const planted = attacker.sessionKey;
    const victim = new Browser(platform.web.url, new Map(attacker.cookies));
    await victim.login();
    assert.notStrictEqual(victim.sessionKey, planted);
    assert.strictEqual((await attacker.raw('GET', CONTEXT)).status, 401);
    assert.strictEqual((await victim.raw('GET', CONTEXT)).json.entry[0].content.username, 'admin');
    const made = new Browser(platform.web.url, new Map([[`splunkd_${platform.web.port}`, 'x'.repeat(64)]]));
    await made.login();
    assert.notStrictEqual(made.sessionKey, 'x'.repeat(64));
  });

  it('returns only to its own pages', async () => {
    const elsewhere = [
      'https://evil.test/',
      '//evil.test/en-US/app/pages/start',
      '/\\evil.test',
      '\\\\evil.test',
      '/\t/evil.test',
      '/\n/evil.test',
      ' //evil.test',
      'https:evil.test',
      'https:/evil.test',
      'javascript:alert(1)',
      '/en-US/app/../..//evil.test',
      '/en-US/app/%2e%2e/..//evil.test',
      '/en-US/app/pages/start\r\nX-Made-Up: 1',
      '/en-US/account/logout',
      '/en-US/splunkd/__raw/services/messages',
      '/elsewhere',
      'en-US/app/pages/start',
      '',
    ];
    for (const target of elsewhere) {
      const one = browser();
      const { cval = '' } = await one.loginForm();
      const form = { cval, username: 'admin', password: 'admin-of-tests', return_to: target };
      const { status, headers } = await one.send('POST', '/en-US/account/login', { form });
      assert.strictEqual(status, 303);
      assert.strictEqual(headers.location, '/', JSON.stringify(target));
      assert.isUndefined(headers['x-made-up']);
      assert.strictEqual((await browser().loginForm(target)).return_to, '/', JSON.stringify(target));
    }
    const page = '/en-US/app/pages/start?q=%2F%2Fa&b=c#d';
    assert.strictEqual((await browser().login('admin', undefined, page)).headers.location, page);
  });

  it('logs out on the server, and removes the cookies', async () => {
    const one = browser();
    await one.login();
    const copy = new Browser(platform.web.url, new Map(one.cookies));
    const reply = await one.logout();
    assert.strictEqual(reply.status, 303);
    assert.strictEqual(reply.headers.location, '/en-US/account/login');
    assert.strictEqual(one.sessionKey + one.formKey, '');
    assert.strictEqual((await copy.raw('GET', CONTEXT)).status, 401);
    assert.strictEqual((await copy.get(PAGE)).status, 303);
  });

  it('logs out only for a page of its own', async () => {
    const one = browser();
    await one.login();
    const before = new Map(one.cookies);
    const link = await one.get('/en-US/account/logout');
    assert.deepEqual([link.status, link.headers.allow], [405, 'POST']);
    for (const sent of [{}, { form: { splunk_form_key: one.formKey } }, { headers: { 'X-Splunk-Form-Key': 'x' } }]) {
      assert.strictEqual((await one.send('POST', '/en-US/account/logout', sent)).status, 401);
    }
    assert.deepEqual(one.cookies, before);
    assert.strictEqual((await one.raw('GET', CONTEXT)).status, 200);
  });

  it('sets a cookie that is worth nothing to the management port', async () => {
    const one = browser();
    await one.login();
    for (const headers of [
      { Authorization: `Splunk ${one.sessionKey}` },
      { Authorization: `Bearer ${one.sessionKey}` },
      { Cookie: `splunkd_${platform.port}=${one.sessionKey}` },
    ]) {
      assert.strictEqual((await platform.call('GET', CONTEXT, { as: null, headers })).status, 401);
    }
    assert.strictEqual((await one.raw('GET', CONTEXT)).status, 200);
  });

  it('takes no session key of the management port as cookie', async () => {
    const form = { username: 'ada', password: 'ada-of-tests', output_mode: 'json' };
    const { json } = await platform.call('POST', '/services/auth/login', { as: null, form });
    const one = new Browser(platform.web.url, new Map([[`splunkd_${platform.web.port}`, json.sessionKey]]));
    assert.strictEqual((await one.get(PAGE)).status, 303);
    assert.strictEqual((await one.raw('GET', CONTEXT)).status, 401);
  });

  it('makes a name wait after five wrong passwords, the right one too', async () => {
    const form = { name: 'eve', password: 'eve-of-tests', roles: 'user' };
    assert.strictEqual((await platform.call('POST', '/services/authentication/users', { form })).status, 201);
    const one = browser();
    for (let count = 0; count < 5; count += 1) assert.strictEqual((await one.login('eve', 'wrong')).status, 401);
    const reply = await one.login('Eve', 'eve-of-tests');
    assert.strictEqual(reply.status, 429);
    assert.strictEqual(reply.headers['retry-after'], '1');
    assert.match(reply.text, /role="alert".*Try again in 1 s\./);
    assert.strictEqual(one.sessionKey, '');
    assert.strictEqual((await browser().login('ada', 'ada-of-tests')).status, 303);
    assert.strictEqual((await platform.call('GET', CONTEXT, { as: 'eve:eve-of-tests' })).status, 200);
    await setTimeout(1_000);
    assert.strictEqual((await one.login('eve', 'eve-of-tests')).status, 303);
  });

  it('redirects pages to the login when the session has ended, and refuses calls as splunkd does', async () => {
    const one = browser();
    await one.login('ada', 'ada-of-tests');
    const list = await platform.call('GET', '/services/authentication/httpauth-tokens?output_mode=json&count=0');
    for (const { name, content } of list.json.entry) {
      if (content.userName !== 'ada') continue;
      const ended = await platform.call('DELETE', `/services/authentication/httpauth-tokens/${name}`);
      assert.strictEqual(ended.status, 200);
    }
    assert.strictEqual((await one.get(PAGE)).headers.location?.split('?')[0], '/en-US/account/login');
    for (const [method, path] of [
      ['GET', CONTEXT],
      ['POST', '/services/echo/x?output_mode=json'],
    ] as const) {
      const reply = await one.raw(method, path);
      assert.strictEqual(reply.status, 401);
      assert.deepEqual(reply.json.messages, [{ type: 'WARN', text: 'call not properly authenticated' }]);
      assert.isUndefined(reply.headers['www-authenticate'], 'a browser would ask for a password itself');
    }
    const nobody = await browser().raw('GET', CONTEXT);
    assert.strictEqual(nobody.status, 401);
    assert.isUndefined(nobody.headers['www-authenticate']);
  });

  it('survives a restart of the platform', async () => {
    const home = join(folder, 'kept/home');
    let restarted = await startWithPages(home);
    const { port } = restarted.web;
    const one = new Browser(restarted.web.url);
    try {
      await one.login();
      await restarted.close();
      restarted = await startWithPages(home, { web: { port } });
      assert.strictEqual((await one.get(PAGE)).status, 200);
      assert.strictEqual((await one.raw('POST', '/services/echo/x', { body: '{}' })).status, 200);
    } finally {
      await restarted.close();
    }
  });

  it('does not read the cookies of another port', async () => {
    const other = await startWithPages(join(folder, 'other/home'));
    try {
      const jar = new Map<string, string>();
      const [here, there] = [new Browser(platform.web.url, jar), new Browser(other.web.url, jar)];
      await here.login('ada', 'ada-of-tests');
      assert.strictEqual((await there.get(PAGE)).status, 303);
      await there.login();
      assert.strictEqual((await here.raw('GET', CONTEXT)).json.entry[0].content.username, 'ada');
      assert.strictEqual((await there.raw('GET', CONTEXT)).json.entry[0].content.username, 'admin');
      // The management port is another one.
      const { status } = await platform.call('GET', CONTEXT, {
        as: null,
        headers: { Cookie: `splunkd_${platform.web.port}=${here.sessionKey}` },
      });
      assert.strictEqual(status, 401);
      assert.strictEqual((await there.logout()).status, 303);
      assert.strictEqual((await here.get(PAGE)).status, 200);
    } finally {
      await other.close();
    }
  });

  it('refuses a form that is too large', async () => {
    const form = { cval: 'x'.repeat(70_000) };
    assert.strictEqual((await browser().send('POST', '/en-US/account/login', { form })).status, 413);
  });
});
