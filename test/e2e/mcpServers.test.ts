import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { eventually, type Reply, startPlatform, type TestPlatform } from '../support/e2e/platform.ts';
import { startTlsFront } from '../support/e2e/tlsFront.ts';
import { startBearerProxy } from '../support/peers/bearerProxy.ts';
import { makeCertificate } from '../support/peers/certificates.ts';
import { startEverything } from '../support/peers/everything.ts';
import { freePort, type Peer } from '../support/peers/listen.ts';
import { type ModernPeer, startModern } from '../support/peers/modern.ts';
import { startOAuthServer } from '../support/peers/oauthServer.ts';
import { startCircling, startManyTools, startPaging, startRefusing, startSilent } from '../support/peers/scripted.ts';

const TARGET_KEYS = ['mcp_name', 'mcp_type', 'mcp_server_url', 'response_time_ms'];
const TEST_KEYS = [...TARGET_KEYS, 'http_status', 'authenticated', 'reachable', 'transport', 'protocol_version'];

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
  });
  after(async () => {
    await Promise.all(open.map((one) => one.close()));
    await platform.dispose();
  });

  const act = (action: 'test' | 'tools', body: Record<string, unknown>) =>
    platform.ml('anna', 'POST', `/mcp_connection/${action}`, body);
  const get = async (name: string) => (await platform.ml('anna', 'GET', `/mcp_connection/${name}`)).json.config;
  const inline = (url: string, more: Record<string, unknown> = {}, type = 'PLATFORM') => ({
    type,
    details: { url, ...more },
  });

  async function save(url: string, details: Record<string, unknown> = {}, more: Record<string, unknown> = {}) {
    names += 1;
    const name = `server-${names}`;
    const body = { name, type: 'PLATFORM', details: { url, ...details }, ...more };
    const reply = await platform.ml('anna', 'POST', '/mcp_connection', body);
    expect(reply.status, reply.text).to.equal(200);
    return name;
  }

  /** A test that failed is an answer (contract 1.9). */
  function expectFailedTest(reply: Reply, code: string): void {
    expect(reply.status, reply.text).to.equal(200);
    expect(reply.json, reply.text).to.include({ status: 'fail', success: false, error_code: code });
    expect(reply.json.message).to.be.a('string').and.not.equal('');
    expect(reply.json.data).to.include.all.keys(TEST_KEYS);
  }

  /** A listing that failed is an error (contract 2). */
  function expectFailedListing(reply: Reply, status: number, code: string): void {
    expect(reply.status, reply.text).to.equal(status);
    expect(reply.json, reply.text).to.include({ status: 'fail', success: false, error_code: code });
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

    it('a server of the 2026-07-28 era, all pages of its list', async () => {
      const tools = Array.from({ length: 7 }, (_, index) => ({ name: `t${index}`, description: `tool ${index}` }));
      const server = await peer(startModern({ tools, pageSize: 3, modernOnly: true }));
      const test = await act('test', inline(`${server.url}?key=hidden#part`));
      expect(test.json, test.text).to.include({ status: 'success', success: true });
      expect(test.json.data).to.include({
        mcp_name: null,
        mcp_server_url: server.url,
        transport: 'streamable_http',
        protocol_version: '2026-07-28',
      });
      expect(test.json.data.server_info).to.deep.equal({ name: 'modern-peer', version: '1.2.3', title: 'Modern' });
      const listing = await act('tools', inline(server.url));
      expect(toolNames(listing)).to.deep.equal(tools.map((tool) => tool.name));
      expect(listing.json.data.mcp_name).to.equal(null);
    });

    it('a repeated cursor ends the list; it is said to be cut', async () => {
      const server = await peer(startCircling());
      const reply = await act('tools', inline(server.url));
      expect(reply.json, reply.text).to.include({ status: 'success', success: true });
      expect(reply.json.data.truncated).to.equal(true);
      expect(reply.json.warnings).to.have.length(1);
    });

    it('at most 50 pages and 2,000 tools', async () => {
      const pages = await act('tools', inline((await peer(startPaging(60))).url));
      expect(pages.json.data).to.include({ tool_count: 50, truncated: true });
      const whole = await act('tools', inline((await peer(startPaging(50))).url));
      expect(whole.json.data.tool_count).to.equal(50);
      expect(whole.json.data).to.not.have.property('truncated');
      const many = await act('tools', inline((await peer(startManyTools(2001))).url));
      expect(many.json.data).to.include({ tool_count: 2000, truncated: true });
      const fits = await act('tools', inline((await peer(startManyTools(2000))).url));
      expect(fits.json.data.tool_count).to.equal(2000);
      expect(fits.json.data).to.not.have.property('truncated');
    });
  });

  describe('drift and tools_allowed', () => {
    let server: ModernPeer;
    const first = [
      {
        name: 'stays',
        description: 'a',
        inputSchema: { properties: { x: { type: 'string' }, y: { type: 'number' } } },
      },
      { name: 'goes', description: 'b' },
      { name: 'alters', description: 'c' },
    ];
    const second = [
      { name: 'alters', description: 'c2' },
      { name: 'comes', description: 'd' },
      {
        name: 'stays',
        description: 'a',
        inputSchema: { properties: { y: { type: 'number' }, x: { type: 'string' } } },
      },
    ];
    before(async () => {
      server = await peer(startModern({ tools: first }));
    });

    it('compares with the last listing of the saved record', async () => {
      const name = await save(server.url);
      const none = { added: [], removed: [], changed: [] };
      expect((await act('tools', { name })).json.data.drift).to.deep.equal(none);
      expect((await act('tools', { name })).json.data.drift).to.deep.equal(none);
      server.setTools(second);
      // Inline calls neither see nor move the base.
      expect((await act('tools', inline(server.url))).json.data.drift).to.deep.equal(none);
      expect((await act('tools', { name })).json.data.drift).to.deep.equal({
        added: ['comes'],
        removed: ['goes'],
        changed: ['alters'],
      });
      expect((await act('tools', { name })).json.data.drift).to.deep.equal(none);
      const { version } = await get(name);
      expect(version).to.equal(1);
      server.setTools(first);
      await platform.ml('anna', 'DELETE', `/mcp_connection/${name}`);
      const body = { name, type: 'PLATFORM', details: { url: server.url } };
      await platform.ml('anna', 'POST', '/mcp_connection', body);
      expect((await act('tools', { name })).json.data.drift, 'a new record of the name').to.deep.equal(none);
    });

    it('a listing that is cut leaves the base', async () => {
      const cut = await peer(startManyTools(2001));
      const name = await save(server.url);
      await act('tools', { name });
      await platform.ml('anna', 'PUT', '/mcp_connection', { name, details: { url: cut.url } });
      expect((await act('tools', { name })).json.data.truncated).to.equal(true);
      await platform.ml('anna', 'PUT', '/mcp_connection', { name, details: { url: server.url } });
      server.setTools(first);
      expect((await act('tools', { name })).json.data.drift).to.deep.equal({ added: [], removed: [], changed: [] });
    });

    it('lists all tools and marks the allowed ones', async () => {
      server.setTools(first);
      const name = await save(server.url, {}, { tools_allowed: ['stays', 'unheard of'] });
      const reply = await act('tools', { name });
      const marks = reply.json.data.tools.map((tool: { name: string; allowed: boolean }) => [tool.name, tool.allowed]);
      expect(marks).to.deep.equal([
        ['stays', true],
        ['goes', false],
        ['alters', false],
      ]);
      await platform.ml('anna', 'PUT', '/mcp_connection', { name, tools_allowed: [] });
      const closed = await act('tools', { name });
      expect(closed.json.data.tools.some((tool: { allowed: boolean }) => tool.allowed)).to.equal(false);
    });
  });

  describe('credentials', () => {
    it('sends token and headers, saved or given', async () => {
      const server = await peer(startModern());
      const proxy = await peer(startBearerProxy({ target: server.url, tokens: ['good-token'] }));
      const name = await save(proxy.url, { token: 'good-token', headers: { 'X-Api-Key': 'the-key' } });
      const reply = await act('test', { name });
      expect(reply.json, reply.text).to.include({ success: true });
      expect(new Set(proxy.seen)).to.deep.equal(new Set(['Bearer good-token']));
      expect(server.seen.at(-1)?.headers['x-api-key']).to.equal('the-key');
      // Masked and absent secrets come from the record; the host is the same.
      for (const details of [{ url: proxy.url, token: '***MASKED***' }, { url: `${proxy.url}?x=1` }]) {
        const test = await act('test', { name, details });
        expect(test.json, test.text).to.include({ success: true });
        expect(test.json.data.mcp_name).to.equal(null);
      }
      const wrong = await act('test', { name, details: { token: 'wrong-token' } });
      expectFailedTest(wrong, 'auth_failed');
      expect(wrong.json.data).to.include({ http_status: 401, authenticated: false, reachable: true });
      expect((await get(name)).last_test.status).to.equal('success');
    });

    it('401 and 403 of the server are never ours', async () => {
      for (const [status, code] of [
        [401, 'auth_failed'],
        [403, 'permission_denied'],
      ] as const) {
        const server = await peer(startRefusing(status, 'no'));
        const name = await save(server.url, { token: 'stored-token' });
        const test = await act('test', { name });
        expectFailedTest(test, code);
        expect(test.json.data).to.include({ http_status: status, authenticated: false, reachable: true });
        expect((await get(name)).last_test).to.include({ status: 'fail', error_code: code });
        expectFailedListing(await act('tools', { name }), 502, code);
      }
      const name = await save((await peer(startRefusing(401, 'no'))).url);
      await act('test', { name });
      expect((await get(name)).auth_state).to.equal('reauth_required');
    });

    it('passes a throttle on as 429 with its delay', async () => {
      const server = await peer(startRefusing(429, 'slow down', { 'retry-after': '7' }));
      const reply = await act('tools', inline(server.url));
      expectFailedListing(reply, 429, 'rate_limited');
      expect(reply.json.retry_after).to.equal(7);
      expect(reply.headers['retry-after']).to.equal('7');
      expectFailedTest(await act('test', inline(server.url)), 'rate_limited');
    });
  });

  describe('token refresh', () => {
    async function tracker(options: { accessTokenLife?: number; discovered?: boolean } = {}) {
      const server = await peer(startModern());
      const oauth = await peer(startOAuthServer(options));
      const proxy = await peer(
        startBearerProxy({ target: server.url, tokens: [], authorizationServer: oauth.issuer, accepts: oauth.accepts }),
      );
      const minted = await oauth.mint();
      names += 1;
      const name = `tracker-${names}`;
      const body = {
        name,
        type: 'ISSUE_TRACKER',
        details: {
          url: proxy.url,
          token: 'stale-token',
          client_id: minted.client_id,
          client_secret: minted.client_secret,
          refresh_token: minted.refresh_token,
          is_auto_refresh_enabled: true,
          ...(options.discovered ? {} : { token_url: oauth.tokenUrl }),
        },
      };
      const reply = await platform.ml('anna', 'POST', '/mcp_connection', body);
      expect(reply.status, reply.text).to.equal(200);
      return { name, oauth, proxy, minted };
    }

    it('two driver processes at the same moment: both succeed, one token call', async () => {
      const { name, oauth } = await tracker();
      oauth.delay(700);
      const before = oauth.tokenCalls();
      const replies = await Promise.all([
        act('test', { name }),
        act('tools', { name }),
        act('test', { name }),
        act('tools', { name }),
      ]);
      expect(platform.drivers().length).to.be.greaterThan(1);
      for (const reply of replies) expect(reply.json, reply.text).to.include({ status: 'success', success: true });
      expect(oauth.tokenCalls() - before).to.equal(1);
      expect(oauth.reuses()).to.equal(0);
      oauth.delay(0);
      // The rotated refresh token was kept: the next refresh works too.
      const proxyRefuses = await platform.ml('anna', 'PUT', '/mcp_connection', {
        name,
        details: { token: 'stale-again' },
      });
      expect(proxyRefuses.status).to.equal(200);
      expect((await act('test', { name })).json).to.include({ success: true });
      expect(oauth.tokenCalls() - before).to.equal(2);
      const record = await get(name);
      expect(record).to.include({ auth_state: 'ok', version: 2 });
      expect(record.details).to.include({ token: '***MASKED***', refresh_token: '***MASKED***' });
    });

    it('finds the token endpoint and keeps it', async () => {
      const { name, oauth } = await tracker({ discovered: true });
      const reply = await act('test', { name });
      expect(reply.json, reply.text).to.include({ success: true });
      expect((await get(name)).token_url_detected).to.equal(oauth.tokenUrl);
      expect(oauth.tokenCalls()).to.equal(1);
    });

    it('refreshes before the token ends, when 80 % of its life are over', async () => {
      const { name, oauth } = await tracker({ accessTokenLife: 3 });
      expect((await act('test', { name })).json).to.include({ success: true });
      expect((await act('test', { name })).json).to.include({ success: true });
      expect(oauth.tokenCalls()).to.equal(1);
      await eventually(async () => (await get(name)).auth_state === 'refresh_due', 4000, 'the refresh to be due');
      expect((await act('test', { name })).json).to.include({ success: true });
      expect(oauth.tokenCalls()).to.equal(2);
      expect((await get(name)).auth_state).to.equal('ok');
    });

    it('invalid_grant asks for a person and is not repeated', async () => {
      const { name, oauth } = await tracker();
      const details = { refresh_token: 'never-issued' };
      expect((await platform.ml('anna', 'PUT', '/mcp_connection', { name, details })).status).to.equal(200);
      expectFailedTest(await act('test', { name }), 'auth_failed');
      expect((await get(name)).auth_state).to.equal('reauth_required');
      const calls = oauth.tokenCalls();
      expect(calls).to.equal(1);
      expectFailedTest(await act('test', { name }), 'auth_failed');
      expectFailedListing(await act('tools', { name }), 502, 'auth_failed');
      expect(oauth.tokenCalls()).to.equal(calls);
    });
  });

  describe('TLS', () => {
    const ca = makeCertificate({ ca: true });
    const other = makeCertificate({ ca: true });
    const leaf = makeCertificate({ issuer: ca });

    it('verifies by default; takes a CA, or no verification, of the record', async () => {
      const server = await peer(startModern());
      const front = await peer(startTlsFront(server.url, leaf));
      const details = { token: 'tls-token' };
      expectFailedTest(await act('test', inline(front.url, details)), 'tls_untrusted');
      expectFailedTest(
        await act('test', inline(front.url, { ...details, ca_certificate: other.cert })),
        'tls_untrusted',
      );
      expectFailedListing(await act('tools', inline(front.url, details)), 502, 'tls_untrusted');
      expect(front.seen, 'nothing is sent before the handshake').to.deep.equal([]);
      for (const more of [
        { ca_certificate: ca.cert },
        { ca_certificate: `${other.cert}${ca.cert}` },
        { verify_tls: false },
      ]) {
        const reply = await act('test', inline(front.url, { ...details, ...more }));
        expect(reply.json, reply.text).to.include({ success: true });
      }
      const name = await save(front.url, { ...details, ca_certificate: ca.cert });
      expect((await act('tools', { name })).json).to.include({ success: true });
    });

    it('knows wrong names, ended certificates and plain ports', async () => {
      const server = await peer(startModern());
      const named = makeCertificate({ issuer: ca, names: ['mcp.example'] });
      const ended = makeCertificate({ issuer: ca, notBefore: new Date(1), notAfter: new Date(Date.now() - 1000) });
      const trust = { ca_certificate: ca.cert };
      const wrong = await peer(startTlsFront(server.url, named));
      expectFailedTest(await act('test', inline(wrong.url, trust)), 'tls_hostname_mismatch');
      const late = await peer(startTlsFront(server.url, ended));
      expectFailedTest(await act('test', inline(late.url, trust)), 'tls_expired');
      expectFailedTest(await act('test', inline(server.url.replace('http:', 'https:'))), 'tls_protocol');
    });

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
    it('refuses link-local and metadata addresses, in every spelling', async () => {
      const addresses = ['http://169.254.169.254/latest', 'http://[fe80::1]/', 'http://[fd00:ec2::254]/mcp'];
      addresses.push('http://2852039166/', 'http://0xa9.0xfe.0xa9.0xfe/', 'http://[::ffff:169.254.169.254]/');
      for (const url of addresses) {
        const reply = await act('test', inline(url, { token: 'x-token' }));
        expectFailedTest(reply, 'blocked_by_policy');
        expect(reply.json.data).to.include({ reachable: false, authenticated: false, http_status: null });
        expectFailedListing(await act('tools', inline(url)), 502, 'blocked_by_policy');
      }
    });

    it('follows no redirect', async () => {
      const target = await peer(startModern());
      const server = await peer(startRefusing(302, '', { location: `${target.url}?code=1` }));
      const reply = await act('test', inline(server.url, { token: 'x-token' }));
      expectFailedTest(reply, 'upstream_error');
      expect(reply.json.message).to.contain('127.0.0.1');
      expect(target.seen).to.deep.equal([]);
      const away = await peer(startRefusing(307, '', { location: 'http://169.254.169.254/' }));
      expectFailedTest(await act('test', inline(away.url)), 'blocked_by_policy');
    });

    it('closes private addresses where the administrator says so, within 5 s', async () => {
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

  describe('servers that fail', () => {
    it('tells why', async () => {
      const refused = await act('test', inline(`http://127.0.0.1:${await freePort()}/mcp`));
      expectFailedTest(refused, 'connection_refused');
      expect(refused.json.data).to.include({ reachable: false, http_status: null, transport: null });
      expectFailedTest(await act('test', inline('http://no-such-host.invalid/mcp')), 'dns_failed');
      const page = await peer(startRefusing(500, '<html>broken</html>'));
      expectFailedTest(await act('test', inline(page.url)), 'upstream_error');
      const listing = await act('tools', inline(page.url));
      expectFailedListing(listing, 502, 'upstream_error');
      expect(listing.json.data).to.include({ mcp_name: null, mcp_server_url: page.url });
    });

    it('gives up after 10 s (PLATFORM) and 15 s (ISSUE_TRACKER)', async () => {
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
      expect(test.seconds).to.be.within(9.5, 11.5);
      expectFailedListing(tools.reply, 504, 'timeout');
      expect(tools.seconds).to.be.within(9.5, 11.5);
      expectFailedListing(tracker.reply, 504, 'timeout');
      expect(tracker.seconds).to.be.within(14.5, 16.5);
    });

    it('checks the form before the network', async () => {
      for (const action of ['test', 'tools'] as const) {
        const fields = (reply: Reply) => reply.json.errors?.map((error: { field: string }) => error.field);
        expect(fields(await act(action, {}))).to.include('type');
        expect(fields(await act(action, { type: 'PLATFORM' }))).to.include('details.url');
        expect(fields(await act(action, { details: { url: 'http://127.0.0.1:9/' } }))).to.deep.equal(['type']);
        expect(fields(await act(action, inline('ftp://x')))).to.deep.equal(['details.url']);
        expect((await act(action, { name: 'nowhere' })).json.error_code).to.equal('not_found');
      }
    });
  });
});
