import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert } from 'chai';
import { ADMIN_PASSWORD, startFixture } from '../embedded/support/platform.ts';

const run = promisify(execFile);

const SDK = 'splunk-sdk==2.1.1';
const project = join(import.meta.dirname, '..', '..');
const environment = join(project, '.venv');
const python = join(environment, process.platform === 'win32' ? 'Scripts/python.exe' : 'bin/python');

/** Why the SDK cannot be had on this machine; undefined when it is there. */
async function prepare(): Promise<string | undefined> {
  try {
    if (!existsSync(python)) await run('python3', ['-m', 'venv', environment]);
    await run(python, ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check', SDK]);
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return (stderr || message).trim();
  }
}

describe('public Python SDK', function () {
  this.timeout(240_000);

  it('works against the embedded platform', async function () {
    const missing = await prepare();
    if (missing !== undefined) {
      if (process.env.CI === 'true') assert.fail(`The Python SDK is needed here: ${missing}`);
      process.stderr.write(`    skipped, as the Python SDK cannot be installed: ${missing}\n`);
      return this.skip();
    }
    const { platform, stop } = await startFixture({ tls: true });
    try {
      const { stderr } = await run(python, [join(import.meta.dirname, 'python_sdk.py')], {
        env: {
          ...process.env,
          SDK_PORT: String(platform.port),
          SDK_PASSWORD: ADMIN_PASSWORD,
          PYTHONDONTWRITEBYTECODE: '1',
        },
        maxBuffer: 10_000_000,
      }).catch((error: Error & { stderr?: string }) => assert.fail(error.stderr || error.message));
      assert.match(stderr, /\nOK\s*$/);
    } finally {
      await stop();
    }
  });
});
