import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadApps, localConfFile, mergedConf } from '../../src/apps/apps.ts';
import { createMetadata, parseAccess, writeAccess } from '../../src/apps/metadata.ts';
import { parseConf, writeStanza } from '../../src/confs/conf.ts';

describe('metadata', () => {
  const meta = createMetadata(
    parseConf(
      [
        '[]',
        'access = read : [ * ], write : [ admin, sc_admin ]',
        'export = none',
        '[collections]',
        'access = read : [ ml_admin ]',
        '[collections/open%2Fx]',
        'access = read : [ * ], write : [ * ]',
        '[collections/closed]',
        'access = read : [ ], write : [ ]',
        '[commands]',
        'export = system',
        '[commands/hidden]',
        'export = none',
      ].join('\n'),
    ),
    parseConf('[collections/closed]\naccess = read : [ auditor ]\n'),
  );

  it('uses the most specific stanza and inherits absent keys', () => {
    expect(meta.access('collections/open%2Fx')).to.deep.equal({ read: ['*'], write: ['*'] });
    expect(meta.access('collections/other')).to.deep.equal({ read: ['ml_admin'], write: ['admin', 'sc_admin'] });
    expect(meta.access('views/x')).to.deep.equal({ read: ['*'], write: ['admin', 'sc_admin'] });
    expect(meta.access('[]')).to.deep.equal({ read: ['*'], write: ['admin', 'sc_admin'] });
  });

  it('merges local over default', () => {
    expect(meta.access('collections/closed').read).to.deep.equal(['auditor']);
  });

  it('reads exports', () => {
    expect(meta.exported('commands/agentstatus')).to.equal(true);
    expect(meta.exported('commands/hidden')).to.equal(false);
    expect(meta.exported('collections/x')).to.equal(false);
  });

  it('lets only administrators write by default, and nobody if the rule is malformed', () => {
    expect(createMetadata({}, {}).access('x')).to.deep.equal({ read: ['*'], write: ['admin', 'sc_admin'] });
    expect(parseAccess('read : admin')).to.deep.equal({ read: [] });
  });
});

describe('hosted apps', () => {
  let home: string;
  const put = (path: string, text: string) => {
    const file = join(home, 'etc', 'apps', path);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text);
    return file;
  };
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'apps-'));
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  it('read back the access rules that REST writes', () => {
    put('a/default/app.conf', '');
    const [app] = loadApps(home);
    if (app === undefined) throw new Error('no app');
    writeAccess(app, 'lookups', 'a/b c', { owner: 'nobody', sharing: 'global', read: ['a', 'b'], write: undefined });
    writeAccess(app, 'lookups', 'a/b c', { owner: 'nobody', sharing: 'global', read: undefined, write: [] });
    expect(app.access('lookups/a%2Fb%20c')).to.deep.equal({ read: ['a', 'b'], write: [] });
    expect(app.isExported('lookups/a%2Fb%20c')).to.equal(true);
  });

  it('are the folders below etc/apps', () => {
    expect(loadApps(home)).to.deep.equal([]);
    put('b/default/app.conf', '');
    put('a/default/app.conf', '');
    put('.hidden/default/app.conf', '');
    put('file.txt', '');
    expect(loadApps(home).map((app) => app.name)).to.deep.equal(['a', 'b']);
  });

  it('merge default and local, and see every change', () => {
    const file = put('a/default/x.conf', '[s]\na = 1\nb = 1\n');
    put('a/local/x.conf', '[s]\nb = 2\n');
    const [app] = loadApps(home);
    if (!app) throw new Error('no app');
    expect(app.conf('x')).to.deep.equal({ s: { a: '1', b: '2' } });
    for (let round = 10; round < 30; round += 1) {
      writeFileSync(file, `[s]\na = ${round}\nb = 1\n`);
      expect(app.conf('x').s?.a).to.equal(String(round));
    }
    writeStanza(localConfFile(app, 'x'), 's', { b: '3' });
    expect(app.conf('x').s?.b).to.equal('3');
    rmSync(localConfFile(app, 'x'));
    expect(app.conf('x').s?.b).to.equal('1');
  });

  it('return frozen objects, and the same one while the file is unchanged', async () => {
    const file = put('a/default/x.conf', '[s]\na = 1\n');
    utimesSync(file, 1, 1);
    const [app] = loadApps(home);
    await new Promise((resolve) => setTimeout(resolve, 150));
    const conf = app?.conf('x');
    expect(app?.conf('x')).to.equal(conf);
    expect(() => {
      (conf as Record<string, unknown>).t = {};
    }).to.throw();
  });

  it('refuse conf names that are paths', () => {
    put('a/default/x.conf', '');
    const [app] = loadApps(home);
    for (const name of ['../x', 'a/b', '', '.x', 'x\0'])
      expect(() => app?.conf(name), name).to.throw('not a conf name');
  });

  it('merge over apps; the first by name wins', () => {
    put('a/default/x.conf', '[s]\nk = a\n');
    put('b/local/x.conf', '[s]\nk = b\nl = b\n');
    expect(mergedConf(loadApps(home), 'x')).to.deep.equal({ s: { k: 'a', l: 'b' } });
  });

  it('read local.meta as it changes', () => {
    put('a/metadata/default.meta', '[]\naccess = read : [ * ], write : [ admin ]\n');
    const [app] = loadApps(home);
    expect(app?.access('collections/x').write).to.deep.equal(['admin']);
    put('a/metadata/local.meta', '[collections/x]\naccess = read : [ r ], write : [ w ]\nexport = system\n');
    expect(app?.access('collections/x')).to.deep.equal({ read: ['r'], write: ['w'] });
    expect(app?.isExported('collections/x')).to.equal(true);
  });
});
