import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importsOf, root } from './sources.ts';

const FOLDERS = /^(console|client\/src|src\/contract)\//;
const files = globSync('console/**/*.{ts,tsx}', { cwd: root }).filter((path) => !path.endsWith('.d.ts'));
const read = (path: string) => readFileSync(join(root, path), 'utf8');

describe('the console', () => {
  it('knows the app by its contract and its client alone', () => {
    expect(files.length).to.be.above(40);
    const found = files.flatMap((path) => importsOf(path, read(path)));
    const isOutside = ({ to }: { to: string }) =>
      /^(\.\.|src|client|platform|test|bench)\//.test(to) && !FOLDERS.test(to);
    expect(found.filter(isOutside).map(({ from, to }) => `${from} -> ${to}`)).to.deep.equal([]);
  });

  it('asks for libraries by what its manifest names', () => {
    const { dependencies } = JSON.parse(read('console/package.json')) as { dependencies: Record<string, string> };
    const libraries = files
      .flatMap((path) => importsOf(path, read(path)))
      .map(({ to }) => to)
      .filter((to) => !to.includes('.ts') && !FOLDERS.test(to));
    const names = libraries.map((to) =>
      to
        .split('/')
        .slice(0, to.startsWith('@') ? 2 : 1)
        .join('/'),
    );
    expect([...new Set(names)].filter((name) => !(name in dependencies))).to.deep.equal([]);
  });

  it('has no file longer than 300 lines but generated ones', () => {
    const long = files
      .filter((path) => !path.startsWith('console/generated/'))
      .map((path) => `${read(path).split('\n').length - 1} ${path}`)
      .filter((line) => Number.parseInt(line, 10) > 300);
    expect(long).to.deep.equal([]);
  });

  it('leaves no trace in the driver', () => {
    const { inputs: all } = JSON.parse(read('build/metafile.json')) as { inputs: object };
    const inputs = Object.keys(all);
    expect(inputs.length).to.be.above(500);
    expect(inputs.filter((path) => /^console\/|\/(react|react-dom|styled-components)\//.test(path))).to.deep.equal([]);
  });
});
