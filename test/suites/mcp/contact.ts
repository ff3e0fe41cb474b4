import { expect } from 'chai';
import { freePort } from '../../support/peers/listen.ts';
import { startBearerProxy } from '../../support/peers/mcp/bearerProxy.ts';
import { startModern } from '../../support/peers/mcp/modern.ts';
import { startRefusing } from '../../support/peers/mcp/scripted.ts';
import type { Peers } from '../../support/peers/peers.ts';
import { expectCode, fieldsOf } from '../../support/replies.ts';
import { patience } from '../../support/time.ts';
import {
  CONNECTIONS,
  expectFailedListing,
  expectFailedTest,
  expectFields,
  expectOk,
  headerOf,
  inline,
  MASK,
  type McpCalls,
} from './calls.ts';

export function contactTopic(mcp: McpCalls, { started }: Peers): void {
  const { world, put, test, tools, config, made } = mcp;
  const saved = async (details: object, more: object = {}) => (await made({ details, ...more })).name;
  const nobody = async () => `http://127.0.0.1:${await freePort()}/mcp`;

  it('returns and stores the outcome without a new version', async () => {
    const server = await started(startModern({ modernOnly: true }));
    const name = await saved({ url: `${server.url}?team=hidden#part` });
    const before = await config(name);
    const earliest = world.now();
    const { status, json } = await test({ name: name.toUpperCase() });
    expect(status).to.equal(200);
    const { response_time_ms } = json.data;
    expect(response_time_ms).to.be.within(0, patience(5000));
    expect(json).to.deep.equal({
      status: 'success',
      message: 'The MCP server answered',
      success: true,
      data: {
        mcp_name: name,
        mcp_type: 'PLATFORM',
        mcp_server_url: server.url,
        response_time_ms,
        http_status: 200,
        authenticated: true,
        reachable: true,
        transport: 'streamable_http',
        protocol_version: '2026-07-28',
        server_info: { name: 'modern-peer', version: '1.2.3', title: 'Modern' },
      },
    });
    const { tested_at } = (await config(name)).last_test;
    expect(tested_at).to.be.within(earliest, world.now());
    expect(await config(name)).to.deep.equal({
      ...before,
      auth_state: 'ok',
      transport_detected: 'streamable_http',
      last_test: { status: 'success', error_code: null, tested_at, response_time_ms },
    });
  });

  it('a failure is an answer: 200 with the code, and no new version', async () => {
    const name = await saved({ url: await nobody() });
    const reply = await test({ name });
    expectFailedTest(reply, 'connection_refused');
    const nothing = { http_status: null, reachable: false, authenticated: false, transport: null };
    expect(reply.json.data).to.include(nothing);
    const record = await config(name);
    expect(record.last_test).to.include({ status: 'fail', error_code: 'connection_refused' });
    expect([record.version, record.auth_state]).to.deep.equal([1, 'unknown']);
    expect(record).to.not.have.property('transport_detected');
  });

  it('401 and 403 of the server are not passed on', async () => {
    for (const [status, code] of [
      [401, 'auth_failed'],
      [403, 'permission_denied'],
    ] as const) {
      const server = await started(startRefusing(status, 'no'));
      const name = await saved({ url: server.url, token: 'stored-token' });
      const reply = await test({ name });
      expectFailedTest(reply, code);
      expect(reply.json.data).to.include({ http_status: status, authenticated: false, reachable: true });
      expect((await config(name)).last_test).to.include({ status: 'fail', error_code: code });
      expectFailedListing(await tools({ name }), 502, code);
    }
    const open = await saved({ url: (await started(startRefusing(401, 'no'))).url });
    await test({ name: open });
    expect((await config(open)).auth_state).to.equal('reauth_required');
  });

  it('tells of other failures', async () => {
    const server = await started(startRefusing(500, '<html>broken</html>'));
    expectFailedTest(await test(inline(server.url)), 'upstream_error');
    const listing = await tools(inline(server.url));
    expectFailedListing(listing, 502, 'upstream_error');
    expect(listing.json.data).to.include({ mcp_name: null, mcp_server_url: server.url });
  });

  it('passes a throttle on as 429 with its delay', async () => {
    const server = await started(startRefusing(429, 'slow down', { 'retry-after': '7' }));
    const reply = await tools(inline(server.url));
    expectFailedListing(reply, 429, 'rate_limited');
    expect(reply.json.retry_after).to.equal(7);
    expect(headerOf(reply, 'retry-after')).to.equal('7');
    expectFailedTest(await test(inline(server.url)), 'rate_limited');
  });

  it('a refused token without refresh sets reauth_required until it works again', async () => {
    const proxy = await started(startBearerProxy({ target: (await started(startModern())).url, tokens: [] }));
    const name = await saved({ url: proxy.url, token: 'the-token' });
    expectFailedTest(await test({ name }), 'auth_failed');
    expect((await config(name)).auth_state).to.equal('reauth_required');
    proxy.tokens.add('the-token');
    await test({ name });
    expect((await config(name)).auth_state).to.equal('ok');
  });

  it('sends token and headers; given details take what is masked or absent from the record, and are not kept', async () => {
    const server = await started(startModern());
    const proxy = await started(startBearerProxy({ target: server.url, tokens: ['good-token', 'given'] }));
    const name = await saved({ url: proxy.url, token: 'good-token', headers: { 'X-Api-Key': 'the-key' } });
    const update = async (body: object) => {
      proxy.seen.length = 0;
      server.seen.length = 0;
      const reply = await test(body);
      expect(reply.json, JSON.stringify(reply.json)).to.include({ success: true });
      return { reply, token: [...new Set(proxy.seen)], key: server.seen.at(-1)?.headers['x-api-key'] };
    };
    expect(await update({ name })).to.deep.include({ token: ['Bearer good-token'], key: 'the-key' });
    const records = await world.records(CONNECTIONS);
    for (const details of [{ token: MASK }, { url: proxy.url, token: MASK }, { url: `${proxy.url}?x=1` }]) {
      const { reply, ...rest } = await update({ name, details });
      expect(rest).to.deep.equal({ token: ['Bearer good-token'], key: 'the-key' });
      expect(reply.json.data.mcp_name).to.equal(null);
    }
    const reply = await update({ name, details: { token: 'given', headers: null } });
    expect(reply).to.deep.include({ token: ['Bearer given'], key: undefined });
    const wrong = await test({ name, details: { token: 'wrong-token' } });
    expectFailedTest(wrong, 'auth_failed');
    expect(wrong.json.data).to.include({ http_status: 401, authenticated: false, reachable: true });
    expect(await world.records(CONNECTIONS)).to.deep.equal(records);
  });

  it('an inline test persists nothing and has no name', async () => {
    const server = await started(startModern());
    const proxy = await started(startBearerProxy({ target: server.url, tokens: ['inline'] }));
    const { status, json } = await test(inline(`${proxy.url}?key=hidden#part`, { token: 'inline' }, 'ISSUE_TRACKER'));
    expect([status, json.success]).to.deep.equal([200, true]);
    expect(json.data).to.include({ mcp_name: null, mcp_type: 'ISSUE_TRACKER', mcp_server_url: proxy.url });
    expect(await world.records(CONNECTIONS)).to.deep.equal([]);
  });

  it('no stored secret goes to another host', async () => {
    const [own, other] = [await started(startModern()), await started(startModern())];
    const name = await saved({ url: own.url, token: 'stored-token', headers: { 'X-Key': 'stored' } });
    const { url } = other;
    for (const details of [{ url }, { url, token: MASK }, { url, token: 'x', headers: { 'X-Key': MASK } }]) {
      for (const act of [test, tools]) expectCode(await act({ name, details }), 400, 'secret_required_for_new_host');
    }
    expect(other.seen).to.deep.equal([]);
    expectOk(await test({ name, details: { url, token: '', headers: null } }));
    expect(other.seen.length).to.be.greaterThan(0);
    for (const { headers } of other.seen) expect(headers).to.not.have.any.keys('authorization', 'x-key');
  });

  it('the form is checked before the network', async () => {
    const { url, seen } = await started(startModern());
    const name = await saved({ url, token: 'stored-token' });
    for (const act of [test, tools]) {
      expect(fieldsOf(await act({}))).to.include('type');
      expect(fieldsOf(await act({ type: 'PLATFORM' }))).to.include('details.url');
      expectFields(await act({ details: {} }), 'type', 'details.url');
      expectFields(await act({ details: { url } }), 'type');
      expectFields(await act(inline('ftp://x')), 'details.url');
      expectFields(await act(inline(url.replace('//', '//u:p@'))), 'details.url');
      expectCode(await act(inline(url, { token: MASK })), 400, 'masked_value_without_stored_secret');
      expectCode(await act({ name: 'nowhere' }), 404, 'not_found');
      // The type of a connection stays.
      expectFields(await act({ name, type: 'ISSUE_TRACKER' }), 'type');
      expectFields(await act({ name, type: 'ISSUE_TRACKER', details: {} }), 'type');
    }
    expect(seen).to.deep.equal([]);
  });

  it('those who read a connection test it, with its own details', async () => {
    const { url } = await started(startModern());
    const name = await saved({ url }, { acl: { sharing: 'app', perms: { read: ['editors'] } } });
    expect((await test({ name }, 'bert')).json.success).to.equal(true);
    expectCode(await test({ name, details: {} }, 'bert'), 403, 'acl_denied');
  });

  it('new credentials or a new host reset what tests have found out', async () => {
    const name = await saved({ url: (await started(startModern())).url, token: 'one' });
    await test({ name });
    const known = await config(name);
    expect([known.auth_state, known.transport_detected]).to.deep.equal(['ok', 'streamable_http']);
    expect((await put({ name, details: { token: 'other' } })).json.config.auth_state).to.equal('unknown');
    const moved = await put({ name, details: { url: 'https://new.example', token: 't' } });
    expectOk(moved);
    expect(moved.json.config).to.not.have.property('transport_detected');
    expect((await world.records(CONNECTIONS))[0]).to.not.have.property('token_expires_at');
  });
}
