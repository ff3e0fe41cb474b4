import { readdirSync } from 'node:fs';
import { testedApp } from '../../support/e2e/build.ts';
import { type StartOptions, TestPlatform } from '../../support/e2e/platform.ts';
import { isOf } from '../../support/programs/processes.ts';
import { eventually } from '../../support/time.ts';

export const PROGRAM = 'tools/start.ts';
export const demoArguments = (): string[] => ['--default-app', testedApp(), '--demo'];

/** The line behind which the tour has nothing more. */
const LAST = /^Ctrl-C ends it/m;

/** Starts the demo. @returns once it has made its examples */
export async function startDemo(options: StartOptions): Promise<TestPlatform> {
  const platform = new TestPlatform({ program: PROGRAM, args: demoArguments(), ...options });
  await platform.start();
  const hasFailed = () => /^\w*Error: /m.test(platform.output);
  await eventually(() => LAST.test(platform.output) || hasFailed(), 60_000, 'the tour of the demo');
  if (hasFailed()) throw new Error(platform.output);
  return platform;
}

/** Processes whose environment or command line names the data folder, this one excepted. */
export function processesOf(home: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && isOf(pid, home));
}
