import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

const MEMORY = '/dev/shm';
const NAME = /^ml-tests-(\d+)-/;
/** Several times what the tests have there at most. */
const ROOM = 6_000_000_000;

/**
 * A folder in memory for the temporary files of a run, if the machine has one with room enough, in which programs may be started.
 * Platforms copy apps and sync databases all the time: on a disk, the tests wait for it, and for whoever else uses it.
 */
export function scratchFolder(): string | undefined {
  try {
    for (const name of readdirSync(MEMORY)) {
      // A run that was killed cannot tidy up behind itself.
      if (isLeft(name)) rmSync(join(MEMORY, name), { recursive: true, force: true });
    }
    const { bavail, bsize } = statfsSync(MEMORY);
    if (Math.min(bavail * bsize, freemem()) < ROOM) return undefined;
    const folder = mkdtempSync(join(MEMORY, `ml-tests-${process.pid}-`));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
    const program = join(folder, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o755 });
    execFileSync(program);
    return folder;
  } catch {
    return undefined;
  }
}

function isLeft(name: string): boolean {
  const pid = Number(NAME.exec(name)?.[1] ?? 0);
  if (pid === 0) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH';
  }
}
