// The console: pages in appserver/static/pages, one small script for each view, and the modules that they share.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { loadedWith } from './src/codegen/bundle/loaded.ts';
import { CONSOLE_VIEWS } from './src/contract/consoleViews.ts';

const KB = 1024;
/** Size limits of the whole console, of what a view loads before its first row, and of what other parts add to it. */
const BUDGET = {
  opening: 2 * KB,
  firstGzip: 320 * KB,
  first: 1140 * KB,
  lazyGzip: 90 * KB,
  partGzip: 128 * KB,
  allGzip: 700 * KB,
  all: 2560 * KB,
};

const COMMON = {
  bundle: true,
  minify: true,
  platform: 'browser',
  target: 'es2022',
  tsconfig: 'console/tsconfig.json',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

/** Exits if the console exceeds its budget. */
export async function buildConsole({ root, dist, write, inPlace }) {
  const folder = join(dist, 'appserver/static/console');
  const result = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: { main: 'console/main.tsx' },
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    splitting: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    plugins: [escapedText, partsOfLodash, oneColourSpace, noTrialThemes],
  });
  const { outputs } = result.metafile;
  const [main] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'console/main.tsx');
  const name = main.split('/').at(-1);
  const views = Object.keys(CONSOLE_VIEWS);
  const openings = await Promise.all(views.map((view) => buildOpening({ root, dist, view, main: name })));
  write(join(root, 'build/console.json'), inPlace(result.metafile));
  assertFits([...openings, ...sizesOf(root, outputs, main)]);
}

/** JSX is compiled to calls of functions of the console, which escape characters that mislead in what it shows. */
const escapedText = {
  name: 'escaped text',
  setup(bundle) {
    const own = join(import.meta.dirname, 'console/parts/text/jsxRuntime.ts');
    bundle.onResolve({ filter: /^react[/]jsx-runtime$/ }, ({ importer }) =>
      importer === own ? undefined : { path: own },
    );
  },
};

/** `@splunk/ui-utils` imports all of lodash (74 KB) for a few functions. */
const partsOfLodash = {
  name: 'parts of lodash',
  setup(bundle) {
    bundle.onLoad({ filter: /@splunk[/]ui-utils[/][a-z]+\.js$/i }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const [declaration, name] = /const (\w+) = require\("lodash"\)/.exec(text) ?? [];
      if (!declaration) return undefined;
      const used = new Set([...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, part]) => part));
      const parts = [...used].map((part) => `${part}: require("lodash/${part}")`);
      return { contents: text.replace(declaration, `const ${name} = { ${parts.join(', ')} }`), loader: 'js' };
    });
  },
};

/** `@splunk/themes` mixes colours of one space; all the spaces of colorjs.io are 60 KB. */
const oneColourSpace = {
  name: 'one colour space',
  setup(bundle) {
    const own = join(import.meta.dirname, 'console/app/colour.ts');
    bundle.onResolve({ filter: /^colorjs\.io$/ }, () => ({ path: own }));
  },
};

/** Experimental themes that no page uses: 80 KB. */
const noTrialThemes = {
  name: 'no themes on trial',
  setup(bundle) {
    const trial = /@splunk[/]themes[/]splunk-(magnetic|1cd)[/]index\.js$/;
    bundle.onLoad({ filter: trial }, () => ({ contents: 'exports.default = undefined;', loader: 'js' }));
  },
};

/** The script of a view's page, which loads the shared module. */
async function buildOpening({ root, dist, view, main }) {
  const outfile = join(dist, `appserver/static/pages/${view}.js`);
  const { metafile } = await build({
    ...COMMON,
    absWorkingDir: root,
    entryPoints: ['console/opening.ts'],
    outfile,
    format: 'iife',
    define: { VIEW: JSON.stringify(view), MAIN: JSON.stringify(main) },
  });
  const [{ bytes }] = Object.values(metafile.outputs);
  return [`the script that opens ${view}`, bytes, BUDGET.opening];
}

/** @returns entries of name, size and limit */
function sizesOf(root, outputs, main) {
  const sizes = new Map(
    Object.entries(outputs).map(([path, { bytes }]) => [path, { bytes, gzip: gzipped(root, path) }]),
  );
  const entries = Object.entries(outputs).filter(([path, { entryPoint }]) => entryPoint && path !== main);
  const views = entries.filter(([, { entryPoint }]) => OF_VIEW.test(entryPoint));
  const pages = new Map(
    views
      .filter(([, { entryPoint }]) => entryPoint.split('/').length === 4)
      .map(([path, { entryPoint }]) => [folderOfView(entryPoint), path]),
  );
  const first = new Set(loadedWith(outputs, main));
  const shared = new Set(views.flatMap(([path]) => loadedWith(outputs, path)));
  const sum = (paths, key) => paths.reduce((total, path) => total + sizes.get(path)[key], 0);
  const all = [...sizes.keys()];
  return [
    ...entries.flatMap(([path, { entryPoint }]) => {
      // A tab or a dialog needs the page of its view, too.
      const page = pages.get(folderOfView(entryPoint)) ?? path;
      const before = new Set([...first, ...(page === path ? [] : loadedWith(outputs, page))]);
      const added = loadedWith(outputs, path).filter((part) => !before.has(part));
      if (!OF_VIEW.test(entryPoint)) return [[`what ${entryPoint} adds, packed`, sum(added, 'gzip'), BUDGET.partGzip]];
      const parts = [...before, ...added];
      return [
        [`what ${entryPoint} needs for its first row`, sum(parts, 'bytes'), BUDGET.first],
        [`what ${entryPoint} needs for its first row, packed`, sum(parts, 'gzip'), BUDGET.firstGzip],
      ];
    }),
    ['everything', sum(all, 'bytes'), BUDGET.all],
    ['everything, packed', sum(all, 'gzip'), BUDGET.allGzip],
    ...all
      .filter((path) => !first.has(path) && !shared.has(path))
      .map((path) => [path, sizes.get(path).gzip, BUDGET.lazyGzip]),
  ];
}

function assertFits(sizes) {
  const problems = sizes.filter(([, size, limit]) => size > limit);
  for (const [what, size, limit] of problems)
    process.stderr.write(`build: the console is too large: ${what} has ${size} bytes of at most ${limit}\n`);
  if (problems.length > 0) process.exit(1);
}

/** A view or a tab of one; what else is loaded later, such as a dialog, waits for a click. */
const OF_VIEW = /^console[/]views[/].*[/](page|tab|resource)[.]tsx$/;

/** `console/views/connections/mcp/tab.tsx` belongs to `console/views/connections`. */
const folderOfView = (entryPoint) => entryPoint.split('/').slice(0, 3).join('/');

const gzipped = (root, path) => gzipSync(readFileSync(join(root, path))).length;
