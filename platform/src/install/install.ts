import { existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from '../home/home.ts';
import { keepLocalFiles } from './keep.ts';
import type { AppSource } from './source.ts';

/**
 * Installs an app in `etc/apps` over an older one, keeping `local/`, `metadata/local.meta` and `lookups/`. The new
 * folder is complete before it is renamed into place, so a crash leaves one of the two.
 */
export function installApp(home: string, source: AppSource): void {
  const current = join(home, 'etc', 'apps', source.name);
  const staged = join(home, 'etc', `.staged-${source.name}`);
  const replaced = join(home, 'etc', `.replaced-${source.name}`);
  try {
    // An earlier start died between the two renames: restore the app it moved away.
    if (!existsSync(current) && existsSync(replaced)) renameSync(replaced, current);
    for (const leftover of [staged, replaced]) rmSync(leftover, { recursive: true, force: true });
    source.unpack(staged);
    keepLocalFiles(current, staged);
    if (existsSync(current)) renameSync(current, replaced);
    renameSync(staged, current);
    rmSync(replaced, { recursive: true, force: true });
  } catch (error) {
    throw new StartError(`The app ${source.name} cannot be installed in ${current}: ${(error as Error).message}`);
  }
}
