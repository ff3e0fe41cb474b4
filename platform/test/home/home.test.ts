import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { assert } from 'chai';
import { openHome, StartError } from '../../src/home/home.ts';
import { installApp } from '../../src/install/install.ts';
import { folderSource, packageSource } from '../../src/install/source.ts';
import { startPlatform } from '../../src/platform.ts';
import { FIXTURE_APP, temporaryFolder, writeFiles } from '../support/platform.ts';
import { tar } from '../support/tar.ts';

describe('embedded data folder', () => {
  let folder: string;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('is made for its owner alone, with the folders the platform has', () => {
    const home = openHome(join(folder, 'deep', 'home'));
    assert.strictEqual(statSync(home.dir).mode & 0o777, 0o700);
    for (const name of ['etc/apps/search', 'etc/auth', 'var/log/splunk', 'var/run/splunk/lookup_tmp']) {
      assert.isTrue(existsSync(join(home.dir, name)), name);
    }
    home.release();
    const again = openHome(home.dir);
    assert.strictEqual(again.guid, home.guid);
    again.release();
  });

  it('of a newer version is refused', () => {
    openHome(folder).release();
    const file = join(folder, 'platform.json');
    writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), layout: 99 }));
    assert.throws(() => openHome(folder), StartError, /written by a newer version \(layout 99/);
    writeFileSync(file, 'nonsense');
    assert.throws(() => openHome(folder), StartError, /platform\.json cannot be read/);
    writeFileSync(file, '{}');
    assert.throws(() => openHome(folder), StartError, /is not the version file/);
  });

  it('that cannot be made or written is refused', () => {
    writeFileSync(join(folder, 'file'), '');
    assert.throws(() => openHome(join(folder, 'file')), StartError, /cannot be written/);
    assert.throws(() => openHome(join(folder, 'file', 'below')), StartError, /cannot be written/);
  });

  it('refuses an app that exposes a path without an endpoint', async () => {
    writeFiles(join(folder, 'etc/apps/bad'), { ...FIXTURE_APP, 'default/web.conf': '[expose:x]\npattern = nowhere\n' });
    const start = startPlatform({ home: folder, port: 0, tls: false, adminPassword: 'x' });
    const error = await start.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    assert.instanceOf(error, StartError);
    assert.match(String(error), /app bad, web\.conf \[expose:x\].*nowhere/);
    // The folder is free again.
    openHome(folder).release();
  });
});

describe('installation of an app', () => {
  let folder: string;
  let home: string;
  beforeEach(() => {
    folder = temporaryFolder();
    home = join(folder, 'home');
    mkdirSync(join(home, 'etc', 'apps'), { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const at = (name: string) => join(home, 'etc/apps/fixture', name);
  const pack = (files: Record<string, string>, top = 'fixture'): string => {
    const file = join(folder, 'app.spl');
    const named = Object.entries(files).map(([name, text]) => ({ path: `${top}/${name}`, data: Buffer.from(text) }));
    writeFileSync(file, gzipSync(tar(named)));
    return file;
  };

  it('replaces everything except local changes', async () => {
    const built = join(folder, 'built');
    writeFiles(built, {
      ...FIXTURE_APP,
      'bin/old': 'old',
      'bin/large': 'x'.repeat(300_000),
      'local/shipped.conf': 'no',
    });
    installApp(home, folderSource(built));
    assert.isTrue(existsSync(at('bin/large')));
    assert.isFalse(existsSync(at('local/shipped.conf')));
    writeFiles(at(''), { 'local/fixture.conf': '[mine]\n', 'metadata/local.meta': '[]\n' });
    const next = {
      ...FIXTURE_APP,
      'default/app.conf': `${FIXTURE_APP['default/app.conf']}# two\n`,
      'local/fixture.conf': 'theirs',
    };
    installApp(home, await packageSource(pack(next)));
    assert.isFalse(existsSync(at('bin/old')));
    assert.include(readFileSync(at('default/app.conf'), 'utf8'), '# two');
    assert.strictEqual(readFileSync(at('local/fixture.conf'), 'utf8'), '[mine]\n');
    assert.strictEqual(readFileSync(at('metadata/local.meta'), 'utf8'), '[]\n');
    assert.strictEqual(statSync(at('bin/echo')).mode & 0o700, 0o700);
  });

  it("keeps users' lookups, and updates unchanged ones of the app", async () => {
    const shipped = (version: string) => ({
      ...FIXTURE_APP,
      'lookups/untouched.csv': `untouched ${version}`,
      'lookups/changed.csv': `changed ${version}`,
    });
    installApp(home, await packageSource(pack(shipped('1'))));
    writeFiles(at(''), { 'lookups/model.mlspl': 'a model', 'lookups/deep/er.csv': 'deep' });
    // By rename, as the platform does.
    rmSync(at('lookups/changed.csv'));
    writeFiles(at(''), { 'lookups/changed.csv': 'mine' });
    for (const version of ['1', '2', '2']) {
      installApp(home, await packageSource(pack(shipped(version))));
      assert.strictEqual(readFileSync(at('lookups/model.mlspl'), 'utf8'), 'a model');
      assert.strictEqual(readFileSync(at('lookups/deep/er.csv'), 'utf8'), 'deep');
      assert.strictEqual(readFileSync(at('lookups/changed.csv'), 'utf8'), 'mine');
      assert.strictEqual(readFileSync(at('lookups/untouched.csv'), 'utf8'), `untouched ${version}`);
    }
    installApp(home, await packageSource(pack(FIXTURE_APP)));
    assert.strictEqual(readFileSync(at('lookups/model.mlspl'), 'utf8'), 'a model');
    assert.isFalse(existsSync(at('lookups/untouched.csv')));
  });

  it('recovers from a crash between its two renames', async () => {
    writeFiles(join(home, 'etc/.replaced-fixture'), { ...FIXTURE_APP, 'local/fixture.conf': '[mine]\n' });
    writeFiles(join(home, 'etc/.staged-fixture'), { half: '' });
    installApp(home, await packageSource(pack(FIXTURE_APP)));
    assert.strictEqual(readFileSync(at('local/fixture.conf'), 'utf8'), '[mine]\n');
    assert.isFalse(existsSync(at('half')));
  });

  it('reads long names', async () => {
    const long = `${'d'.repeat(90)}/${'e'.repeat(90)}/${'f'.repeat(120)}.txt`;
    installApp(home, await packageSource(pack({ ...FIXTURE_APP, [long]: 'deep' })));
    assert.strictEqual(readFileSync(at(long), 'utf8'), 'deep');
  });

  it('names a file that is not a package, with the reason', async () => {
    const bad = (bytes: Buffer): string => {
      const file = join(folder, 'bad.spl');
      writeFileSync(file, bytes);
      return file;
    };
    const refused = async (file: string, pattern: RegExp): Promise<void> => {
      const error = await packageSource(file).then(
        () => assert.fail(`${pattern} is taken`),
        (cause: unknown) => cause,
      );
      assert.instanceOf(error, StartError);
      assert.match(error.message, pattern);
    };
    const archive = tar([{ path: 'fixture/default/app.conf', data: Buffer.from('x'.repeat(2000)) }]);
    const cases: [string, RegExp][] = [
      [join(folder, 'none.spl'), /none\.spl cannot be read: ENOENT/],
      [bad(Buffer.from('no gzip')), /bad\.spl cannot be read/],
    ];
    for (const [file, pattern] of cases) await refused(file, pattern);
    for (const [bytes, pattern] of [
      [gzipSync(Buffer.from('no tar'.repeat(200))), /damaged/],
      [gzipSync(archive.subarray(0, 1024)), /Truncated/],
      [gzipSync(archive).subarray(0, 60), /bad\.spl cannot be read/],
      [gzipSync(tar([{ path: 'fixture/x', data: Buffer.alloc(0) }])), /app\.conf is missing/],
      [gzipSync(tar([{ path: '../default/app.conf', data: Buffer.alloc(0) }])), /leaves the package/],
      [gzipSync(tar([{ path: '/fixture/default/app.conf', data: Buffer.alloc(0) }])), /leaves the package/],
      [
        gzipSync(tar([{ path: 'fixture/default/app.conf', data: Buffer.alloc(0), type: '2', link: '/etc/passwd' }])),
        /neither a file nor a folder/,
      ],
      [
        gzipSync(
          tar([
            { path: 'a/x', data: Buffer.alloc(0) },
            { path: 'b/x', data: Buffer.alloc(0) },
          ]),
        ),
        /exactly one folder/,
      ],
    ] as [Buffer, RegExp][]) {
      await refused(bad(bytes), pattern);
    }
    assert.throws(() => folderSource(join(folder, 'nothing')), StartError, /There is no app in .*nothing/);
  });
});
