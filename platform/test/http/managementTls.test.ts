import { X509Certificate } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { join } from 'node:path';
import { assert } from 'chai';
import { StartError } from '../../src/home/home.ts';
import { startTestPlatform, temporaryFolder, writeFiles } from '../support/platform.ts';
import { Browser } from '../support/web.ts';

describe('embedded server with a certificate as splunkd makes it', () => {
  let home: string;
  beforeEach(() => {
    home = temporaryFolder();
  });
  afterEach(() => rmSync(home, { recursive: true, force: true }));

  const file = (name: string) => readFileSync(join(home, 'etc/auth', name), 'utf8');
  const start = (certificate: 'named' | 'splunkd' = 'splunkd') =>
    startTestPlatform({ home, tls: true, certificate, web: { port: 0 } });
  const status = (url: string, more: object) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { ca: file('cacert.pem'), checkServerIdentity: () => undefined, agent: false, ...more };
      get(`${url}/services/server/info`, options, ({ statusCode }) => resolve(statusCode)).on('error', reject);
    });

  it('is of a CA that server.conf names, and has no name of a host', async () => {
    const platform = await start();
    assert.strictEqual(await status(platform.url, {}), 401);
    await platform.close();
    const [certificate, authority] = [file('server.pem'), file('cacert.pem')].map((pem) => new X509Certificate(pem));
    assert.match(certificate?.subject ?? '', /^CN=SplunkServerDefaultCert$/m);
    assert.isUndefined(certificate?.subjectAltName);
    assert.isTrue(authority && certificate?.verify(authority.publicKey));
    assert.isFalse(certificate?.verify(certificate.publicKey));
    const conf = readFileSync(join(home, 'etc/system/default/server.conf'), 'utf8');
    assert.include(conf, '\ncaCertFile = $SPLUNK_HOME/etc/auth/cacert.pem\n');
  });

  it('is kept, and made anew for another kind', async () => {
    const made: string[] = [];
    for (const kind of ['splunkd', 'splunkd', 'named', 'named'] as const) {
      await (await start(kind)).close();
      made.push(file('server.pem'));
    }
    assert.strictEqual(made[0], made[1]);
    assert.notStrictEqual(made[1], made[2]);
    assert.strictEqual(made[2], made[3]);
    assert.strictEqual(file('cacert.pem'), made[2]);
  });

  it('is asked of clients where server.conf requires it, the web side among them', async () => {
    writeFiles(home, { 'etc/system/local/server.conf': '[sslConfig]\nrequireClientCert = true\n' });
    for (const kind of ['named', 'splunkd'] as const) {
      const platform = await start(kind);
      const refused = await status(platform.url, {}).catch((error: Error) => error.message);
      assert.match(String(refused), /alert (handshake failure|certificate required)/);
      assert.strictEqual(await status(platform.url, { key: file('server.key'), cert: file('server.pem') }), 401);
      const browser = new Browser(platform.web?.url ?? '');
      await browser.login();
      assert.strictEqual((await browser.raw('GET', '/services/authentication/current-context')).status, 200);
      await platform.close();
    }
  });

  it('cannot be asked of clients without a CA', async () => {
    mkdirSync(join(home, 'etc/system/local'), { recursive: true });
    writeFileSync(
      join(home, 'etc/system/local/server.conf'),
      '[sslConfig]\nrequireClientCert = true\nsslRootCAPath = $SPLUNK_HOME/none.pem\n',
    );
    const error = await start().catch((thrown: unknown) => thrown);
    assert.instanceOf(error, StartError);
    assert.match((error as Error).message, /requireClientCert.*none\.pem/);
  });
});
