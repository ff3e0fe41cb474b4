import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const POLL_MS = 100;
/** What systems say of a folder that is there. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY']);

/**
 * Waits for a lock that processes of this checkout share and takes it; gives the function that releases it. A lock whose
 * process has died is nobody's. No process may take one that it has.
 * @param folder stands for the lock while it exists. Its one file is named by the process, so that no lock is ever without
 *   its process, and that of a dead one is taken over by one rename: only one can do that.
 * @param waiting called once when another process has it, with that one's id
 */
export function takeLock(folder: string, waiting: (pid: number) => void = () => {}): () => void {
  mkdirSync(dirname(folder), { recursive: true });
  for (let isTold = false; ; ) {
    const holder = holderOf(folder);
    const pid = Number(holder);
    if (holder === undefined) {
      if (make(folder)) break;
    } else if (isAlive(pid)) {
      if (!isTold) waiting(pid);
      isTold = true;
      pause(POLL_MS);
    } else if (takeOver(folder, holder)) break;
  }
  let isHeld = true;
  return () => {
    // A second time it may be somebody else's.
    if (isHeld) discard(folder);
    isHeld = false;
  };
}

/** Whose it is; undefined = nobody's. */
function holderOf(folder: string): string | undefined {
  try {
    return readdirSync(folder)[0];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Whether this process has it now: the lock comes there whole, or not because another's is there. */
function make(folder: string): boolean {
  const made = aside(folder);
  mkdirSync(made);
  writeFileSync(join(made, String(process.pid)), '');
  try {
    renameSync(made, folder);
    return true;
  } catch (error) {
    rmSync(made, { recursive: true });
    if (!TAKEN.has((error as NodeJS.ErrnoException).code ?? '') && holderOf(folder) === undefined) throw error;
    return false;
  }
}

function takeOver(folder: string, dead: string): boolean {
  try {
    renameSync(join(folder, dead), join(folder, String(process.pid)));
    return true;
  } catch (error) {
    // Another process was quicker.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Whole as well: of a folder that is emptied step by step another process would make its own meanwhile. */
function discard(folder: string): void {
  const gone = aside(folder);
  try {
    renameSync(folder, gone);
  } catch (error) {
    // Somebody has cleared the place.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  rmSync(gone, { recursive: true, force: true });
}

const aside = (folder: string): string => `${folder}.${randomUUID()}`;

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
