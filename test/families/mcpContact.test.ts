import { expect } from 'chai';
import { type Json, MemoryApp } from '../support/memory/app.ts';

const MASKED = '***MASKED***';
const PATH = '/mcp_connection';
const details = { url: 'https://mcp.example/mcp?team=canary-query', token: 'canary-token' };
const NO_DRIFT = { added: [], removed: [], changed: [] };

describe('MCP connections: test and tools', () => {
  let app: MemoryApp;
  const test = (body: unknown, user = 'editor') => app.call(user, 'POST', `${PATH}/test`, body);
  const tools = (body: unknown, user = 'editor') => app.call(user, 'POST', `${PATH}/tools`, body);
  const read = async () => (await app.call('editor', 'GET', `${PATH}/alpha`)).json.config;
  const update = (body: Json) => app.call('editor', 'PUT', PATH, { name: 'alpha', ...body });
  beforeEach(async () => {
    app = new MemoryApp();
    await app.call('editor', 'POST', PATH, {
      name: 'alpha',
      type: 'PLATFORM',
      details: { ...details, headers: { 'X-Key': 'canary-header' } },
    });
  });

  describe('test', () => {
    it('answers what was learned, and writes it without a new version', async () => {
      app.site.clock.advance(60_000);
      const before = await read();
      const { status, json } = await test({ name: 'ALPHA' });
      expect(status).to.equal(200);
      expect(json.data.response_time_ms).to.be.within(0, 5000);
      expect(json).to.deep.equal({
        status: 'success',
        message: 'The MCP server answered',
        success: true,
        data: {
          mcp_name: 'alpha',
          mcp_type: 'PLATFORM',
          mcp_server_url: 'https://mcp.example/mcp',
          response_time_ms: json.data.response_time_ms,
          http_status: 200,
          authenticated: true,
          reachable: true,
          transport: 'streamable_http',
          protocol_version: '2026-07-28',
          server_info: { name: 'fake', version: '1' },
        },
      });
      expect(await read()).to.deep.equal({
        ...before,
        auth_state: 'ok',
        transport_detected: 'streamable_http',
        last_test: {
          status: 'success',
          error_code: null,
          tested_at: app.site.clock.seconds(),
          response_time_ms: json.data.response_time_ms,
        },
      });
      expect(app.leaks('canary-token', 'canary-header')).to.deep.equal([]);
    });

    it('sends the stored secrets, and the transport that worked last time', async () => {
      await test({ name: 'alpha' });
      await test({ name: 'alpha' });
      expect(app.peers.targets[1]).to.deep.equal({
        url: details.url,
        token: 'canary-token',
        headers: { 'X-Key': 'canary-header' },
        verifyTls: true,
        caCertificate: undefined,
        transportHint: 'streamable_http',
        secrets: ['canary-token', 'canary-header'],
      });
    });

    it('a failure is an answer: 200 with the code, and no new version', async () => {
      app.peers.fail('tls_expired', 'the certificate has expired');
      const { status, json } = await test({ name: 'alpha' });
      expect(status).to.equal(200);
      expect([json.status, json.success, json.error_code, json.message]).to.deep.equal([
        'fail',
        false,
        'tls_expired',
        'the certificate has expired',
      ]);
      expect(json.data).to.include({ http_status: null, reachable: false, authenticated: false, transport: null });
      const record = await read();
      expect(record.last_test).to.include({ status: 'fail', error_code: 'tls_expired' });
      expect([record.version, record.auth_state]).to.deep.equal([1, 'unknown']);
      expect(record).not.to.have.property('transport_detected');
    });

    it('a refused token without refresh needs a person; one that works again does not', async () => {
      app.peers.accepted = new Set(['other']);
      const { json } = await test({ name: 'alpha' });
      expect([json.error_code, json.data.http_status, json.data.reachable]).to.deep.equal(['auth_failed', 401, true]);
      expect((await read()).auth_state).to.equal('reauth_required');
      app.peers.accepted = undefined;
      await test({ name: 'alpha' });
      expect((await read()).auth_state).to.equal('ok');
    });

    it('an inline test persists nothing and has no name', async () => {
      const records = app.site.records.dump();
      const { status, json } = await test({ type: 'ISSUE_TRACKER', details: { ...details, token: 'inline' } });
      expect(status).to.equal(200);
      expect([json.data.mcp_name, json.data.mcp_type]).to.deep.equal([null, 'ISSUE_TRACKER']);
      expect(app.peers.targets[0]?.token).to.equal('inline');
      expect(app.site.records.dump()).to.equal(records);
    });

    it('inline details need type and url; the mask has nothing to stand for', async () => {
      const bare = await test({ details: {} });
      expect(bare.status).to.equal(400);
      expect(bare.json.errors.map((error: Json) => error.field)).to.deep.equal(['type', 'details.url']);
      const { status, json } = await test({ type: 'PLATFORM', details: { ...details, token: MASKED } });
      expect([status, json.error_code]).to.deep.equal([400, 'masked_value_without_stored_secret']);
      expect((await test({})).status).to.equal(400);
      expect((await test({ type: 'PLATFORM', details: { url: 'https://u:p@mcp.example' } })).status).to.equal(400);
      expect(app.peers.targets).to.deep.equal([]);
    });

    it('details with a name take masked and absent secrets from the record, and persist nothing', async () => {
      const records = app.site.records.dump();
      await test({ name: 'alpha', details: { url: 'https://mcp.example/other', token: MASKED } });
      expect(app.peers.targets[0]).to.include({ url: 'https://mcp.example/other', token: 'canary-token' });
      expect(app.peers.targets[0]?.headers).to.deep.equal({ 'X-Key': 'canary-header' });
      await test({ name: 'alpha', details: { token: 'given', headers: null } });
      expect(app.peers.targets[1]).to.include({ url: details.url, token: 'given' });
      expect(app.peers.targets[1]?.headers).to.deep.equal({});
      expect(app.site.records.dump()).to.equal(records);
    });

    it('no stored secret goes to another host in an inline test', async () => {
      const url = 'https://evil.example/mcp';
      for (const given of [{ url }, { url, token: MASKED }, { url, token: 'x', headers: { 'X-Key': MASKED } }]) {
        const { status, json } = await test({ name: 'alpha', details: given });
        expect([status, json.error_code]).to.deep.equal([400, 'secret_required_for_new_host']);
        const list = await tools({ name: 'alpha', details: given });
        expect([list.status, list.json.error_code]).to.deep.equal([400, 'secret_required_for_new_host']);
      }
      expect(app.peers.targets).to.deep.equal([]);
      await test({ name: 'alpha', details: { url, token: '', headers: null } });
      expect(app.peers.targets[0]).to.include({ url, token: undefined });
    });

    it('another type than the stored one is 400', async () => {
      expect((await test({ name: 'alpha', type: 'ISSUE_TRACKER' })).status).to.equal(400);
      expect((await test({ name: 'alpha', type: 'ISSUE_TRACKER', details: {} })).status).to.equal(400);
    });

    it('a record deleted during its test is no error and does not come back', async () => {
      const probe = app.peers.client.probe;
      app.peers.client.probe = async (target) => {
        await app.call('editor', 'DELETE', `${PATH}/alpha`);
        return probe(target);
      };
      expect((await test({ name: 'alpha' })).status).to.equal(200);
      expect(app.site.records.all('ml_mcp_connections')).to.deep.equal([]);
    });
  });

  describe('tools', () => {
    const schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } };
    const tool = (name: string, more: Json = {}) => ({
      name,
      description: `does ${name}`,
      input_schema: schema,
      ...more,
    });

    it('lists all, and marks what agents may call', async () => {
      app.peers.tools = [tool('one', { title: 'One', annotations: { readOnlyHint: true } }), tool('two')];
      const free = await tools({ name: 'alpha' });
      expect(free.json.data.tools.map((item: Json) => item.allowed)).to.deep.equal([true, true]);
      await update({ tools_allowed: ['two', 'gone'] });
      const { status, json } = await tools({ name: 'alpha' });
      expect(status).to.equal(200);
      expect(json).to.deep.equal({
        status: 'success',
        message: '2 tools',
        success: true,
        data: {
          mcp_name: 'alpha',
          mcp_type: 'PLATFORM',
          mcp_server_url: 'https://mcp.example/mcp',
          response_time_ms: json.data.response_time_ms,
          tool_count: 2,
          tools: [
            {
              name: 'one',
              title: 'One',
              description: 'does one',
              input_schema: schema,
              annotations: { readOnlyHint: true },
              allowed: false,
            },
            { name: 'two', description: 'does two', input_schema: schema, allowed: true },
          ],
          drift: NO_DRIFT,
        },
      });
      await update({ tools_allowed: [] });
      const none = await tools({ name: 'alpha' });
      expect(none.json.data.tools.map((item: Json) => item.allowed)).to.deep.equal([false, false]);
    });

    it('drift: nothing at first, then names against the last listing', async () => {
      const drift = async () => (await tools({ name: 'alpha' })).json.data.drift;
      app.peers.tools = [tool('one'), tool('two'), tool('three')];
      expect(await drift()).to.deep.equal(NO_DRIFT);
      expect(await drift()).to.deep.equal(NO_DRIFT);
      app.peers.tools = [tool('two', { description: 'other' }), tool('four'), tool('three')];
      expect(await drift()).to.deep.equal({ added: ['four'], removed: ['one'], changed: ['two'] });
      expect(await drift()).to.deep.equal(NO_DRIFT);
    });

    it('drift: the order of tools and of keys, titles and annotations are no change; an input schema is', async () => {
      const drift = async () => (await tools({ name: 'alpha' })).json.data.drift;
      app.peers.tools = [tool('one'), tool('two')];
      await drift();
      const turned = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' };
      app.peers.tools = [tool('two', { title: 'T', annotations: { x: 1 } }), tool('one', { input_schema: turned })];
      expect(await drift()).to.deep.equal(NO_DRIFT);
      app.peers.tools = [tool('one', { input_schema: { ...schema, required: ['a'] } }), tool('two')];
      expect(await drift()).to.deep.equal({ ...NO_DRIFT, changed: ['one'] });
    });

    it('drift: not for given details, and not against a deleted connection of the same name', async () => {
      await tools({ name: 'alpha' });
      app.peers.tools = [tool('new')];
      expect((await tools({ name: 'alpha', details: {} })).json.data.drift).to.deep.equal(NO_DRIFT);
      expect((await tools({ name: 'alpha' })).json.data.drift.added).to.deep.equal(['new']);
      await app.call('editor', 'DELETE', `${PATH}/alpha`);
      app.site.clock.advance(1000);
      await app.call('editor', 'POST', PATH, { name: 'alpha', type: 'PLATFORM', details });
      expect((await tools({ name: 'alpha' })).json.data.drift).to.deep.equal(NO_DRIFT);
    });

    it('drift: a listing that a deletion could not take away is not that of a new connection', async () => {
      app.peers.tools = [tool('old')];
      await tools({ name: 'alpha' });
      const left = app.site.records.all('ml_mcp_listings')[0];
      await app.call('editor', 'DELETE', `${PATH}/alpha`);
      app.site.records.collection('ml_mcp_listings').set('alpha', JSON.stringify(left));
      app.site.clock.advance(1000);
      await app.call('editor', 'POST', PATH, { name: 'alpha', type: 'PLATFORM', details });
      app.peers.tools = [tool('new')];
      expect((await tools({ name: 'alpha' })).json.data.drift).to.deep.equal(NO_DRIFT);
      app.peers.tools = [];
      expect((await tools({ name: 'alpha' })).json.data.drift).to.deep.equal({ ...NO_DRIFT, removed: ['new'] });
    });

    it('a listing that was cut off says so, and the drift base stays', async () => {
      app.peers.tools = [tool('one'), tool('two')];
      await tools({ name: 'alpha' });
      app.peers.tools = [tool('one')];
      app.peers.truncated = 'more than 50 pages';
      const { json } = await tools({ name: 'alpha' });
      expect([json.success, json.data.truncated]).to.deep.equal([true, true]);
      expect(json.warnings).to.have.length(1);
      expect(json.warnings[0]).to.include('more than 50 pages');
      app.peers.truncated = undefined;
      app.peers.tools = [tool('one'), tool('two')];
      const whole = await tools({ name: 'alpha' });
      expect(whole.json.data.drift).to.deep.equal(NO_DRIFT);
      expect(whole.json.data).not.to.have.property('truncated');
    });

    it('a failure is 502 with the code, 504 for a timeout, and the drift base stays', async () => {
      await tools({ name: 'alpha' });
      const base = app.site.records.all('ml_mcp_listings');
      const codes = { auth_failed: 502, connection_refused: 502, blocked_by_policy: 502, timeout: 504 } as const;
      for (const [code, expected] of Object.entries(codes)) {
        app.peers.fail(code as keyof typeof codes);
        const { status, json } = await tools({ name: 'alpha' });
        expect([status, json.status, json.success, json.error_code]).to.deep.equal([expected, 'fail', false, code]);
      }
      expect(app.site.records.all('ml_mcp_listings')).to.deep.equal(base);
    });

    it('changes neither version nor last_updated', async () => {
      const before = await read();
      app.site.clock.advance(5000);
      await tools({ name: 'alpha' });
      const after = await read();
      expect([after.version, after.last_updated_at]).to.deep.equal([before.version, before.last_updated_at]);
      expect(after).not.to.have.property('last_test');
    });
  });
});
