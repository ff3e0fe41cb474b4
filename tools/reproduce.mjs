// npm run reproduce: builds and packs here and in a copy at another path, and compares the packages byte for byte.
// Passes its arguments to the builds (--classic-pages).
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BUILD_INPUTS } from '../src/codegen/package/files.ts';

const root = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'ml-reproduce-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
const copy = join(folder, 'another/place');
for (const entry of BUILD_INPUTS) cpSync(join(root, entry), join(copy, entry), { recursive: true });
// Not a symbolic link, since the bundler resolves real paths.
if (spawnSync('cp', ['-al', join(root, 'node_modules'), copy], { stdio: 'ignore' }).status !== 0) {
  rmSync(join(copy, 'node_modules'), { recursive: true, force: true });
  cpSync(join(root, 'node_modules'), join(copy, 'node_modules'), { recursive: true, verbatimSymlinks: true });
}

const [here, there] = [root, copy].map(sums);
const differ = [...new Set([...here.keys(), ...there.keys()])].filter((name) => here.get(name) !== there.get(name));
process.stdout.write(
  differ.length === 0
    ? `reproduced: ${here.size} files have equal sums in ${root} and ${copy}\n`
    : `not reproduced: ${differ.join(', ')} differ between ${root} and ${copy}\n`,
);
process.exitCode = differ.length === 0 ? 0 : 1;

/** Builds and packs a checkout. @returns file name -> checksum */
function sums(folder) {
  const args = ['build.mjs', '--package', ...process.argv.slice(2)];
  const { status } = spawnSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) {
    process.stdout.write(`not reproduced: the build in ${folder} failed\n`);
    process.exit(1);
  }
  const lines = readFileSync(join(folder, 'dist/SHA256SUMS'), 'utf8').trimEnd().split('\n');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}
