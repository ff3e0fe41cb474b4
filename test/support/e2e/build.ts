import { execFileSync } from 'node:child_process';
import { cpSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lock, pause } from '../lock.ts';

export const project = join(import.meta.dirname, '../../..');
const dist = join(project, 'dist/ml_extension');
/** From this size on files are linked, not copied: the runtime is more than 100 MB. */
const LINK_FROM = 1_000_000;

let snapshot: string | undefined;

/**
 * A private copy of the built app, made once a run: builds that others start meanwhile do not touch it.
 * E2E_APP names a folder to take as it is.
 */
export function builtApp(): string {
  snapshot ??= process.env.E2E_APP ?? takeSnapshot();
  return snapshot;
}

function takeSnapshot(): string {
  const into = join(mkdtempSync(join(tmpdir(), 'e2e-app-')), 'ml_extension');
  process.once('exit', () => rmSync(join(into, '..'), { recursive: true, force: true }));
  for (let attempt = 1; ; attempt += 1) {
    const release = lock('e2e-build');
    try {
      if (isStale()) execFileSync(process.execPath, ['build.mjs'], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
      rmSync(into, { recursive: true, force: true });
      copy(dist, into);
      return into;
    } catch (error) {
      // Somebody else may be building, or in the middle of a change.
      if (attempt === 5) throw error;
      pause(1000);
    } finally {
      release();
    }
  }
}

function isStale(): boolean {
  const made = statSync(join(dist, 'bin/lib/openapi.json'), { throwIfNoEntry: false })?.mtimeMs;
  if (made === undefined) return true;
  const sources = [
    'src',
    'default',
    'bin',
    'app',
    'docs/openapi.json',
    'build.mjs',
    'package.json',
    'console',
    'client/src',
    'buildConsole.mjs',
  ];
  return sources.some((path) => newest(join(project, path)) > made);
}

function newest(path: string): number {
  const info = statSync(path, { throwIfNoEntry: false });
  if (info === undefined) return 0;
  if (!info.isDirectory()) return info.mtimeMs;
  return Math.max(0, ...readdirSync(path).map((name) => newest(join(path, name))));
}

function copy(from: string, into: string): void {
  mkdirSync(into, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(into, entry.name)];
    if (entry.isDirectory()) copy(source, target);
    else if (statSync(source).size < LINK_FROM || !linked(source, target)) cpSync(source, target);
  }
}

function linked(source: string, target: string): boolean {
  try {
    linkSync(source, target);
    return true;
  } catch {
    return false;
  }
}
