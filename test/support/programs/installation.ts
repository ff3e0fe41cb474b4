import { createHash } from 'node:crypto';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { takeLock } from '../../../src/codegen/package/lock.ts';

/** Packages of a registry that tests need, kept between runs in a folder of their own. */
export interface Installation {
  folder: string;
  /** The pinned packages: the folder is made anew when this text changes. */
  pinned: string;
  /** A file without which the folder is of no use. */
  program: string;
  /** Fills the folder, which does not exist yet. */
  install: () => Promise<unknown>;
}

/** Exists once everything is installed. */
function markerOf({ folder, pinned }: Installation): string {
  return join(folder, `installed-${createHash('sha256').update(pinned).digest('hex').slice(0, 12)}`);
}

export const isComplete = (installation: Installation): boolean =>
  existsSync(markerOf(installation)) && existsSync(installation.program);

/**
 * Installs the packages unless they are there; test files run side by side, and only one of them does it.
 * @returns why they cannot be had on this machine; undefined when they are there
 */
export async function ensureInstalled(installation: Installation): Promise<string | undefined> {
  if (isComplete(installation)) return undefined;
  const { folder, pinned, install } = installation;
  const release = takeLock(`${folder}.lock`);
  try {
    // Another test file may have done it meanwhile.
    if (isComplete(installation)) return undefined;
    // A process that was ended half way may have left something.
    rmSync(folder, { recursive: true, force: true });
    await install();
    writeFileSync(markerOf(installation), pinned);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim();
  } finally {
    release();
  }
}
