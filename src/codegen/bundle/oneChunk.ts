import { readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import type { Plugin } from 'esbuild';

/**
 * Modules that a driver starts with, or that most families need for any request. Each comes with all that it imports.
 * Added imports make cycles, so the order of the list matters: a test fails if a module would run before what it imports.
 */
const COMMON = [
  'src/main/runDriver.ts',
  'src/resources/resources.ts',
  'src/resources/crud/handlers.ts',
  'src/resources/references.ts',
  'src/resources/recordCodec.ts',
  'src/resources/record/planned.ts',
  'src/domain/async/deadline.ts',
  'src/domain/net/certificates.ts',
  'src/domain/secrets/secretHeaders.ts',
  'src/contract/schemas/sortKeys.ts',
];

/**
 * Bundles the common modules as one chunk. esbuild makes a chunk for each set of entry points and import()s that share a module,
 * so a first read of a record would load 57 files instead of 14; if every module imports the common ones, these have one set.
 */
export function oneChunk(root: string): Plugin {
  const ours = ['src', 'build'].map((folder) => join(root, folder) + sep);
  const imports = COMMON.map((path) => `import ${JSON.stringify(join(root, path))};`).join('');
  return {
    name: 'one chunk',
    setup({ onLoad }) {
      onLoad({ filter: /\.[jt]s$/ }, ({ path }) =>
        ours.some((folder) => path.startsWith(folder))
          ? { contents: imports + readFileSync(path, 'utf8'), loader: path.endsWith('.ts') ? 'ts' : 'js' }
          : undefined,
      );
    },
  };
}
