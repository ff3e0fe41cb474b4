import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyTree } from '../../../src/codegen/package/files.ts';
import { pause, takeLock } from '../../../src/codegen/package/lock.ts';
import { lock } from './lock.ts';

export const project = join(import.meta.dirname, '../../..');
const dist = join(project, 'dist/ml_extension');
/** The build's own, see build.mjs: while it is held nobody puts another app into the place of this one. */
const BUILD_LOCK = join(project, 'dist/.build.lock');

let snapshot: string | undefined;

/**
 * A private copy of the built app, made once a run: builds that others start meanwhile do not touch it.
 * E2E_APP names a folder to take as it is.
 */
export function builtApp(): string {
  snapshot ??= process.env.E2E_APP ?? takeSnapshot();
  return snapshot;
}

/** The app that platforms, drivers and commands of tests run: the unpacked package where PACKED_APP names its folder. */
export const testedApp = (): string => process.env.PACKED_APP ?? builtApp();

function takeSnapshot(): string {
  const into = join(mkdtempSync(join(tmpdir(), 'e2e-app-')), 'ml_extension');
  process.once('exit', () => rmSync(join(into, '..'), { recursive: true, force: true }));
  for (let attempt = 1; ; attempt += 1) {
    const release = lock('e2e-build');
    try {
      if (isStale()) execFileSync(process.execPath, ['build.mjs'], { cwd: project, stdio: ['ignore', 'pipe', 'pipe'] });
      rmSync(into, { recursive: true, force: true });
      const letBuild = takeLock(BUILD_LOCK);
      try {
        copyTree(dist, into);
      } finally {
        letBuild();
      }
      return into;
    } catch (error) {
      // Somebody else may be in the middle of a change.
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
    'package-lock.json',
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
