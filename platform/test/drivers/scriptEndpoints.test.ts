import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { loadApps } from '../../src/apps/apps.ts';
import { ScriptEndpoints, type ScriptEndpointsOptions } from '../../src/drivers/scriptEndpoints.ts';
import { PlatformError, type PlatformReply } from '../../src/http/reply.ts';
import { createFakeDriver, type Echo, type FakeDriver, failure, MemoryLog } from '../support/fakeDriver.ts';
import { callerWith, type RequestParts, requestOf } from '../support/platformRequest.ts';

const SERVER = { rest_uri: 'https://127.0.0.1:8089', hostname: 'h', servername: 's', guid: 'G' };

describe('script endpoints', () => {
  let fake: FakeDriver;
  let home: string;
  let log: MemoryLog;
  let open: ScriptEndpoints[];

  const app = (restmap: string, name = 'one') => {
    const dir = join(home, 'etc', 'apps', name);
    mkdirSync(join(dir, 'default'), { recursive: true });
    mkdirSync(join(dir, 'bin'), { recursive: true });
    writeFileSync(join(dir, 'default', 'restmap.conf'), restmap);
    const launcher = join(dir, 'bin', 'run.sh');
    writeFileSync(launcher, `#!/bin/sh\nexec "${process.execPath}" "${fake.script}" "$@"\n`);
    chmodSync(launcher, 0o755);
  };
  const stanza = (settings: string[] = [], name = 's') =>
    [`[script:${name}]`, `match = /${name}`, 'scripttype = persist', 'driver = run.sh', ...settings, ''].join('\n');
  const start = (options: Partial<ScriptEndpointsOptions> = {}): ScriptEndpoints => {
    const endpoints = new ScriptEndpoints({
      apps: loadApps(home),
      home,
      server: () => SERVER,
      systemToken: () => 'SYSTEM',
      log,
      ...options,
    });
    open.push(endpoints);
    return endpoints;
  };
  const handle = (endpoints: ScriptEndpoints, parts: RequestParts): Promise<PlatformReply> => {
    const req = requestOf(parts);
    const endpoint = endpoints.find(`/${req.segments.join('/')}`);
    if (!endpoint) throw new Error(`no endpoint for ${parts.path}`);
    return endpoints.handle(endpoint, req);
  };
  const echo = async (endpoints: ScriptEndpoints, parts: RequestParts): Promise<Echo> =>
    JSON.parse(String((await handle(endpoints, parts)).body));
  const refusal = async (endpoints: ScriptEndpoints, parts: RequestParts): Promise<PlatformError> => {
    const error = await failure(handle(endpoints, parts));
    expect(error).to.be.instanceOf(PlatformError);
    return error as PlatformError;
  };

  before(() => {
    fake = createFakeDriver();
  });
  after(() => fake.remove());
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'home-'));
    log = new MemoryLog();
    open = [];
  });
  afterEach(async () => {
    await Promise.all(open.map((one) => one.close()));
    rmSync(home, { recursive: true, force: true });
  });

  describe('request block', () => {
    it('has exactly the documented keys', async () => {
      app(stanza(['output_modes = json', 'passPayload = true', 'script = rest.mjs', 'script.param = $SPLUNK_HOME']));
      const seen = await echo(start(), {
        method: 'POST',
        path: '/s/part/after%2Fmatch',
        ns: { app: 'one', user: 'admin' },
        query: [
          ['a', '1'],
          ['a', '2'],
        ],
        form: [['x', 'y z']],
        body: '{"x":"ж"}',
      });
      expect(seen.command).to.deep.equal([join(home, 'etc/apps/one/bin/rest.mjs')]);
      expect(seen.commandArg).to.equal(home);
      expect(seen.cwd).to.equal('/');
      expect(seen.block).to.deep.equal({
        output_mode: 'xml',
        output_mode_explicit: false,
        server: SERVER,
        restmap: {
          name: 'script:s',
          conf: {
            match: '/s',
            scripttype: 'persist',
            driver: 'run.sh',
            output_modes: 'json',
            passPayload: 'true',
            script: 'rest.mjs',
            'script.param': '$SPLUNK_HOME',
          },
        },
        path_info: 'part/after/match',
        rest_path: '/s/part/after/match',
        query: [
          ['a', '1'],
          ['a', '2'],
        ],
        form: [['x', 'y z']],
        payload: '{"x":"ж"}',
        connection: { src_ip: '127.0.0.1', ssl: true, listening_port: 8089, listening_ip: '127.0.0.1' },
        session: { user: 'alice', authtoken: 'TOKEN' },
        ns: { app: 'one', user: 'admin' },
        method: 'POST',
      });
    });

    it('leaves out absent keys', async () => {
      app(stanza(['passPayload = true', 'passConf = false', 'passSession = 0']));
      const { block } = await echo(start(), { path: '/s' });
      expect(block).to.have.all.keys([
        'output_mode',
        'output_mode_explicit',
        'server',
        'rest_path',
        'query',
        'connection',
        'method',
      ]);
    });

    it('has an empty form for a POST that is not a form, and no payload for an empty body or without passPayload', async () => {
      app(stanza() + stanza(['passPayload = true'], 't'));
      const endpoints = start();
      const plain = (await echo(endpoints, { method: 'PUT', path: '/s', body: '{"a":1}' })).block;
      expect(plain.form).to.deep.equal([]);
      expect(plain).to.not.have.any.keys('payload', 'payload_base64');
      expect((await echo(endpoints, { method: 'POST', path: '/t' })).block).to.not.have.any.keys('payload');
      const deletion = (await echo(endpoints, { method: 'DELETE', path: '/t', body: '{}' })).block;
      expect(deletion.payload).to.equal('{}');
      expect(deletion).to.not.have.any.keys('form');
    });

    it('follows the wildcards of the namespace', async () => {
      app(stanza());
      const endpoints = start();
      expect((await echo(endpoints, { path: '/s', ns: { app: 'x' } })).block.ns).to.deep.equal({ app: 'x' });
      expect((await echo(endpoints, { path: '/s', ns: { user: 'nobody' } })).block.ns).to.deep.equal({
        user: 'nobody',
      });
      expect((await echo(endpoints, { path: '/s', ns: {} })).block.ns).to.deep.equal({});
      expect((await echo(endpoints, { path: '/s' })).block).to.not.have.any.keys('ns');
    });

    it('passes base64, headers, cookies and the system token if configured', async () => {
      app(stanza(['passPayload = base64', 'passHttpHeaders = true', 'passHttpCookies = 1', 'passSystemAuth = true']));
      const body = Buffer.from([0, 255, 10, 128]);
      const { block } = await echo(start(), {
        method: 'POST',
        path: '/s',
        body,
        headerPairs: [
          ['X-b', '1'],
          ['Accept', '*/*'],
        ],
        cookies: [['c', 'v']],
        outputMode: 'json',
      });
      expect(block.payload_base64).to.equal(body.toString('base64'));
      expect(block).to.not.have.any.keys('payload');
      expect(block.headers).to.deep.equal([
        ['X-b', '1'],
        ['Accept', '*/*'],
      ]);
      expect(block.cookies).to.deep.equal([['c', 'v']]);
      expect(block.system_authtoken).to.equal('SYSTEM');
      expect(block).to.include({ output_mode: 'json', output_mode_explicit: true });
    });

    it('gives drivers the environment, SPLUNK_HOME and SPLUNK_DB', async () => {
      app(stanza(['passPayload = true', 'driver.env.OWN = $SPLUNK_HOME/own']));
      const body = JSON.stringify({ env: ['SPLUNK_HOME', 'SPLUNK_DB', 'INHERITED', 'OWN'] });
      const seen = await echo(start({ env: { ...process.env, INHERITED: 'yes', SPLUNK_HOME: '/other' } }), {
        method: 'POST',
        path: '/s',
        body,
      });
      expect(seen.env).to.deep.equal({
        SPLUNK_HOME: home,
        SPLUNK_DB: join(home, 'var/lib/splunk'),
        INHERITED: 'yes',
        OWN: `${home}/own`,
      });
    });
  });

  describe('gates', () => {
    it('check the capability of the method before the driver is started', async () => {
      app(stanza(['capability.get = ml_read or admin_all', 'capability.post = ml_write and ml_read']));
      const endpoints = start();
      for (const [method, held] of [
        ['GET', []],
        ['HEAD', ['ml_write']],
        ['POST', ['ml_read']],
      ] as const) {
        const error = await refusal(endpoints, { method, path: '/s', caller: callerWith(...held) });
        expect(error.status).to.equal(403);
        expect(error.messages).to.deep.equal([
          { type: 'WARN', text: 'insufficient permission to access this resource' },
        ]);
      }
      expect(endpoints.snapshot()).to.deep.equal([]);
      expect((await echo(endpoints, { path: '/s', caller: callerWith('ml_read') })).served).to.equal(1);
      expect((await echo(endpoints, { path: '/s', caller: { ...callerWith(), system: true } })).served).to.equal(2);
      expect((await echo(endpoints, { method: 'DELETE', path: '/s', caller: callerWith() })).served).to.equal(3);
    });

    it('allow anonymous calls if the stanza says so and names no capability', async () => {
      app(
        stanza(['requireAuthentication = false']) +
          stanza([], 'closed') +
          stanza(['requireAuthentication = false', 'capability = x'], 'gated'),
      );
      const endpoints = start();
      expect(endpoints.find('/s')?.requireAuthentication).to.equal(false);
      const { block } = await echo(endpoints, { path: '/s', caller: undefined });
      expect(block).to.not.have.any.keys('session');
      for (const path of ['/closed', '/gated']) {
        const error = await refusal(endpoints, { path, caller: undefined });
        expect(error.status).to.equal(401);
        expect(error.headers).to.deep.equal([['WWW-Authenticate', 'Basic realm="/splunk"']]);
      }
    });

    it('hold maxConcurrent per user', async () => {
      app(stanza(['passPayload = true', 'maxConcurrent = 1']));
      const endpoints = start();
      const slow = { method: 'POST', path: '/s', body: '{"do":"slow","ms":100}' };
      const first = handle(endpoints, slow);
      expect((await refusal(endpoints, slow)).status).to.equal(429);
      expect((await handle(endpoints, { ...slow, caller: { ...callerWith(), user: 'bob' } })).status).to.equal(200);
      expect((await first).status).to.equal(200);
      expect((await handle(endpoints, slow)).status).to.equal(200);
    });
  });

  describe('failures', () => {
    const post = (asked: unknown) => ({ method: 'POST', path: '/s', body: JSON.stringify(asked) });

    it('of the driver are 500 with a message, and the next request is served', async () => {
      app(stanza(['passPayload = true']));
      const endpoints = start({ maxDrivers: 1 });
      for (const [asked, text] of [
        [{ do: 'exit' }, /ended with code 3 before it replied/],
        [{ do: 'kill' }, /ended by signal SIGKILL before it replied/],
        [{ do: 'half' }, /before it replied/],
        [{ do: 'raw', bytes: 'log line\n' }, /^bad character \(108\) in reply size$/],
        [{ do: 'load error', error: 'Can\'t load script "x"' }, /^Can't load script "x"$/],
        [{ text: '' }, /reply is not a JSON object/],
        [{ text: '[1]' }, /reply is not a JSON object/],
        [{ text: '"x"' }, /reply is not a JSON object/],
        [{ text: '{"a":' }, /reply is not a JSON object/],
      ] as const) {
        const error = await refusal(endpoints, post(asked));
        expect(error.status, JSON.stringify(asked)).to.equal(500);
        expect(error.messages[0]?.type).to.equal('ERROR');
        expect(error.messages[0]?.text).to.match(text);
        expect((await handle(endpoints, post({ reply: { payload: 'ok' } }))).body).to.equal('ok');
      }
      expect(log.lines.filter((line) => !line.startsWith('ERROR PersistentScript'))).to.deep.equal([]);
    });

    it('of the configuration name the driver, the stanza, the app', async () => {
      app(
        `${stanza().replace('run.sh', 'absent.sh')}\n[script:py]\nmatch=/py\nscripttype=persist\nscript=x.py\nhandler=x.X\n`,
      );
      const endpoints = start();
      expect((await refusal(endpoints, { path: '/s' })).message).to.equal(
        `Cannot start driver ${join(home, 'etc/apps/one/bin/absent.sh')}: ENOENT`,
      );
      const python = await refusal(endpoints, { path: '/py' });
      expect(python.status).to.equal(500);
      expect(python.message).to.match(/\[script:py\] of app one names no driver/);
      expect(endpoints.find('/none')).to.equal(undefined);
      app('[script:bad]\nmatch = /bad\nscripttype = persist\ncapability = a b\n', 'two');
      expect(() => start()).to.throw('app two, restmap.conf [script:bad]: bad capability expression "a b"');
    });

    it('refuse requests after close', async () => {
      app(stanza());
      const endpoints = start();
      await handle(endpoints, { path: '/s' });
      await endpoints.close();
      expect((await refusal(endpoints, { path: '/s' })).message).to.match(/shutting down/);
      expect(endpoints.snapshot()[0]?.processes).to.deep.equal([]);
    });
  });
});
