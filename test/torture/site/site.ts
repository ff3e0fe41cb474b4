import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TestPlatform } from '../../support/e2e/platform.ts';
import { freePort } from '../../support/peers/listen.ts';
import { childrenOf, isOf } from '../../support/programs/processes.ts';
import { eventually } from '../../support/time.ts';
import type { People } from '../history/access.ts';
import { atEnd } from './cleanup.ts';
import { type Call, type Called, Client, isAnswer } from './client.ts';

const MOUNT = '/servicesNS/nobody/ml_extension/ml';

export interface SiteOptions {
  drivers?: number;
  members?: number;
  env?: Record<string, string>;
}

/** The callers, with their roles and the roles these import. */
export const PEOPLE: People = {
  admin: { roles: ['admin', 'ml_admin', 'ml_user', 'power', 'user'], isAdmin: true },
  anna: { roles: ['ml_admin', 'ml_user', 'user'] },
  bert: { roles: ['editors', 'user'] },
  carl: { roles: ['readers', 'user'] },
};

/** The product under torture: one platform, or members of a search head cluster, with users and a data folder. */
export class Site {
  readonly platform: TestPlatform;
  readonly members: number;
  readonly #clients = new Map<string, Client>();
  readonly dispose: () => Promise<void>;
  bases: string[] = [];

  private constructor(platform: TestPlatform, members: number) {
    this.platform = platform;
    this.members = members;
    this.dispose = atEnd(async () => {
      for (const client of this.#clients.values()) client.close();
      const pids = [...this.memberPids(), ...this.driverPids()];
      await platform.kill9();
      // Stopped processes would never see the end of their input.
      for (const pid of pids) this.signal(pid, 'SIGKILL');
      rmSync(platform.home, { recursive: true, force: true });
    });
  }

  static async start({ drivers = 3, members = 1, env = {} }: SiteOptions = {}): Promise<Site> {
    const platform = new TestPlatform({
      home: mkdtempSync(join(tmpdir(), 'torture-')),
      port: await freePort(members),
      env: {
        ML_TLS: '0',
        ML_DRIVERS: String(drivers),
        ...(members > 1 ? { ML_MEMBERS: String(members) } : {}),
        ...env,
      },
    });
    const site = new Site(platform, members);
    await site.startAgain();
    await platform.createRole('editors', ['user'], ['edit_agent_connections']);
    await platform.createRole('readers', ['user']);
    await platform.createUser('anna', ['ml_admin']);
    await platform.createUser('bert', ['editors']);
    await platform.createUser('carl', ['readers']);
    for (const user of Object.keys(PEOPLE)) site.#clients.set(user, new Client(platform.basic(user)));
    return site;
  }

  async startAgain(): Promise<void> {
    const before = this.platform.output.length;
    await this.platform.start();
    const output = this.platform.output.slice(before);
    const members = [...output.matchAll(/^member \d+ (\S+)/gm)].map(([, url]) => url ?? '');
    this.bases = members.length > 0 ? members : [this.platform.url];
  }

  call(via: number, user: string, call: Call): Promise<Called> {
    const client = this.#clients.get(user);
    if (!client) throw new Error(`no such user: ${user}`);
    return client.call(this.bases[via % this.bases.length] ?? '', call);
  }

  ml(via: number, user: string, call: Call): Promise<Called> {
    return this.call(via, user, { ...call, path: `${MOUNT}${call.path}` });
  }

  /** Sets faults of the stores; false where the platform does not know them or is down. */
  async faults(form: Record<string, string>, via = 0): Promise<boolean> {
    const path = `/services/embedded/faults?${new URLSearchParams({ ...form, output_mode: 'json' })}`;
    const reply = await this.call(via, 'admin', { method: 'POST', path, timeoutMs: 5000 });
    return isAnswer(reply) && reply.status === 200;
  }

  /** Lines of the log, of every member, that tell of a bug. */
  bugs(): string[] {
    const homes = [this.platform.home, ...filesOf(join(this.platform.home, 'members'))];
    const logs = homes.map((home) => join(home, 'var/log/splunk/splunkd.log')).filter((file) => existsSync(file));
    return logs.flatMap((file) => readFileSync(file, 'utf8').match(BUG) ?? []).map((line) => line.slice(0, 600));
  }

  /** Members other than the process that was started, where there are some. */
  memberPids(): number[] {
    return this.members > 1 ? childrenOf(this.platform.pid) : [];
  }

  driverPids(): number[] {
    const parents = this.members > 1 ? this.memberPids() : [this.platform.pid];
    return parents.flatMap(childrenOf);
  }

  /** To a process of this site, and to no other that may have got its number since it was looked up. */
  signal(pid: number, name: NodeJS.Signals): void {
    if (pid <= 0 || !isOf(pid, this.platform.home)) return;
    try {
      process.kill(pid, name);
    } catch {
      // It ended before the signal.
    }
  }

  /** All stores well, every member answering. */
  async settle(): Promise<void> {
    for (const pid of [...this.memberPids(), ...this.driverPids()]) this.signal(pid, 'SIGCONT');
    for (const via of this.bases.keys()) {
      await eventually(
        () => this.faults({ kvstore: 'ok', passwords: 'ok' }, via),
        30_000,
        'the faults to be taken back',
      );
      const isWell = async () => {
        const reply = await this.ml(via, 'admin', { method: 'GET', path: '/health', timeoutMs: 5000 });
        return isAnswer(reply) && reply.json?.store === 'ready' && reply.json?.secrets === 'ready';
      };
      await eventually(isWell, 60_000, `member ${via} to be well`);
    }
  }
}

const BUG = /.*"event":"(bug|uncaught|unhandled)".*/g;
const filesOf = (folder: string) => (existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : []);
