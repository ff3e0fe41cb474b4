// Runs a program of this project on the Node installed by `npm ci`, independent of the Node of npm:
//   node tools/onRuntime.mjs <program> [arguments]
// Must run on Node 20.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, symlinkSync } from 'node:fs';
import { constants } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const NEEDED = 24;
const [, , program, ...rest] = process.argv;

if (Number(process.versions.node.split('.')[0]) >= NEEDED) {
  process.argv.splice(1, 2, resolve(program));
  await import(pathToFileURL(process.argv[1]));
} else {
  run(runtime(), [program, ...rest]);
}

function runtime() {
  const modules = fileURLToPath(new URL('../node_modules', import.meta.url));
  const name = `node-${process.platform}-${process.arch}`;
  const path = join(modules, name, 'bin/node');
  if (!existsSync(path))
    fail(`Node ${NEEDED} or newer is needed and npm brought none for ${name.slice(5)}: install it`);
  const trial = spawnSync(path, ['--version'], { encoding: 'utf8' });
  if (trial.status !== 0) fail(`${path} cannot be started: ${trial.error?.message ?? trial.stderr}`);
  relink(join(modules, '.bin/node'), join('..', name, 'bin/node'));
  return path;
}

/** npm 10 deletes this link with the packages for other systems, which have a link of the same name. */
function relink(link, target) {
  try {
    symlinkSync(target, link);
  } catch {
    // The link exists or the folder is read-only; this program does not need it.
  }
}

function run(path, args) {
  const child = spawn(path, [...process.execArgv, ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both.
  process.on('SIGINT', () => {});
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

function fail(message) {
  process.stderr.write(`ml_extension: ${message}\n`);
  process.exit(1);
}
