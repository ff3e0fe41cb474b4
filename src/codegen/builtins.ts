import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import { relative } from 'node:path';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'builtin';
/** What every client of AWS sends its requests with. */
const CALLS_HTTP = /@smithy\/node-http-handler\/dist-es\/node-http-handler\.js$/;

const IMPORT = /\bimport(?: ([\w$]+))?,?(?:\{([^}]*)\}|\*as ([\w$]+) ?)? ?(?:from)?"([a-z0-9_:/]+)";/g;

/**
 * The runtime's own modules, asked for with `process.getBuiltinModule` in place of an import. An import makes a namespace of
 * all that a module exports, and evaluates it for that: what `node:http` and `node:util` would load when asked is a web client and
 * the colours of a terminal, which takes as long as the rest of a start. This does it for what libraries `require`;
 * `withoutNamespaces` for what is imported.
 *
 * An `import()` stays what it is: our own code asks for the module itself, and of the libraries one is worth the trouble.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    const root = build.initialOptions.absWorkingDir ?? process.cwd();
    // One for each user: those that share one would share a file, which has to be found and read. Named after the user, since
    // files are looked at in another order each time, and two builds have to be the same to the byte.
    build.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind, importer }) =>
      isBuiltin(path) && kind === 'require-call'
        ? { path: `${path}#${mark(relative(root, importer))}`, namespace: NAMESPACE }
        : undefined,
    );
    build.onLoad({ filter: /./, namespace: NAMESPACE }, ({ path }) => ({
      contents: `module.exports = process.getBuiltinModule(${JSON.stringify(path.split('#')[0])});`,
      loader: 'js',
    }));
    build.onLoad({ filter: CALLS_HTTP }, async ({ path }) => {
      const text = await readFile(path, 'utf8');
      const contents = text.replaceAll(
        /\bimport\((["']node:https?["'])\)/g,
        'Promise.resolve(process.getBuiltinModule($1))',
      );
      // A release of the library that says it in another way would be slow without a word.
      if (contents === text) throw new Error(`${path} no longer imports node:http as the build expects`);
      return { contents, loader: 'js' };
    });
  },
};

const mark = (user: string): string => createHash('sha256').update(user).digest('hex').slice(0, 12);

/** The text of a bundled file, in which imports stand in front: it takes what it names of the runtime's modules and no more. */
export const withoutNamespaces = (text: string): string =>
  text.replaceAll(IMPORT, (statement, whole?: string, names?: string, namespace?: string, path = '') => {
    if (!isBuiltin(path)) return statement;
    const module = `process.getBuiltinModule(${JSON.stringify(path)})`;
    const taken = (names ?? '').split(',').filter((each) => each !== '' && !each.startsWith('default as '));
    const aliases = (names ?? '').split(',').filter((each) => each.startsWith('default as '));
    const parts = [whole, namespace, ...aliases.map((each) => each.slice('default as '.length))]
      .filter((name) => name !== undefined)
      .map((name) => `${name}=${module}`);
    if (taken.length > 0) parts.push(`{${taken.map((each) => each.replace(' as ', ':')).join(',')}}=${module}`);
    return parts.length > 0 ? `const ${parts.join(',')};` : '';
  });
