import { randomUUID } from 'node:crypto';
import { mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const POLL_MS = 100;
/** Error codes for an existing folder. */
const TAKEN = new Set(['EEXIST', 'ENOTEMPTY']);

/**
 * Waits for and takes a lock shared by the processes of this checkout. A lock of a dead process is taken over. Not reentrant.
 * @param folder exists while the lock is held; its only file is named after the holder's pid, so one rename takes it over
 * @param waiting called once with the holder's pid while another process holds the lock
 * @returns releases the lock
 */
export function takeLock(folder: string, waiting: (pid: number) => void = () => {}): () => void {
  mkdirSync(dirname(folder), { recursive: true });
  for (let isReported = false; ; ) {
    const holder = holderOf(folder);
    const pid = Number(holder);
    if (holder === undefined) {
      if (make(folder)) break;
    } else if (isAlive(pid)) {
      if (!isReported) waiting(pid);
      isReported = true;
      pause(POLL_MS);
    } else if (takeOver(folder, holder)) break;
  }
  let isHeld = true;
  return () => {
    // After the first release another process may hold it.
    if (isHeld) discard(folder);
    isHeld = false;
  };
}

/** The holder's pid; undefined if the lock is free. */
function holderOf(folder: string): string | undefined {
  try {
    return readdirSync(folder)[0];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Creates the lock atomically by rename. @returns false if another process was first */
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
    // Another process took it over first.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/** Removes the lock atomically: a half-deleted folder would look free. */
function discard(folder: string): void {
  const gone = aside(folder);
  try {
    renameSync(folder, gone);
  } catch (error) {
    // Already removed.
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
    // EPERM: the process exists but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Blocks the process, which cannot continue without the lock anyway. */
export function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
