import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as tar from 'tar';
import { project } from './support/e2e/build.ts';

/**
 * `npm run test:all`: everything that CI runs, one part after the other, each to its end. The last line sums up: "N passed,
 * N failed".
 */

interface Counts {
  passed: number;
  failed: number;
}

const CLOSING = /^(\d+) passed, (\d+) failed/gm;

/** Runs a script of package.json. A part that breaks off without counts is a failure. */
async function part(script: string, args: string[] = [], env: Record<string, string> = {}): Promise<Counts> {
  console.log(`\n=== npm run ${[script, ...args].join(' ')}`);
  const began = performance.now();
  const options: SpawnOptions = { cwd: project, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] };
  const child = spawn('npm', ['run', '-s', script, '--', ...args], options);
  let said = '';
  child.stdout?.on('data', (bytes: Buffer) => {
    process.stdout.write(bytes);
    said = (said + bytes.toString()).slice(-10_000);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  const minutes = ((performance.now() - began) / 60_000).toFixed(1);
  const [, passed, failed] = [...said.matchAll(CLOSING)].at(-1) ?? [];
  const counts = { passed: Number(passed ?? 0), failed: Math.max(Number(failed ?? 0), code === 0 ? 0 : 1) };
  console.log(`=== npm run ${script}: ${counts.passed} passed, ${counts.failed} failed in ${minutes} minutes`);
  return counts;
}

/** What ships is what is tested: the families once more, through the packed app. */
async function packed(): Promise<Counts> {
  const made = await part('package');
  const folder = mkdtempSync(join(tmpdir(), 'packed-'));
  try {
    const [file = ''] = globSync('dist/ml_extension-*[0-9].spl', { cwd: project });
    await tar.extract({ file: join(project, file), cwd: folder });
    return sum([made, await part('test:built', ['--all', 'test/e2e/'], { E2E_APP: join(folder, 'ml_extension') })]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const sum = (all: readonly Counts[]): Counts => ({
  passed: all.reduce((total, { passed }) => total + passed, 0),
  failed: all.reduce((total, { failed }) => total + failed, 0),
});

const PARTS: Readonly<Record<string, () => Promise<Counts>>> = {
  static: () => part('check:static'),
  own: () => part('test'),
  peers: () => part('test:peers'),
  torture: () => part('torture', ['--short']),
  packed,
};

const { values } = parseArgs({ options: { only: { type: 'string', multiple: true } } });
const all: Counts[] = [];
for (const [name, run] of Object.entries(PARTS)) if (!values.only || values.only.includes(name)) all.push(await run());
const { passed, failed } = sum(all);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);
