import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { BUILD_INPUTS, filesBelow } from '../../src/codegen/package/files.ts';
import { project } from '../support/e2e/build.ts';
import { patience } from '../support/time.ts';

describe('two builds at once in one folder', function () {
  this.timeout(patience(300_000));
  const folder = mkdtempSync(join(tmpdir(), 'ml-two-builds-'));
  after(() => rmSync(folder, { recursive: true, force: true }));

  async function build(): Promise<{ code: number; output: string }> {
    const child = spawn(process.execPath, ['build.mjs'], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
    let output = '';
    child.stderr.on('data', (bytes) => (output += bytes));
    const [code] = await once(child, 'close');
    return { code, output };
  }

  /** Every file but the large one with its sum. */
  const app = () =>
    filesBelow(join(folder, 'dist/ml_extension')).map((path) => {
      if (path.startsWith('bin/runtime/')) return path;
      const bytes = readFileSync(join(folder, 'dist/ml_extension', path));
      return `${path} ${createHash('sha256').update(bytes).digest('hex')}`;
    });

  it('wait for each other, and both make a complete app', async () => {
    for (const entry of BUILD_INPUTS) cpSync(join(project, entry), join(folder, entry), { recursive: true });
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    const both = await Promise.all([build(), build()]);
    expect(
      both.map(({ code }) => code),
      both.map(({ output }) => output).join(),
    ).to.deep.equal([0, 0]);
    expect(both.map(({ output }) => output).sort()[1]).to.match(
      /^build: process \d+ is building in this folder; waiting/,
    );
    const made = app();
    expect(made).to.have.length.above(100);
    rmSync(join(folder, 'dist'), { recursive: true });
    expect(await build()).to.deep.equal({ code: 0, output: '' });
    expect(app()).to.deep.equal(made);
  });
});
