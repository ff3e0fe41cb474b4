import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect } from 'chai';
import type { TestPlatform } from '../../../support/e2e/platform.ts';
import { nodeClient, prepareNodeClients } from '../../../support/programs/nodeClients.ts';
import { needsInstalled } from '../../../support/programs/part.ts';
import { configure, gatewayPlatform, MOUNT } from '../gatewayPlatform.ts';
import { type OpenAiUpstream, startOpenAiUpstream } from './upstreams/openAi.ts';

const run = promisify(execFile);

describe("gateway with Vercel's AI SDK as a client", function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  let upstream: OpenAiUpstream;

  before(async function () {
    await needsInstalled(this, "Vercel's AI SDK", prepareNodeClients);
    upstream = await startOpenAiUpstream();
    platform = await gatewayPlatform({ ML_TLS: '0' });
    await configure(platform, 'up', upstream.url);
  });
  after(async () => {
    await platform?.dispose();
    await upstream?.close();
  });

  it('answers texts, streams, tools, objects, pictures, embeddings and failures', async () => {
    const args = [nodeClient('compatible.mjs'), `${platform.url}${MOUNT}/v1`, await platform.sessionKey('anna')];
    const { stdout } = await run(process.execPath, args, { maxBuffer: 10_000_000 });
    const results = JSON.parse(stdout);
    expect(results.text).to.deep.equal({ text: results.text.text, finish: 'stop', tokens: 9 });
    expect(results.text.text).not.to.equal('');
    expect(results.stream).to.deep.equal(results.text);
    expect(results.tools).to.include({ called: true, steps: 2 });
    expect(results.object).to.deep.equal({ type: 'number' });
    expect(results.picture.text).not.to.equal('');
    expect(results.embeddings).to.deep.equal([3, 3]);
    expect(results.failure).to.deep.equal({ name: 'AI_APICallError', statusCode: 404, isRetryable: false });
    // The label of the picture was wrong, and is that of its content.
    expect(JSON.stringify(upstream.asked.map(({ body }) => body))).to.include('data:image/jpeg;base64,/9j/4AAQSkY');
  });
});
