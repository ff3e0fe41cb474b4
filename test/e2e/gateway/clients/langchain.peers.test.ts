import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { assert } from 'chai';
import type { TestPlatform } from '../../../support/e2e/platform.ts';
import { needsInstalled } from '../../../support/part.ts';
import { preparePython, pythonOf } from '../../../support/python.ts';
import { configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';
import { type OpenAiUpstream, startOpenAiUpstream } from './upstream.ts';

const run = promisify(execFile);

describe("gateway with the tests of LangChain's integrations", function () {
  this.timeout(240_000);
  let platform: TestPlatform;
  let upstream: OpenAiUpstream;

  before(async function () {
    await needsInstalled(this, 'LangChain', () => preparePython('openAi'));
    upstream = await startOpenAiUpstream();
    platform = await gatewayPlatform({ ML_TLS: '0' });
    await configure(platform, 'up', upstream.url);
  });
  after(async () => {
    await platform?.dispose();
    await upstream?.close();
  });

  it('passes them with a model of OpenAI', async () => {
    const script = join(import.meta.dirname, 'langchain_standard.py');
    // The SDK keeps its connections, and with them the event loop.
    const loop = 'asyncio_default_test_loop_scope=session';
    const pytest = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', '--asyncio-mode=auto', '-o', loop, '-rfE', script];
    const { stdout } = await run(pythonOf('openAi'), pytest, {
      env: {
        PATH: process.env.PATH,
        PYTHONDONTWRITEBYTECODE: '1',
        LANGSMITH_TRACING: 'false',
        GATEWAY_URL: `${platform.url}${MOUNT}/v1`,
        GATEWAY_KEY: await platform.sessionKey('anna'),
        GATEWAY_MODEL: 'up/m',
        GATEWAY_EMBEDS: '1',
      },
      maxBuffer: 10_000_000,
    }).catch((error: Error & { stdout?: string }) => assert.fail(error.stdout || error.message));
    assert.match(stdout, /\b[4-9]\d passed/);
  });
});
