import { existsSync, globSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { project } from '../support/e2e/build.ts';

/** Tests of what `npm ci` brings, and tests that need foreign programs: Python packages, a Docker engine, a cluster. */
export type Group = 'own' | 'peers' | 'all';

const isPeers = (file: string) => file.endsWith('.peers.test.ts');

export function filesOf(group: Group): string[] {
  return globSync(['test/**/*.test.ts', 'platform/test/**/*.test.ts'], { cwd: project })
    .filter((file) => group === 'all' || isPeers(file) === (group === 'peers'))
    .sort();
}

/** How long each file took when it ran last on this machine, in ms. */
export type Durations = Record<string, number>;
const KEPT = join(project, 'node_modules/.cache/test-durations.json');

export function lastDurations(): Durations {
  return existsSync(KEPT) ? (JSON.parse(readFileSync(KEPT, 'utf8')) as Durations) : {};
}

export function keepDurations(measured: Durations): void {
  try {
    writeFileSync(KEPT, JSON.stringify({ ...lastDurations(), ...measured }));
  } catch {
    // They only sort the files of the next run: a folder that cannot be written costs it a minute.
  }
}

/** A guess for the first run: what starts whole platforms takes longest. */
const SLOW = /^test\/(e2e|package|docs|sdk)\/|^platform\/test\/(cluster|search)\//;
const guess = (file: string) => (SLOW.test(file) ? 10_000 : 0) + statSync(join(project, file)).size;

/** The longest first, so that the last one to end does not begin last. */
export function longestFirst(files: readonly string[], durations: Durations): string[] {
  const weight = new Map(files.map((file) => [file, durations[file] ?? guess(file)]));
  return files.toSorted((a, b) => (weight.get(b) ?? 0) - (weight.get(a) ?? 0));
}
