import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { assert } from 'chai';
import { FIXTURE_APP, startTestPlatform, type TestPlatform, temporaryFolder, writeFiles } from '../support/platform.ts';

const AS_GUEST = 'guest:guest-password';
const AS_HOLDER = 'holder:holder-password';

/** No app.conf, settings in both folders, a program in bin: every folder of etc/apps is an app. */
const OTHER: Record<string, string> = {
  'default/restmap.conf':
    '[script:other]\nmatch = /other\nscripttype = persist\ndriver = echo\nscript = x\noutput_modes = json\ncapability.get = other_read\n',
  'local/restmap.conf': '[script:other]\npassPayload = true\n',
  'default/web.conf': '[expose:other]\npattern = other/**\n',
  'default/authorize.conf':
    '[capability::other_read]\n\n[role_other_holder]\nimportRoles = user\nother_read = enabled\n',
  'default/collections.conf': '[things]\n[secrets]\n',
  'local/collections.conf': '[more]\n',
  'metadata/default.meta': '[]\naccess = read : [ * ], write : [ * ]\nexport = none\n',
  'metadata/local.meta': '[collections/secrets]\naccess = read : [ other_holder ], write : [ other_holder ]\n',
  'bin/echo': FIXTURE_APP['bin/echo'] ?? '',
};

describe('further apps in the home', () => {
  let folder: string;
  let home: string;
  let platform: TestPlatform;
  const start = async (): Promise<void> => {
    platform = await startTestPlatform({ home, app: join(folder, 'fixture') });
  };

  before(async () => {
    folder = temporaryFolder();
    home = join(folder, 'home');
    writeFiles(join(folder, 'fixture'), FIXTURE_APP);
    writeFiles(join(home, 'etc/apps/other'), OTHER);
    await start();
    for (const [name, roles] of [
      ['guest', 'user'],
      ['holder', 'other_holder'],
    ] as const) {
      const form = { name, password: `${name}-password`, roles };
      assert.strictEqual((await platform.call('POST', '/services/authentication/users', { form })).status, 201);
    }
  });
  after(async () => {
    await platform.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('have their handlers, with local settings above those of default', async () => {
    const reply = await platform.call('POST', '/servicesNS/nobody/other/other/x', { body: '{"a":1}' });
    assert.strictEqual(reply.status, 200);
    assert.strictEqual(reply.json.payload, '{"a":1}');
    assert.strictEqual(reply.json.restmap.conf.passPayload, 'true');
    assert.isTrue(existsSync(join(home, 'etc/apps/fixture/default/app.conf')));
    assert.strictEqual((await platform.call('GET', '/services/echo')).status, 200);
  });

  it('have their capabilities, roles and gates', async () => {
    assert.strictEqual((await platform.call('GET', '/services/other', { as: AS_GUEST })).status, 403);
    assert.strictEqual((await platform.call('GET', '/services/other', { as: AS_HOLDER })).status, 200);
  });

  it('have their collections and access rules', async () => {
    const data = '/servicesNS/nobody/other/storage/collections/data';
    for (const name of ['things', 'more']) {
      assert.strictEqual(
        (await platform.call('POST', `${data}/${name}`, { body: '{}', as: AS_GUEST })).status,
        201,
        name,
      );
    }
    assert.strictEqual((await platform.call('GET', `${data}/secrets`, { as: AS_GUEST })).status, 403);
    assert.strictEqual((await platform.call('GET', `${data}/secrets`, { as: AS_HOLDER })).status, 200);
    assert.strictEqual((await platform.call('GET', `${data}/none`, { as: AS_HOLDER })).status, 404);
  });

  it('keep local/ through a restart', async () => {
    const conf = '/servicesNS/nobody/other/configs/conf-own';
    assert.strictEqual((await platform.call('POST', conf, { form: { name: 'set', key: 'value' } })).status, 201);
    assert.include(readFileSync(join(home, 'etc/apps/other/local/own.conf'), 'utf8'), 'key = value');
    await platform.close();
    await start();
    const { json } = await platform.call('GET', `${conf}/set?output_mode=json`);
    assert.strictEqual(json.entry[0].content.key, 'value');
    assert.strictEqual((await platform.call('GET', '/services/other', { as: AS_HOLDER })).status, 200);
  });
});
