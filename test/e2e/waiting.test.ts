import { expect } from 'chai';
import { expectStatus, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { type Peer, startHttp } from '../support/peers/listen.ts';
import { blobOf } from '../support/records/llmBlob.ts';
import { eventually } from '../support/time.ts';

const OUTBOUND = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension/outbound';
/** The contract's limit of a wait, and some time for a busy machine. */
const LIMIT_MS = 25_000 + 10_000;

describe('slow upstreams', () => {
  let platform: TestPlatform;
  let upstream: Peer;
  let calls = 0;
  let model: ReturnType<typeof blobOf>;
  before(async () => {
    upstream = await startHttp(() => {
      calls += 1;
    });
    model = blobOf('General_Chat', upstream.url, { request_timeout: { value: 600 } });
    platform = await startPlatform({ env: { ML_DRIVERS: '6' } });
    await platform.createUser('anna', ['ml_admin']);
    expectStatus(await platform.admin('POST', OUTBOUND, { max_waiting: '2' }), 200, 'max_waiting');
    const details = { url: `${upstream.url}/mcp`, token: 'a-token' };
    const server = { name: 'slow', type: 'PLATFORM', details };
    expectStatus(await platform.ml('anna', 'POST', '/mcp_connection', server), 200, 'an MCP connection');
    expectStatus(await platform.ml('anna', 'POST', '/aicommander', model), 200, 'a language model');
  });
  after(async () => {
    await platform.dispose();
    await upstream.close();
  });

  it('occupy max_waiting requests, for at most 25 s each, while other requests are served', async () => {
    const started = performance.now();
    const { service, connection_name, model: id } = model;
    const test = { action: 'test', service, connection_name, model: id };
    const slow = [1, 2].map(() => platform.ml('anna', 'POST', '/aicommander_metadata', test));
    await eventually(() => calls === 2, 20_000, 'both calls');

    const refused: [string, string, object | undefined][] = [
      ['POST', '/mcp_connection/test', { name: 'slow' }],
      ['PUT', '/mcp_connection?verify=true', { name: 'slow', description: 'changed' }],
      ['POST', '/connection_health/check', { max_age_s: 0 }],
      ['GET', '/container_data', undefined],
    ];
    for (const [method, path, body] of refused) {
      const { status, json, headers } = await platform.ml('anna', method, path, body);
      expect([status, json.error_code, headers['retry-after']], `${method} ${path}`).to.deep.equal([503, 'busy', '1']);
      expectStatus(await platform.ml('anna', 'GET', '/mcp_connection'), 200, 'a list');
    }
    expect(calls).to.equal(2);

    for (const { json } of await Promise.all(slow))
      expect([json.success, json.error_code]).to.deep.equal([false, 'timeout']);
    expect(performance.now() - started).to.be.lessThan(LIMIT_MS);
    const { json } = await platform.ml('anna', 'GET', '/container_data');
    expect(json.status).to.equal('success');
  }).timeout(90_000);
});
