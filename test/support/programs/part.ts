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

/** How long the installation of a part may take: a new machine has nothing of it, and other tests run beside it. */
const INSTALLING_MS = 1_200_000;

/**
 * The same for a part that is installed where it is missing.
 * @param prepare says why it cannot be had
 */
export async function needsInstalled(
  test: Context,
  part: string,
  prepare: () => Promise<string | undefined>,
): Promise<void> {
  const usual = test.timeout();
  test.timeout(INSTALLING_MS);
  const began = performance.now();
  const missing = await prepare();
  // Mocha compares this with the whole duration in the end.
  test.timeout(usual + Math.ceil(performance.now() - began));
  needs(test, missing === undefined, `${part}: ${missing}`);
}

/** Whether a program of this name is on the path. */
export const isInstalled = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));
