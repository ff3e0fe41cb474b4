import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { MlExtension, MlExtensionError } from '../../client/src/index.ts';
import { needsInstalled } from '../support/part.ts';
import { freePort } from '../support/peers/listen.ts';
import { eventually } from '../support/time.ts';
import { DOCUMENT, prepareTools, tool } from './tools.ts';

describe('the document as a mock server (Prism), and the typed client', () => {
  let mock: ChildProcess;
  let ml: MlExtension;
  before(async function () {
    await needsInstalled(this, 'programs of the registry', prepareTools);
    const port = await freePort();
    let said = '';
    mock = spawn(process.execPath, [tool('prism'), 'mock', DOCUMENT, '--port', String(port)]);
    mock.stdout?.on('data', (bytes) => {
      said += bytes;
    });
    await eventually(() => said.includes('is listening') || mock.exitCode !== null, 60_000, 'the mock to listen');
    // It serves the paths themselves, without what stands before them on a platform.
    const plain: typeof fetch = (input, init) =>
      fetch(String(input).replace('/servicesNS/nobody/ml_extension', ''), init);
    ml = new MlExtension({
      baseUrl: `http://127.0.0.1:${port}`,
      auth: { username: 'a', password: 'b' },
      fetch: plain,
    });
  });
  after(async () => {
    if (!mock) return;
    mock.kill();
    if (mock.exitCode === null && mock.signalCode === null) await once(mock, 'exit');
  });

  it('answers what the client expects', async () => {
    const { config } = await ml.call('getMcpConnection', { params: { name: 'Incident tools' } });
    expect(config).to.deep.include({ name: 'Incident tools', type: 'PLATFORM' });
    expect(config.details.token).to.equal('***MASKED***');
    const list = await ml.call('listExperiments', { query: { count: 5 } });
    expect(list.result[0]?.title).to.be.a('string');
  });

  it('takes what the client sends', async () => {
    const details = { url: 'https://mcp.example.com/mcp', token: 't' };
    const made = await ml.call('createMcpConnection', { body: { name: 'Incident tools', type: 'PLATFORM', details } });
    expect(made.status).to.equal('success');
    const started = await ml.call('startContainer', { body: { payload: { image: 'golden-cpu', model: 'm' } } });
    expect(started.updated_config.container_name).to.be.a('string');
  });

  it('refuses what the document forbids', async () => {
    const body = { name: '?', type: 'NONE', details: {} } as never;
    const error = await ml.call('createMcpConnection', { body }).catch((failed: unknown) => failed);
    expect(error).to.be.instanceOf(MlExtensionError);
    expect((error as MlExtensionError).status).to.equal(400);
  });
});
