// npm run build: check generated files -> bundle -> assemble dist/ml_extension -> verify.
//   --generate   writes the generated files instead of checking them
//   --package    packs dist/ml_extension-<version>.spl and its variant without runtime
//   --classic-pages  with it: packs both for releases of the platform before 10.4
import { chmodSync, cpSync, existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { aliases } from './aliases.ts';
import { buildConsole } from './buildConsole.mjs';
import { makeClassic } from './src/codegen/classicPages.ts';
import { contractModule } from './src/codegen/contractModule.ts';
import { generators } from './src/codegen/generators.ts';
import { listing, packApp, writeListing } from './src/codegen/pack.ts';
import { version } from './src/contract/version.ts';
import { table } from './src/table.ts';

const root = import.meta.dirname;
const dist = join(root, 'dist/ml_extension');
const write = (path, text) => {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
};

if (process.argv.includes('--generate')) {
  for (const [path, make] of Object.entries(generators)) write(join(root, path), make());
} else {
  const stale = Object.entries(generators).filter(([path, make]) => read(join(root, path)) !== make());
  if (stale.length > 0)
    fail(`these files do not match the table, run npm run generate: ${stale.map(([path]) => path).join(', ')}`);
}

rmSync(join(root, 'build'), { recursive: true, force: true });
for (const [name, text] of Object.entries(contractModule(table))) write(join(root, 'build', name), text);

rmSync(dist, { recursive: true, force: true });
// As the app ships them: conf files, launchers, metadata and spec files.
cpSync(join(root, 'default'), join(dist, 'default'), { recursive: true });
cpSync(join(root, 'bin'), join(dist, 'bin'), { recursive: true });
cpSync(join(root, 'app'), dist, { recursive: true });
cpSync(join(root, 'LICENSE'), join(dist, 'LICENSE'));

const result = await build({
  absWorkingDir: root,
  entryPoints: {
    rest: 'src/main/restDriver.ts',
    pull: 'src/main/imagePull.ts',
    agentStatus: 'src/main/agentStatus.ts',
    mlHealth: 'src/main/mlHealth.ts',
  },
  outdir: join(dist, 'bin/lib'),
  bundle: true,
  // Names stay: the log tells where a bug was.
  minifyWhitespace: true,
  minifySyntax: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node26',
  conditions: ['ml-bundle'],
  // Of a CommonJS chunk that is imported when needed esbuild exports nothing but `default`; as ES modules the AWS clients
  // keep their names, and what is not used of them stays out.
  mainFields: ['module', 'main'],
  alias: aliases,
  outExtension: { '.js': '.mjs' },
  chunkNames: '[name]-[hash]',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  // CommonJS dependencies inside an ES module ask for node's own modules with require.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
});
write(join(root, 'build/metafile.json'), JSON.stringify(result.metafile));
writeFileSync(join(dist, 'bin/lib/openapi.json'), generators['docs/openapi.json']());

const runtime = join(
  root,
  `node_modules/node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}/bin/node`,
);
if (existsSync(runtime) && process.platform === 'linux' && process.arch === 'x64') {
  const target = join(dist, 'bin/runtime/linux_x86_64/node');
  mkdirSync(dirname(target), { recursive: true });
  try {
    // 100 MB: a second name for the same bytes where the file system can.
    linkSync(runtime, target);
  } catch {
    cpSync(runtime, target);
    chmodSync(target, 0o755);
  }
}

await buildConsole({ root, dist, write });

const embedded = Object.keys(result.metafile.inputs).filter((path) => path.startsWith('platform/'));
if (embedded.length > 0) fail(`the embedded platform got into the app: ${embedded.join(', ')}`);

if (process.argv.includes('--package')) {
  const isClassic = process.argv.includes('--classic-pages');
  const app = isClassic ? join(root, 'dist/classic/ml_extension') : dist;
  if (isClassic) makeClassic(dist, app);
  for (const [variant, withRuntime] of [
    ['', true],
    ['-noruntime', false],
  ]) {
    const name = `ml_extension-${version}${variant}${isClassic ? '-classic' : ''}.spl`;
    const packed = await packApp(app, join(root, 'dist', name), withRuntime);
    writeListing(packed);
    process.stdout.write(`${listing(packed)}\n`);
  }
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
function fail(message) {
  process.stderr.write(`build: ${message}\n`);
  process.exit(1);
}
