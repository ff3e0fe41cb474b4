import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';

const PROGRAM = 'tools/onRuntime.mjs';
/** A Node that no machine has, so that the one of these tests counts as too old. */
const NEVER = 'const NEEDED = 999;';

describe('a program on the Node that npm brought along', () => {
  let folder: string;
  let runtime: string;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'on-runtime-'));
    const text = readFileSync(join(project, PROGRAM), 'utf8').replace(/const NEEDED = \d+;/, NEVER);
    expect(text).to.include(NEVER);
    mkdirSync(join(folder, 'tools'));
    writeFileSync(join(folder, PROGRAM), text);
    const bin = join(folder, `node_modules/node-linux-${process.arch}/bin`);
    mkdirSync(bin, { recursive: true });
    mkdirSync(join(folder, 'node_modules/.bin'));
    runtime = join(bin, 'node');
  });

  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const program = (text: string): string[] => {
    writeFileSync(join(folder, 'program.mjs'), text);
    return [PROGRAM, 'program.mjs'];
  };
  const run = (args: string[]) => spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8' });
  const fake = (script: string) => writeFileSync(runtime, `#!/bin/sh\n${script}\n`, { mode: 0o755 });

  it('has its arguments, streams and exit code', () => {
    symlinkSync(process.execPath, runtime);
    const args = [...program('console.log(process.argv.slice(2).join("+")); process.exitCode = 7'), '--one', 'two'];
    expect(run(args)).to.include({ stdout: '--one+two\n', status: 7 });
  });

  it('runs in the same process where that Node is new enough', () => {
    const [, file = ''] = program('console.log(process.argv.slice(1).join("+"))');
    const { stdout } = run([join(project, PROGRAM), file, 'x']);
    expect(stdout).to.equal(`${join(folder, 'program.mjs')}+x\n`);
    expect(existsSync(join(folder, 'node_modules/.bin/node'))).to.equal(false);
  });

  it('gives back the link that npm 10 deletes', () => {
    symlinkSync(process.execPath, runtime);
    run(program(''));
    const linked = spawnSync(join(folder, 'node_modules/.bin/node'), ['-p', '1 + 1'], { encoding: 'utf8' });
    expect(linked.stdout).to.equal('2\n');
  });

  it('ends when it is told to, and says by what', async () => {
    symlinkSync(process.execPath, runtime);
    const args = program('console.log("here"); setInterval(() => {}, 1000)');
    const child = spawn(process.execPath, args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    const [code] = await once(child, 'exit');
    expect(code).to.equal(128 + 15);
  });

  it('names the library that is missing, and leaves no link behind', () => {
    fake('echo "node: error while loading shared libraries: libstdc++.so.6: cannot open" >&2; exit 127');
    const { status, stderr } = run(program(''));
    expect(status).to.equal(1);
    expect(stderr).to.include('cannot be started').and.to.include('libstdc++.so.6');
    expect(existsSync(join(folder, 'node_modules/.bin/node'))).to.equal(false);
  });

  it('says so where there is none, and what another fault was', () => {
    expect(run(program('')).stderr).to.equal(
      `ml_extension: Node 999 or newer is needed and npm brought none for linux-${process.arch}: install it\n`,
    );
    fake('echo "Illegal instruction" >&2; exit 132');
    expect(run(program('')).stderr).to.match(/^ml_extension: .* cannot be started: Illegal instruction/);
  });
});
