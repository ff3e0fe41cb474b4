import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Import, importsOf, isInside, read, root, sources, unreadImports } from './sources.ts';

const PLATFORM = 'platform';
const manifest = JSON.parse(readFileSync(join(root, PLATFORM, 'package.json'), 'utf8')) as {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
};
/** What it must not know: the app that `npm start` gives it. */
const NAMES_OF_THE_APP = /ml_extension|\/ml\b|\bmlx\b|Machine Learning/i;

const isRelative = (to: string): boolean => /^\.\.?\//.test(to) || to.endsWith('.ts') || to.endsWith('.json');

/** `@scope/name/part` -> `@scope/name`; nothing for modules of Node itself. */
function libraryOf(to: string): string | undefined {
  if (isRelative(to) || to.startsWith('node:')) return undefined;
  return to
    .split('/')
    .slice(0, to.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Below `platform/`: what leaves it, and what its manifest does not name. */
function problem({ from, to }: Import): string | undefined {
  if (isRelative(to)) return isInside(to) ? undefined : `${from} imports ${to}, which is not the platform's`;
  const library = libraryOf(to);
  if (library === undefined) return undefined;
  if (builtinModules.includes(library)) return `${from} imports ${to} without node:`;
  const isTest = from.startsWith('test/');
  const named = Object.hasOwn(manifest.dependencies, library) || (isTest && library in manifest.devDependencies);
  return named ? undefined : `${from} imports ${library}, which the manifest does not name`;
}

/** Files that import one another, each as the way round. */
function circles(imports: readonly Import[]): string[] {
  const edges = Map.groupBy(imports, ({ from }) => from);
  const done = new Set<string>();
  const found: string[] = [];
  const visit = (file: string, way: readonly string[]): void => {
    if (way.includes(file)) found.push([...way.slice(way.indexOf(file)), file].join(' -> '));
    if (way.includes(file) || done.has(file)) return;
    for (const { to } of edges.get(file) ?? []) visit(to, [...way, file]);
    done.add(file);
  };
  for (const file of edges.keys()) visit(file, []);
  return found;
}

describe('the embedded platform', () => {
  const files = sources(PLATFORM);
  const imports = files.flatMap((path) => importsOf(path, read(path, PLATFORM)));
  const inSource = files.filter((path) => path.startsWith('src/'));

  it('imports nothing but itself, Node and what its manifest names', () => {
    expect(files.length).to.be.above(150);
    expect(imports.length).to.be.above(500);
    expect(imports.map(problem).filter(Boolean)).to.deep.equal([]);
    expect(inSource.flatMap((path) => unreadImports(path, PLATFORM))).to.deep.equal([]);
  });

  it('names no library that it does not import', () => {
    const used = new Set(imports.filter(({ from }) => from.startsWith('src/')).map(({ to }) => libraryOf(to)));
    expect(Object.keys(manifest.dependencies).filter((library) => !used.has(library))).to.deep.equal([]);
  });

  it('has no circles of imports', () => {
    expect(circles(imports)).to.deep.equal([]);
  });

  it('does not know the app', () => {
    expect(inSource.filter((path) => NAMES_OF_THE_APP.test(read(path, PLATFORM)))).to.deep.equal([]);
  });

  it('has no file longer than 300 lines', () => {
    const long = inSource.filter((path) => read(path, PLATFORM).split('\n').length > 301);
    expect(long).to.deep.equal([]);
  });

  it('a crossing and a circle would be seen', () => {
    const from = (path: string, text: string) => importsOf(path, text).map(problem).filter(Boolean);
    expect(from('src/kv/x.ts', "import { a } from '../../../src/contract/basics.ts';")).to.have.length(1);
    expect(from('test/x.test.ts', "import { a } from '../../test/support/random.ts';")).to.have.length(1);
    expect(from('src/x.ts', "import { expect } from 'chai';")).to.have.length(1);
    expect(from('test/x.test.ts', "import { expect } from 'chai';")).to.have.length(0);
    expect(from('src/x.ts', "import { readFileSync } from 'fs';")).to.have.length(1);
    expect(from('src/x.ts', "const c = await import('../../src/table.ts');")).to.have.length(1);
    expect(from('src/kv/x.ts', "import { Query } from 'mingo/query';\nimport '../http/route.ts';")).to.have.length(0);
    const ring = [...importsOf('a.ts', "import './b.ts';"), ...importsOf('b.ts', "import type { A } from './a.ts';")];
    expect(circles(ring)).to.deep.equal(['a.ts -> b.ts -> a.ts']);
    expect(NAMES_OF_THE_APP.test("join(dist, 'ml_extension')")).to.equal(true);
  });
});
