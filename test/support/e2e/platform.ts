import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import { childrenOf, commandLine } from '../programs/processes.ts';
import { eventually, until } from '../time.ts';
import { project, testedApp } from './build.ts';
import { assertDocumented } from './document.ts';
import { belowMount } from './rows.ts';

export const ADMIN_PASSWORD = 'admin-of-e2e-tests';
const READY_MS = 60_000;
/** Files beyond this hold no records: the runtime. */
const LARGEST_SEARCHED = 50_000_000;

export interface Reply {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: replies are looked into freely by tests
  json: any;
}

export type Body = string | Buffer | object | undefined;

export interface StartOptions {
  home?: string;
  port?: number;
  env?: Record<string, string>;
  args?: string[];
  /** What to start, by its path in the repository, in place of the platform alone. */
  program?: string;
  /** Whether `advance` can move the clock that drivers and commands see. */
  movableClock?: boolean;
}

/** A run that is broken off leaves no platform behind; drivers end with theirs. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** The product as a user starts it: a process, a data folder, HTTP. */
export class TestPlatform {
  readonly home: string;
  readonly #options: StartOptions;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #agent: HttpAgent | HttpsAgent | undefined;
  #skewMs = 0;
  #keys = new Map<string, Promise<string>>();
  /** Everything the process has said, over all its starts. */
  output = '';
  url = '';
  /** Where the pages are, if `ML_WEB_PORT` asks for them. */
  web = '';

  constructor(options: StartOptions = {}) {
    this.#options = options;
    this.home = options.home ?? mkdtempSync(join(tmpdir(), 'e2e-home-'));
  }

  get pid(): number {
    return this.#child?.pid ?? 0;
  }

  async start(): Promise<this> {
    // Another program may want a data folder that is empty.
    const hasUsualKey = this.#options.program === undefined && this.#options.env?.ML_CERTIFICATE === undefined;
    if (hasUsualKey) giveKey(this.home);
    const child = launch(this.home, this.#options);
    this.#child = child;
    running.add(child);
    child.once('exit', () => running.delete(child));
    this.#exited = once(child, 'exit');
    this.#keys = new Map();
    let out = '';
    let ended: number | null | undefined;
    child.stderr?.on('data', (chunk: Buffer) => {
      this.output += chunk.toString();
    });
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      this.output += chunk.toString();
    });
    child.once('exit', (code) => {
      ended = code;
    });
    await eventually(() => /^ready .+\n/m.test(out) || ended !== undefined, READY_MS, 'the platform to be ready');
    if (ended !== undefined) throw new Error(`the platform ended with ${ended}: ${this.output}`);
    if (hasUsualKey) keepKey(this.home);
    this.url = /^ready (\S+)$/m.exec(out)?.[1] ?? '';
    this.web = /^web (\S+)$/m.exec(out)?.[1] ?? '';
    const options = { keepAlive: true, maxSockets: 64 };
    this.#agent = this.url.startsWith('https')
      ? new HttpsAgent({ ...options, rejectUnauthorized: false, ...pairOf(this.home) })
      : new HttpAgent(options);
    return this;
  }

  /** The file that says how far ahead, in ms, the clock is that `movableClock` gives to drivers and commands. */
  get clock(): string {
    return clockFile(this.home);
  }

  /** Drivers and commands find themselves so much later, by both of their clocks. */
  advance(ms: number): void {
    if (!this.#options.movableClock) throw new Error('start the platform with movableClock');
    this.#skewMs += ms;
    const file = this.clock;
    // Whoever looks meanwhile must not find an empty file, by which it would be earlier again.
    writeFileSync(`${file}.new`, String(this.#skewMs));
    renameSync(`${file}.new`, file);
  }

  /** Ends the platform as an operator does. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    this.#agent?.destroy();
    if (this.#child && this.#child.exitCode === null && this.#child.signalCode === null) this.#child.kill(signal);
    await this.#exited;
  }

  kill9(): Promise<void> {
    return this.stop('SIGKILL');
  }

  async restart(): Promise<void> {
    await this.stop();
    await this.start();
  }

  /** Stops it and removes its data. */
  async dispose(): Promise<void> {
    await this.stop();
    rmSync(this.home, { recursive: true, force: true });
  }

  /** A call as a user (null: anonymous). An object is sent as JSON, text and bytes as they are. */
  async call(
    user: string | null,
    method: string,
    path: string,
    body?: Body,
    headers: Record<string, string> = {},
  ): Promise<Reply> {
    const authorization: Record<string, string> =
      user === null ? {} : { Authorization: await this.#authorization(user) };
    return this.raw(method, path, body, { ...authorization, ...headers });
  }

  /** A call below the app's namespace, where a user's client makes it. */
  ml(user: string | null, method: string, path: string, body?: Body, headers?: Record<string, string>): Promise<Reply> {
    return this.mounted('/servicesNS/nobody/ml_extension', user, method, path, body, headers);
  }

  /** The same at another mount. Whatever the app answers is held against its OpenAPI document, and has a Content-Type. */
  async mounted(
    mount: string,
    user: string | null,
    method: string,
    path: string,
    body?: Body,
    headers?: Record<string, string>,
  ): Promise<Reply> {
    const below = belowMount(path);
    const reply = await this.call(user, method, `${mount}${below}`, body, headers);
    assertDocumented(method, below, reply);
    if (!reply.headers['content-type']) throw new Error(`${method} ${below} was answered without Content-Type`);
    return reply;
  }

  raw(method: string, path: string, body: Body, headers: Record<string, string>): Promise<Reply> {
    const { hostname, port, protocol } = new URL(this.url);
    const isJson = typeof body === 'object' && !Buffer.isBuffer(body);
    const bytes =
      body === undefined ? undefined : Buffer.from(isJson ? JSON.stringify(body) : (body as string | Buffer));
    const all: Record<string, string> = {
      ...(isJson ? { 'Content-Type': 'application/json' } : {}),
      ...(bytes ? { 'Content-Length': String(bytes.length) } : {}),
      ...headers,
    };
    const request = protocol === 'https:' ? requestHttps : requestHttp;
    return new Promise((resolve, reject) => {
      const options = { hostname, port, method, path, headers: all, ...(this.#agent ? { agent: this.#agent } : {}) };
      const outgoing = request({ ...options, timeout: 60_000 }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) });
        });
      });
      outgoing.on('timeout', () => outgoing.destroy(new Error(`no answer to ${method} ${path} within 60 s`)));
      outgoing.on('error', reject);
      outgoing.end(bytes);
    });
  }

  /** A call to the platform itself with a form, as an administrator unless told otherwise. */
  admin(method: string, path: string, form?: Record<string, string | string[]>, user = 'admin'): Promise<Reply> {
    const fields = Object.entries(form ?? {}).flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    const separator = path.includes('?') ? '&' : '?';
    return this.call(
      user,
      method,
      `${path}${separator}output_mode=json`,
      form ? new URLSearchParams(fields).toString() : undefined,
      form ? { 'Content-Type': 'application/x-www-form-urlencoded' } : {},
    );
  }

  async createRole(name: string, imports: string[], capabilities: string[] = []): Promise<void> {
    const form = { name, imported_roles: imports, ...(capabilities.length > 0 ? { capabilities } : {}) };
    expectStatus(await this.admin('POST', '/services/authorization/roles', form), 201, `role ${name}`);
  }

  async createUser(name: string, roles: string[]): Promise<void> {
    const password = this.passwordOf(name);
    expectStatus(
      await this.admin('POST', '/services/authentication/users', { name, password, roles }),
      201,
      `user ${name}`,
    );
  }

  /** Those of users do not change, so that a home that is opened anew knows them. */
  passwordOf(user: string): string {
    return user === 'admin' ? (this.#options.env?.ML_ADMIN_PASSWORD ?? ADMIN_PASSWORD) : `password-of-${user}`;
  }

  basic(user: string): string {
    return `Basic ${Buffer.from(`${user}:${this.passwordOf(user)}`).toString('base64')}`;
  }

  sessionKey(user: string): Promise<string> {
    let key = this.#keys.get(user);
    if (!key) {
      key = this.#login(user);
      this.#keys.set(user, key);
    }
    return key;
  }

  async #authorization(user: string): Promise<string> {
    return `Splunk ${await this.sessionKey(user)}`;
  }

  async #login(username: string): Promise<string> {
    const form = new URLSearchParams({ username, password: this.passwordOf(username) });
    const reply = await this.raw('POST', '/services/auth/login?output_mode=json', form.toString(), {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    expectStatus(reply, 200, `login of ${username}`);
    return reply.json.sessionKey;
  }

  /** Documents of one of the app's collections, through the platform's own endpoint. */
  async documents(collection: string): Promise<Record<string, unknown>[]> {
    const reply = await this.admin('GET', `/servicesNS/nobody/ml_extension/storage/collections/data/${collection}`);
    expectStatus(reply, 200, collection);
    return reply.json;
  }

  async putDocument(collection: string, doc: Record<string, unknown>): Promise<void> {
    await this.putDocuments(collection, [doc]);
  }

  async removeDocument(collection: string, key: string): Promise<void> {
    const path = `/servicesNS/nobody/ml_extension/storage/collections/data/${collection}/${key}`;
    expectStatus(await this.admin('DELETE', path), 200, `${collection}/${key}`);
  }

  async removeDocuments(collection: string): Promise<void> {
    const path = `/servicesNS/nobody/ml_extension/storage/collections/data/${collection}`;
    expectStatus(await this.admin('DELETE', path), 200, collection);
  }

  /** Names of the app's entries in the password storage. */
  async secretNames(): Promise<string[]> {
    const reply = await this.admin('GET', '/servicesNS/nobody/ml_extension/storage/passwords?count=0');
    expectStatus(reply, 200, 'storage/passwords');
    return reply.json.entry.map((entry: { content: { username: string } }) => entry.content.username);
  }

  /** The app's secrets: references, not the parts they are cut into. */
  async secretRefs(): Promise<string[]> {
    return [...new Set((await this.secretNames()).map((name) => name.replace(/\.\d+$/, '')))].sort();
  }

  /** What a record's reference stands for, put together from its parts as an administrator sees them. */
  async secret(ref: string): Promise<Record<string, string>> {
    const prefix = `${ref.replace(/~\d+$/, '')}.`;
    const reply = await this.admin('GET', '/servicesNS/nobody/ml_extension/storage/passwords?count=0');
    expectStatus(reply, 200, 'storage/passwords');
    const part = (name: string) => Number(name.split('.').at(-1));
    const text = (reply.json.entry as { content: { username: string; clear_password: string } }[])
      .map(({ content }) => content)
      .filter(({ username }) => username.startsWith(prefix))
      .sort((a, b) => part(a.username) - part(b.username))
      .map(({ clear_password }) => clear_password)
      .join('');
    return JSON.parse(Buffer.from(text, 'base64').toString());
  }

  async faults(form: Partial<Record<'kvstore' | 'passwords', string>>): Promise<void> {
    expectStatus(await this.admin('POST', '/services/embedded/faults', form), 200, 'faults');
  }

  async setFlag(flag: string, value: '0' | '1'): Promise<void> {
    await this.setConf('feature_flags', { [flag]: value });
  }

  /** Settings of ml_extension.conf; the app sees them within five seconds. */
  async setConf(stanza: string, settings: Record<string, string>): Promise<void> {
    const path = `/servicesNS/nobody/ml_extension/configs/conf-ml_extension/${stanza}`;
    expectStatus(await this.admin('POST', path, settings), 200, `settings of ${stanza}`);
  }

  /** Many documents at once, for tests of size. */
  async putDocuments(collection: string, docs: readonly Record<string, unknown>[]): Promise<void> {
    const path = `/servicesNS/nobody/ml_extension/storage/collections/data/${collection}/batch_save?output_mode=json`;
    for (let at = 0; at < docs.length; at += 1000) {
      const batch = docs.slice(at, at + 1000);
      expectStatus(await this.call('admin', 'POST', path, batch), 200, `documents of ${collection}`);
    }
  }

  log(): string {
    const file = join(this.home, 'var/log/splunk/splunkd.log');
    return existsSync(file) ? readFileSync(file, 'utf8') : '';
  }

  /**
   * The last line of splunkd.log that holds all of these texts. A line that a driver has written may be read by the platform after
   * the driver's reply.
   */
  async logged(...texts: string[]): Promise<string> {
    const last = () =>
      this.log()
        .split('\n')
        .findLast((line) => texts.every((text) => line.includes(text)));
    return String(
      await until(last, (line) => line !== undefined, 5000, `a line of splunkd.log with ${texts.join(', ')}`),
    );
  }

  /** Processes that the platform has started: its drivers, or those whose command line has this text. */
  drivers(program = ''): number[] {
    return childrenOf(this.pid).filter((pid) => commandLine(pid).includes(program));
  }

  /** Files of the data folder that hold one of the texts, plain or in base64. */
  filesWith(canaries: readonly string[]): string[] {
    const needles = canaries.flatMap((text) => [Buffer.from(text), Buffer.from(base64Core(text))]);
    return filesBelow(this.home)
      .filter((file) => statSync(file).size < LARGEST_SEARCHED)
      .filter((file) => {
        const bytes = readFileSync(file);
        return needles.some((needle) => bytes.includes(needle));
      })
      .map((file) => relative(this.home, file));
  }
}

export async function startPlatform(options: StartOptions = {}): Promise<TestPlatform> {
  return new TestPlatform(options).start();
}

/** The key and certificate of the first platform of this process are those of all: making them is a third of the work of a start. */
const key = new Map<string, Buffer>();
const keyFiles = (home: string) => ['server.key', 'server.pem'].map((name) => join(home, 'etc/auth', name));

function keepKey(home: string): void {
  if (key.size > 0) return;
  for (const file of keyFiles(home).filter((one) => existsSync(one))) key.set(basename(file), readFileSync(file));
}

function giveKey(home: string): void {
  if (key.size === 0 || keyFiles(home).some((file) => existsSync(file))) return;
  mkdirSync(join(home, 'etc/auth'), { recursive: true });
  for (const file of keyFiles(home)) writeFileSync(file, key.get(basename(file)) ?? '', { mode: 0o600 });
}

/** The key and certificate of a home, for a platform that asks its clients for one. */
function pairOf(home: string): { key?: Buffer; cert?: Buffer } {
  const [key = '', cert = ''] = keyFiles(home);
  return existsSync(key) ? { key: readFileSync(key), cert: readFileSync(cert) } : {};
}

const clockFile = (home: string) => join(home, 'clock-ahead-ms');

function clockEnv(home: string): Record<string, string> {
  const preload = join(import.meta.dirname, 'movingClock.cjs');
  return {
    ML_TEST_CLOCK: clockFile(home),
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --require "${preload}"`.trim(),
  };
}

function launch(home: string, options: StartOptions): ChildProcess {
  const { port = 0, env = {}, program = 'platform/src/main.ts', args, movableClock } = options;
  return spawn(process.execPath, [join(project, program), ...(args ?? ['--app', testedApp()])], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ML_HOME: home,
      ML_HOST: '127.0.0.1',
      ML_PORT: String(port),
      // Who wants the pages asks for them.
      ML_WEB_PORT: 'off',
      ML_TLS: '1',
      ML_ADMIN_PASSWORD: ADMIN_PASSWORD,
      ML_STRICT_REPLIES: '1',
      // A driver that ends for want of work would look like one that died.
      ML_DRIVER_IDLE_S: '3600',
      ...(movableClock ? clockEnv(home) : {}),
      ...env,
    },
  });
}

export function expectStatus(reply: Reply, status: number, what: string): void {
  if (reply.status !== status) throw new Error(`${what}: ${reply.status} instead of ${status}: ${reply.text}`);
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : entry.isFile() ? [path] : [];
  });
}

/** The part of a text's base64 form that does not depend on what stands before and after it. */
function base64Core(text: string): string {
  return Buffer.from(text.slice(0, Math.floor(text.length / 3) * 3)).toString('base64');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
