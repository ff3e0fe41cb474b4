// npm run build: check generated files -> bundle -> assemble dist/ml_extension -> verify.
//   --generate   writes the generated files instead of checking them
//   --package    packs dist/ml_extension-<version>.spl and its variants, with a bill of materials and SHA256SUMS
//   --classic-pages  with --package: also packs each variant for platform releases before 10.4
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { aliases } from './aliases.ts';
import { buildConsole } from './buildConsole.mjs';
import { contractModule } from './src/codegen/bundle/contractModule.ts';
import { oneChunk } from './src/codegen/bundle/oneChunk.ts';
import { generators } from './src/codegen/generators.ts';
import { put, replaceFolder } from './src/codegen/package/files.ts';
import { takeLock } from './src/codegen/package/lock.ts';
import { makePackages } from './src/codegen/package/makePackages.ts';
import { installedRuntimes } from './src/codegen/package/runtimes.ts';
import { completeApp } from './src/codegen/package/variants.ts';
import { version } from './src/contract/version.ts';
import { drivers } from './src/driver/table.ts';
import { table } from './src/table.ts';

const root = import.meta.dirname;
/** Of the files of onnxruntime-web, the one that is read. */
const WASM = 'ort-wasm-simd-threaded.wasm';
/** The finished app; it is assembled in `dist/.building`. */
const app = join(root, 'dist/ml_extension');
const dist = join(root, 'dist/.building/ml_extension');
const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

/** Only one build at a time may run in this folder. */
const lock = {
  take() {
    this.release = takeLock(join(root, 'dist/.build.lock'), (pid) =>
      process.stderr.write(`build: process ${pid} is building in this folder; waiting for it\n`),
    );
  },
  release() {},
};
process.once('exit', () => lock.release());
lock.take();

if (process.argv.includes('--generate')) {
  for (const [path, make] of Object.entries(generators)) {
    write(join(root, path), make());
    if (path.endsWith('.sh')) chmodSync(join(root, path), 0o755);
  }
} else {
  const stale = Object.entries(generators).filter(([path, make]) => read(join(root, path)) !== make());
  if (stale.length > 0)
    fail(`generated files are stale, run npm run generate: ${stale.map(([path]) => path).join(', ')}`);
}

rmSync(join(root, 'build'), { recursive: true, force: true });
for (const [name, text] of Object.entries(contractModule(table))) write(join(root, 'build', name), text);

rmSync(dist, { recursive: true, force: true });
cpSync(join(root, 'default'), join(dist, 'default'), { recursive: true });
cpSync(join(root, 'bin'), join(dist, 'bin'), { recursive: true });
cpSync(join(root, 'app'), dist, { recursive: true });
cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));

const bundling = {
  absWorkingDir: root,
  outdir: join(dist, 'bin/lib'),
  bundle: true,
  // Keeps identifiers, for readable stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node24',
  conditions: ['ml-bundle'],
  // A dynamic import of CommonJS has only a `default` export; the ES modules of the AWS clients keep their names.
  mainFields: ['module', 'main'],
  alias: aliases,
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  // Bundled CommonJS libraries call require for built-in modules.
  banner: { js: 'const require=process.getBuiltinModule;' },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};
const programs = {
  ...Object.fromEntries(drivers.map(({ name, entry }) => [name, entry])),
  pull: 'src/main/imagePull.ts',
};
const bundles = [
  await build({ ...bundling, entryPoints: programs, plugins: [oneChunk(root)] }),
  // A search command and the alert action load nothing of what the drivers start with.
  await build({ ...bundling, entryPoints: { command: 'src/main/searchCommand.ts', alert: 'src/main/alertAction.ts' } }),
  // The runtime of uploaded models is in nothing else.
  await build({ ...bundling, entryPoints: { onnx: 'src/main/onnxRunner.ts' } }),
  // What runs in a thread of the gateway's driver loads nothing of the driver.
  await build({
    ...bundling,
    entryPoints: { schema: 'src/main/schemaChecker.ts', evidence: 'src/main/evidenceChecker.ts' },
  }),
];
const metafile = {
  inputs: Object.assign({}, ...bundles.map(({ metafile }) => metafile.inputs)),
  outputs: Object.assign({}, ...bundles.map(({ metafile }) => metafile.outputs)),
};
write(join(root, 'build/metafile.json'), inPlace(metafile));
put(join(root, 'node_modules/onnxruntime-web/dist', WASM), join(dist, 'bin/lib', WASM));
writeFileSync(join(dist, 'bin/lib/openapi.json'), generators['docs/openapi.json']());

await buildConsole({ root, dist, write, inPlace });

try {
  await completeApp(root, dist, installedRuntimes(root));
} catch (error) {
  fail(error.message);
}

const embedded = Object.keys(metafile.inputs).filter((path) => path.startsWith('platform/'));
if (embedded.length > 0) fail(`the bundle contains files of the embedded platform: ${embedded.join(', ')}`);

replaceFolder(dist, app);
if (process.argv.includes('--package')) {
  try {
    await makePackages(root, version, process.argv.includes('--classic-pages'), lock);
  } catch (error) {
    fail(error.message);
  }
}

/** The metafile with final paths. */
function inPlace(metafile) {
  return JSON.stringify(metafile).replaceAll('dist/.building/', 'dist/');
}
function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
function fail(message) {
  process.stderr.write(`build: ${message}\n`);
  process.exit(1);
}
