import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';
import { needs } from '../support/programs/part.ts';

const run = promisify(execFile);
const LIB = join(project, 'test/testbeds/lib.sh');

/** Changes of testbeds to the machine's network, with folders in place of `/proc/sys` and `/run`. */
describe('the network of testbeds', () => {
  let folder: string;
  let setting: string;

  before(function () {
    needs(this, process.platform === 'linux', 'Linux');
  });
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'still-'));
    setting = join(folder, 'sys/net/ipv6/conf/default/disable_ipv6');
    mkdirSync(dirname(setting), { recursive: true });
    write('0');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const write = (value: string) => writeFileSync(setting, `${value}\n`);
  const value = () => readFileSync(setting, 'utf8').trim();

  /** Writes the daemon's pid file; this process substitutes for the daemon. */
  const engine = (home: string, pid: number) => {
    const pids = join(folder, home, 'pids');
    mkdirSync(pids, { recursive: true });
    const started = readFileSync('/proc/self/stat', 'utf8').split(') ')[1]?.split(' ')[19];
    writeFileSync(join(pids, 'dockerd'), `${pid} ${started}\n`);
  };
  const call = (home: string, what: string) =>
    run('bash', ['-euo', 'pipefail', '-c', `. '${LIB}'; ${what}`], {
      env: {
        PATH: process.env.PATH,
        TESTBED_HOME: join(folder, home),
        TESTBED_PROC_SYS: join(folder, 'sys'),
        TESTBED_RUN: join(folder, 'run'),
      },
    });
  /** @param killed shell code that kills the script */
  const up = async (home: string, killed?: string) => {
    engine(home, process.pid);
    await call(home, killed === undefined ? 'still_network' : `${killed}; ! still_network`);
  };
  const kill = (home: string) => rmSync(join(folder, home, 'pids/dockerd'), { force: true });
  const down = async (home: string) => {
    kill(home);
    await call(home, 'release_network');
  };

  for (const before of ['0', '1']) {
    it(`is as before after up and down, from ${before}`, async () => {
      write(before);
      await up('a');
      expect(value()).to.equal('1');
      await up('a');
      await down('a');
      expect(value()).to.equal(before);
      await down('a');
      expect(value()).to.equal(before);
    });
  }

  for (const before of ['0', '1']) {
    it(`is as before when up was killed at any of its steps, from ${before}`, async () => {
      write(before);
      for (const step of ['flock', 'cat', 'grep', 'echo']) {
        await up('a', `${step}() { kill -9 $BASHPID; }`);
        kill('a');
        await up('a');
        expect(value(), step).to.equal('1');
        await down('a');
        expect(value(), step).to.equal(before);
      }
    });
  }

  it('stays still until the last of several engines has ended, whichever that is', async () => {
    for (const [first, last] of [
      ['a', 'b'],
      ['b', 'a'],
    ] as const) {
      await up('a');
      await up('b');
      await down(first);
      expect(value()).to.equal('1');
      await down(last);
      expect(value()).to.equal('0');
    }
  });

  it('waits for no engine that was killed, nor for one whose home is gone', async () => {
    for (const home of ['killed', 'gone']) await up(home);
    kill('killed');
    rmSync(join(folder, 'gone'), { recursive: true });
    await up('a');
    await down('a');
    expect(value()).to.equal('0');
  });

  it('forgets what was before another value was set, or the machine started anew', async () => {
    write('1');
    await up('a');
    kill('a');
    write('0');
    await up('a');
    await down('a');
    expect(value()).to.equal('0');
  });

  it('is left alone where there is no IPv6', async () => {
    rmSync(setting);
    await up('a');
    await down('a');
  });
});
