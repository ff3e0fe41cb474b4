import { expect } from 'chai';
import { STORE_REASONS, type StoreReason } from '../../../src/contract/codes/reasons.ts';
import { expectStatus, type Reply, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { searched } from '../agents/agentSupport.ts';

const CHAT = { model: 'team/small', messages: [{ role: 'user', content: 'hello' }] };
const SEARCH = '| makeresults | mlchat prompt="hello" model="team/small" timeout=15';
const BODY = { name: 'docs', type: 'PLATFORM', details: { url: 'https://mcp.example/mcp', token: 'a-long-secret' } };

describe('a KV store that is not available', function () {
  this.timeout(120_000);
  let platform: TestPlatform;
  before(async () => {
    platform = await startPlatform();
    expectStatus(await platform.ml('admin', 'POST', '/mcp_connection', BODY), 200, 'connection');
  });
  afterEach(() => platform.faults({ kvstore: 'ok', passwords: 'ok' }));
  after(() => platform.dispose());

  const chat = () =>
    platform.call('admin', 'POST', '/servicesNS/nobody/ml_extension/ai_gateway/v1/chat/completions', CHAT);

  function expectState({ status, json, headers, text }: Reply, reason: StoreReason): void {
    const { message, remedy, pause } = STORE_REASONS[reason];
    expect([status, json.error_code], text).to.deep.equal([503, 'store_unavailable']);
    expect(json, text).to.include({ message, remedy, reason });
    expect([json.should_retry, json.retry_after], text).to.deep.equal(pause ? [undefined, pause] : [false, undefined]);
    expect(headers['retry-after'], text).to.equal(pause?.toString());
    expect(headers['x-should-retry'] ?? String(pause !== undefined), text).to.equal(String(pause !== undefined));
  }

  const STATES: [fault: string, StoreReason, store: string][] = [
    ['disabled', 'kvstore_disabled', 'disabled'],
    ['starting', 'kvstore_starting', 'starting'],
  ];
  for (const [fault, reason, store] of STATES) {
    it(`is ${fault} to lists, writes, health, chats and searches alike`, async () => {
      await platform.faults({ kvstore: fault });
      expectState(await platform.ml('admin', 'GET', '/mcp_connection'), reason);
      expectState(await platform.ml('admin', 'POST', '/mcp_connection', { ...BODY, name: 'more' }), reason);
      expectState(await chat(), reason);
      const { message, remedy } = STORE_REASONS[reason];
      const health = await platform.ml('admin', 'GET', '/health');
      expectStatus(health, 200, 'health');
      expect(health.json).to.include({ message, remedy, reason, store, secrets: 'ready' });
      const { job } = await searched(platform, 'admin', SEARCH);
      expect(JSON.stringify(job.messages)).to.include(message);
    });
  }

  it('is read-only to writes, and still read', async () => {
    await platform.faults({ kvstore: 'read_only' });
    const { status, json } = await platform.ml('admin', 'GET', '/mcp_connection');
    expect([status, json.result.length]).to.deep.equal([200, 1]);
    expectState(await platform.ml('admin', 'POST', '/mcp_connection', { ...BODY, name: 'more' }), 'read_only');
  });

  it('is ready again without a restart of the app', async () => {
    const health = (await platform.ml('admin', 'GET', '/health')).json;
    expect(health).to.include({ store: 'ready', message: 'Everything is ready' }).and.not.have.property('reason');
    expectStatus(await platform.ml('admin', 'GET', '/mcp_connection'), 200, 'list');
  });
});
