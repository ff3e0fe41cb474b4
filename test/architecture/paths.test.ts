import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { project } from '../support/e2e/build.ts';
import { isInstalled, needs } from '../support/programs/part.ts';

const MACHINE_PATH = /(?<![\w.}>)-])\/(?:work|root|Users|home\/(?!etc\b)\w+)\/[\w.-]*/g;
/** Not after a slash or a word: `a/../../b` in a request is data. */
const PARENT_PATH = /(?<![\w/\\.])(?:\.\.\/)+[\w.@-]*/g;

/** The paths in a file that lead out of the repository, or name a folder of one machine. */
function foreignPaths(path: string, text: string): string[] {
  const depth = path.split('/').length - 1;
  const outside = (text.match(PARENT_PATH) ?? []).filter(
    (found) => found.split('../').length - 1 > depth && !isInput(found),
  );
  return [...outside, ...(text.match(MACHINE_PATH) ?? [])].map((found) => `${path}: ${found}`);
}

/** The labelled texts of `masking` name folders of made-up machines. */
const isChecked = (path: string) =>
  !/^package-lock\.json$|^test\/fixtures\/masking\/cases\.json$|\.(png|onnx|db|woff2?|zst|gz)$/.test(path);
/** What tests send as hostile input. */
const isInput = (path: string) => /^(\.\.\/)+(etc|fake|services|src)$/.test(path);

describe('tracked files', () => {
  let files: string[];
  before(function () {
    needs(this, isInstalled('git'), 'git');
    const listed = execFileSync('git', ['ls-files', '-z'], { cwd: project, encoding: 'utf8' });
    files = listed.split('\0').filter(Boolean);
  });

  it('name no path outside the repository and no absolute path of a machine', () => {
    const found = files
      .filter(isChecked)
      .flatMap((path) => foreignPaths(path, readFileSync(join(project, path), 'utf8')));
    expect(found).to.deep.equal([]);
    expect(files.length).to.be.greaterThan(500);
  });

  it('are refused when they do', () => {
    const slash = '/';
    expect(foreignPaths('docs/a.md', `../README.md ../..${slash}shared/b.md`)).to.deep.equal([
      `docs/a.md: ../..${slash}shared`,
    ]);
    expect(foreignPaths('a.sh', `cd ..${slash}shared`)).to.deep.equal([`a.sh: ..${slash}shared`]);
    expect(foreignPaths('a.sh', `cd ${slash}home/ann/clone`)).to.deep.equal([`a.sh: ${slash}home/ann/clone`]);
  });
});
