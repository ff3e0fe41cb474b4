import { readFile } from 'node:fs/promises';
import { isBuiltin } from 'node:module';
import type { Plugin } from 'esbuild';

const NAMESPACE = 'builtin';
/** What every client of AWS sends its requests with. */
const CALLS_HTTP = /@smithy\/node-http-handler\/dist-es\/node-http-handler\.js$/;

/**
 * The runtime's own modules, asked for with `process.getBuiltinModule` in place of an import. An import makes a namespace of
 * all that a module exports and calls its getters for that: those of `node:http` load a web client, which takes longer than
 * a whole start of the driver, and those of `node:fs` its streams.
 *
 * An `import()` stays what it is: our own code asks for the module itself, and of the libraries one is worth the trouble.
 */
export const builtins: Plugin = {
  name: 'builtins',
  setup(build) {
    let number = 0;
    build.onResolve({ filter: /^(node:)?[a-z0-9_/]+$/ }, ({ path, kind }) =>
      // One for each importer: those that share one would share a file, which has to be found and read.
      isBuiltin(path) && kind !== 'dynamic-import' ? { path: `${path}#${number++}`, namespace: NAMESPACE } : undefined,
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

/** Whether an input of the bundle is one of these, and no file. */
export const isBuiltinInput = (path: string): boolean => path.startsWith(`${NAMESPACE}:`);
