import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

let counter = 0;

/**
 * Replaces a file atomically: readers, or the next start after kill -9, see the old or the new text. An existing file
 * keeps its mode; a new one gets `mode` (owner only, since local settings may hold secrets).
 */
export function writeFileAtomic(file: string, content: string | Uint8Array, mode = 0o600): void {
  mkdirSync(dirname(file), { recursive: true });
  const existing = statSync(file, { throwIfNoEntry: false });
  counter += 1;
  const temporary = `${file}.${process.pid}.${counter}.tmp`;
  try {
    const descriptor = openSync(temporary, 'wx', existing ? existing.mode & 0o777 : mode);
    try {
      const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
      for (let written = 0; written < bytes.length; ) written += writeSync(descriptor, bytes, written);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  syncDirectory(dirname(file));
}

/** Syncs the folder; otherwise a power failure may lose the rename. */
function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
