import { constants } from 'node:fs';
import { type FileHandle, open, readlink, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Chains and keys are a few kilobytes. */
const MAX_BYTES = 1_000_000;
const MAX_PATH_LENGTH = 4096;
/** `\\host\share`, `//host/share` and `\\?\…`: Windows would contact another machine with our account. */
const NETWORK_PATH = /^[/\\]{2}/;
const PATH = /^(?:\/|[A-Za-z]:[/\\]|[\w.-])/;

/** Does not block on a FIFO and does not follow a link. */
const FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOFOLLOW ?? 0);

/**
 * Text of a regular file below one of the folders, links resolved; a relative path starts at the first folder. Undefined
 * in all other cases, so that a caller cannot find out whether a forbidden file exists.
 */
export async function readFileBelow(folders: readonly string[], path: string): Promise<string | undefined> {
  const [first] = folders;
  if (path.length > MAX_PATH_LENGTH || !PATH.test(path) || NETWORK_PATH.test(path) || path.includes('\0'))
    return undefined;
  if (first === undefined) return undefined;
  const asked = resolve(first, path);
  try {
    const real = await Promise.all(folders.map((folder) => realpath(folder).catch(() => undefined)));
    const allowed = real.filter((folder) => folder !== undefined);
    const isAllowed = (file: string) => allowed.some((folder) => isBelow(folder, file));
    // Checked before the file system is asked about the file.
    if (!isAllowed(asked) && !folders.some((folder) => isBelow(resolve(folder), asked))) return undefined;
    const file = await realpath(asked);
    if (!isAllowed(file)) return undefined;
    const handle = await open(file, FLAGS);
    try {
      // The file may have been replaced between realpath and open.
      if (!(await isUnchanged(handle, file, isAllowed))) return undefined;
      return await readText(handle);
    } finally {
      await handle.close();
    }
  } catch {
    return undefined;
  }
}

function isBelow(folder: string, file: string): boolean {
  const way = relative(folder, file);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Whether the open file is a regular file in an allowed folder. Linux reports its path; elsewhere inodes are compared. */
async function isUnchanged(handle: FileHandle, file: string, isAllowed: (file: string) => boolean): Promise<boolean> {
  const opened = await handle.stat({ bigint: true });
  if (!opened.isFile()) return false;
  const openedPath = await readlink(join('/proc/self/fd', String(handle.fd))).catch(() => undefined);
  if (openedPath !== undefined) return isAllowed(openedPath);
  const again = await realpath(file);
  const named = await stat(again, { bigint: true });
  return isAllowed(again) && named.ino === opened.ino && named.dev === opened.dev;
}

/** Reads one byte more than allowed instead of trusting the reported size. */
async function readText(handle: FileHandle): Promise<string | undefined> {
  const buffer = Buffer.alloc(MAX_BYTES + 1);
  let length = 0;
  while (length < buffer.length) {
    const { bytesRead } = await handle.read(buffer, length, buffer.length - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return length > MAX_BYTES ? undefined : buffer.toString('utf8', 0, length);
}
