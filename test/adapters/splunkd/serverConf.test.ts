import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { caFile } from '../../../src/adapters/splunkd/serverConf.ts';

describe("the CA of splunkd's own certificate", () => {
  const homes: string[] = [];
  after(() => {
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });

  /** The file below $SPLUNK_HOME, with these conf files below `etc`. */
  function fileOf(confs: Record<string, string>): string | undefined {
    const home = mkdtempSync(join(tmpdir(), 'confs-'));
    homes.push(home);
    for (const [name, text] of Object.entries(confs)) {
      mkdirSync(dirname(join(home, 'etc', name)), { recursive: true });
      writeFileSync(join(home, 'etc', name), text);
    }
    return caFile(home)?.replace(home, '$SPLUNK_HOME');
  }
  const ssl = (settings: string) => `[sslConfig]\n${settings}\n`;

  const cases: [string, Record<string, string>, string | undefined][] = [
    ['no server.conf', {}, undefined],
    ['no setting', { 'system/default/server.conf': ssl('serverCert = a.pem') }, undefined],
    [
      'caCertFile alone',
      { 'system/default/server.conf': ssl('caCertFile = $SPLUNK_HOME/etc/auth/cacert.pem') },
      '$SPLUNK_HOME/etc/auth/cacert.pem',
    ],
    [
      'sslRootCAPath of a lower layer before caCertFile of a higher one',
      {
        'system/default/server.conf': ssl('sslRootCAPath = /a.pem'),
        'system/local/server.conf': ssl('caCertFile = /b.pem'),
      },
      '/a.pem',
    ],
    [
      'an app before another by the bytes of its name, and each local before each default',
      {
        'apps/a/default/server.conf': ssl('sslRootCAPath = /a-default.pem'),
        'apps/a/local/server.conf': ssl('sslRootCAPath = /a.pem'),
        'apps/Z/local/server.conf': ssl('sslRootCAPath = /Z.pem'),
      },
      '/Z.pem',
    ],
    [
      'an app that is disabled, and one that is enabled again',
      {
        'apps/a/local/server.conf': ssl('sslRootCAPath = /a.pem'),
        'apps/a/local/app.conf': '[install]\nstate = disabled\n',
        'apps/b/local/server.conf': ssl('sslRootCAPath = /b.pem'),
        'apps/b/default/app.conf': '[install]\nstate = disabled\n',
        'apps/b/local/app.conf': '[install]\nstate = enabled\n',
      },
      '/b.pem',
    ],
    [
      'an empty value that unsets sslRootCAPath',
      {
        'system/local/server.conf': ssl('sslRootCAPath ='),
        'system/default/server.conf': ssl('sslRootCAPath = /a.pem\ncaCertFile = /b.pem'),
      },
      '/b.pem',
    ],
    ['a relative path', { 'system/local/server.conf': ssl('caCertFile = mine.pem') }, '$SPLUNK_HOME/etc/auth/mine.pem'],
    [
      'a relative path below caPath',
      {
        'system/local/server.conf': ssl('sslRootCAPath = mine.pem'),
        'system/default/server.conf': ssl('caPath = $SPLUNK_HOME/etc/tls'),
      },
      '$SPLUNK_HOME/etc/tls/mine.pem',
    ],
    [
      'comments, other stanzas, a stanza that comes twice, a byte order mark and line ends of Windows',
      {
        'system/local/server.conf':
          '\uFEFF[general]\r\nsslRootCAPath = /no.pem\r\n[sslConfig]\r\n# sslRootCAPath = /no.pem \\\r\n' +
          'sslRootCAPath = /no.pem\r\n[kvstore]\r\nsslRootCAPath = /no.pem\r\n [sslConfig]\r\n  sslRootCAPath=/a b#1.pem \r\n',
      },
      '/a b#1.pem',
    ],
    [
      'a line that goes on, in which no setting begins',
      { 'system/local/server.conf': ssl('sslRootCAPath = /a.pem\ncertCreateScript = x \\\nsslRootCAPath = /no.pem') },
      '/a.pem',
    ],
  ];
  for (const [what, confs, file] of cases) {
    it(`is read from ${what}`, () => expect(fileOf(confs)).to.equal(file));
  }

  it('is not read from a layer that is no file', () => {
    expect(
      fileOf({
        'system/local/server.conf/x': '',
        'apps/a': '',
        'system/default/server.conf': ssl('caCertFile = /b.pem'),
      }),
    ).to.equal('/b.pem');
  });
});
