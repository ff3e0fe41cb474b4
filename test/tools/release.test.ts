import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { hasMoreThanFixes, withRelease } from '../../tools/changelog.ts';
import { nextVersion } from '../../tools/versions.ts';
import { project } from '../support/e2e/build.ts';
import { isInstalled, needs } from '../support/programs/part.ts';

const LEFT_OUT = /^(node_modules|dist|build|\.git|\.platform|test\/fixtures)(\/|$)/;
const NEWS = '# Changelog\n\n## Unreleased\n\n### Fixed\n- A thing.\n\n## 0.1.0 - 2026-01-01\n\n### Added\n- All.\n';
/** In place of the real packages, which take a minute. */
const PACK = `const { mkdirSync, writeFileSync } = require('node:fs');
const { version } = require('./package.json');
mkdirSync('dist', { recursive: true });
for (const name of ['ml_extension-' + version + '.spl', 'SHA256SUMS']) writeFileSync('dist/' + name, version);
`;

/** A copy of the project in a repository of its own, in which a release can be made. */
class Copy {
  readonly folder = mkdtempSync(join(tmpdir(), 'release-test-'));
  readonly current: string;

  constructor() {
    cpSync(project, this.folder, {
      recursive: true,
      filter: (path) => !LEFT_OUT.test(relative(project, path)),
    });
    symlinkSync(join(project, 'node_modules'), join(this.folder, 'node_modules'));
    const manifest = JSON.parse(this.read('package.json'));
    this.current = manifest.version;
    manifest.scripts.package = 'node pack.cjs';
    this.write('pack.cjs', PACK);
    this.write('package.json', `${JSON.stringify(manifest, null, 2)}\n`);
    this.write('CHANGELOG.md', NEWS);
    this.git('init', '-q');
    this.git('add', '-A');
    this.commit();
  }

  read = (path: string) => readFileSync(join(this.folder, path), 'utf8');
  write = (path: string, text: string) => writeFileSync(join(this.folder, path), text);
  git(...args: string[]): string {
    const who = ['-c', 'user.name=Test', '-c', 'user.email=test@example.invalid', '-c', 'commit.gpgsign=false'];
    return execFileSync('git', [...who, ...args], { cwd: this.folder, encoding: 'utf8' });
  }
  commit = () => this.git('commit', '-qam', 'State');
  release(...args: string[]) {
    const command = ['--no-warnings', 'tools/release.ts', ...args];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { cwd: this.folder, encoding: 'utf8' });
    return { status, stdout, stderr };
  }
  changed = () => this.git('diff', '--name-only').trim().split('\n').filter(Boolean);
}

describe('npm run release', () => {
  let copy: Copy;
  let next: string;
  before(function () {
    needs(this, isInstalled('git'), 'git');
    copy = new Copy();
    next = nextVersion(copy.current, 'minor');
  });
  after(() => copy && rmSync(copy.folder, { recursive: true, force: true }));

  it('shows the changes without making them', () => {
    const { status, stdout, stderr } = copy.release('minor');
    expect(status, stderr).to.equal(0);
    expect(stdout).to.contain(`+version = ${next}\n`).and.contain('diff --git a/CHANGELOG.md b/CHANGELOG.md\n');
    expect(stdout).to.contain(`npm run release ${next} -- --write`);
    expect(copy.changed()).to.deep.equal([]);
  });

  it('puts the version into every place, with a build number that grows, and lists the packages', () => {
    const build = () => Number(/^build = (\d+)$/m.exec(copy.read('default/app.conf'))?.[1]);
    const [before, places] = [build(), copy.git('grep', '-lF', copy.current, '--', 'default', 'docs/openapi.json')];
    expect(places.trim().split('\n')).to.include.members(['default/app.conf', 'docs/openapi.json']);
    const { status, stdout, stderr } = copy.release('minor', '--write');
    expect(status, stderr).to.equal(0);
    expect(build()).to.be.above(before);
    expect(copy.changed()).to.include.members([
      'CHANGELOG.md',
      'client/package.json',
      'console/package.json',
      'default/app.conf',
      'docs/openapi.json',
      'package-lock.json',
      'package.json',
      'platform/package.json',
    ]);
    const { packages, version } = JSON.parse(copy.read('package-lock.json'));
    const ours = ['', 'console', 'platform'].map((path) => packages[path].version);
    expect([version, ...ours]).to.deep.equal([next, next, next, next]);
    expect(copy.read('CHANGELOG.md')).to.match(
      new RegExp(`## Unreleased\n\n## ${next} - \\d{4}-\\d\\d-\\d\\d\n\n### Fixed\n- A thing\\.\n\n## 0\\.1\\.0`),
    );
    expect(stdout).to.match(new RegExp(`[0-9a-f]{64} +\\d+ {2}ml_extension-${next}\\.spl\n`));
    expect(stdout).to.contain('  SHA256SUMS\n');

    // Places with the current version; changelog and lock files also contain others.
    const patterns = ['-e', `"version": "${copy.current}"`, '-e', `ml_extension-${copy.current}`];
    const where = ['README.md', 'app', 'client', 'console', 'default', 'docs/guide', 'platform'];
    const left = spawnSync('git', ['grep', '-nF', ...patterns, '--', ...where], { cwd: copy.folder, encoding: 'utf8' });
    expect(left.stdout).to.equal('');
    const ofMain = spawnSync('git', ['grep', '-nF', `'${copy.current}'`, '--', 'src'], {
      cwd: copy.folder,
      encoding: 'utf8',
    });
    expect(ofMain.stdout, 'a version in quotes in the code').to.equal('');
  });

  it('refuses uncommitted changes, an empty changelog, and a version that is not higher', () => {
    const dirty = copy.release('patch');
    expect([dirty.status, dirty.stderr]).to.deep.equal([
      1,
      'release: the working tree has changes: commit them, or take them away\n',
    ]);
    copy.commit();
    expect(copy.release('patch').stderr).to.equal('release: nothing stands under "## Unreleased" in CHANGELOG.md\n');
    copy.write('CHANGELOG.md', NEWS);
    copy.commit();
    for (const low of [copy.current, next]) expect(copy.release(low).stderr).to.contain(`${low} is not higher than`);
    expect(copy.release('1.2').stderr).to.contain('1.2 is no version');
    expect(copy.release('0.100.0').stderr).to.contain('0.100.0 is no version');
    const patch = nextVersion(next, 'patch');
    copy.git('tag', `v${patch}`);
    const tagged = copy.release();
    expect([tagged.status, tagged.stderr]).to.deep.equal([1, `release: there is a tag v${patch} already\n`]);
    expect(copy.changed()).to.deep.equal([]);
  });

  it('makes a patch release of fixes alone', () => {
    expect(hasMoreThanFixes(NEWS)).to.equal(false);
    expect(hasMoreThanFixes(NEWS.replace('### Fixed', '### Changed\n- B.\n\n### Fixed'))).to.equal(true);
    expect(() => withRelease('# Changelog\n', '1.0.0', '2026-01-01')).to.throw('no heading');
  });
});
