import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HostSlots } from '../../../src/adapters/hostSlots.ts';
import { passageFiles } from '../../../src/adapters/knowledge/passageFiles.ts';
import type { TakeLock } from '../../../src/adapters/knowledge/storeFile.ts';
import { lazy } from '../../../src/app/lazy.ts';
import type { PassageFiles } from '../../../src/ports/knowledge/passageFiles.ts';

const made = new Set<string>();
process.on('exit', () => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true });
});

export function passageFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'ml-passages-'));
  made.add(folder);
  return folder;
}

/** The lock of one process. */
function localLock(): TakeLock {
  let last: Promise<unknown> = Promise.resolve();
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const before = last;
    last = promise;
    await before;
    return { release: resolve };
  };
}

/** Files of a folder that several processes share. */
export function processFiles(folder: string): PassageFiles {
  const slots = new HostSlots(`${folder}/locks`);
  return passageFiles(`${folder}/files`, (name, waitMs) => slots.take(name, 1, waitMs));
}

/** Files of a member, in a folder that is removed at the end of the process. */
export function memberFiles(folder?: string): PassageFiles {
  let opened: PassageFiles | undefined;
  return lazy<PassageFiles>(async () => (opened ??= passageFiles(folder ?? passageFolder(), localLock())));
}
