import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { importsOf, root } from './sources.ts';

/** Files by their path in the repository, with what they import. */
const files = globSync(
  [
    ...[
      'src/**/*.ts',
      'test/**/*.ts',
      'platform/{src,test}/**/*.ts',
      '{bench,tools}/**/*.ts',
      'client/{src,examples}/**/*.ts',
    ],
    'console/**/*.{ts,tsx}',
  ],
  // The tools that read the document are installed beside their tests.
  { cwd: root, exclude: ['**/node_modules/**'] },
).map((path) => {
  const text = readFileSync(join(root, path), 'utf8');
  return { path, text, imports: new Set(importsOf(path, text).map(({ to }) => to)) };
});

const EXPORT = /^export (?:abstract |async )?(?:function\*?|const|let|class|interface|type) (\w+)/gm;
/** What others call by its name alone: the build, the compiler, users of the client, and a test that copies a file elsewhere. */
const PUBLIC = [
  'client/src/index.ts',
  'client/src/operations.ts',
  'test/support/madeUpProvider.ts',
  'platform/src/platform.ts',
  'src/adapters/mcp/shims.ts',
  'client/src/schemas.ts',
  'console/parts/text/jsxRuntime.ts',
];
const builders = ['build.mjs', 'buildConsole.mjs', 'aliases.ts']
  .map((path) => readFileSync(join(root, path), 'utf8'))
  .join('\n');

/**
 * Exported names that no other file names. A type may be exported for the signature that it is part of: of types only those
 * count that their own file does not name either.
 */
function unused(): string[] {
  return files.flatMap(({ path, text }) => {
    if (PUBLIC.includes(path)) return [];
    const importers = files.filter((other) => other.path !== path && other.imports.has(path));
    return [...text.matchAll(EXPORT)].flatMap(([statement, name = '']) => {
      const word = new RegExp(`\\b${name}\\b`);
      const isType = /\b(interface|type) \w+$/.test(statement);
      const isNamedHere = isType && (text.match(new RegExp(`\\b${name}\\b`, 'g'))?.length ?? 0) > 1;
      const isUsed = isNamedHere || importers.some((other) => word.test(other.text)) || word.test(builders);
      return isUsed ? [] : [`${path}: ${name}`];
    });
  });
}

describe('exports', () => {
  it('are used by another file', () => {
    expect(files.length).to.be.above(700);
    expect(unused()).to.deep.equal([]);
  });

  it('are found, whatever they are', () => {
    const text = ['export function f() {}', 'export const c = 1;', 'export async function* g() {}'].join('\n');
    const more = 'export interface I {}\nexport type T = 1;\nexport abstract class C {}\nexport function* h() {}\n';
    expect([...`${text}\n${more}`.matchAll(EXPORT)].map(([, name]) => name)).to.have.members([
      'f',
      'c',
      'g',
      'I',
      'T',
      'C',
      'h',
    ]);
  });
});
