import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../..');
/** A process that has just taken the lock has not said yet who it is. */
const NAMELESS_MS = 2000;

/**
 * Takes what processes of this checkout share (the build, the Python environment); gives the function that releases it. A
 * lock whose process has died is nobody's.
 */
export function lock(name: string): () => void {
  const folder = join(project, 'node_modules/.cache', `${name}.lock`);
  mkdirSync(join(folder, '..'), { recursive: true });
  let namelessSince: number | undefined;
  for (;;) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pid'), String(process.pid));
      return () => rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = pidIn(folder);
    if (holder === undefined) namelessSince ??= Date.now();
    else namelessSince = undefined;
    const isDead = holder === undefined ? Date.now() - (namelessSince ?? 0) > NAMELESS_MS : !isAlive(holder);
    if (isDead) rmSync(folder, { recursive: true, force: true });
    else pause(100);
  }
}

function pidIn(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** Blocks this process: nothing of it can go on without what is locked. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
