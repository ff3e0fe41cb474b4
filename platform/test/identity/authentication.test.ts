import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { assert } from 'chai';
import { Identity } from '../../src/identity/identity.ts';
import { SESSION_TIMEOUT_MS } from '../../src/identity/sessions.ts';
import {
  ADMIN_PASSWORD,
  startFixture,
  startTestPlatform,
  type TestPlatform,
  temporaryFolder,
} from '../support/platform.ts';

const WHO = '/services/authentication/current-context?output_mode=json';
const LOGIN = '/services/auth/login';

describe('embedded authentication', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;

  before(async () => {
    ({ platform, stop } = await startFixture());
  });
  after(() => stop());

  const login = async (): Promise<string> => {
    const form = { username: 'admin', password: ADMIN_PASSWORD, output_mode: 'json' };
    return (await platform.call('POST', LOGIN, { as: null, form })).json.sessionKey;
  };

  describe('refuses', () => {
    it('passwords of a name for a while after five wrong ones', async () => {
      const form = { name: 'eve', password: 'eve-of-tests', roles: 'user' };
      assert.strictEqual((await platform.call('POST', '/services/authentication/users', { form })).status, 201);
      assert.strictEqual((await platform.call('GET', WHO, { as: 'eve:eve-of-tests' })).status, 200);
      for (let count = 0; count < 5; count += 1) {
        assert.strictEqual((await platform.call('GET', WHO, { as: 'eve:wrong' })).status, 401);
      }
      const logIn = { username: 'eve', password: 'eve-of-tests', output_mode: 'json' };
      const login = await platform.call('POST', LOGIN, { as: null, form: logIn });
      const basic = await platform.call('GET', WHO, { as: 'eve:eve-of-tests' });
      for (const reply of [login, basic]) {
        assert.deepEqual([reply.status, reply.headers['retry-after']], [401, '1']);
        assert.match(reply.json.messages[0].text, /Try again in 1 s/);
      }
      await setTimeout(1_000);
      assert.strictEqual((await platform.call('POST', LOGIN, { as: null, form: logIn })).status, 200);
    });

    it('calls without credentials before it looks at the path', async () => {
      for (const path of [
        '/services/server/info',
        '/services/no/such/place',
        '/nowhere',
        '/servicesNS/nosuch/search/x',
      ]) {
        const reply = await platform.call('GET', `${path}?output_mode=json`, { as: null });
        assert.strictEqual(reply.status, 401, path);
        assert.deepEqual(reply.json, { messages: [{ type: 'ERROR', text: 'Unauthorized' }] });
        assert.strictEqual(reply.headers['www-authenticate'], 'Basic realm="/splunk"');
      }
    });

    it('wrong Basic credentials in the same way as none', async () => {
      for (const as of ['admin:wrong', 'nosuch:wrong', 'admin:', ':x']) {
        const reply = await platform.call('GET', WHO, { as });
        assert.strictEqual(reply.status, 401, as);
        assert.deepEqual(reply.json.messages, [{ type: 'ERROR', text: 'Unauthorized' }]);
        assert.strictEqual(reply.headers['www-authenticate'], 'Basic realm="/splunk"');
      }
    });

    it('invalid keys and tokens, with another body and no challenge', async () => {
      for (const value of ['Splunk nonsense', 'Bearer nonsense', 'Bearer a.b.c', 'Splunk']) {
        const reply = await platform.call('GET', WHO, { as: null, headers: { Authorization: value } });
        assert.strictEqual(reply.status, 401, value);
        assert.deepEqual(reply.json, { messages: [{ type: 'WARN', text: 'call not properly authenticated' }] });
        assert.isUndefined(reply.headers['www-authenticate']);
      }
    });

    it('in XML unless JSON is asked for, in the query or the form', async () => {
      const xml = await platform.call('GET', '/services/server/info', { as: null });
      assert.match(xml.text, /<response>\s*<messages><msg type="ERROR">Unauthorized<\/msg><\/messages>\s*<\/response>/);
      const form = await platform.call('POST', '/services/server/info', { as: null, form: { output_mode: 'json' } });
      assert.strictEqual(form.json.messages[0].text, 'Unauthorized');
    });

    it('a login, with the reason', async () => {
      const attempt = (form: Record<string, string>) =>
        platform.call('POST', LOGIN, { as: null, form: { ...form, output_mode: 'json' } });
      for (const form of [
        { username: 'admin', password: 'wrong' },
        { username: 'nosuch', password: 'wrong' },
        { username: 'admin', password: '' },
        { username: '', password: 'x' },
      ]) {
        const reply = await attempt(form);
        assert.strictEqual(reply.status, 401, JSON.stringify(form));
        assert.deepEqual(reply.json, {
          messages: [{ type: 'WARN', code: 'incorrect_username_or_password', text: 'Login failed' }],
        });
      }
      for (const form of [{ username: 'admin' }, { password: 'x' }, {}]) {
        const reply = await attempt(form);
        assert.strictEqual(reply.status, 400, JSON.stringify(form));
        assert.deepEqual(reply.json, { messages: [{ type: 'WARN', text: 'Login failed' }] });
      }
      const inUrl = await platform.call('POST', `${LOGIN}?username=admin&password=${ADMIN_PASSWORD}`, { as: null });
      assert.strictEqual(inUrl.status, 400);
    });
  });

  it('logs in with JSON and XML bodies', async () => {
    const form = { username: 'Admin', password: ADMIN_PASSWORD };
    const json = await platform.call('POST', LOGIN, { as: null, form: { ...form, output_mode: 'json' } });
    assert.hasAllKeys(json.json, ['sessionKey', 'message', 'code']);
    assert.isUndefined(json.headers['set-cookie']);
    const xml = await platform.call('POST', LOGIN, { as: null, form });
    assert.match(xml.text, /<sessionKey>[\w-]{40,}<\/sessionKey>/);
  });

  it('ignores an expired key at the login', async () => {
    const form = { username: 'admin', password: ADMIN_PASSWORD };
    const reply = await platform.call('POST', LOGIN, { as: null, form, headers: { Authorization: 'Splunk old' } });
    assert.strictEqual(reply.status, 200);
  });

  it('accepts a session key as Splunk and as Bearer until the logout', async () => {
    const key = await login();
    for (const scheme of ['Splunk', 'Bearer', 'splunk']) {
      const reply = await platform.call('GET', WHO, { as: null, headers: { Authorization: `${scheme} ${key}` } });
      assert.strictEqual(reply.json.entry[0].content.username, 'admin');
    }
    const path = `/services/authentication/httpauth-tokens/${key}`;
    const out = await platform.call('DELETE', path, { as: null, headers: { Authorization: `Splunk ${key}` } });
    assert.strictEqual(out.status, 200);
    const after = await platform.call('GET', WHO, { as: null, headers: { Authorization: `Splunk ${key}` } });
    assert.strictEqual(after.status, 401);
  });

  it('lists sessions without their keys', async () => {
    const key = await login();
    const reply = await platform.call('GET', '/services/authentication/httpauth-tokens?output_mode=json&count=0');
    assert.isAbove(reply.json.entry.length, 0);
    assert.notInclude(reply.text, key);
  });

  it('accepts only the cookie of its own port, and renews it', async () => {
    const form = { username: 'admin', password: ADMIN_PASSWORD, cookie: '1' };
    const first = await platform.call('POST', LOGIN, { as: null, form });
    const cookie = String(first.headers['set-cookie']).split(';')[0] ?? '';
    assert.match(cookie, new RegExp(`^splunkd_${platform.port}=`));
    assert.match(String(first.headers['set-cookie']), /; HttpOnly; SameSite=Lax(;|$)/);
    for (const text of [cookie, `a=b; ${cookie}`, `${cookie}; c`]) {
      const reply = await platform.call('GET', WHO, { as: null, headers: { Cookie: text } });
      assert.strictEqual(reply.status, 200, text);
      assert.include(String(reply.headers['set-cookie']), cookie);
    }
    const bad = await platform.call('GET', WHO, { as: null, headers: { Cookie: `splunkd_${platform.port}=bad` } });
    assert.strictEqual(bad.json.messages[0].text, 'call not properly authenticated');
    const other = await platform.call('GET', WHO, { as: null, headers: { Cookie: 'splunkd_1=x' } });
    assert.strictEqual(other.json.messages[0].text, 'Unauthorized');
  });

  it('answers current-context as measured', async () => {
    const { json } = await platform.call('GET', WHO);
    const [entry] = json.entry;
    assert.strictEqual(entry.name, 'context');
    assert.hasAllKeys(entry.links, ['alternate', 'list']);
    assert.notProperty(entry, 'fields');
    assert.include(entry.acl, { app: '', owner: 'system', sharing: 'system' });
    const keys =
      'capabilities roles username realname email password type tz lang defaultApp defaultAppIsUserOverride ' +
      'defaultAppSourceRole last_successful_login locked-out restart_background_jobs eai:acl olly_org theme ' +
      'search_assistant search_auto_format search_line_numbers search_syntax_highlighting search_use_advanced_editor ' +
      'display_new_search_banner';
    assert.hasAllKeys(entry.content, keys.split(' '));
    assert.deepEqual(entry.content.roles, ['admin']);
    assert.include(entry.content.capabilities, 'run_fixture');
    assert.strictEqual(entry.content.password, '********');
  });

  it('passes the caller and a system token to drivers', async () => {
    const echoed = await platform.call('GET', '/services/echo');
    assert.strictEqual(echoed.json.session.user, 'admin');
    for (const [token, user] of [
      [echoed.json.session.authtoken, 'admin'],
      [echoed.json.system_authtoken, 'splunk-system-user'],
    ]) {
      const reply = await platform.call('GET', WHO, { as: null, headers: { Authorization: `Splunk ${token}` } });
      assert.strictEqual(reply.json.entry[0].content.username, user);
      assert.include(reply.json.entry[0].content.capabilities, 'admin_all_objects');
    }
  });

  describe('tokens', () => {
    const TOKENS = '/services/authorization/tokens';
    const create = (form: Record<string, string>, as?: string) =>
      platform.call('POST', `${TOKENS}?output_mode=json`, { form, ...(as ? { as } : {}) });
    const use = (token: string) =>
      platform.call('GET', WHO, { as: null, headers: { Authorization: `Bearer ${token}` } });

    it('authenticate until they are disabled or removed', async () => {
      const made = await create({ name: 'admin', audience: 'tests', expires_on: '+1d' });
      assert.strictEqual(made.status, 201);
      const { id, token } = made.json.entry[0].content;
      assert.strictEqual((await use(token)).json.entry[0].content.username, 'admin');
      const tokens = await platform.call('GET', `${TOKENS}?output_mode=json&count=0`);
      assert.include(tokens.text, id);
      assert.notInclude(tokens.text, token);
      await platform.call('POST', `${TOKENS}/admin`, { form: { id, status: 'disabled' } });
      assert.strictEqual((await use(token)).status, 401);
      await platform.call('POST', `${TOKENS}/${id}`, { form: { status: 'enabled' } });
      assert.strictEqual((await use(token)).status, 200);
      assert.strictEqual((await platform.call('DELETE', `${TOKENS}/admin?id=${id}`)).status, 200);
      assert.strictEqual((await use(token)).status, 401);
    });

    it('are refused when forged, expired or not yet valid', async () => {
      const made = await create({ name: 'admin', audience: 'tests', not_before: '+1h' });
      const { token } = made.json.entry[0].content;
      assert.strictEqual((await use(token)).status, 401);
      const [head, , signature] = token.split('.');
      const claims = Buffer.from('{"jti":"x","sub":"admin"}').toString('base64url');
      assert.strictEqual((await use(`${head}.${claims}.${signature}`)).status, 401);
    });

    it('name the bad argument', async () => {
      for (const [form, text] of [
        [{ name: 'admin' }, /audience/],
        [{ name: 'nosuch', audience: 'a' }, /User does not exist: nosuch/],
        [{ name: 'admin', audience: 'a', expires_on: 'soon' }, /expires_on/],
        [{ name: 'admin', audience: 'a', expires_on: '1000' }, /expires_on/],
        [{ name: 'admin', audience: 'a', colour: 'red' }, /colour/],
      ] as [Record<string, string>, RegExp][]) {
        const reply = await create(form);
        assert.strictEqual(reply.status, 400, JSON.stringify(form));
        assert.match(reply.json.messages[0].text, text);
      }
    });
  });

  it('ends a session an hour after its last use, and keeps it over a restart', () => {
    const folder = temporaryFolder();
    let now = Date.now();
    const open = () =>
      new Identity(
        join(folder, 'auth'),
        () => [],
        () => now,
      );
    let identity = open();
    const key = identity.sessions.create('someone');
    now += SESSION_TIMEOUT_MS - 1;
    assert.strictEqual(identity.sessions.use(key), 'someone');
    now += SESSION_TIMEOUT_MS - 1;
    identity.close();
    identity = open();
    assert.strictEqual(identity.sessions.use(key), 'someone');
    now += SESSION_TIMEOUT_MS;
    assert.isUndefined(identity.sessions.use(key));
    identity.close();
    rmSync(folder, { recursive: true });
  });

  it('keeps a generated password, and sets a configured one', async () => {
    const home = temporaryFolder();
    const start = (adminPassword: string | undefined) => startTestPlatform({ home, adminPassword });
    let restarted = await start(undefined);
    const file = restarted.generatedPassword?.file ?? '';
    const generated = readFileSync(file, 'utf8').trim();
    assert.strictEqual(statSync(file).mode & 0o777, 0o600);
    assert.strictEqual((await restarted.call('GET', WHO, { as: `admin:${generated}` })).status, 200);
    await restarted.close();
    restarted = await start(undefined);
    assert.strictEqual((await restarted.call('GET', WHO, { as: `admin:${generated}` })).status, 200);
    await restarted.close();
    restarted = await start('another-one');
    assert.strictEqual((await restarted.call('GET', WHO, { as: `admin:${generated}` })).status, 401);
    assert.strictEqual((await restarted.call('GET', WHO, { as: 'admin:another-one' })).status, 200);
    await restarted.close();
    rmSync(home, { recursive: true });
  });
});
