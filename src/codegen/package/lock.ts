import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A process that has just taken the lock has not said yet who it is. */
const NAMELESS_MS = 2000;
const POLL_MS = 100;

/**
 * Waits for a lock that processes of this checkout share and takes it; gives the function that releases it. A lock whose
 * process has died is nobody's.
 * @param folder stands for the lock while it exists
 * @param waiting called once when another process has it, with that one's id
 */
export function takeLock(folder: string, waiting: (pid: number | undefined) => void = () => {}): () => void {
  mkdirSync(dirname(folder), { recursive: true });
  let namelessSince: number | undefined;
  for (let tries = 0; ; tries += 1) {
    try {
      mkdirSync(folder);
      writeFileSync(join(folder, 'pid'), String(process.pid));
      let isHeld = true;
      return () => {
        // A second time it may be somebody else's.
        if (isHeld) rmSync(folder, { recursive: true, force: true });
        isHeld = false;
      };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = pidIn(folder);
    if (holder === undefined) namelessSince ??= Date.now();
    else namelessSince = undefined;
    if (holder === undefined ? Date.now() - (namelessSince ?? 0) > NAMELESS_MS : !isAlive(holder)) {
      discard(folder, holder);
      continue;
    }
    if (tries === 0) waiting(holder);
    pause(POLL_MS);
  }
}

/** Removes the lock of a process that has died, unless somebody else was quicker and has it by now. */
function discard(folder: string, holder: number | undefined): void {
  const aside = `${folder}.${process.pid}`;
  try {
    if (pidIn(folder) !== holder) return;
    renameSync(folder, aside);
    rmSync(aside, { recursive: true, force: true });
  } catch {
    // Another process removed it.
  }
}

function pidIn(folder: string): number | undefined {
  try {
    return Number(readFileSync(join(folder, 'pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives as well.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Blocks this process: nothing of it can go on without what is locked. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
