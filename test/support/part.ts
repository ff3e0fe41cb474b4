import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Context } from 'mocha';

/**
 * For tests that need a part which a machine may lack (Python, Docker, a cluster): says so and skips.
 * In CI a missing part is a failure: there it is ours to install.
 */
export function needs(test: Context, present: boolean, part: string): void {
  if (present) return;
  if (process.env.CI === 'true') throw new Error(`CI lacks a part that this test needs: ${part}`);
  process.stderr.write(`      skipped: this machine lacks ${part}\n`);
  test.skip();
}

/** Whether a program of this name is on the path. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
