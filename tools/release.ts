// npm run release: sets the version, updates the changelog and makes the packages. A dry run without --write.
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { hasMoreThanFixes, hasNews, withRelease } from './changelog.ts';
import { nextVersion, STEPS, withVersion } from './versions.ts';

const HELP = `Makes a release: sets version and build number, updates the changelog, makes the packages.

usage: npm run release [<version>|${STEPS.join('|')}] [-- --write]

The default version is minor, or patch if only fixes are unreleased. Without --write it only shows a diff. It needs a clean
working tree and entries under "## Unreleased" in CHANGELOG.md. It makes no commit and no tag.
`;
const CHANGELOG = 'CHANGELOG.md';

const root = join(import.meta.dirname, '..');
const say = (text: string) => process.stdout.write(`${text}\n`);
const git = (cwd: string, ...args: string[]) => execFileSync('git', args, { cwd, encoding: 'utf8' });

function main(): void {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  });
  if (values.help) return void process.stdout.write(HELP);
  if (positionals.length > 1) throw new Error('give one version');
  if (git(root, 'status', '--porcelain').trim() !== '')
    throw new Error('the working tree has changes: commit them, or take them away');
  const read = (path: string) => readFileSync(join(root, path), 'utf8');
  const changelog = read(CHANGELOG);
  if (!hasNews(changelog)) throw new Error(`nothing stands under "## Unreleased" in ${CHANGELOG}`);

  const { version: current } = JSON.parse(read('package.json')) as { version: string };
  const next = nextVersion(current, positionals[0] ?? (hasMoreThanFixes(changelog) ? 'minor' : 'patch'));
  if (git(root, 'tag', '--list', `v${next}`).trim() !== '') throw new Error(`there is a tag v${next} already`);
  const pages = ['README.md', ...globSync('docs/guide/*.md', { cwd: root })];
  const files = withVersion(read, pages, current, next);
  files.set(CHANGELOG, withRelease(changelog, next, new Date().toISOString().slice(0, 10)));

  if (values.write) write(files, current, next);
  else show(files, current, next);
}

/** Makes the change in a clone and shows its diff. */
function show(files: ReadonlyMap<string, string>, current: string, next: string): void {
  const clone = mkdtempSync(join(tmpdir(), 'release-'));
  try {
    git(root, 'clone', '--quiet', '--shared', root, clone);
    symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'));
    change(clone, files);
    process.stdout.write(git(clone, 'diff', '--no-color'));
  } finally {
    rmSync(clone, { recursive: true, force: true });
  }
  say(`\nThis would make ${next} of ${current}; npm run package would then make its packages. Nothing was changed.`);
  say(`To do it: npm run release ${next} -- --write`);
}

function write(files: ReadonlyMap<string, string>, current: string, next: string): void {
  change(root, files);
  say(`${next} instead of ${current} in:\n${git(root, 'diff', '--stat').trimEnd()}\n`);
  const packed = spawnSync('npm', ['run', '-s', 'package'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (packed.status !== 0)
    throw new Error('the packages could not be made. The version is written: npm run package, or git checkout .');
  say('In dist/:');
  for (const line of made(next)) say(line);
  say(`\nLook at it, then: git commit -am "Release ${next}" && git tag v${next}`);
}

function change(folder: string, files: ReadonlyMap<string, string>): void {
  for (const [path, text] of files) writeFileSync(join(folder, path), text);
  // A new process, since this one has loaded the old version.
  execFileSync(process.execPath, ['--no-warnings', 'tools/generate.ts'], { cwd: folder, stdio: 'inherit' });
}

/** Lists the files of this version with their checksums. */
function made(version: string): string[] {
  const dist = join(root, 'dist');
  const names = readdirSync(dist).filter((name) => name === 'SHA256SUMS' || name.startsWith(`ml_extension-${version}`));
  return names.sort().map((name) => {
    const file = join(dist, name);
    const sum = createHash('sha256').update(readFileSync(file)).digest('hex');
    return `${sum}  ${String(statSync(file).size).padStart(11)}  ${name}`;
  });
}

try {
  main();
} catch (error) {
  process.stderr.write(`release: ${(error as Error).message}\n`);
  process.exitCode = 1;
}
