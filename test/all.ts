import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import * as tar from 'tar';
import manifest from '../package.json' with { type: 'json' };
import { project } from './support/e2e/build.ts';

/**
 * `npm run test:all`: all that CI runs, one part after the other. The output ends with the failures of every part and the
 * line "N passed, N failed".
 */

interface Counts {
  passed: number;
  failed: number;
  /** What each part that failed said last. */
  failures: string[];
}

/** Where mocha begins to say what has failed. */
const FAILING = /^ +\d+ failing$/m;
const TAIL = 4000;
const KEPT = 200_000;

const CLOSING = /^(\d+) passed, (\d+) failed/gm;

/** Runs a script of package.json. A part that breaks off without counts is a failure. */
async function part(script: string, args: string[] = []): Promise<Counts> {
  const command = ['npm run', script, ...args].join(' ');
  console.log(`\n=== ${command}`);
  const began = performance.now();
  const options: SpawnOptions = { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] };
  const child = spawn('npm', ['run', '-s', script, '--', ...args], options);
  let said = '';
  const listen = (from: Readable | null, to: Writable) => {
    from?.on('data', (bytes: Buffer) => {
      to.write(bytes);
      said = (said + bytes.toString()).slice(-KEPT);
    });
  };
  listen(child.stdout, process.stdout);
  listen(child.stderr, process.stderr);
  const [code] = (await once(child, 'close')) as [number | null];
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const [, passed, failed] = [...said.matchAll(CLOSING)].at(-1) ?? [];
  const counts: Counts = {
    passed: Number(passed ?? 0),
    failed: Math.max(Number(failed ?? 0), code === 0 ? 0 : 1),
    failures: [],
  };
  if (counts.failed > 0) {
    const begin = said.search(FAILING);
    counts.failures.push(`--- ${command}\n${begin < 0 ? said.slice(-TAIL) : said.slice(begin).slice(0, 4 * TAIL)}`);
  }
  console.log(`=== ${command}: ${counts.passed} passed, ${counts.failed} failed in ${minutes} minutes`);
  return counts;
}

/** Makes the package and unpacks it: what ships is what the later parts test. */
async function makePackage(): Promise<Counts> {
  const made = await part('package');
  if (made.failed > 0) return made;
  await tar.extract({ file: join(project, `dist/ml_extension-${manifest.version}.spl`), cwd: unpacked });
  process.env.PACKED_APP = join(unpacked, 'ml_extension');
  return made;
}

const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
  failures: all.flatMap(({ failures }) => failures),
});

const PARTS: Readonly<Record<string, () => Promise<Counts>>> = {
  static: () => part('check:static'),
  package: makePackage,
  // These test what `package` has built.
  own: () => part('test:built'),
  // Browsers keep a machine busier than other tests: more at a time make each other late.
  peers: () => part('test:built', ['--peers', '--jobs', String(availableParallelism() + 1)]),
  torture: () => part('torture', ['--short']),
  // Ratios that have been reached and are stable stay: see `keep` in bench/.
  bench: () => part('bench', ['--short', '--strict']),
};

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const all: Counts[] = [];
const unpacked = mkdtempSync(join(tmpdir(), 'packed-'));
process.once('exit', () => rmSync(unpacked, { recursive: true, force: true }));
for (const [name, run] of Object.entries(PARTS)) if (!values.only || values.only.includes(name)) all.push(await run());
const { passed, failed, failures } = sum(all);
for (const said of failures) console.log(`\n${said}`);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
