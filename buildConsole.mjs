// The console: pages in appserver/static/pages, one small script for each view, and the modules that they share.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { loadedWith } from './src/codegen/loaded.ts';
import { CONSOLE_VIEWS } from './src/contract/consoleViews.ts';

const KB = 1024;
/** What people wait for: the size of everything, and of what a view needs before its first row. */
const BUDGET = { firstGzip: 330 * KB, first: 1178 * KB, lazyGzip: 90 * KB, allGzip: 700 * KB, all: 2560 * KB };

/** @throws when it is larger than it may be */
export async function buildConsole({ root, dist, write, inPlace }) {
  const folder = join(dist, 'appserver/static/console');
  const result = await build({
    absWorkingDir: root,
    entryPoints: { main: 'console/main.tsx' },
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    jsx: 'automatic',
    tsconfig: 'console/tsconfig.json',
    define: { 'process.env.NODE_ENV': '"production"', global: 'globalThis' },
    legalComments: 'none',
    plugins: [partsOfLodash, noTrialThemes],
    metafile: true,
    logLevel: 'warning',
  });
  const { outputs } = result.metafile;
  const [main] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === 'console/main.tsx');
  const name = main.split('/').at(-1);
  for (const view of Object.keys(CONSOLE_VIEWS))
    write(join(dist, `appserver/static/pages/${view}.js`), stub(view, name));
  write(join(root, 'build/console.json'), inPlace(result.metafile));
  assertFits(root, outputs, main);
}

/** A library of the pages asks for the whole of lodash (74 KB) and uses a few functions of it. */
const partsOfLodash = {
  name: 'parts of lodash',
  setup(bundle) {
    bundle.onLoad({ filter: /@splunk[/]ui-utils[/][a-z]+\.js$/i }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const [whole, name] = /const (\w+) = require\("lodash"\)/.exec(text) ?? [];
      if (!whole) return undefined;
      const used = new Set([...text.matchAll(new RegExp(`\\b${name}\\.(\\w+)`, 'g'))].map(([, part]) => part));
      const parts = [...used].map((part) => `${part}: require("lodash/${part}")`);
      return { contents: text.replace(whole, `const ${name} = { ${parts.join(', ')} }`), loader: 'js' };
    });
  },
};

/** Families of themes that are on trial, and that no page asks for: 80 KB. */
const noTrialThemes = {
  name: 'no themes on trial',
  setup(bundle) {
    const trial = /@splunk[/]themes[/]splunk-(magnetic|1cd)[/]index\.js$/;
    bundle.onLoad({ filter: trial }, () => ({ contents: 'exports.default = undefined;', loader: 'js' }));
  },
};

/**
 * The address of a module is found from this script's own, or from what the page knows: loaders differ. What cannot be loaded is
 * asked for again, since a machine that changes its network drops what is under way, and told at last.
 */
const stub = (view, main) =>
  `(()=>{const own=document.currentScript?.src||[...document.scripts].map((s)=>s.src).find((s)=>s.includes('/pages/${view}.js'));` +
  `const c=window.$C||{};const base=own||location.origin+(c.MRSPARKLE_ROOT_PATH||'')+'/'+(c.LOCALE||'en-US')+'/static/@'+c.BUILD_NUMBER+'/app/ml_extension/pages/${view}.js';` +
  `const load=(pauses)=>import(new URL('../console/${main}',base)).catch(async(e)=>{if(!pauses.length)throw e;` +
  `await new Promise((done)=>setTimeout(done,pauses[0]));return load(pauses.slice(1))});` +
  `load([300,1000,3000]).then((m)=>m.open('${view}')).catch((e)=>{console.error(e);const p=document.createElement('p');p.setAttribute('role','alert');` +
  `p.style.padding='24px';p.textContent='This page could not be loaded. ${LOST} ';const b=document.createElement('button');` +
  `b.textContent='Retry';b.onclick=()=>location.reload();p.append(b);document.body.append(p)})})();\n`;

const LOST = 'The connection was lost for a moment, or the app has been updated.';

function assertFits(root, outputs, main) {
  const sizes = new Map(
    Object.entries(outputs).map(([path, { bytes }]) => [path, { bytes, gzip: gzipped(root, path) }]),
  );
  const views = Object.entries(outputs).filter(([, { entryPoint = '' }]) =>
    /^console\/views\/.*\/(page|tab).tsx$/.test(entryPoint),
  );
  const first = new Set(loadedWith(outputs, main));
  const shared = new Set(views.flatMap(([path]) => loadedWith(outputs, path)));
  const sum = (paths, key) => paths.reduce((total, path) => total + sizes.get(path)[key], 0);
  const all = [...sizes.keys()];
  const problems = [
    ...views.flatMap(([path, { entryPoint }]) => {
      // A tab is drawn by the page of its view.
      const page = views.find(([, view]) => view.entryPoint === `${folderOfView(entryPoint)}/page.tsx`)?.[0] ?? path;
      const parts = [...new Set([...first, ...loadedWith(outputs, page), ...loadedWith(outputs, path)])];
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
  ].filter(([, size, limit]) => size > limit);
  for (const [what, size, limit] of problems)
    process.stderr.write(`build: the console is too large: ${what} has ${size} bytes of at most ${limit}\n`);
  if (problems.length > 0) process.exit(1);
}

/** `console/views/connections/mcp/tab.tsx` belongs to `console/views/connections`. */
const folderOfView = (entryPoint) => entryPoint.split('/').slice(0, 3).join('/');

const gzipped = (root, path) => gzipSync(readFileSync(join(root, path))).length;
