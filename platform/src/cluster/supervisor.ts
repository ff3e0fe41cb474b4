import { type ChildProcess, fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { openHome, StartError } from '../home/home.ts';
import type { GeneratedPassword } from '../identity/passwords/adminPassword.ts';
import { appSource, type Platform, type PlatformOptions } from '../platform.ts';
import { skewedEnvironment } from './clockSkew.ts';
import type { Order, Report } from './member.ts';
import { memberHome, prepareHome } from './memberHomes.ts';
import { writeMemberList } from './memberList.ts';
import { HOLDER } from './membership.ts';

export interface ClusterOptions extends Omit<PlatformOptions, 'members'> {
  count: number;
  replicationMs: number;
  /** Delay before a dead member is restarted. */
  restartMs: number;
  /** Shifts the clock of drivers and commands of all members except the first. */
  clockSkewMs: number;
  /** Program and arguments of a member process; it must call `runMember`. */
  entry: { file: string; args: string[] };
  print(text: string): void;
}

export interface Cluster {
  urls: string[];
  web: Platform['web'];
  generatedPassword: GeneratedPassword | undefined;
  close(): Promise<void>;
}

interface Member {
  child: ChildProcess | undefined;
  port: number;
  starts: number;
  restart: NodeJS.Timeout | undefined;
}

/** How long members may take to exit on their own. */
const END_MS = 10_000;

/** Starts the members of a cluster, restarts those that die, and stops them all. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const app = (await appSource(options))?.name;
  const home = openHome(options.home);
  const supervisor = new Supervisor(options, home.dir, app);
  const close = async (): Promise<void> => {
    await supervisor.close();
    home.release();
  };
  try {
    // The first starts alone, since it creates what all share.
    await supervisor.start(HOLDER);
    await Promise.all(
      supervisor
        .numbers()
        .slice(1)
        .map((number) => supervisor.start(number)),
    );
    const { generatedPassword, web } = supervisor;
    return { urls: supervisor.urls(), web, generatedPassword, close };
  } catch (error) {
    await close();
    throw error;
  }
}

class Supervisor {
  generatedPassword: GeneratedPassword | undefined;
  web: Platform['web'];
  readonly #options: ClusterOptions;
  readonly #root: string;
  readonly #key = randomBytes(48).toString('base64url');
  readonly #app: string | undefined;
  readonly #members: Member[];
  readonly #urls: Record<number, string> = {};
  #closing = false;

  constructor(options: ClusterOptions, root: string, app: string | undefined) {
    this.#options = options;
    this.#root = root;
    this.#app = app;
    this.#members = Array.from({ length: options.count }, (_, index) => ({
      child: undefined,
      // Consecutive ports, or any free ones.
      port: options.port === 0 ? 0 : options.port + index,
      starts: 0,
      restart: undefined,
    }));
  }

  numbers(): number[] {
    return this.#members.map((_, index) => index + 1);
  }

  urls(): string[] {
    return this.numbers().map((number) => this.#urls[number] ?? '');
  }

  /** Resolves when the member serves; restarts are handled internally. */
  start(number: number): Promise<void> {
    const member = this.#member(number);
    const { home: _home, print: _say, entry, ...options } = this.#options;
    if (member.starts === 0) prepareHome(this.#root, number, this.#app);
    const home = memberHome(this.#root, number);
    const env = skewedEnvironment(home, this.#options.env ?? process.env, number === HOLDER ? 0 : options.clockSkewMs);
    const first = member.starts === 0 && number === HOLDER;
    // Member 1 serves the pages, at the same port after a restart.
    const web =
      number === HOLDER && options.web ? { ...options.web, port: this.web?.port ?? options.web.port } : undefined;
    const order: Order = {
      kind: 'start',
      options: { ...options, home, port: member.port, web, env, ...(first ? {} : { adminPassword: undefined }) },
      plan: {
        number,
        count: options.count,
        root: this.#root,
        key: this.#key,
        replicationMs: options.replicationMs,
        first,
      },
      urls: this.#urls,
    };
    const child = fork(entry.file, entry.args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    member.child = child;
    member.starts += 1;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.on('message', (report: Report) => {
      if (report.kind === 'failed') {
        reject(new StartError(report.message));
        child.kill();
        return;
      }
      this.#serves(number, report);
      resolve();
    });
    child.on('error', (error) => reject(error));
    child.on('exit', (code, signal) => {
      reject(new StartError(`Member ${number} ended before it served.`));
      this.#ended(number, signal === null ? `with code ${code}` : `by ${signal}`);
    });
    child.send(order);
    return promise;
  }

  async close(): Promise<void> {
    this.#closing = true;
    await Promise.all(
      this.#members.map(async ({ child, restart }) => {
        clearTimeout(restart);
        if (child === undefined) return;
        const gone = new Promise((resolve) => child.once('exit', resolve));
        // A stopped process does not receive SIGTERM before SIGCONT.
        child.kill('SIGCONT');
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), END_MS);
        await gone;
        clearTimeout(timer);
      }),
    );
  }

  #member(number: number): Member {
    const member = this.#members[number - 1];
    if (member === undefined) throw new Error(`there is no member ${number}`);
    return member;
  }

  #serves(number: number, { url, port, web, generatedPassword }: Extract<Report, { kind: 'ready' }>): void {
    this.#member(number).port = port;
    this.#urls[number] = url;
    if (web !== undefined) this.web = web;
    if (generatedPassword !== undefined) this.generatedPassword = generatedPassword;
    for (const { child } of this.#members) {
      if (child?.connected) child.send({ kind: 'urls', urls: this.#urls } satisfies Order, () => {});
    }
    this.#list();
  }

  #ended(number: number, how: string): void {
    const member = this.#member(number);
    const { restartMs, print: say } = this.#options;
    member.child = undefined;
    if (this.#closing) return;
    this.#list();
    // A member that never served failed to start; the caller gets the error.
    if (this.#urls[number] === undefined) return;
    say(`Member ${number} ended ${how}; restarting in ${restartMs} ms.`);
    member.restart = setTimeout(() => {
      this.start(number).catch((error: Error) => say(`Member ${number} cannot be started: ${error.message}`));
    }, restartMs);
  }

  #list(): void {
    writeMemberList(
      join(this.#root, 'var', 'run', 'splunk'),
      this.#members.map(({ child, starts }, index) => ({
        member: index + 1,
        url: this.#urls[index + 1] ?? '',
        ...(child?.pid === undefined ? {} : { pid: child.pid }),
        starts,
      })),
    );
  }
}
