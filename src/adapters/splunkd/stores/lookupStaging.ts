import { copyFile, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const PREFIX = 'ml_extension-';
/** Older staged files are left over from a process that ended. */
const LEFTOVER_MS = 3_600_000;

/**
 * Stages a file in the folder from which the platform accepts lookup files.
 * @param content bytes, or the path of a file to be copied without passing through memory
 */
export async function withStaged<T>(
  home: string,
  content: Uint8Array | string,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const folder = join(home, 'var', 'run', 'splunk', 'lookup_tmp');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await sweep(folder);
  const path = join(folder, `${PREFIX}${globalThis.crypto.randomUUID()}`);
  try {
    if (typeof content === 'string') await copyFile(content, path);
    else await writeFile(path, content, { flag: 'wx', mode: 0o600 });
    return await use(path);
  } finally {
    // The platform moves an accepted file; a refused one remains.
    await rm(path, { force: true });
  }
}

async function sweep(folder: string): Promise<void> {
  try {
    for (const name of await readdir(folder)) {
      if (!name.startsWith(PREFIX)) continue;
      const path = join(folder, name);
      const info = await stat(path).catch(() => undefined);
      if (info && Date.now() - info.mtimeMs > LEFTOVER_MS) await rm(path, { force: true });
    }
  } catch {
    // The next call tries again.
  }
}
