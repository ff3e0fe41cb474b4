import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';

export const root = join(import.meta.dirname, '../..');
const src = join(root, 'src');

export interface Import {
  /** The importing file, below src. */
  from: string;
  /** What it names; a relative one is given below src. */
  to: string;
  dynamic: boolean;
}

/** Every TypeScript file of src, as its path below it. */
export const sources = (): string[] =>
  readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort();

export const read = (path: string): string => readFileSync(join(src, path), 'utf8');

/** `import … from 'x'`, `export … from 'x'`, `import 'x'`, `import('x')`; of types too: a type is knowledge. */
const STATEMENT = /^(?:import|export)\b[^'";]*?from\s*'([^']+)'|^import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm;

export function importsOf(path: string, text = read(path)): Import[] {
  return [...text.matchAll(STATEMENT)].map(([, from, bare, dynamic]) => {
    const named = from ?? bare ?? dynamic ?? '';
    const to = named.startsWith('.') ? normalize(join(dirname(path), named)) : named;
    return { from: path, to, dynamic: dynamic !== undefined };
  });
}

/** The layer of a path below src: its first folder, or the file itself at the top. */
export const layerOf = (path: string): string => (path.includes('/') ? (path.split('/')[0] ?? '') : path);

export const isInside = (path: string): boolean => !relative(src, join(src, path)).startsWith('..');
