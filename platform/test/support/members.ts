import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  ADMIN_PASSWORD,
  type CallOptions,
  call,
  FIXTURE_APP,
  type Reply,
  temporaryFolder,
  writeFiles,
} from './platform.ts';

const COMMAND = join(import.meta.dirname, '../../src/main.ts');

/** The fixture with a collection, a conf file and a driver that returns the time. */
const CLUSTER_APP: Record<string, string> = {
  ...FIXTURE_APP,
  'default/collections.conf': '[things]\nfield.size = number\naccelerated_fields.by_size = {"size": 1}\n',
  'bin/echo': (FIXTURE_APP['bin/echo'] ?? '').replace(
    'payload: JSON.parse(block)',
    'payload: { ...JSON.parse(block), now: Date.now(), made: new Date().getTime(), uptime: performance.now() }',
  ),
};

/** A cluster started by one command, with a port for each member. */
export class TestMembers {
  readonly folder = temporaryFolder();
  readonly home = join(this.folder, 'home');
  readonly #env: Record<string, string>;
  process: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  stdout = '';
  stderr = '';
  urls: string[] = [];

  constructor(env: Record<string, string> = {}) {
    this.#env = env;
    writeFiles(join(this.folder, 'fixture'), CLUSTER_APP);
  }

  async start(): Promise<this> {
    this.stdout = '';
    this.process = spawn(process.execPath, [COMMAND, '--app', join(this.folder, 'fixture')], {
      env: {
        ...process.env,
        ML_HOME: this.home,
        ML_PORT: '0',
        ML_WEB_PORT: 'off',
        ML_TLS: '0',
        ML_MEMBERS: '2',
        ML_REPLICATION_MS: '300',
        ML_MEMBER_RESTART_MS: '1000',
        ML_ADMIN_PASSWORD: ADMIN_PASSWORD,
        ...this.#env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#exited = once(this.process, 'close');
    this.process.stdout?.on('data', (chunk) => {
      this.stdout += chunk;
    });
    this.process.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    while (!/^ready \S+\n/m.test(this.stdout)) {
      if (this.process.exitCode !== null) throw new Error(`it ended: ${this.stderr}`);
      await sleep(20);
    }
    this.urls = [...this.stdout.matchAll(/^member \d+ (\S+)$/gm)].map(([, url]) => url ?? '');
    return this;
  }

  /** A call to one member, the first being 1. */
  call(member: number, method: string, path: string, options?: CallOptions): Promise<Reply> {
    return call(this.urls[member - 1] ?? '', method, path, options);
  }

  async pid(member: number, ask = member): Promise<number> {
    const { json } = await this.call(ask, 'GET', '/services/embedded/members');
    return json.members[member - 1].pid;
  }

  async signal(member: number, signal: NodeJS.Signals): Promise<void> {
    const other = member === 1 ? 2 : 1;
    process.kill(await this.pid(member, other), signal);
  }

  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.process?.exitCode === null) this.process.kill(signal);
    await this.#exited;
    return this.process?.exitCode ?? null;
  }

  async dispose(): Promise<void> {
    await this.end();
    rmSync(this.folder, { recursive: true, force: true });
  }
}
