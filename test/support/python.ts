import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from './lock.ts';

const run = promisify(execFile);

const project = join(import.meta.dirname, '..', '..');
/** Kept between runs: an installation takes longer than all the tests that need it. */
const environment = join(project, '.venv');
const isWindows = process.platform === 'win32';

export const python = join(environment, isWindows ? 'Scripts/python.exe' : 'bin/python');

/** What tests need of Python's package registry, pinned. */
export const PACKAGES = {
  splunkSdk: ['splunk-sdk==2.1.1'],
  /** The validator that the platform's store runs over every app. */
  appinspect: ['splunk-appinspect==4.3.1'],
  /** moto: a server that does what AWS does. botocore: an implementation of AWS's signature that is not the one we ship. */
  aws: ['moto[server]==5.2.5', 'botocore==1.44.5'],
} as const;

/** Why the packages cannot be had on this machine; undefined when they are there. */
export async function preparePython(packages: readonly string[]): Promise<string | undefined> {
  const mark = createHash('sha256').update(packages.join('\n')).digest('hex').slice(0, 12);
  const marker = join(environment, `installed-${mark}`);
  const isThere = () => existsSync(marker) && existsSync(python);
  if (isThere()) return undefined;
  const release = lock('python');
  try {
    // Another test file may have installed them meanwhile.
    if (isThere()) return undefined;
    if (!existsSync(python)) await run('python3', ['-m', 'venv', environment]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', ...packages]);
    writeFileSync(marker, packages.join('\n'));
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim();
  } finally {
    release();
  }
}
