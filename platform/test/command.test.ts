import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { assert } from 'chai';
import { ADMIN_PASSWORD, call, FIXTURE_APP, temporaryFolder, writeFiles } from './support/platform.ts';
import { Browser } from './support/web.ts';

const COMMAND = join(import.meta.dirname, '../src/main.ts');

/** The command as a process of its own. */
class Command {
  readonly process: ChildProcess;
  readonly exited: Promise<number | null>;
  stdout = '';
  stderr = '';

  constructor(env: Record<string, string | undefined>, ...args: string[]) {
    this.process = spawn(process.execPath, [COMMAND, ...args], {
      env: { ...process.env, ML_PORT: '0', ML_WEB_PORT: 'off', ML_TLS: '0', ML_ADMIN_PASSWORD: ADMIN_PASSWORD, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.process.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.exited = once(this.process, 'close').then(([code]) => code as number | null);
  }

  async ready(): Promise<string> {
    for (;;) {
      const line = /^ready (\S+)\n/m.exec(this.stdout);
      if (line?.[1] !== undefined) return line[1];
      if (this.process.exitCode !== null) throw new Error(`it ended: ${this.stderr}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe('embedded platform command', () => {
  let folder: string;
  let app: string;
  const started: Command[] = [];
  let blocker: Server | undefined;

  beforeEach(() => {
    folder = temporaryFolder();
    app = join(folder, 'fixture');
    writeFiles(app, FIXTURE_APP);
  });
  afterEach(async () => {
    for (const one of started.splice(0)) {
      one.process.kill('SIGKILL');
      await one.exited;
    }
    blocker?.close();
    blocker = undefined;
    rmSync(folder, { recursive: true, force: true });
  });

  const start = (env: Record<string, string | undefined> = {}, ...args: string[]): Command => {
    const command = new Command(
      { ML_HOME: join(folder, 'home'), ...env },
      ...(args.length > 0 ? args : ['--app', app]),
    );
    started.push(command);
    return command;
  };

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    it(`prints one line when it serves, and exits cleanly on ${signal}`, async () => {
      const command = start();
      const url = await command.ready();
      assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
      assert.strictEqual((await call(url, 'GET', '/services/echo')).status, 200);
      command.process.kill(signal);
      assert.strictEqual(await command.exited, 0);
      assert.strictEqual(command.stdout, `ready ${url}\n`);
      assert.strictEqual(command.stderr, '');
    });
  }

  it('prints the address of the web side before the last line', async () => {
    const command = start({ ML_WEB_PORT: '0', ML_WEB_THEME: 'prismaDark', ML_HOST: '0.0.0.0', ML_TLS: '1' });
    await command.ready();
    const [, web = ''] = /^web (http:\/\/127\.0\.0\.1:\d+)\nready https:\/\/\S+\n$/.exec(command.stdout) ?? [];
    assert.isNotEmpty(web, command.stdout);
    // Through TLS, to a certificate that the platform signed itself.
    const browser = new Browser(web);
    await browser.login();
    assert.strictEqual((await browser.raw('GET', '/services/authentication/current-context')).status, 200);
    const theme = await browser.get('/en-US/static/@x/build/api/get_theme.js');
    assert.include(theme.text, 'prismaDark');
    // Passwords pass in clear text, so only on loopback.
    const outside = Object.values(networkInterfaces())
      .flat()
      .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
    if (outside !== undefined) {
      const url = web.replace('127.0.0.1', outside);
      assert.instanceOf(await call(url, 'GET', '/', { as: null }).catch((error: Error) => error), Error);
    }
    command.process.kill('SIGTERM');
    assert.strictEqual(await command.exited, 0);
    assert.strictEqual(command.stderr, '');
  });

  it('takes any free port for the web side if the default one is in use, and prints it', async () => {
    const server = createServer();
    blocker = server;
    await new Promise<void>((resolve) => {
      server.once('listening', resolve);
      // The port is in use already, which is as good.
      server.once('error', () => resolve());
      server.listen(8000, '127.0.0.1');
    });
    const command = start({ ML_WEB_PORT: undefined });
    await command.ready();
    const [, port] = /^web http:\/\/127\.0\.0\.1:(\d+)\nready /.exec(command.stdout) ?? [];
    assert.notStrictEqual(port, '8000');
    assert.match(
      command.stderr,
      new RegExp(`^Port 8000 is in use by [^\\n]* on port ${port}\\. Set ML_WEB_PORT to choose one\\.\\n$`),
    );
  });

  it('prints the file of a generated password, not the password', async () => {
    const command = start({ ML_ADMIN_PASSWORD: undefined });
    const url = await command.ready();
    const file = join(folder, 'home/etc/auth/admin.password');
    const password = readFileSync(file, 'utf8').trim();
    assert.include(command.stderr, file);
    assert.notInclude(command.stderr + command.stdout, password);
    assert.strictEqual((await call(url, 'GET', '/services/server/info', { as: `admin:${password}` })).status, 200);
    const log = readFileSync(join(folder, 'home/var/log/splunk/splunkd.log'), 'utf8');
    assert.notInclude(log, password);
  });

  it('keeps everything through kill -9, which also ends its drivers', async () => {
    const first = start();
    let url = await first.ready();
    const { json: block } = await call(url, 'GET', '/services/echo');
    assert.strictEqual(block.session.user, 'admin');
    const users = '/services/authentication/users';
    const form = { name: 'kept', password: 'kept-secret', roles: 'user' };
    assert.strictEqual((await call(url, 'POST', users, { form })).status, 201);
    const conf = '/servicesNS/nobody/fixture/configs/conf-fixture';
    assert.strictEqual((await call(url, 'POST', conf, { form: { name: 's', key: 'v' } })).status, 201);
    const drivers = childrenOf(first.process.pid);
    if (process.platform === 'linux') assert.isNotEmpty(drivers);
    first.process.kill('SIGKILL');
    await first.exited;
    const second = start();
    url = await second.ready();
    assert.strictEqual((await call(url, 'GET', `${users}/kept`, { as: 'kept:kept-secret' })).status, 200);
    assert.strictEqual((await call(url, 'GET', `${conf}/s`)).status, 200);
    for (const pid of drivers) await ended(pid);
  });

  it('accepts a packed app', async () => {
    const { gzipSync } = await import('node:zlib');
    const { tar } = await import('./support/tar.ts');
    const file = join(folder, 'fixture.spl');
    const files = Object.entries(FIXTURE_APP).map(([name, text]) => ({
      path: `fixture/${name}`,
      data: Buffer.from(text),
    }));
    writeFileSync(file, gzipSync(tar(files)));
    const url = await start({}, '--package', file).ready();
    assert.strictEqual((await call(url, 'GET', '/services/echo')).status, 200);
  });

  it('serves the default app if the caller names none, and without either the apps of the folder', async () => {
    const none = join(folder, 'nothing');
    const withFlag = start({}, '--default-app', none, '--app', app);
    assert.strictEqual((await call(await withFlag.ready(), 'GET', '/services/echo')).status, 200);
    withFlag.process.kill('SIGTERM');
    await withFlag.exited;
    const byScript = start({ ML_HOME: join(folder, 'another') }, '--default-app', app);
    assert.strictEqual((await call(await byScript.ready(), 'GET', '/services/echo')).status, 200);
    const installed = new Command({ ML_HOME: join(folder, 'home') });
    started.push(installed);
    assert.strictEqual((await call(await installed.ready(), 'GET', '/services/echo')).status, 200);
  });

  it('refuses invalid arguments and names them', async () => {
    writeFileSync(join(folder, 'bad.spl'), 'no package');
    writeFiles(join(folder, 'newer'), { 'platform.json': '{"layout":99,"guid":"x"}' });
    const kvstore = join(folder, 'newer-store/var/lib/splunk/kvstore');
    mkdirSync(kvstore, { recursive: true });
    const newer = new DatabaseSync(join(kvstore, 'kvstore.sqlite'));
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    const cases: [Record<string, string>, string[], RegExp][] = [
      [{ ML_PORT: 'x' }, [], /^ML_PORT must be a whole number from 0 to 65535, not "x"\.\n$/],
      [{ ML_PORT: '65536' }, [], /^ML_PORT/],
      [{ ML_WEB_PORT: 'on' }, [], /^ML_WEB_PORT must be a whole number from 0 to 65535, or "off", not "on"\.\n$/],
      [{ ML_WEB_PORT: '65536' }, [], /^ML_WEB_PORT/],
      [
        { ML_WEB_THEME: 'blue' },
        [],
        /^ML_WEB_THEME must be one of light, dark, prismaLight, prismaDark, not "blue"\.\n$/,
      ],
      [{ ML_TLS: 'yes' }, [], /^ML_TLS must be 0 or 1/],
      [{ ML_DRIVERS: '0' }, [], /^ML_DRIVERS/],
      [{ ML_DRIVER_IDLE_S: '-1' }, [], /^ML_DRIVER_IDLE_S/],
      [{ ML_KV_REPLACE: 'yes' }, [], /^ML_KV_REPLACE must be one of refuse, insert, not "yes"\.\n$/],
      [{ ML_CERTIFICATE: 'own' }, [], /^ML_CERTIFICATE must be one of named, splunkd, not "own"\.\n$/],
      [{ ML_KV_BATCH: 'STRICT' }, [], /^ML_KV_BATCH must be one of strict, ignore, lenient, not "STRICT"\.\n$/],
      [
        { ML_SCS_TENANT: 'acme' },
        [],
        /^ML_SCS_TENANT must be <tenant>@<host> or <tenant>@<host>:<port>, not "acme"\.\n$/,
      ],
      [{ ML_SCS_TENANT: 'a/b@host' }, [], /^ML_SCS_TENANT/],
      [{ ML_MEMBERS: '6' }, [], /^ML_MEMBERS must be a whole number from 1 to 5, not "6"\.\n$/],
      [{ ML_REPLICATION_MS: '-1' }, [], /^ML_REPLICATION_MS/],
      [{ ML_CLOCK_SKEW_MS: '1h' }, [], /^ML_CLOCK_SKEW_MS/],
      [{ ML_MEMBERS: '5', ML_PORT: '65532' }, [], /^ML_PORT leaves no room for the ports of 5 members/],
      [{ ML_MEMBERS: '2', ML_HOST: '192.0.2.1' }, [], /192\.0\.2\.1/],
      [{ ML_MEMBERS: '2', ML_HOME: join(folder, 'newer') }, [], /newer version/],
      [{ ML_MEMBERS: '2' }, ['--package', join(folder, 'bad.spl')], /bad\.spl cannot be read/],
      [{ ML_HOME: join(folder, 'newer-store') }, [], /^The data folder .* cannot be used: .* by a newer version/],
      [{ ML_HOST: 'a b' }, [], /^ML_HOST/],
      [{ ML_HOST: '192.0.2.1' }, [], /192\.0\.2\.1/],
      [{ ML_ADMIN_PASSWORD: 'a\nb' }, [], /^ML_ADMIN_PASSWORD must not/],
      [{ ML_HOME: join(folder, 'bad.spl') }, [], /bad\.spl cannot be written/],
      [{ ML_HOME: join(folder, 'newer') }, [], /newer version/],
      [{}, ['--package', join(folder, 'bad.spl')], /bad\.spl cannot be read/],
      [{}, ['--app', join(folder, 'nothing')], /There is no app in .*nothing/],
      [{}, ['--app', app, '--package', 'x'], /cannot be given together/],
      [{}, ['--colour'], /--colour/],
    ];
    await Promise.all(
      cases.map(async ([env, args, pattern], index) => {
        const command = start({ ML_HOME: join(folder, `home-${index}`), ...env }, ...args);
        assert.strictEqual(await command.exited, 1, pattern.source);
        assert.strictEqual(command.stdout, '');
        assert.match(command.stderr, pattern);
        assert.notInclude(command.stderr, '    at ');
      }),
    );
  });

  it('refuses a port in use and a folder in use', async () => {
    const server = createServer();
    blocker = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? String(address?.port) : '';
    const busy = start({ ML_PORT: port });
    assert.strictEqual(await busy.exited, 1);
    assert.match(
      busy.stderr,
      new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use \\(set ML_PORT to another one\\)`),
    );
    const busyWeb = start({ ML_WEB_PORT: port });
    assert.strictEqual(await busyWeb.exited, 1);
    assert.match(
      busyWeb.stderr,
      new RegExp(`^Port ${port} of 127\\.0\\.0\\.1 is in use \\(set ML_WEB_PORT to another one\\)`),
    );
    const holder = start();
    await holder.ready();
    const second = start();
    assert.strictEqual(await second.exited, 1);
    assert.match(second.stderr, /in use by another embedded platform/);
    if (process.platform !== 'linux') return;
    // The process that holds it, with its working directory.
    const me = `process ${process.pid} \\(.*\\) in ${process.cwd()}`;
    assert.match(busy.stderr, new RegExp(`It is taken by ${me}\\.\n$`));
    assert.match(
      second.stderr,
      new RegExp(`platform: process ${holder.process.pid} \\(.*\\) in .*\\. Set ML_HOME to another folder\\.`),
    );
  });

  it('refuses a port in use and a folder in use for members too', async () => {
    const server = createServer();
    blocker = server;
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
    const busy = start({ ML_PORT: String(port - 1), ML_MEMBERS: '2' });
    assert.strictEqual(await busy.exited, 1);
    // Another test may have taken the port below.
    assert.match(busy.stderr, new RegExp(`Port (${port}|${port - 1}) of 127\\.0\\.0\\.1 is in use`));
    assert.strictEqual(busy.stdout, '');
    const first = start({ ML_MEMBERS: '2' });
    await first.ready();
    for (const members of ['1', '2']) {
      const second = start({ ML_MEMBERS: members });
      assert.strictEqual(await second.exited, 1);
      assert.match(second.stderr, /in use by another embedded platform/);
    }
  });

  it('prints its usage and version', async () => {
    const help = start({}, '--help');
    assert.strictEqual(await help.exited, 0);
    for (const name of ['ML_PORT', 'ML_WEB_PORT', 'ML_WEB_THEME', 'ML_HOME', '--package'])
      assert.include(help.stdout, name);
    assert.include(help.stdout, '(default: the apps in the data folder)');
    const ofScript = start({}, '--default-app', 'dist/some_app', '--help');
    assert.strictEqual(await ofScript.exited, 0);
    assert.include(ofScript.stdout, '(default: dist/some_app)');
    const version = start({}, '--version');
    assert.strictEqual(await version.exited, 0);
    assert.match(version.stdout, /^\d+\.\d+\.\d+\n$/);
  });
});

function childrenOf(pid: number | undefined): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);
  } catch {
    // Only Linux lists child processes.
    return [];
  }
}

async function ended(pid: number): Promise<void> {
  for (let tries = 0; tries < 250; tries += 1) {
    try {
      if (readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')) return;
    } catch {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  assert.fail(`the driver ${pid} outlived its platform`);
}
