import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { expectFailedListing, expectFailedTest, inline, TARGET_KEYS, TEST_KEYS } from '../../suites/mcp/calls.ts';
import { type Reply, startPlatform, type TestPlatform } from '../../support/e2e/platform.ts';
import { startTlsFront } from '../../support/e2e/tlsFront.ts';
import { makeCertificate } from '../../support/peers/certificates.ts';
import type { Peer } from '../../support/peers/listen.ts';
import { startBearerProxy } from '../../support/peers/mcp/bearerProxy.ts';
import { startEverything } from '../../support/peers/mcp/everything.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { startOAuthServer } from '../../support/peers/mcp/oauthServer.ts';
import { startSilent } from '../../support/peers/mcp/scripted.ts';
import { eventually, patience } from '../../support/time.ts';

describe('MCP connections against real servers', () => {
  let platform: TestPlatform;
  const open: { close(): Promise<void> }[] = [];
  let names = 0;

  async function peer<T extends { close(): Promise<void> }>(starting: Promise<T>): Promise<T> {
    const started = await starting;
    open.push(started);
    return started;
  }

  before(async () => {
    platform = await startPlatform({ env: { ML_DRIVERS: '4' } });
    await platform.createUser('anna', ['ml_admin']);
    await platform.createUser('carl', ['user']);
  });
  after(async () => {
    await Promise.all(open.map((one) => one.close()));
    await platform.dispose();
  });

  const act = (action: 'test' | 'tools', body: Record<string, unknown>) =>
    platform.ml('anna', 'POST', `/mcp_connection/${action}`, body);
  const get = async (name: string) => (await platform.ml('anna', 'GET', `/mcp_connection/${name}`)).json.config;

  async function save(url: string, details: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
    names += 1;
    const name = `server-${names}`;
    const body = { name, type: 'PLATFORM', details: { url, ...details }, ...more };
    const reply = await platform.ml('anna', 'POST', '/mcp_connection', body);
    expect(reply.status, reply.text).to.equal(200);
    return name;
  }

  const toolNames = (reply: Reply) => reply.json.data.tools.map((tool: { name: string }) => tool.name);

  describe('eras and transports', () => {
    for (const [mode, transport] of [
      ['streamableHttp', 'streamable_http'],
      ['sse', 'sse'],
    ] as const) {
      it(`server-everything over ${mode}`, async () => {
        const server = await peer(startEverything(mode));
        const name = await save(server.url);
        const before = await get(name);
        const test = await act('test', { name });
        expect(test.status, test.text).to.equal(200);
        expect(test.json, test.text).to.include({ status: 'success', success: true });
        expect(test.json).to.not.have.property('error_code');
        expect(test.json.data).to.have.all.keys([...TEST_KEYS, 'server_info']);
        expect(test.json.data).to.include({
          mcp_name: name,
          mcp_type: 'PLATFORM',
          mcp_server_url: server.url,
          http_status: 200,
          authenticated: true,
          reachable: true,
          transport,
        });
        expect(test.json.data.protocol_version).to.match(/^20\d\d-\d\d-\d\d$/);
        expect(test.json.data.response_time_ms).to.be.greaterThan(0);
        const after = await get(name);
        expect(after).to.include({ transport_detected: transport, auth_state: 'ok', version: before.version });
        expect(after.last_updated_at).to.equal(before.last_updated_at);
        expect(after.last_test).to.include({ status: 'success', error_code: null });
        expect(after.last_test).to.have.all.keys('status', 'error_code', 'tested_at', 'response_time_ms');
        const tools = await act('tools', { name });
        expect(tools.json, tools.text.slice(0, 300)).to.include({ status: 'success', success: true });
        expect(tools.json.data).to.have.all.keys([...TARGET_KEYS, 'tool_count', 'tools', 'drift']);
        expect(tools.json.data.drift).to.deep.equal({ added: [], removed: [], changed: [] });
        expect(toolNames(tools)).to.include('echo');
        expect(tools.json.data.tool_count).to.equal(tools.json.data.tools.length);
        const echo = tools.json.data.tools.find((tool: { name: string }) => tool.name === 'echo');
        expect(echo.input_schema.properties).to.have.property('message');
        expect(echo.allowed).to.equal(true);
      });
    }
  });

  it('several driver processes that need a new token refresh it once, and all succeed', async () => {
    const oauth = await peer(startOAuthServer());
    const { accepts, tokenUrl: token_url } = oauth;
    const proxy = await peer(startBearerProxy({ target: (await peer(startModern())).url, tokens: [], accepts }));
    const { access_token: _, ...client } = await oauth.mint();
    const details = { token: 'stale-token', ...client, is_auto_refresh_enabled: true, token_url };
    const name = await save(proxy.url, details, { type: 'ISSUE_TRACKER' });
    oauth.delay(700);
    const replies = await Promise.all([
      act('test', { name }),
      act('tools', { name }),
      act('test', { name }),
      act('tools', { name }),
    ]);
    expect(platform.drivers().length).to.be.greaterThan(1);
    for (const reply of replies) expect(reply.json, reply.text).to.include({ status: 'success', success: true });
    expect([oauth.tokenCalls(), oauth.reuses()]).to.deep.equal([1, 0]);
  });

  describe('TLS', () => {
    const ca = makeCertificate({ ca: true });
    const leaf = makeCertificate({ issuer: ca });

    it('drivers inherit NODE_EXTRA_CA_CERTS', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'e2e-ca-'));
      writeFileSync(join(folder, 'ca.pem'), ca.cert);
      const trusting = await startPlatform({ env: { NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem') } });
      try {
        const front = await peer(startTlsFront((await peer(startModern())).url, leaf));
        const reply = await trusting.ml('admin', 'POST', '/mcp_connection/test', inline(front.url));
        expect(reply.json, reply.text).to.include({ success: true });
      } finally {
        await trusting.dispose();
        rmSync(folder, { recursive: true });
      }
    });
  });

  describe('outbound policy', () => {
    it('refuses private addresses within 5 s after the administrator disallowed them', async () => {
      const server = await peer(startModern());
      const path = '/servicesNS/nobody/ml_extension/configs/conf-ml_extension/outbound';
      expect((await act('test', inline(server.url))).json).to.include({ success: true });
      expect((await platform.admin('POST', path, { allow_private: '0' })).status).to.equal(200);
      const isClosed = async () => (await act('test', inline(server.url))).json.error_code === 'blocked_by_policy';
      await eventually(isClosed, 5000, 'the policy');
      expectFailedListing(await act('tools', inline(server.url)), 502, 'blocked_by_policy');
      await platform.admin('POST', path, { allow_private: '1' });
      await eventually(async () => !(await isClosed()), 5000, 'the policy to be lifted');
    });
  });

  it('ordinary users cannot read the collections', async () => {
    const path = '/servicesNS/nobody/ml_extension/storage/collections/data/ml_mcp_connections?output_mode=json';
    for (const user of ['anna', 'carl']) {
      const read = await platform.call(user, 'GET', path);
      expect(read.status, `${user} ${read.text}`).to.be.oneOf([403, 404]);
      const write = await platform.call(user, 'POST', path, { name: 'x' });
      expect(write.status, `${user} ${write.text}`).to.be.oneOf([403, 404]);
    }
  });

  it('gives up on a silent server after 10 s (PLATFORM) and 15 s (ISSUE_TRACKER)', async () => {
    const silent: Peer = await peer(startSilent());
    const timed = async (call: Promise<Reply>) => {
      const started = Date.now();
      const reply = await call;
      return { reply, seconds: (Date.now() - started) / 1000 };
    };
    const [test, tools, tracker] = await Promise.all([
      timed(act('test', inline(silent.url))),
      timed(act('tools', inline(silent.url))),
      timed(act('tools', inline(silent.url, {}, 'ISSUE_TRACKER'))),
    ]);
    expectFailedTest(test.reply, 'timeout');
    expect(test.seconds).to.be.within(9.5, patience(11.5));
    expectFailedListing(tools.reply, 504, 'timeout');
    expect(tools.seconds).to.be.within(9.5, patience(11.5));
    expectFailedListing(tracker.reply, 504, 'timeout');
    expect(tracker.seconds).to.be.within(14.5, patience(16.5));
  });
});
