import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { assert } from 'chai';
import { ADMIN_PASSWORD, startFixture, writeFiles } from '../../platform/test/support/platform.ts';
import { needsInstalled } from '../support/programs/part.ts';
import { preparePython, pythonOf, pythonPrograms } from '../support/programs/python.ts';

const run = promisify(execFile);

describe('public Python SDK', function () {
  this.timeout(240_000);

  it('works against the embedded platform', async function () {
    await needsInstalled(this, 'the public Python SDK', () => preparePython('splunkSdk'));
    // The platform uses the Python on the PATH.
    const path = `${pythonPrograms('splunkSdk')}${delimiter}${process.env.PATH}`;
    const { platform, stop } = await startFixture({ tls: true, env: { ...process.env, PATH: path } });
    writeFiles(join(platform.home, 'etc', 'apps', 'fixture'), {
      'default/commands.conf': '[sdkgenerate]\nchunked = true\nfilename = sdkgenerate.py\n',
      'bin/sdkgenerate.py': readFileSync(join(import.meta.dirname, 'sdkgenerate.py'), 'utf8'),
    });
    try {
      const { stderr } = await run(pythonOf('splunkSdk'), [join(import.meta.dirname, 'python_sdk.py')], {
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
