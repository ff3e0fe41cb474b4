import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { takeLock } from '../../src/codegen/package/lock.ts';
import { eventually } from '../support/time.ts';

const MODULE = pathToFileURL(join(import.meta.dirname, '../../src/codegen/package/lock.ts')).href;

/** Takes it so often, and says of each time whom it waited for and whether somebody else was there. */
const TAKER = (lock: string, times: number) => `
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { takeLock } from '${MODULE}';
const [lock, inside] = [${JSON.stringify(lock)}, ${JSON.stringify(`${lock}.inside`)}];
for (let time = 0; time < ${times}; time += 1) {
  const release = takeLock(lock, (pid) => process.stdout.write('waits for ' + pid + '\\n'));
  writeFileSync(inside, '', { flag: 'wx' });
  rmSync(inside);
  process.stdout.write('had it\\n');
  release();
}`;
const HOLDER = (lock: string) => `
import { takeLock } from '${MODULE}';
takeLock(${JSON.stringify(lock)});
process.stdout.write('has it\\n');
setInterval(() => {}, 1000);`;

describe('the build lock', function () {
  this.timeout(120_000);
  let folder: string;
  let lock: string;
  const children: ChildProcess[] = [];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'lock-'));
    lock = join(folder, 'deep/one.lock');
  });
  afterEach(() => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  function start(script: string) {
    const child = spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    children.push(child);
    let output = '';
    for (const from of [child.stdout, child.stderr]) {
      from.on('data', (bytes: Buffer) => {
        output += bytes.toString();
      });
    }
    const ended = once(child, 'close').then(() => ({ code: child.exitCode, output }));
    return { child, ended, isSaid: (text: string) => output.includes(text) };
  }
  const holding = async () => {
    const holder = start(HOLDER(lock));
    await eventually(() => holder.isSaid('has it'), 20_000, 'the lock to be held');
    return holder;
  };

  it('is held by one process at a time, and names the holder to others', async () => {
    const takers = Array.from({ length: 6 }, () => start(TAKER(lock, 100)));
    const pids = takers.map(({ child }) => String(child.pid));
    for (const { code, output } of await Promise.all(takers.map(({ ended }) => ended))) {
      expect(code, output).to.equal(0);
      expect(output.match(/had it/g)).to.have.length(100);
      for (const [, pid] of output.matchAll(/waits for (.*)/g)) expect(pids).to.include(pid);
    }
    expect(readdirSync(join(folder, 'deep')), 'what they leave behind').to.deep.equal([]);
  });

  it('is taken over when its holder is killed', async () => {
    const holder = await holding();
    const takers = Array.from({ length: 4 }, () => start(TAKER(lock, 20)));
    const name = `waits for ${holder.child.pid}\n`;
    await eventually(() => takers.every(({ isSaid }) => isSaid(name)), 20_000, 'all of them to wait');
    expect(takers.some(({ isSaid }) => isSaid('had it'))).to.equal(false);
    holder.child.kill('SIGKILL');
    for (const { code, output } of await Promise.all(takers.map(({ ended }) => ended)))
      expect(code, output).to.equal(0);
    expect(readdirSync(join(folder, 'deep'))).to.deep.equal([]);
  });

  for (const [what, name] of [
    ['without a process', undefined],
    ['of an earlier version', 'pid'],
  ] as const) {
    it(`is taken at once where one is left ${what}`, () => {
      mkdirSync(lock, { recursive: true });
      if (name) writeFileSync(join(lock, name), '1');
      const release = takeLock(lock);
      expect(readdirSync(lock)).to.deep.equal([String(process.pid)]);
      release();
      expect(existsSync(lock)).to.equal(false);
    });
  }

  it('can be released twice, and after its folder was deleted', () => {
    const release = takeLock(lock);
    release();
    const next = takeLock(lock);
    release();
    expect(existsSync(lock)).to.equal(true);
    rmSync(join(folder, 'deep'), { recursive: true });
    next();
    expect(readdirSync(folder)).to.deep.equal([]);
  });

  it('reports why it cannot be created', () => {
    writeFileSync(join(folder, 'deep'), '');
    expect(() => takeLock(lock)).to.throw(/EEXIST|ENOTDIR/);
    expect(readFileSync(join(folder, 'deep'), 'utf8')).to.equal('');
  });
});
