import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Platform, startPlatform } from '../../src/platform.ts';
import { createFakeDriver, type Echo, type FakeDriver, failure } from '../support/fakeDriver.ts';
import { eventually, patience } from '../support/patience.ts';
import { isAlive } from '../support/processes.ts';

const RESTMAP = `
[script:open]
match = /hosted/open
scripttype = persist
driver = run.sh
passPayload = true
passHttpHeaders = true
passHttpCookies = true
requireAuthentication = false

[script:closed]
match = /hosted
scripttype = persist
driver = run.sh
passPayload = true
capability.post = hosted_write
`;

const STANZAS = ['one', 'two'];
const DRIVERS = 2;

/** Two stanzas with a launcher each. */
const TWO = STANZAS.map(
  (name) =>
    `[script:${name}]\nmatch = /${name}\nscripttype = persist\ndriver = ${name}.sh\nscript = ${name}.mjs\npassPayload = true\n`,
).join('\n');

describe('a hosted app over HTTP', () => {
  let fake: FakeDriver;
  let home: string;
  let platform: Platform;
  let dir: string;
  const start = () => startPlatform({ home, port: 0, tls: false, adminPassword: 'changeme-1', maxDrivers: DRIVERS });
  const auth = `Basic ${Buffer.from('admin:changeme-1').toString('base64')}`;
  const call = async (path: string, asked?: unknown, init: RequestInit = {}) => {
    const body = asked === undefined ? {} : { method: 'POST', body: JSON.stringify(asked) };
    const response = await fetch(`${platform.url}${path}`, {
      ...body,
      ...init,
      headers: { authorization: auth, ...(init.headers as Record<string, string>) },
    });
    return {
      status: response.status,
      headers: response.headers,
      reason: response.statusText,
      text: await response.text(),
    };
  };

  /** Two requests to a silent host, which occupy all processes. */
  it('answers 503 within 10 s while all drivers wait for silent hosts, and serves again after that', async () => {
    const hold = (ms: number) => [1, 2].map(() => call('/services/hosted/open', { do: 'slow', ms }));
    // Both processes are there first, so that a busy machine does not start them while the others already wait.
    await Promise.all(hold(500));
    const held = hold(14_000);
    await new Promise((resolve) => setTimeout(resolve, 2000));
    const started = Date.now();
    const others = await Promise.all([1, 2, 3].map(() => call('/services/hosted/open?output_mode=json')));
    const took = Date.now() - started;
    for (const { status, text } of others) {
      expect(status).to.equal(503);
      expect(text).to.contain('All driver processes were busy for 10 s. Please try again later.');
    }
    expect(took).to.be.within(9500, patience(11_500));
    for (const { status } of await Promise.all(held)) expect(status).to.equal(200);
    expect((await call('/services/hosted/open')).status).to.equal(200);
  });

  before(async () => {
    fake = createFakeDriver();
    home = mkdtempSync(join(tmpdir(), 'platform-'));
    dir = join(home, 'etc', 'apps', 'hosted');
    for (const folder of ['default', 'bin', 'local']) mkdirSync(join(dir, folder), { recursive: true });
    writeFileSync(join(dir, 'default', 'restmap.conf'), RESTMAP + TWO);
    writeFileSync(join(dir, 'default', 'web.conf'), '[expose:hosted]\npattern = hosted/**\n');
    for (const [name, argument] of [['run', ''], ...STANZAS.map((one) => [one, ` "started as ${one}"`])]) {
      const launcher = join(dir, 'bin', `${name}.sh`);
      writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${fake.script}"${argument}\n`);
      chmodSync(launcher, 0o755);
    }
    platform = await start();
  });
  after(async () => {
    await platform?.close();
    rmSync(home, { recursive: true, force: true });
    fake.remove();
  });

  it('gets the request as the client sent it', async () => {
    const { text, status } = await call('/servicesNS/-/hosted/hosted/open/a%20b/c%2Fd?x=1&x=&y=%C3%A4', undefined, {
      headers: { 'X-Odd-Case': 'v', cookie: 'k=w' },
    });
    expect(status).to.equal(200);
    const { block } = JSON.parse(text);
    expect(block).to.deep.include({
      method: 'GET',
      path_info: 'a b/c/d',
      rest_path: '/hosted/open/a b/c/d',
      ns: { app: 'hosted' },
      output_mode: 'xml',
      output_mode_explicit: false,
      cookies: [['k', 'w']],
    });
    expect(block.query).to.deep.equal([
      ['x', '1'],
      ['x', ''],
      ['y', 'ä'],
    ]);
    expect(block.headers).to.deep.include(['X-Odd-Case', 'v']);
    expect(block.server.rest_uri).to.equal(platform.url);
    expect(block.connection.listening_port).to.equal(platform.port);
    expect(block.session.user).to.equal('admin');
    const context = await fetch(`${platform.url}/services/authentication/current-context?output_mode=json`, {
      headers: { authorization: `Splunk ${block.session.authtoken}` },
    });
    expect(context.status).to.equal(200);
  });

  it('returns everything a reply may hold', async () => {
    const reply = {
      status: [207, 'Odd'],
      payload: { ж: 1 },
      headers: { 'X-A': ['1', '2'] },
      cookies: { s: 'v' },
      filename: 'f.json',
    };
    const { status, reason, headers, text } = await call('/services/hosted/open', { reply });
    expect({ status, reason, text }).to.deep.equal({ status: 207, reason: 'Odd', text: '{"ж":1}' });
    expect(Object.fromEntries(headers)).to.include({
      'content-type': 'application/json; charset=UTF-8',
      'x-content-type-options': 'nosniff',
      'x-a': '1, 2',
      'content-disposition': 'attachment; filename="f.json"',
    });
    expect(headers.getSetCookie()).to.include('s=v; HttpOnly');
    const plain = await call('/services/hosted/open', { reply: { payload: 'text' } });
    expect(plain).to.include({ status: 200, text: 'text' });
    expect(plain.headers.has('content-type')).to.equal(false);
    expect((await call('/services/hosted/open', { reply: { payload: null } })).status).to.equal(204);
  });

  it('is guarded by authentication and capability', async () => {
    const anonymous = { headers: { authorization: '' } };
    expect((await fetch(`${platform.url}/services/hosted/open`)).status).to.equal(200);
    expect((await fetch(`${platform.url}/services/hosted`)).status).to.equal(401);
    expect((await call('/services/hosted/x', undefined, anonymous)).status).to.equal(401);
    const refused = await call('/services/hosted/x?output_mode=json', {});
    expect(refused.status).to.equal(403);
    expect(JSON.parse(refused.text)).to.deep.equal({
      messages: [{ type: 'WARN', text: 'insufficient permission to access this resource' }],
    });
    // `match` is open at its end.
    expect((await call('/services/hostedx')).status).to.equal(200);
    expect((await call('/services/hoste')).status).to.equal(404);
  });

  it('continues when a client disconnects', async () => {
    const leaving = new AbortController();
    const left = failure(call('/services/hosted/open', { do: 'slow', ms: 100 }, { signal: leaving.signal }));
    setTimeout(() => leaving.abort(), 30);
    expect((await left).name).to.equal('AbortError');
    expect((await call('/services/hosted/open')).status).to.equal(200);
  });

  const ask = async (name: string, asked: object = {}): Promise<Echo> =>
    JSON.parse((await call(`/services/${name}`, asked)).text);

  it('has a pool of processes for each stanza, started from the launcher of its own stanza', async () => {
    const names = STANZAS.flatMap((name) => Array<string>(DRIVERS + 1).fill(name));
    const replies = await Promise.all(names.map((name) => ask(name, { do: 'slow', ms: 300 })));
    const pids = STANZAS.map((name) => new Set(replies.filter((_, n) => names[n] === name).map(({ pid }) => pid)));
    expect(pids.map(({ size }) => size)).to.deep.equal([DRIVERS, DRIVERS]);
    expect(new Set(replies.map(({ pid }) => pid)).size).to.equal(STANZAS.length * DRIVERS);
    for (const [index, { argv, command, block }] of replies.entries()) {
      const name = names[index];
      expect(argv).to.deep.equal([`started as ${name}`]);
      expect(command).to.deep.equal([join(home, `etc/apps/hosted/bin/${name}.mjs`)]);
      expect(block).to.include({ rest_path: `/${name}` });
    }
  });

  it('answers one stanza while all processes of the other are busy', async () => {
    let isHeld = true;
    const held = Promise.all([1, 2].map(() => ask('one', { do: 'slow', ms: 3000 }))).then(() => {
      isHeld = false;
    });
    await ask('two');
    expect(isHeld).to.equal(true);
    await held;
  });

  it('loses its drivers with the platform, and a bad stanza keeps the platform from starting', async () => {
    const { pid } = JSON.parse((await call('/services/hosted/open')).text);
    await platform.close();
    await eventually(() => !isAlive(pid));
    writeFileSync(join(dir, 'local', 'restmap.conf'), '[script:closed]\ncapability.get = a b\n');
    expect((await failure(start())).message).to.include('app hosted, restmap.conf [script:closed]');
    writeFileSync(join(dir, 'local', 'restmap.conf'), '');
    platform = await start();
    expect((await call('/services/hosted/open')).status).to.equal(200);
  });
});
