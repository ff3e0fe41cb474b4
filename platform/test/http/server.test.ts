import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { type ConnectionOptions, connect as connectTls } from 'node:tls';
import { assert } from 'chai';
import { serverCertificate } from '../../src/http/certificate.ts';
import { startFixture, type TestPlatform, temporaryFolder } from '../support/platform.ts';

describe('embedded server', () => {
  let platform: TestPlatform;
  let stop: () => Promise<void>;

  before(async () => {
    ({ platform, stop } = await startFixture());
  });
  after(() => stop());

  const text = async (method: string, path: string): Promise<[number, string, string]> => {
    const { status, json } = await platform.call(method, `${path}?output_mode=json`);
    return [status, json.messages[0].type, json.messages[0].text];
  };

  /** Sends bytes and returns all bytes until the server closes. */
  const raw = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(platform.port, '127.0.0.1', () => socket.write(bytes));
      let found = '';
      socket.on('data', (chunk) => {
        found += chunk.toString();
      });
      socket.on('end', () => resolve(found));
      socket.on('error', reject);
    });
  const auth = `Authorization: Basic ${Buffer.from('admin:admin-of-tests').toString('base64')}\r\n`;

  it("sends splunkd's headers with every reply", async () => {
    for (const path of ['/services/server/info', '/services/nosuch', '/services/echo']) {
      const { headers } = await platform.call('GET', path);
      assert.include(headers, {
        expires: 'Thu, 26 Oct 1978 00:00:00 GMT',
        'cache-control': 'no-store, no-cache, must-revalidate, max-age=0',
        vary: 'Cookie, Authorization',
        'x-frame-options': 'SAMEORIGIN',
        server: 'Splunkd',
      });
      assert.property(headers, 'date');
      assert.property(headers, 'content-length');
      assert.match(String(headers.connection), /^(Keep-Alive|close)$/);
    }
  });

  it("refuses paths in the platform's order and with its messages", async () => {
    assert.deepEqual(await text('GET', '/services'), [404, 'ERROR', 'Not Found']);
    assert.deepEqual(await text('GET', '/services/'), [404, 'ERROR', 'Not Found']);
    assert.deepEqual(await text('GET', '/'), [404, 'ERROR', 'Not Found']);
    assert.deepEqual(await text('GET', '/services/no/such'), [404, 'ERROR', 'Not Found']);
    assert.deepEqual(await text('GET', '/services/search/nosuch'), [404, 'FATAL', 'Unknown endpoint.']);
    assert.deepEqual(await text('GET', '/servicesNS/NoSuch/search/echo'), [
      404,
      'ERROR',
      'User does not exist: nosuch',
    ]);
    assert.deepEqual(await text('GET', '/servicesNS/nobody/nosuch/echo'), [
      404,
      'ERROR',
      'Application does not exist: nosuch',
    ]);
    assert.deepEqual(await text('PUT', '/services/server/info'), [404, 'ERROR', "Requested invalid action 'PUT'."]);
    for (const [method, path] of [
      ['PATCH', '/services/server/info'],
      ['PATCH', '/services/search/jobs/nosuch'],
      ['PUT', '/services/search/jobs/nosuch/control'],
    ] as const) {
      assert.deepEqual(await text(method, path), [405, 'ERROR', 'Method Not Allowed']);
      assert.notProperty((await platform.call(method, path)).headers, 'allow');
    }
    const xml = await platform.call('GET', '/servicesNS/NoSuch/search/echo');
    assert.include(xml.text, '<msg type="ERROR">User does not exist: nosuch</msg>');
  });

  it('applies the wildcard rules to the namespace', async () => {
    for (const [path, ns] of [
      ['/services/echo', undefined],
      ['/servicesNS/-/-/echo', {}],
      ['/servicesNS/-/fixture/echo', { app: 'fixture' }],
      ['/servicesNS/nobody/fixture/echo', { app: 'fixture', user: 'nobody' }],
      ['/servicesNS/admin/-/echo', { user: 'admin' }],
    ] as [string, object | undefined][]) {
      const { status, json } = await platform.call('GET', path);
      assert.strictEqual(status, 200, path);
      if (ns !== undefined && Object.keys(ns).length > 0) assert.deepEqual(json.ns, ns, path);
      else assert.isTrue(json.ns === undefined || Object.keys(json.ns).length === 0, path);
    }
  });

  it('answers malformed percent-encoding and NUL with 400', async () => {
    for (const path of ['/services/a%zz', '/services/echo?a=%E0%A4', '/services/%00', '/services/%']) {
      assert.strictEqual((await platform.call('GET', path)).status, 400, path);
    }
    const lenient = await platform.call('POST', '/services/echo', {
      body: '100%',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    });
    assert.strictEqual(lenient.json.payload, '100%');
  });

  it('answers 400 to bytes that are not HTTP, and continues', async () => {
    assert.match(await raw('hello\r\n\r\n'), /^HTTP\/1.1 400 /);
    assert.match(
      await raw(`GET /services/server/info HTTP/1.1\r\nHost: h\r\nX: ${'a'.repeat(70_000)}\r\n\r\n`),
      /^HTTP\/1.1 431 /,
    );
    assert.strictEqual((await platform.call('GET', '/services/server/info')).status, 200);
  });

  it('refuses a URL that is longer than any in use', async () => {
    const get = (length: number) => platform.call('GET', `/services/echo?output_mode=json&a=${'a'.repeat(length)}`);
    assert.strictEqual((await get(30_000)).status, 200);
    const { status, json } = await get(33_000);
    assert.deepEqual([status, json.messages], [414, [{ type: 'ERROR', text: 'Request-URI Too Long' }]]);
  });

  it('answers in the output modes of an endpoint, and says which others it knows', async () => {
    const refusal = async (path: string, mode: string) => {
      const { status, headers, text } = await platform.call('GET', `${path}?output_mode=${mode}`);
      return [status, String(headers['content-type']).split(';')[0], text];
    };
    for (const mode of ['bogus', '']) {
      const [status, type, body] = await refusal('/services/apps/local', mode);
      assert.deepEqual([status, type], [400, 'text/xml']);
      assert.include(body, `<msg type="ERROR">Invalid output mode specified (${mode}).</msg>`);
    }
    for (const mode of ['csv', 'raw', 'atom', 'json_rows', 'json_cols']) {
      const [status, type, body] = await refusal('/services/apps/local', mode);
      assert.deepEqual([status, type], [400, mode.startsWith('json') ? 'application/json' : 'text/xml']);
      assert.match(String(body), /WARN.*Output mode (?:'|&apos;)\w+(?:'|&apos;) is not supported for this endpoint\./);
    }
    assert.strictEqual((await refusal('/services/apps/local', 'JSON'))[1], 'application/json');
    for (const mode of ['csv', 'json_rows']) {
      const [status, , body] = await refusal('/services/search/jobs', mode);
      assert.strictEqual(status, 400);
      assert.match(String(body), /FATAL.*Invalid output_mode\./);
    }
    // A driver answers in what it likes.
    assert.strictEqual((await refusal('/services/echo', 'bogus'))[0], 200);
  });

  it('refuses unknown arguments of reading, but not of configurations', async () => {
    const status = async (method: string, path: string) => (await platform.call(method, path)).status;
    for (const path of ['apps/local', 'apps/local/fixture', 'authorization/roles', 'storage/passwords', 'messages']) {
      assert.strictEqual(await status('GET', `/services/${path}?nosuch=1`), 400, path);
      assert.strictEqual(await status('GET', `/services/${path}?count=1&add_orphan_field=yes`), 200, path);
    }
    assert.strictEqual(await status('DELETE', '/services/authorization/roles/nosuch?nosuch=1'), 400);
    assert.strictEqual(await status('GET', '/services/configs/conf-fixture?nosuch=1'), 200);
    const { json } = await platform.call('GET', '/services/messages?sort_dir=up&output_mode=json');
    assert.deepEqual(json.messages, [{ type: 'ERROR', text: 'Unknown sort order "up".' }]);
  });

  it('answers 400 to two Host headers', async () => {
    const get = (hosts: string) =>
      raw(`GET /services/server/info HTTP/1.1\r\n${hosts}${auth}Connection: close\r\n\r\n`);
    for (const hosts of ['Host: h\r\nHost: other\r\n', 'Host: h\r\nHOST: h\r\n']) {
      assert.match(await get(hosts), /^HTTP\/1\.1 400 /);
    }
    assert.match(await get('Host: h\r\n'), /^HTTP\/1\.1 200 /);
  });

  it('keeps the order of pipelined requests', async () => {
    const one = (path: string, more = '') => `GET ${path}?output_mode=json HTTP/1.1\r\nHost: h\r\n${auth}${more}\r\n`;
    const reply = await raw(
      one('/services/echo') + one('/services/nosuch') + one('/services/messages', 'Connection: close\r\n'),
    );
    const statuses = [...reply.matchAll(/HTTP\/1\.1 (\d+)/g)].map((match) => match[1]);
    assert.deepEqual(statuses, ['200', '404', '200']);
    assert.match(reply, /"rest_path":"\/echo"[\s\S]*Not Found[\s\S]*services\/messages/);
  });

  it('refuses a body that is announced as too large without reading it', async () => {
    const reply = await raw(
      `POST /services/echo HTTP/1.1\r\nHost: h\r\n${auth}Connection: close\r\nContent-Length: 999999999\r\n\r\n`,
    );
    assert.match(reply, /^HTTP\/1\.1 413 /);
  });

  it('refuses a large body without credentials', async () => {
    const body = 'x'.repeat(2_000_000);
    assert.strictEqual((await platform.call('POST', '/services/auth/login', { as: null, body })).status, 413);
  });

  it('passes large bodies to handlers', async () => {
    const body = JSON.stringify({ text: 'ü'.repeat(3_000_000) });
    const reply = await platform.call('POST', '/services/echo', {
      body,
      headers: { 'Content-Type': 'application/json' },
    });
    assert.strictEqual(reply.json.payload, body);
  });

  it('reports its version and identity', async () => {
    const { content } = (await platform.call('GET', '/services/server/info?output_mode=json')).json.entry[0];
    assert.include(content, { version: '10.4.2', licenseState: 'OK', kvStoreStatus: 'ready', isFree: false });
    // No release has this build, so it identifies an embedded platform.
    assert.include(content, { build: '000000000000' });
    assert.deepEqual(content.license_labels, ['Embedded platform']);
    const settings = (await platform.call('GET', '/services/server/settings?output_mode=json')).json.entry[0].content;
    assert.include(settings, { SPLUNK_HOME: platform.home, mgmtHostPort: platform.port });
    const kv = (await platform.call('GET', '/services/kvstore/status?output_mode=json')).json.entry[0].content;
    assert.strictEqual(kv.current.status, 'ready');
    assert.deepEqual((await platform.call('GET', '/services/messages?output_mode=json')).json.entry, []);
  });
});

describe('embedded server with TLS', () => {
  it('has a certificate for this machine that can be trusted by its file', async () => {
    const { platform, stop } = await startFixture({ tls: true });
    assert.match(platform.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const ca = readFileSync(`${platform.home}/etc/auth/server.pem`);
    const names = await new Promise<string>((resolve, reject) => {
      const socket = connectTls({ port: platform.port, host: '127.0.0.1', ca }, () => {
        resolve(socket.getPeerCertificate().subjectaltname ?? '');
        socket.destroy();
      });
      socket.on('error', reject);
    });
    for (const name of ['DNS:localhost', 'IP Address:127.0.0.1', 'IP Address:0:0:0:0:0:0:0:1'])
      assert.include(names, name);
    assert.strictEqual((await platform.call('GET', '/services/server/info')).status, 200);
    await stop();
  });

  it('speaks TLS 1.2 and no other version', async () => {
    const { platform, stop } = await startFixture({ tls: true });
    const spoken = (options: ConnectionOptions): Promise<string | null> =>
      new Promise((resolve) => {
        const socket = connectTls(
          { ...options, port: platform.port, host: '127.0.0.1', rejectUnauthorized: false },
          () => {
            resolve(socket.getProtocol());
            socket.destroy();
          },
        );
        socket.on('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(code));
      });
    assert.strictEqual(await spoken({}), 'TLSv1.2');
    assert.match(String(await spoken({ minVersion: 'TLSv1.3' })), /PROTOCOL_VERSION/);
    await stop();
  });

  it('reuses its certificate', async () => {
    const folder = temporaryFolder();
    const made = await serverCertificate(folder);
    assert.deepEqual(await serverCertificate(folder), made);
    assert.strictEqual(statSync(`${folder}/server.key`).mode & 0o777, 0o600);
    const certificate = new X509Certificate(made.cert);
    assert.isTrue(certificate.verify(certificate.publicKey));
    assert.isTrue(certificate.checkPrivateKey(createPrivateKey(made.key)));
    rmSync(folder, { recursive: true });
  });
});
