import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from 'chai';
import {
  type CallOptions,
  FIXTURE_APP,
  type Reply,
  startFixture,
  startTestPlatform,
  type TestPlatform,
  temporaryFolder,
  writeFiles,
} from '../support/platform.ts';

const CONF = '/servicesNS/nobody/fixture/configs/conf-fixture';
const PROPERTIES = '/servicesNS/nobody/fixture/properties';

describe('embedded configurations', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;

  before(async () => {
    ({ platform, stop } = await startFixture());
    const form = { name: 'alice', password: 'alice-secret', roles: 'user' };
    await platform.call('POST', '/services/authentication/users', { form });
  });
  after(() => stop());

  const call = (method: string, path: string, options?: CallOptions): Promise<Reply> =>
    platform.call(method, `${path}?output_mode=json`, options);
  const alice = { as: 'alice:alice-secret' };
  const names = (reply: Reply): string[] => reply.json.entry.map((entry: { name: string }) => entry.name);

  it('merge local over default, with the defaults of the file', async () => {
    const { content, acl } = (await call('GET', `${CONF}/shipped`)).json.entry[0];
    assert.include(content, { common: 'yes', place: 'default', size: '1', disabled: false, 'eai:appName': 'fixture' });
    assert.include(acl, { app: 'fixture', sharing: 'app', owner: 'nobody', removable: false });
    await call('POST', `${CONF}/shipped`, { form: { size: '2' } });
    const after = (await call('GET', `${CONF}/shipped`)).json.entry[0];
    assert.include(after.content, { place: 'default', size: '2' });
    assert.isTrue(after.acl.removable);
    const local = readFileSync(join(platform.home, 'etc/apps/fixture/local/fixture.conf'), 'utf8');
    assert.strictEqual(local, '[shipped]\nsize = 2\n');
    assert.strictEqual((await call('DELETE', `${CONF}/shipped`)).status, 200);
    assert.strictEqual((await call('GET', `${CONF}/shipped`)).json.entry[0].content.size, '1');
    assert.match((await call('DELETE', `${CONF}/shipped`)).json.messages[0].text, /default folder/);
  });

  it('create and remove stanzas, whatever their names and values', async () => {
    for (const [name, value] of [
      ['plain', 'x'],
      ['source::/var/log/*.log', 'a=b # no comment'],
      ['spaces and ünïcode', 'two\nlines\\'],
      ['a%2Fb', '$HOME'],
      ['__proto__', '1'],
    ] as [string, string][]) {
      const made = await call('POST', CONF, { form: { name, key: value } });
      assert.strictEqual(made.status, 201, name);
      const path = `${CONF}/${encodeURIComponent(name)}`;
      assert.strictEqual((await call('GET', path)).json.entry[0].content.key, value, name);
      assert.strictEqual((await call('POST', CONF, { form: { name, key: value } })).status, 409, name);
      assert.strictEqual((await call('DELETE', path)).status, 200, name);
      assert.strictEqual((await call('GET', path)).status, 404, name);
    }
  });

  it('name the bad argument', async () => {
    const cases: [string, string, Record<string, string>, RegExp][] = [
      ['POST', CONF, { key: '1' }, /without a target name/],
      ['POST', CONF, { name: 'a]b' }, /stanza name/],
      ['POST', CONF, { name: 'a\nb' }, /stanza name/],
      ['POST', CONF, { name: 'x', 'a=b': '1' }, /"a=b"/],
      ['POST', CONF, { name: 'x', '[a': '1' }, /"\[a"/],
      ['POST', '/servicesNS/nobody/fixture/configs/conf-..%2Fx', { name: 'x' }, /file name/],
      ['POST', '/servicesNS/-/-/configs/conf-fixture', { name: 'x' }, /wildcard/],
      ['POST', PROPERTIES, {}, /__conf/],
      ['POST', `${PROPERTIES}/fixture`, {}, /__stanza/],
      ['POST', `${PROPERTIES}/fixture/shipped/size`, {}, /value/],
      ['POST', `${CONF}/shipped/acl`, { owner: 'nobody' }, /sharing/],
      ['POST', `${CONF}/shipped/acl`, { sharing: 'app' }, /owner/],
      ['POST', `${CONF}/shipped/acl`, { owner: 'nobody', sharing: 'app', 'perms.read': 'a]b' }, /perms/],
    ];
    for (const [method, path, form, pattern] of cases) {
      const reply = await call(method, path, { form });
      assert.strictEqual(reply.status, 400, path + JSON.stringify(form));
      assert.match(reply.json.messages[0].text, pattern);
    }
    assert.strictEqual((await call('GET', '/services/configs/fixture')).status, 404);
    assert.match((await call('GET', `${CONF}/nosuch`)).json.messages[0].text, /Could not find object id=nosuch/);
  });

  it('obey the access rules in metadata', async () => {
    assert.strictEqual((await call('GET', `${CONF}/shipped`, alice)).status, 200);
    for (const [method, path] of [
      ['POST', `${CONF}/shipped`],
      ['DELETE', `${CONF}/shipped`],
      ['POST', `${CONF}/shipped/acl`],
      ['POST', CONF],
      ['POST', `${PROPERTIES}/fixture/shipped`],
      ['POST', `${PROPERTIES}/fixture/shipped/size`],
      ['POST', PROPERTIES],
    ] as [string, string][]) {
      const form = { name: 'x', owner: 'nobody', sharing: 'app', value: '1', __conf: 'new', __stanza: 'x' };
      const reply = await call(method, path, { ...alice, ...(method === 'POST' ? { form } : {}) });
      assert.strictEqual(reply.status, 403, `${method} ${path}`);
      assert.match(reply.json.messages[0].text, /user=alice.*requires capability: admin_all_objects/);
    }
    await call('POST', CONF, { form: { name: 'hidden', key: '1' } });
    assert.notInclude(names(await call('GET', CONF, alice)), 'hidden');
    assert.strictEqual((await call('GET', `${CONF}/hidden`, alice)).status, 404);
    assert.strictEqual((await call('GET', `${CONF}/hidden`)).status, 200);
    const form = { owner: 'nobody', sharing: 'global', 'perms.read': '*', 'perms.write': 'admin, user' };
    const acl = await call('POST', `${CONF}/hidden/acl`, { form });
    assert.deepEqual(acl.json.entry[0].acl.perms, { read: ['*'], write: ['admin', 'user'] });
    assert.strictEqual(acl.json.entry[0].acl.sharing, 'global');
    assert.strictEqual((await call('POST', `${CONF}/hidden`, { ...alice, form: { key: '2' } })).status, 200);
    // Now that it is exported, other apps see it.
    assert.include(names(await call('GET', '/servicesNS/nobody/search/configs/conf-fixture')), 'hidden');
    await call('DELETE', `${CONF}/hidden`);
  });

  it('hide a file and its defaults from users whom metadata denies access, in both APIs', async () => {
    const home = temporaryFolder();
    writeFiles(join(home, 'etc/apps/closed'), {
      'default/app.conf': '[package]\nid = closed\n',
      'default/closed.conf': '[default]\ncommon = default-canary\n\n[shipped]\nown = shipped-canary\n',
      'metadata/default.meta': '[]\naccess = read : [ * ]\n\n[closed]\naccess = read : [ admin ], write : [ admin ]\n',
    });
    const restarted = await startTestPlatform({ home });
    const form = { name: 'alice', password: 'alice-secret', roles: 'user' };
    await restarted.call('POST', '/services/authentication/users', { form });
    const conf = '/servicesNS/nobody/closed/configs/conf-closed';
    const properties = '/servicesNS/nobody/closed/properties/closed';
    const bases = [conf, properties, '/servicesNS/-/-/configs/conf-closed', '/services/configs/conf-closed'];
    const stanzas = ['', '/shipped', '/default', '/_new', '/shipped/own', '/default/common'];
    const paths = bases.flatMap((base) => stanzas.map((stanza) => base + stanza));
    let seen = 0;
    for (const path of paths) {
      if ((await restarted.call('GET', `${path}?output_mode=json`)).text.includes('canary')) seen += 1;
      assert.notInclude((await restarted.call('GET', `${path}?output_mode=json`, alice)).text, 'canary', path);
    }
    assert.isAbove(seen, 8, 'the administrator sees them');
    await restarted.close();
    rmSync(home, { recursive: true });
  });

  it('show system stanzas in every app, and private stanzas only in their own', async () => {
    assert.include(names(await call('GET', '/servicesNS/nobody/fixture/configs/conf-web')), 'settings');
    assert.include(names(await call('GET', '/services/configs/conf-web')), 'settings');
    assert.notInclude(names(await call('GET', '/services/configs/conf-fixture')), 'shipped');
    assert.include(names(await call('GET', '/servicesNS/-/-/configs/conf-fixture')), 'shipped');
    assert.deepEqual((await call('GET', '/services/configs/conf-nosuch')).json.entry, []);
  });

  it('offer the same through properties', async () => {
    assert.includeMembers(names(await call('GET', PROPERTIES)), ['fixture', 'web', 'app']);
    assert.include(names(await call('GET', `${PROPERTIES}/fixture`)), 'shipped');
    const stanza = (await call('GET', `${PROPERTIES}/fixture/shipped`)).json.entry;
    assert.deepInclude(
      stanza.map((entry: { name: string; content: string }) => [entry.name, entry.content]),
      ['place', 'default'],
    );
    const value = await call('GET', `${PROPERTIES}/fixture/shipped/place`);
    assert.strictEqual(value.text, 'default');
    assert.strictEqual((await call('GET', `${PROPERTIES}/nosuch`)).status, 404);
    assert.strictEqual((await call('GET', `${PROPERTIES}/fixture/nosuch`)).status, 404);
    assert.strictEqual((await call('GET', `${PROPERTIES}/fixture/shipped/nosuch`)).status, 404);
    assert.strictEqual((await call('POST', PROPERTIES, { form: { __conf: 'brandnew' } })).status, 201);
    assert.strictEqual((await call('POST', PROPERTIES, { form: { __conf: 'brandnew' } })).status, 303);
    assert.strictEqual((await call('POST', `${PROPERTIES}/brandnew`, { form: { __stanza: 's' } })).status, 201);
    assert.strictEqual((await call('POST', `${PROPERTIES}/brandnew`, { form: { __stanza: 's' } })).status, 303);
    await call('POST', `${PROPERTIES}/brandnew/s`, { form: { a: '1' } });
    await call('POST', `${PROPERTIES}/brandnew/s/b`, { form: { value: '2' } });
    const written = (await call('GET', '/servicesNS/nobody/fixture/configs/conf-brandnew/s')).json.entry[0].content;
    assert.include(written, { a: '1', b: '2' });
    assert.strictEqual((await call('DELETE', `${PROPERTIES}/brandnew/s`)).status, 405);
  });

  it('answer _new, acl and disable', async () => {
    const blank = (await call('GET', `${CONF}/_new`)).json.entry[0];
    assert.include(blank.content, { common: 'yes' });
    assert.deepEqual(blank.fields.required, ['name']);
    const acl = (await call('GET', `${CONF}/shipped/acl`)).json.entry[0];
    assert.strictEqual(acl.acl.app, 'fixture');
    assert.isTrue((await call('POST', `${CONF}/shipped/disable`)).json.entry[0].content.disabled);
    assert.isFalse((await call('POST', `${CONF}/shipped/enable`)).json.entry[0].content.disabled);
    await call('DELETE', `${CONF}/shipped`);
  });

  it('survive a restart', async () => {
    const home = temporaryFolder();
    writeFiles(join(home, 'etc/apps/fixture'), FIXTURE_APP);
    let restarted = await startTestPlatform({ home });
    await restarted.call('POST', CONF, { form: { name: 'kept', key: 'value' } });
    await restarted.close();
    assert.isTrue(existsSync(join(home, 'etc/apps/fixture/local/fixture.conf')));
    restarted = await startTestPlatform({ home });
    assert.strictEqual(
      (await restarted.call('GET', `${CONF}/kept?output_mode=json`)).json.entry[0].content.key,
      'value',
    );
    await restarted.close();
    rmSync(home, { recursive: true });
  });

  it('list, create and remove apps', async () => {
    const APPS = '/services/apps/local';
    assert.includeMembers(names(await call('GET', APPS)), ['search', 'fixture']);
    const { content } = (await call('GET', `${APPS}/fixture`)).json.entry[0];
    assert.include(content, { label: 'Fixture', version: '1.2.3', disabled: false });
    assert.strictEqual((await call('POST', APPS, { form: { name: 'made' } })).status, 201);
    assert.strictEqual((await call('POST', APPS, { form: { name: 'made' } })).status, 409);
    assert.strictEqual(
      (await call('POST', '/servicesNS/nobody/made/configs/conf-x', { form: { name: 's' } })).status,
      201,
    );
    for (const name of ['../evil', 'a/b', '.hidden', 'dot.']) {
      assert.strictEqual((await call('POST', APPS, { form: { name } })).status, 400, name);
    }
    assert.strictEqual((await call('DELETE', `${APPS}/made`)).status, 200);
    assert.strictEqual((await call('GET', `${APPS}/made`)).status, 404);
    assert.strictEqual((await call('GET', '/servicesNS/nobody/made/configs/conf-x')).status, 404);
    assert.strictEqual((await call('DELETE', `${APPS}/fixture`)).status, 400);
  });
});
