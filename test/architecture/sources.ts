import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export const root = join(import.meta.dirname, '../..');
const SRC = 'src';

export interface Import {
  /** The importing file, below the folder of sources. */
  from: string;
  /** What it names; a relative one is given below the same folder. */
  to: string;
  dynamic: boolean;
}

/** Every TypeScript file of a folder of sources, as its path below it. */
export const sources = (folder = SRC): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort();

export const read = (path: string, folder = SRC): string => readFileSync(join(root, folder, path), 'utf8');

/** `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`; of types too: a type is knowledge. */
const STATEMENT = /^(?:import|export)\b[^'";]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

export function importsOf(path: string, text = read(path)): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, from, bare, dynamic]) => {
    const named = from ?? bare ?? dynamic ?? '';
    const to = named.startsWith('.') ? normalize(join(dirname(path), named)) : named;
    return { from: path, to, dynamic: dynamic !== undefined };
  });
}

/** Import statements at the start of a line that the pattern above misses, and imports of what is computed. */
export function unreadImports(path: string, folder = SRC): string[] {
  const text = read(path, folder);
  const words = text.match(/^import\b(?!\.)/gm)?.length ?? 0;
  const statements = importsOf(path, text.replaceAll(/^export\b.*$/gm, '')).filter((each) => !each.dynamic);
  const missed = statements.length === words ? [] : [`${path}: ${words} imports, ${statements.length} of them read`];
  // A computed import could name anything.
  const computed = [...text.matchAll(/\bimport\(\s*([^'\s)])/g)];
  return [...missed, ...computed.map(([found]) => `${path}: ${found}`)];
}

/** The layer of a path below src: its first folder, or the file itself at the top. */
export const layerOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : path);

export const isInside = (path: string): boolean => !normalize(path).startsWith('..');
