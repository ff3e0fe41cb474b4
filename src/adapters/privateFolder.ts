import { chmodSync, lstatSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/** The runtime's own way to make parents, too, does not end where the system refuses with ENOENT. */
function makeFolder(folder: string, mode: number): void {
  try {
    mkdirSync(folder, { mode });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(folder) === folder) throw error;
    makeFolder(dirname(folder), 0o755);
    mkdirSync(folder, { mode });
  }
}

/** Makes the folder, or makes sure that only its owner can use it. @throws Error */
export function assertPrivate(folder: string): void {
  makeFolder(folder, 0o700);
  // A symbolic link is no folder: it could lead to one of another account.
  const entry = lstatSync(folder);
  const { uid, mode } = entry;
  if (!entry.isDirectory()) throw new Error('it is not a folder');
  if (uid !== process.getuid?.()) throw new Error('it belongs to another account');
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700);
}
