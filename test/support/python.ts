import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { lock } from './lock.ts';

const run = promisify(execFile);

const project = join(import.meta.dirname, '..', '..');
/** Kept between runs: an installation takes longer than all the tests that need it. */
const ENVIRONMENT = '.venv';
const scripts = process.platform === 'win32' ? 'Scripts' : 'bin';

/** Where an environment keeps its programs. */
export const pythonPrograms = (environment = ENVIRONMENT): string => join(project, environment, scripts);
export const pythonOf = (environment = ENVIRONMENT): string =>
  join(pythonPrograms(environment), process.platform === 'win32' ? 'python.exe' : 'python');
export const python = pythonOf();

/** What tests need of Python's package registry, pinned. */
export const PACKAGES = {
  splunkSdk: ['splunk-sdk==2.1.1'],
  /** The validator that the platform's store runs over every app. */
  appinspect: ['splunk-appinspect==4.3.1'],
  /** moto: a server that does what AWS does. botocore: an implementation of AWS's signature that is not the one we ship. */
  aws: ['moto[server]==5.2.5', 'botocore==1.44.5'],
  /** Programs that read OpenAPI documents, with an environment of their own: they do not agree with the others' needs. */
  document: [
    'schemathesis==4.32.5',
    'openapi-spec-validator==0.9.0',
    'openapi-python-client==0.29.1',
    'ruff==0.17.6',
    'mypy==2.4.1',
    'httpx==0.28.1',
    'attrs==26.1.0',
  ],
} as const;

/**
 * Why the packages cannot be had on this machine; undefined when they are there.
 * @param environment that they go to, if not the one that most share
 */
export async function preparePython(packages: readonly string[], name = ENVIRONMENT): Promise<string | undefined> {
  const environment = join(project, name);
  const python = pythonOf(name);
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
